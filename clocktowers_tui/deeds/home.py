"""What a player can do in the menu."""

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui import new_table
from clocktowers_tui.config.settings import Draft, Settings, as_name, called
from clocktowers_tui.deeds import asking
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.net import seats, seats_folder, wishes
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.home import due_in_words, kept_in_words, waiting_in_words
from clocktowers_tui.text.fitting import day_of
from clocktowers_tui.text.i18n import N_, _
from protocol.games.registry import LEVELS
from protocol.text import MAX_NAME_CELLS

if TYPE_CHECKING:
    from clocktowers_tui.games.face import Face
    from clocktowers_tui.history.matches import Kept
    from clocktowers_tui.net.waiting import Due

_CONTINUE = N_("go on with a match that waits")
_TODAY = N_("play the deal of the day")
_MATCHES = N_("list your finished matches")
REVIEW: Final = N_("say what was better in a match")
_OUT = N_("go on at another machine: shows a code for move-in there")
_IN = N_("take yourself over from your old machine")
_QUIT = N_("leave the program")
_VACATION = N_("take days off at all your servers: clocks that count days stop")
_GAME = "[GAME]"
_PLAY = N_("play against bots; play new ends the match that waits")
_ALONE = N_("Play alone, no clock")
_PRACTISE = N_("play alone, no bot and no clock; practise new ends the match that waits")
_SETUP = N_("play against bots of your choice; setup --help lists the flags")
_LACKS_NAME = N_("Type your name: name NAME.")
_HOST = N_("open a table for friends; it says what they type to join you")
_WHERE = "INVITATION|HOST:PORT/CODE"


async def _tell_whose_turn(client: Client, ask: "asking.Asker", vacation: int = 0) -> None:
    """In each match at a server, a line each; then what else waits, all with the number by which
    `continue` knows them. `vacation`: so many days off are taken first."""
    from clocktowers_tui.net.waiting import ask as asked  # seldom used

    waits = waiting(client.faces).all
    dues = await asked(waits, vacation)
    if vacation:
        until = max((due.away_until for due in dues), default=0)
        away = _("You are away until {date}.").format(date=day_of(until))
        ask.say(away if until else _("No server has given you days off."))
    others = [seat for seat in waits if seat not in [due.seat for due in dues]]
    told = [(due.seat, due_in_words(due)) for due in dues]
    told += [(seat, waiting_in_words(seat)) for seat in others]
    said = [f"{1 + waits.index(seat)}: {line}" for seat, line in told]
    ask.aloud(*(said or [_("No match waits for you.")]))


async def _take_vacation(client: Client, ask: "asking.Asker") -> None:
    """At each server where a match of days waits."""
    lacks, told = _("Type how many days: vacation DAYS."), _("Clocks that count days stop then.")
    typed = await ask.line(_("Take days off"), _("Days"), told, most=3, lacks=lacks)
    if typed is not None:
        if not (days := int(typed) if typed.isdecimal() else 0):
            raise NotDone(lacks)
        await _tell_whose_turn(client, ask, days)


async def _move_out(client: Client, ask: "asking.Asker") -> None:
    from clocktowers_tui.deeds import moving  # seldom used

    await moving.move_out(client, ask)


async def _move_in(client: Client, ask: "asking.Asker") -> None:
    from clocktowers_tui.deeds import moving  # seldom used

    await moving.move_in(client, ask)


HOME: Final = (
    Deed("continue", _CONTINUE, (actions.CONTINUE,), short="c", takes="[N]"),
    Deed("learn", N_("learn a game"), (actions.LEARN,), short="l", takes=_GAME),
    Deed("play", _PLAY, (actions.PLAY, actions.NEXT_LEVEL), short="p", takes="[GAME] [new]"),
    Deed(
        "practise",
        _PRACTISE,
        (actions.PRACTISE,),
        takes="GAME [new]",
        words=N_("Play alone, no clock"),
    ),
    Deed("setup", _SETUP, (actions.BOTS, actions.OTHER_BOTS, actions.ALONE), takes="[FLAGS]"),
    Deed("lobby", N_("go to the server's tables"), short="b", guest=True),
    Deed("join", N_("go to a server"), (actions.JOIN,), short="j", takes=_WHERE, guest=False),
    Deed("host", _HOST, (actions.HOST,), takes="GAME", guest=False),
    Deed("today", _TODAY, (actions.TODAY,), short="t", takes=_GAME, guest=False),
    Deed("waiting", N_("say in which matches it is your turn"), (), _tell_whose_turn, guest=False),
    Deed("matches", _MATCHES, (actions.HISTORY,), short="m", takes="[WORDS]", guest=False),
    Deed("review", REVIEW, takes="[N|ID]", guest=False),
    Deed("replay", N_("see a match again"), takes="N|ID", guest=False),
    Deed("quit", _QUIT, (actions.LEAVE,), short="q", words=N_("Quit"), shown=True),
    Deed("vacation", _VACATION, (actions.VACATION,), _take_vacation, takes="DAYS", guest=False),
    Deed("move-out", _OUT, (actions.MOVE_OUT,), _move_out, takes="[FILE]", guest=False),
    Deed("move-in", _IN, (actions.MOVE_IN,), _move_in, takes="CODE|FILE", guest=False),
    Deed("rules", "", (actions.RULES,), words=N_("Read the rules")),
    Deed("name", "", (actions.NAME,)),
    Deed("settings", "", (actions.SETTINGS,)),
)
"""The last three are everywhere in plain mode."""


