"""Drafts of a new table: what the player filled in, in rows or by flags, and the request that it
makes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.config.settings import Draft, Settings, draft_of
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.new_table.offers import CLOCKS, FIRST_GAME, NO_CLOCK, last_game, levels_of
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES, LEVELS
from protocol.text import clean

if TYPE_CHECKING:  # the menu needs no parser
    import argparse

OWN: Final = ""
"""The preset of a draft whose options are those of no preset."""

PERSON: Final = ""
"""The level of a seat that waits for a person."""


def bot_table(
    bots: int,
    level: str,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    game: str = FIRST_GAME,
) -> CreateTable:
    """The player and that many bots of one level; `options` as they go over the wire."""
    return CreateTable(
        id=0,
        game=game,
        seats=bots + 1,
        preset=preset,
        options=dict(options or {}),
        bots=[BotSeat(seat, level) for seat in range(1, bots + 1)],
    )


def begun(settings: Settings, face: Face, *, solo: bool) -> Draft:
    """The form as it was filled in last, or as it is at first: alone, against one weak bot."""
    draft = draft_of(settings, face.game, solo=solo)
    if solo and draft == Draft() and (lesson := LESSONS.get(face.game)):
        return Draft(seats=2, levels=(lesson.first_bot,), options=dict(lesson.first_options))
    return draft


def hosted(settings: Settings, faces: Mapping[str, Face], game: str = "") -> CreateTable:
    """The first table of a host, as its form was filled in last; in sight, so that who comes back
    finds it. `game`: "" is the one that the player chose last."""
    face = faces[game or last_game(settings, list(faces))]
    draft = replace(begun(settings, face, solo=False), hidden=False)
    return drafted(draft, face, LEVELS, solo=False)


def draft_from(table: CreateTable, face: Face) -> Draft:
    """What the form would hold for such a table."""
    levels = {bot.seat: bot.level for bot in table.bots}
    return Draft(
        title=table.title,
        seats=table.seats,
        levels=tuple(levels.get(seat, PERSON) for seat in range(1, table.seats)),
        preset=table.preset,
        options={**preset_values(face, table.preset), **table.options},
    )


def drafted(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> CreateTable:
    """The table of a draft, without what this game and these levels do not have."""
    seats = seats_of(draft, face.game)
    options = options_of(draft, face)
    preset = preset_of(options, face, draft.preset)
    sent = preset or face.presets()[0][0]
    before = preset_values(face, sent)
    known = levels_of(face.game, levels)
    bots = [(seat, level_of(draft, seat, known, solo=solo)) for seat in range(1, seats)]
    return CreateTable(
        id=0,
        game=face.game,
        seats=seats,
        title="" if solo else clean(draft.title),
        preset=sent,
        options={name: value for name, value in options.items() if value != before[name]},
        bots=[BotSeat(seat, level) for seat, level in bots if level != PERSON],
        clock=CLOCKS.get(draft.clock) if face.in_turns and seats > 1 and not solo else None,
        # Where nobody plays another person there are hints unless the table forbids them.
        hints=True if draft.hints and face.in_turns and not solo else None,
        hidden=draft.hidden and not solo,
        watchable=draft.watchable or solo,
        duplicate="" if draft.shared and not solo else None,
    )


def seats_of(draft: Draft, game: str) -> int:
    """How many seats the table has; the most when the game cannot be played by that many."""
    seats = GAMES[game].seats
    return draft.seats if draft.seats in seats else max(seats)


def level_of(draft: Draft, seat: int, levels: Sequence[str], *, solo: bool) -> str:
    """The level of the bot on that seat, or `PERSON`; no person can come to a `solo` table, where a
    further bot is as strong as the last one."""
    last = draft.levels[-1] if solo and draft.levels else PERSON
    level = draft.levels[seat - 1] if seat <= len(draft.levels) else last
    if level in levels or (level == PERSON and not solo):
        return level
    usual = "normal" if "normal" in levels else levels[-1]
    return usual if solo else PERSON


def options_of(draft: Draft, face: Face) -> dict[str, Any]:
    """The value of every option that a table with that many seats has."""
    values = preset_values(face, draft.preset)
    for field in face.option_fields(seats_of(draft, face.game)):
        wished = draft.options.get(field.name, values[field.name])
        known = [plain(value) for value, _words in field.values]
        fitting = (value for value in (wished, values[field.name], *known) if value in known)
        values[field.name] = next(fitting)
    return values


def needed(face: Face, seats: int, preset: str) -> dict[str, Any]:
    """The options that a table of so many seats must have, whatever the preset says."""
    before = preset_values(face, preset)
    found = options_of(Draft(seats=seats, preset=preset), face)
    return {name: value for name, value in found.items() if value != before[name]}


def preset_of(options: Mapping[str, Any], face: Face, wished: str) -> str:
    """A preset that gives exactly these options, preferably the wished one; or `OWN`. What only
    says how much hurry there is changes no rules."""
    names = [name for name, _words in face.presets()]
    rules = [field.name for field in face.option_fields() if not field.hurry]

    def fits(name: str) -> bool:
        values = preset_values(face, name)
        return all(values[rule] == options[rule] for rule in rules)

    fitting = [name for name in names if fits(name)]
    return wished if wished in fitting else next(iter(fitting), OWN)


def preset_values(face: Face, preset: str) -> dict[str, Any]:
    """Every option of the form as the preset leaves it."""
    values = {field.name: field.values[0][0] for field in face.option_fields()}
    presets = GAMES[face.game].presets
    values.update({name: plain(value) for name, value in presets.get(preset, {}).items()})
    return {name: plain(value) for name, value in values.items()}


def clock_of(draft: Draft) -> str:
    """The name of a draft's clock; `NO_CLOCK` when no clock has that name any more."""
    return draft.clock if draft.clock in CLOCKS else NO_CLOCK


