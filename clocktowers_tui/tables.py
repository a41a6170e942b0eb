"""Tables to ask a server for, and how tables read."""

from collections.abc import Mapping
from typing import Any, Final

from clocktowers_tui.games.face import Face
from clocktowers_tui.i18n import N_, _
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES
from protocol.listing import SeatInfo, SeatKind, TablePhase

GAME: Final = "clocktowers"
"""What is played when nothing else is said."""

LEVELS: Final = ("random", "easy", "normal")
"""What our own server has; another's are told in its welcome."""

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
) -> CreateTable:
    """Oneself and that many bots of one level; `options` as they go over the wire."""
    return CreateTable(
        id=0,
        game=GAME,
        seats=bots + 1,
        preset=preset,
        options=dict(options or {}),
        bots=[BotSeat(seat, level) for seat in range(1, bots + 1)],
    )


def preset_values(face: Face, preset: str) -> dict[str, Any]:
    """Every option of the form as the preset leaves it."""
    values = {field.name: field.values[0][0] for field in face.option_fields()}
    presets = GAMES[face.game].presets
    values.update({name: plain(value) for name, value in presets.get(preset, {}).items()})
    return {name: plain(value) for name, value in values.items()}


def plain(value: Any) -> Any:
    """A value as it compares after a journey over the wire."""
    return list(value) if isinstance(value, tuple) else value


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
        return seat.name
    if seat.away:
        return _("{name} (away, a bot plays)").format(name=seat.name)
    return _("{name} (bot, {level})").format(name=seat.name, level=level_in_words(seat.level))


def seat_name(names: tuple[str, ...], seat: int) -> str:
    """The name, or the seat's number where nobody has one."""
    return (names[seat] if seat < len(names) else "") or _("Seat {n}").format(n=seat + 1)
