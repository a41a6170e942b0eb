"""The menu in words: its games, the matches that wait, the names of looks."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games import face as faces
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.net import seats as kept
from clocktowers_tui.text.fitting import day_of, fit, moment_of, time_left
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.games.registry import GAMES
from protocol.text import cells

if TYPE_CHECKING:
    from clocktowers_tui.net.waiting import Due


def how_many_in_words(face: "faces.Face") -> str:
    """How many can play a game."""
    seats = GAMES[face.game].seats
    said = pgettext("on a game's card, 17 cells", "{seats} players")
    return said.format(seats=f"{min(seats)}-{max(seats)}")


def time_in_words(face: "faces.Face") -> str:
    """How long a match takes, about."""
    return pgettext("on a game's card, 7 cells", "{n} min").format(n=face.minutes)


def lesson_in_words(title: str, keymap: Keymap, *, first: bool) -> str:
    """Where a player begins to whom this game is new. `first`: all games are."""
    here = _("New here? {learn} teaches {game} in 5 minutes.")
    said = here if first else _("New to {game}? {learn} teaches it in 5 minutes.")
    return said.format(learn=keymap.name(actions.LEARN), game=title)


def tip_in_words(keymap: Keymap) -> str:
    """For a player who is here for the first time."""
    said = _("Move: {move}. Choose: {confirm}. All keys: {help}. A wrong key costs nothing.")
    return said.format(
        move=ways_to_move(keymap),
        confirm=keymap.name(actions.CONFIRM),
        help=keymap.name(actions.HELP),
    )


# Matches that wait, in words.


def on_card_in_words(seat: "kept.Seat") -> str:
    """What Enter does on the card of its game."""
    now = seat.progress
    if now.turn and now.round:
        return pgettext("on a game's card, 22 cells", "Continue: round {n}").format(n=now.round)
    said = pgettext("on a game's card, 22 cells", "Continue: turn {n}")
    return said.format(n=now.turn) if now.turn else _("Continue")


def waiting_in_words(seat: "kept.Seat") -> str:
    """The match in a few words: which game, against whom, how far it is; where that is unknown,
    since when it waits. Of a seat at somebody's server where that is, too."""
    return _from_longest(seat)[0]


def due_in_words(due: "Due") -> str:
    """The same, and first whose turn it is; for the player's how long they have."""
    return _from_longest(due.seat, due)[0]


def row_in_words(said: str, seat: "kept.Seat", due: "Due | None", room: int) -> str:
    """`said`, as `Continue: {match}`, in so many cells; or whose turn it is, where the match's
    server has told. An address gives way."""
    *longer, shortest = _from_longest(seat, due, said)
    return next((one for one in longer if cells(one) <= room), fit(shortest, room))


def _from_longest(
    seat: "kept.Seat", due: "Due | None" = None, said: str = "{match}"
) -> Sequence[str]:
    if due is not None:
        said = _whose_turn(due)
    match = _match_in_words(seat, due)
    if seat.folder:
        return [said.format(match=match)]
    whole = _("table {table} at {address}, as {name}")
    wheres = [whole, _("table {table} at {address}"), _("table {table}")]
    places = {"table": seat.table, "address": seat.told_address, "name": seat.name}
    there = [f"{match}, {where.format(**places)}" for where in wheres]
    return [said.format(match=one) for one in (*there, match)]


def _match_in_words(seat: "kept.Seat", due: "Due | None" = None) -> str:
    """Where its server has told of it now, how far it was is no news."""
    now, told = seat.progress, due is not None and due.yours is not None
    if not seat.match and (not seat.days if due is None else not due.begun):
        return _("{game}, not begun").format(game=title_of(seat.game))
    known = now.turn or now.people
    people = [one for one in now.people if one != seat.name]  # at one keyboard all are noted
    match = _against(seat.game, people, now.bots) if known else title_of(seat.game)
    match = _("{match}, deal of the day").format(match=match) if now.daily else match
    if told:
        return match
    if now.turn:
        said = _("{match}, round {round}, turn {n}") if now.round else _("{match}, turn {n}")
        return said.format(match=match, round=now.round, n=now.turn)
    return _("{game}, {when}").format(game=match, when=moment_of(seat.kept_at))


def _whose_turn(due: "Due") -> str:
    """A sentence with a place for the match."""
    said = _("{match} (you are away until {date})") if due.away_until else "{match}"
    return said.format(match=_turn_in_words(due), date=day_of(due.away_until))


