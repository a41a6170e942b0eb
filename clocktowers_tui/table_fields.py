"""What can be chosen for a table: in the rows of its form, and by flags of `clocktowers solo` and
of plain mode's `setup`, `new` and `change`."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from enum import Flag, auto
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.games.face import Face, OptionField, plain
from clocktowers_tui.games.registry import FACES, game_of, title_of
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.new_table import CLOCKS, FIRST_GAME, PERSON, USUAL, drafted, levels_of
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.tables import LATE, USUALLY_LATE, clock_in_words
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import CreateTable
from protocol.games.registry import GAMES


class Ask(Flag):
    """For which table: one alone or against bots, one by mail, a new one with others, one that is
    there."""

    SOLO = auto()
    MAIL = auto()
    NEW = auto()
    CHANGE = auto()


class Wanted(NamedTuple):
    """For which table something is chosen, on a server with these games and bots of these levels.
    `face`: None as long as the game is not chosen."""

    ask: Ask
    games: Sequence[str]
    levels: Sequence[str]
    face: Face | None = None

    @property
    def solo(self) -> bool:
        return self.ask is Ask.SOLO

    @property
    def seats(self) -> Sequence[int]:
        return GAMES[self.face.game].seats if self.face is not None else ()


Values: TypeAlias = Sequence[tuple[Any, str]]
"""What can be chosen, the usual first, with its words."""


class TableField(NamedTuple):
    """One thing to choose for a table.

    `name`: of a draft's field, of the form's row, and of the flag, if no other is `typed`.
    `asks`: the tables that have it. `label` and `about`: of the row; "" where there is none, or one
    for each seat. `told`: what the flag does; "" where there is none. `of`: the values; None where
    they are numbers, or a text of so many characters. `among`: only where several take turns.
    `takes`: of the flag, what `add_argument` cannot know from the values."""

    name: str
    asks: Ask
    label: str
    about: str
    told: str
    of: Callable[[Wanted], Values] | Values | None = None
    most: int = 0
    among: bool = False
    typed: str = ""
    takes: Mapping[str, Any] = {}

    @property
    def flag(self) -> str:
        return self.typed or self.name

    def values(self, wanted: Wanted) -> Values:
        if callable(self.of):
            return self.of(wanted)
        return [(value, _(words)) for value, words in self.of or ()]


def _games(wanted: Wanted) -> Values:
    return [(game, title_of(game)) for game in wanted.games]


def _seats(wanted: Wanted) -> Values:
    return [(n, str(n) if n > 1 else _("1, alone")) for n in wanted.seats]


def _people(wanted: Wanted) -> Values:
    if is_guest():
        return [(1, _("1: more people cannot play this at one keyboard yet"))]
    most = max(wanted.seats, default=4) if wanted.face is None else wanted.face.most_people
    return [(n, str(n)) for n in range(1, most + 1)]


def _levels(wanted: Wanted) -> Values:
    game = "" if wanted.face is None else wanted.face.game
    return [(level, level) for level in levels_of(game, wanted.levels)]


def _presets(wanted: Wanted) -> Values:
    return () if wanted.face is None else wanted.face.presets()


def _clocks(_wanted: Wanted) -> Values:
    return [(name, clock_in_words(clock)) for name, clock in CLOCKS.items()]


def _lates(_wanted: Wanted) -> Values:
    return [
        (USUAL, _(USUALLY_LATE)),
        *((late, _(words)) for late, words in LATE.items()),
    ]


_NUMBER: Final = {"type": int}
_NAMED, _REPEATED = (
    {"metavar": "GAME", "type": game_of},
    {"action": "append", "metavar": "NAME=VALUE"},
)
_ALONE, _LATER = Ask.SOLO | Ask.MAIL, Ask.NEW | Ask.CHANGE
_ALL, _MADE = _ALONE | _LATER, _ALONE | Ask.NEW
_BY_MAIL = N_("a game without hidden cards (default: architetti_attenti)")
_GAME = N_("the game: {games} (default: {first})")
_TITLE = N_("what the table is called in the list")
_LISTED = N_("Others see it in the list of tables.")
_CAN = N_("How many can play, with you? A match also begins with fewer.")
_PRESET, _SETS = N_("a set of rules, by its name"), N_("This sets all the rules at once.")
_HERE = N_("How many of you play at this keyboard?")
_AT_KEYS = N_("how many people play at this keyboard")
_CALLED, _NAMES = (
    N_("What are you called? Put commas between: Ann, Ben"),
    N_("the players' names, as Ann,Ben"),
)
_SEEN = (False, N_("everybody")), (True, N_("people with its code"))
_FOUND = N_("Does everybody see the table, or only people with its code?")
_UNSEEN = N_("leave the table out of the list")
_LET_IN = N_("let in only those who know this password")
_KNOWN = N_("Others type it to come to the table.")
_ALLOWED = (True, N_("allowed")), (False, N_("not allowed"))
_WATCH = N_("May people watch who do not play?")
_FLAG, _MAY_WATCH = "watchers", N_("whether people may watch who do not play")
_PLAYED = (False, N_("only here")), (True, N_("at other tables, too"))
_RANKED = N_("Other tables play the same deal, and all are ranked.")
_SHARE = N_("let other tables play the same deal")
_LONG, _THINK = N_("How long may each player think?"), N_("how long a player may think")
_LATE, _THEN = N_("What if a player's days are over?"), N_("what then, with a clock of days")
_GIVEN = (False, N_("alone against bots")), (True, N_("for everybody"))
_WHO, _HINTS = N_("Who may ask for a hint? All players are told."), N_("let players ask for hints")

OPEN: Final = (
    TableField("game", Ask.SOLO, N_("Game"), "", _GAME, _games, takes=_NAMED),
    TableField("game", Ask.MAIL, "", "", _BY_MAIL, _games, takes=_NAMED),
    TableField("game", Ask.NEW, N_("Game"), "", "", _games),
    TableField("title", Ask.NEW, N_("Title"), _LISTED, _TITLE, most=40),
    TableField("seats", Ask.SOLO, N_("Players"), N_("How many play, with you?"), "", _seats),
    TableField("seats", Ask.NEW, N_("Players"), _CAN, N_("how many seats"), _seats, takes=_NUMBER),
    TableField("people", Ask.SOLO, N_("People here"), _HERE, _AT_KEYS, _people, takes=_NUMBER),
    TableField("names", _ALONE, N_("Names"), _CALLED, _NAMES, most=90),
    TableField("bots", _ALONE, "", "", N_("how many bots; 0 to play alone"), takes=_NUMBER),
    TableField("bots", Ask.NEW, "", "", N_("how many of them bots take"), takes=_NUMBER),
    TableField("level", _MADE, "", "", N_("how well the bots play (default: normal)"), _levels),
    TableField("preset", _ALL, N_("Rules"), _SETS, _PRESET, _presets),
)
FOLDED: Final = (
    TableField("option", _ALL, "", "", N_("change one rule; you can repeat this"), takes=_REPEATED),
    TableField("hidden", Ask.NEW, N_("Who finds it"), _FOUND, _UNSEEN, _SEEN),
    TableField("password", Ask.NEW, N_("Password"), _KNOWN, _LET_IN, most=128),
    TableField("watchable", Ask.NEW, N_("Watchers"), _WATCH, "", _ALLOWED),
    TableField(
        "watchable", Ask.CHANGE, N_("Watchers"), _WATCH, _MAY_WATCH, _ALLOWED, typed="watchers"
    ),
    TableField("shared", Ask.NEW, N_("Same deal"), _RANKED, _SHARE, _PLAYED),
    # TRANSLATORS: name of a setting of a table: time to think.
    TableField("clock", _LATER, N_("Clock"), _LONG, _THINK, _clocks, among=True),
    TableField("late", _LATER, N_("Time is up"), _LATE, _THEN, _lates, among=True),
    TableField("hints", Ask.NEW, N_("Hints"), _WHO, _HINTS, _GIVEN, among=True),
)
"""In the order of the form. It has a row for each seat, and one for each single rule, besides."""


def fields_of(ask: Ask) -> Sequence[TableField]:
    return [field for field in (*OPEN, *FOLDED) if ask in field.asks]


def is_usual(draft: Draft) -> bool:
    """Whether the folded fields are as in a new draft. Single rules do not count."""
    kept = [field.name for field in FOLDED if hasattr(draft, field.name)]
    return all(getattr(draft, name) == getattr(Draft(), name) for name in kept)


# The flags of a table.


def add_flags(wanted: Wanted, parser: argparse.ArgumentParser) -> None:
    """What is not given leaves no trace."""
    for field in fields_of(wanted.ask):
        if field.told:
            told = _(field.told).format(games=", ".join(FACES), first=FIRST_GAME)
            takes = _takes(field, wanted)
            parser.add_argument(f"--{field.flag}", help=told, default=argparse.SUPPRESS, **takes)


def _takes(field: TableField, wanted: Wanted) -> dict[str, Any]:
    """As `add_argument` has it. At a new table a flag of two values chooses the other one."""
    values = [value for value, _words in field.values(wanted)]
    if wanted.ask is Ask.NEW and isinstance(field.of, tuple):
        return {"action": "store_const", "const": values[1]}
    choices = [*map(field.takes.get("type", as_typed), values)]
    return {**field.takes, "choices": choices} if values else dict(field.takes)


def table_of(given: argparse.Namespace, wanted: Wanted, draft: Draft) -> CreateTable:
    """The table of a draft in which these flags have changed something. Raises NotDone."""
    assert wanted.face is not None
    chosen: dict[str, Any] = {}
    for field in fields_of(wanted.ask):
        if hasattr(draft, field.name) and field.flag in given:
            typed = getattr(given, field.flag)
            values = {as_typed(value): value for value, _words in field.values(wanted)}
            chosen[field.name] = typed[: field.most] if field.most else values.get(typed, typed)
    if chosen.get("clock") and not wanted.face.in_turns:
        said = _("{game} has no clock: all players act at once.")
        raise NotDone(said.format(game=title_of(wanted.face.game)))
    if "preset" in chosen:
        chosen["options"] = {}
    table = drafted(replace(draft, **chosen), wanted.face, wanted.levels, solo=wanted.solo)
    options = {**table.options, **options_of(given, wanted.face)}
    return replace(table, options=options, password=getattr(given, "password", "")[:128])


def seated(given: argparse.Namespace, wanted: Wanted) -> Draft:
    """Who sits at a new table by these flags: bots on the last seats; as many as in a new form."""
    assert wanted.face is not None
    seats = getattr(given, "seats", min(Draft().seats, max(wanted.seats)))
    bots = max(0, min(getattr(given, "bots", 0), seats - 1))
    people, level = (PERSON,) * (seats - 1 - bots), getattr(given, "level", "normal")
    preset = wanted.face.presets()[0][0]
    return Draft(seats=seats, levels=(*people, *(level,) * bots), preset=preset)


def options_of(given: argparse.Namespace, face: Face) -> dict[str, Any]:
    """`NAME=VALUE` as options of the wire. Raises NotDone."""
    fields = {field.name: field for field in face.option_fields()}
    return dict(_option(item, fields) for item in getattr(given, "option", ()))


def _option(item: str, fields: Mapping[str, OptionField]) -> tuple[str, Any]:
    name, equals, value = item.partition("=")
    if not equals or name not in fields:
        names = ", ".join(fields)
        said = _("write --option NAME=VALUE; NAME is one of {names}").format(names=names)
        raise NotDone(said)
    field = fields[name]
    listed = {as_typed(plain(known)): plain(known) for known, _words in field.values}
    if value in listed:
        return name, listed[value]
    # A number of many digits is none of them, and would take long to read.
    if value.isascii() and value.isdigit() and len(value) < 9 and field.words(int(value)):
        return name, int(value)
    choices = ", ".join(listed)
    if field.numbers is not None:
        choices = _("{values}, or any number from {least} to {most}").format(
            values=choices, least=field.numbers.least, most=field.numbers.most
        )
    said = _("--option {name}: choose one of {values}").format(name=name, values=choices)
    raise NotDone(said)


def as_typed(value: Any) -> str:
    """A value of an option or a field."""
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value) or "no"