def offered(settings: Settings, face: "Face", kept: "Sequence[Kept] | None") -> Draft:
    """The match that Play begins: as it was filled in or played last, and once the player has won
    that, one level above. `kept`: what `finished` has read."""
    draft = new_table.begun(settings, face, solo=True)
    if kept:
        from clocktowers_tui.deeds.looking_back import has_beaten

        bots = new_table.bots_of(draft, face.game, LEVELS)
        if has_beaten(kept, face.game, bots, practice=draft.preset == new_table.PRACTICE):
            return new_table.above(draft, face.game, LEVELS) or draft
    return draft


def finished() -> "Sequence[Kept] | None":
    """The player's matches, newest first; None: the history cannot be used. It waits for the disk;
    what reads them is loaded only where there are some."""
    from clocktowers_tui.history import history_file

    if is_guest() or not history_file().exists():
        return ()
    from clocktowers_tui.history import matches

    try:
        return matches.newest_first()
    except matches.NoHistory:
        return None


def practice(client: Client, game: str) -> "wishes.Solo":
    """The wish for a match alone and without hurry."""
    draft = Draft(seats=1, preset=new_table.PRACTICE)
    table = new_table.drafted(draft, client.faces[game], LEVELS, solo=True)
    dealt, settings = new_table.practised(client.settings, table)
    client.keep(settings)
    return wishes.Solo(dealt)


async def ask_name(client: Client, ask: "asking.Asker", title: str) -> bool:
    """Ask what the player is called, and keep it; whether they have answered."""
    note, now, lacks = _("Others see it at the table."), called(client.settings), _LACKS_NAME
    typed = await ask.line(title, _("Name"), note, had=now, most=MAX_NAME_CELLS, lacks=_(lacks))
    if typed is None or not (name := as_name(typed)):
        return False
    client.keep(replace(client.settings, name=name))
    ask.aloud(_("You are called {name} from the next table on.").format(name=name))
    return True


# The matches that wait for their player: the newest of each game on its card, others in rows.


class Waiting(NamedTuple):
    """`on_cards`: by game, on the player's own server. `others`: at other servers, and older.
    `dues`: of those at servers, by match, once these were asked."""

    on_cards: "Mapping[str, seats.Seat]"
    others: "Sequence[seats.Seat]"
    dues: "Mapping[str, Due]"

    def after_asking(self, dues: "Iterable[Due]") -> "Waiting":
        """Those first in which it is the player's turn. Of what is not told only a match that is
        gone is news: a server that is silent may start again."""
        told = (due for due in dues if due.yours is not None or due.untold == "gone")
        asked = {due.seat.asked_for: due for due in told}
        place = {match: n for n, (match, due) in enumerate(asked.items()) if due.yours}
        others = sorted(self.others, key=lambda seat: place.get(seat.asked_for, len(asked)))
        return self._replace(others=others, dues=asked)

    def hosted_besides(self, game: str) -> "seats.Seat | None":
        """The player's own open table of another game, where they have none of this one."""
        own = [one for one in self.others if one.at_home and not one.folder]
        return None if game in [one.game for one in own] else next(iter(own), None)

    @property
    def all(self) -> "list[seats.Seat]":
        """First those in which other people wait."""
        both = [*self.on_cards.values(), *self.others]
        return sorted(both, key=lambda seat: bool(seat.folder) and not seat.progress.people)


NOTHING: Final = Waiting({}, (), {})


def waiting(games: Container[str]) -> Waiting:
    """What is on disk, and no other running client plays. `games`: those that have a card."""
    on_cards: dict[str, seats.Seat] = {}
    others = []
    for seat in unfinished():
        if seat.folder and seat.game in games and seat.game not in on_cards:
            on_cards[seat.game] = seat
        else:
            others.append(seat)
    return Waiting(on_cards, others, {})


def going_on(client: Client, waits: "Sequence[seats.Seat]") -> list[str]:
    """What becomes of the server that the player hosted last, if they or one of these seats are
    there."""
    from clocktowers_tui.phrases.friends import going_on_in_words  # seldom used

    arrival, own = client.journey.arrival, client.settings.own_key
    there = [bool(seat.match) for seat in waits if seat.trust == own != ""]
    is_here = arrival is not None and arrival.link.trust.on_disk() == own != ""
    return [going_on_in_words(not all(there))] if there or is_here else []


def left_behind(client: Client, waits: "Sequence[seats.Seat]") -> list[str]:
    """What the player can continue after quitting, and what goes on without them."""
    kept = kept_in_words(waits, new_table.begun_lessons(client.settings))
    return kept + going_on(client, waits)


def unfinished() -> "list[seats.Seat]":
    """What reads them is loaded only where there is one."""
    with suppress(OSError):  # nobody may search the folder, or one above it
        if any(seats_folder().glob("*.seat")):
            return seats.unfinished()
    return []
