"""Tables to ask a server for, and how tables read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from clocktowers_tui.config.settings import Draft, Settings
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.phrases.clocks import CLOCKS
from clocktowers_tui.state.connection import Connection
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES
from protocol.listing import SeatInfo, SeatKind, TablePhase
from protocol.text import clean

FIRST_GAME: Final = next(iter(GAMES))
"""What is played when nothing else was ever said."""

OWN: Final = ""
"""The preset of a draft whose options are no preset's."""

PERSON: Final = ""
"""The level of a seat that waits for a person."""

LEVELS: Final = ("random", "easy", "normal", "hard")
"""What our own server has, weakest first; another's are told in its welcome."""

_LEVEL_WORDS: Final = {
    "random": N_("random"),
    "easy": N_("easy"),
    "normal": N_("normal"),
    "hard": N_("hard"),
}
_PHASE_WORDS: Final = {
    TablePhase.WAITING: N_("waiting"),
    TablePhase.PLAYING: N_("playing"),
    TablePhase.ENDED: N_("between matches"),
}


def bot_table(
    bots: int,
    level: str,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    game: str = FIRST_GAME,
) -> CreateTable:
    """Oneself and that many bots of one level; `options` as they go over the wire."""
    return CreateTable(
        id=0,
        game=game,
        seats=bots + 1,
        preset=preset,
        options=dict(options or {}),
        bots=[BotSeat(seat, level) for seat in range(1, bots + 1)],
    )


def drafted(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> CreateTable:
    """The table of a draft, without what this game and these levels do not have."""
    seats = seats_of(draft, face.game)
    options = options_of(draft, face)
    preset = preset_of(options, face, draft.preset)
    sent = preset or face.presets()[0][0]
    before = preset_values(face, sent)
    bots = [(seat, level_of(draft, seat, levels, solo=solo)) for seat in range(1, seats)]
    return CreateTable(
        id=0,
        game=face.game,
        seats=seats,
        title="" if solo else clean(draft.title),
        preset=sent,
        options={name: value for name, value in options.items() if value != before[name]},
        bots=[BotSeat(seat, level) for seat, level in bots if level != PERSON],
        clock=CLOCKS.get(draft.clock) if face.in_turns and seats > 1 and not solo else None,
    )


def games_at(connection: Connection | None, known: Iterable[str]) -> Sequence[str]:
    """Those of the `known` ones that are played there; a server that names none may have all."""
    there = connection.games if connection is not None else ()
    return [game for game in known if not there or game in there]


def last_game(settings: Settings, games: Sequence[str]) -> str:
    """The one that was filled in last, if it is among these, or the first of them."""
    return settings.game if settings.game in games else games[0]


def game_here(state: State, settings: Settings, games: Sequence[str]) -> str:
    """The one of the table where one is, whatever it is; elsewhere the last one."""
    return state.table.info.game if state.table is not None else last_game(settings, games)


def levels_at(connection: Connection | None) -> Sequence[str]:
    """Those of the bots there; a server that names none has ours."""
    return (connection.levels if connection is not None else ()) or LEVELS


def seats_of(draft: Draft, game: str) -> int:
    """How many sit there; all seats when the game cannot be played by that many."""
    seats = GAMES[game].seats
    return draft.seats if draft.seats in seats else max(seats)


def level_of(draft: Draft, seat: int, levels: Sequence[str], *, solo: bool) -> str:
    """Of the bot on that seat, or `PERSON`; alone nobody else can be waited for."""
    level = draft.levels[seat - 1] if seat <= len(draft.levels) else PERSON
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
    """The options that a table of so many seats has to have, whatever the preset says."""
    before = preset_values(face, preset)
    found = options_of(Draft(seats=seats, preset=preset), face)
    return {name: value for name, value in found.items() if value != before[name]}


def preset_of(options: Mapping[str, Any], face: Face, wished: str) -> str:
    """The preset that gives just these options, the wished one if it is one of them; or `OWN`."""
    names = [name for name, _words in face.presets()]
    fitting = [name for name in names if preset_values(face, name) == options]
    return wished if wished in fitting else next(iter(fitting), OWN)


def bots_in_words(draft: Draft, game: str, levels: Sequence[str]) -> str:
    """How many, and how good they are: once, when all are of one level."""
    sat = [level_of(draft, seat, levels, solo=True) for seat in range(1, seats_of(draft, game))]
    if not sat:
        return _("alone")
    bots = ngettext("{n} bot", "{n} bots", len(sat)).format(n=len(sat))
    words = [level_in_words(level) for level in (sat if len(set(sat)) > 1 else sat[:1])]
    return f"{bots}, {', '.join(words)}"


def preset_values(face: Face, preset: str) -> dict[str, Any]:
    """Every option of the form as the preset leaves it."""
    values = {field.name: field.values[0][0] for field in face.option_fields()}
    presets = GAMES[face.game].presets
    values.update({name: plain(value) for name, value in presets.get(preset, {}).items()})
    return {name: plain(value) for name, value in values.items()}


def level_in_words(level: str) -> str:
    """A bot's level; one that only the server knows keeps its name."""
    return _(_LEVEL_WORDS[level]) if level in _LEVEL_WORDS else level


def phase_in_words(phase: TablePhase) -> str:
    return _(_PHASE_WORDS[phase])


def seat_in_words(seat: SeatInfo) -> str:
    """Who sits there, with the level of a bot."""
    if seat.kind is SeatKind.FREE:
        return _("(free)")
    if seat.kind is SeatKind.HUMAN:
        return _("{name} (a bot plays)").format(name=seat.name) if seat.timed_out else seat.name
    if seat.away:
        return _("{name} (away, a bot plays)").format(name=seat.name)
    return _("{name} (bot, {level})").format(name=seat.name, level=level_in_words(seat.level))


def watching_in_words(watchers: int) -> str:
    return ngettext("{n} is watching", "{n} are watching", watchers).format(n=watchers)


def seat_name(names: tuple[str, ...], seat: int) -> str:
    """The name, or the seat's number where nobody has one."""
    return (names[seat] if seat < len(names) else "") or _("Seat {n}").format(n=seat + 1)