def _turn_in_words(due: "Due") -> str:
    """A sentence with a place for the match."""
    if due.yours is None:
        said = {
            "silent": _("No answer: {match}"),
            "locked": _("Its server asks for a password: {match}"),
            "gone": _("No longer at its server: {match}"),
        }
        return said[due.untold]
    if due.over:
        return _("It is over: {match}")
    if not due.yours:
        # Elsewhere a bot may play for this player now.
        return _("Their turn: {match}") if due.seat.days else _("Continue: {match}")
    if due.left_s is None:
        return _("Your turn: {match}")
    return _("Your turn, {time}: {match}").format(time=time_left(due.left_s), match="{match}")


def due_elsewhere_in_words(dues: "Sequence[Due]", key: str) -> str:
    """In how many other matches it is the player's turn; where it is in none, one of which that is
    unknown. `key`: what leads to the first."""
    if not (n := sum(due.yours is True for due in dues)):
        untold = (one for one in dues if one.yours is None and one.untold != "gone")
        unknown = next(untold, None)
        return due_in_words(unknown) if unknown else _("It is your turn in no other match.")
    said = ngettext(
        "Your turn in {n} more match. {key}: go there.",
        "Your turn in {n} more matches. {key}: the next.",
        n,
    )
    return said.format(n=n, key=key)


def _against(game: str, people: Sequence[str], bots: int) -> str:
    against = list(people)
    if bots:
        against.append(ngettext("{n} bot", "{n} bots", bots).format(n=bots))
    if not against:
        return _("{game} alone").format(game=title_of(game))
    others = ", ".join(against)
    return _("{game} against {others}").format(game=title_of(game), others=others)


def kept_in_words(seats: "Iterable[kept.Seat]", lessons: Iterable[str]) -> list[str]:
    """What the player can continue after quitting: a sentence for each match and for each game
    whose lesson has begun."""
    matches = [_kept_in_words(seat) for seat in seats]
    lesson = _("Your lesson in {game} waits for you.")
    return [*matches, *(lesson.format(game=title_of(game)) for game in lessons)]


def _kept_in_words(seat: "kept.Seat") -> str:
    if seat.folder:
        return _("{match} waits for you.").format(match=waiting_in_words(seat))
    said = _("Your seat at table {table} waits for you: {name} at {address}.")
    if not (seat.match or seat.days):
        said = _("Your seat at table {table} waits a while for you: {name} at {address}.")
    return said.format(table=seat.table, address=seat.told_address, name=seat.name)


# The names of palettes, colours and characters.


Value = TypeVar("Value", bound=StrEnum)

PALETTES: Final[Mapping[Palette, str]] = {
    Palette.DARK: N_("dark"),
    Palette.LIGHT: N_("light"),
    Palette.GRUVBOX: N_("Gruvbox"),
    Palette.NORD: N_("Nord"),
    Palette.CATPPUCCIN: N_("Catppuccin"),
    Palette.CONTRAST: N_("high contrast"),
    Palette.COLOUR_BLIND: N_("for the colour-blind"),
    Palette.NATIVE: N_("the terminal's own"),
}
COLOURS: Final[Mapping[Colours, str]] = {
    # TRANSLATORS: how many colours, a setting.
    Colours.TRUE: N_("all"),
    Colours.C256: N_("256"),
    Colours.C16: N_("16"),
    # TRANSLATORS: how many colours, a setting.
    Colours.NONE: N_("none"),
}
GLYPHS: Final[Mapping[GlyphSet, str]] = {
    GlyphSet.UNICODE: N_("all of Unicode"),
    GlyphSet.SAFE: N_("few, as on a Linux console"),
    # TRANSLATORS: characters to draw with, a setting.
    GlyphSet.ASCII: N_("plain ASCII"),
}


def in_words(values: Mapping[Value, str]) -> list[tuple[Value, str]]:
    """(value, words), to choose from."""
    return [(value, _(words)) for value, words in values.items()]


def palette_in_words(look: Look, keymap: Keymap) -> str:
    """Which palette it is, and the key that goes back; if the player does not see it, why."""
    places = {"palette": _(PALETTES[look.palette]), "n": [*Palette].index(look.palette) + 1}
    said = _("Theme {n} of {all}: {palette}.").format(all=len(Palette), **places)
    if look.ansi and look.palette is not Palette.NATIVE:
        return said + " " + _("This terminal shows too few colours for it.")
    back = keymap.name(actions.THEME_BEFORE)
    return said + " " + _("{key}: the theme before.").format(key=back) if back else said