# What can be chosen, for the rows of the form and for flags that are typed.


class TableField(NamedTuple):
    """A choice that does not depend on the game. `name`: in a `Draft`, of the form's row, of the
    flag. `values`: what can be chosen, the usual first, and its words; () for the clocks. `about`:
    the sentence of the row. `flag`: what the flag does; "" where there is none."""

    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    about: str
    flag: str = ""


_SEEN = (False, N_("everybody")), (True, N_("people with its code"))
_FOUND = N_("Does everybody see the table, or only people with its code?")
_UNSEEN = N_("leave the table out of the list")
_ALLOWED = (True, N_("allowed")), (False, N_("not allowed"))
_WATCH = N_("May people watch who do not play?")
_PLAYED = (False, N_("only here")), (True, N_("at other tables, too"))
_RANKED = N_("Other tables play the same deal, and all are ranked.")
_SHARE = N_("let other tables play the same deal")
_LONG, _THINK = N_("How long may each player think?"), N_("how long a player may think")
_GIVEN = (False, N_("alone against bots")), (True, N_("for everybody"))
_ASK = N_("Who may ask for a hint? All players are told.")

HIDDEN: Final = TableField("hidden", N_("Who finds it"), _SEEN, _FOUND, _UNSEEN)
OTHERS: Final = (
    TableField("watchable", N_("Watchers"), _ALLOWED, _WATCH),
    TableField("shared", N_("Same deal"), _PLAYED, _RANKED, _SHARE),
    TableField("clock", N_("Clock"), (), _LONG, _THINK),
    TableField("hints", N_("Hints"), _GIVEN, _ASK, N_("let players ask for hints")),
)
FIELDS: Final = (HIDDEN, *OTHERS)
"""Between the first and the others the form asks for a password, which no draft keeps."""


def is_usual(draft: Draft) -> bool:
    """Whether each of these is as in a new draft."""
    usual = Draft()
    return all(getattr(draft, field.name) == getattr(usual, field.name) for field in FIELDS)


def add_match_flags(
    parser: "argparse.ArgumentParser",
    bots: str,
    levels: Sequence[str],
    presets: Sequence[str] | None = None,
) -> None:
    """The flags of `clocktowers solo`, and of any table. `bots`: what that flag says."""
    add = parser.add_argument
    add("--bots", type=int, help=bots)
    add("--level", choices=levels, help=_("how well the bots play (default: normal)"))
    add("--preset", choices=presets, help=_("a set of rules, by its name"))
    told = _("change one rule; you can repeat this")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=told)


def add_table_flags(game: str, levels: Sequence[str], parser: "argparse.ArgumentParser") -> None:
    """The flags of a table with others. `levels`: of the server's bots."""
    add, seats = parser.add_argument, GAMES[game].seats
    add("--seats", type=int, choices=seats, default=max(2, min(seats)), help=_("how many seats"))
    known, presets = levels_of(game, levels), list(GAMES[game].presets)
    add_match_flags(parser, _("how many of them bots take"), known, presets)
    add("--title", default="", help=_("what the table is called in the list"))
    for field in FIELDS[::-1]:
        if field.flag and field.values:
            add(f"--{field.name}", action="store_true", help=_(field.flag))
        elif field.flag:
            add(f"--{field.name}", choices=[*filter(None, CLOCKS)], default="", help=_(field.flag))
    add("--password", default="", help=_("let in only those who know this password"))


def draft_typed(given: "argparse.Namespace", game: str) -> Draft:
    """The draft of these flags, without what `--option` says; bots sit on the last seats."""
    bots = max(0, min(given.bots or 0, given.seats - 1))
    people = (PERSON,) * (given.seats - 1 - bots)
    return Draft(
        title=given.title[:200],
        seats=given.seats,
        levels=(*people, *[given.level or "normal"] * bots),
        preset=given.preset or next(iter(GAMES[game].presets)),
        **{field.name: getattr(given, field.name) for field in FIELDS if field.flag},
    )
