"""The options of a Clocktowers table, and its presets."""

from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

LEVELS: Final = ("random", "easy", "normal", "hard", "expert")
"""Of bots, weakest first."""

SEATS: Final = (2, 3, 4)


class TurnOrder(StrEnum):
    PLAY_DRAW = "play-draw"
    DRAW_PLAY = "draw-play"


class Ladder(StrEnum):
    SHARED = "shared"
    OWN = "own"


class ClockMice(StrEnum):
    COUNT = "count"
    IGNORE = "ignore"


class OpenMemory(StrEnum):
    OFF = "off"
    ON = "on"


class TakeBack(StrEnum):
    ON = "on"
    OFF = "off"


class Options(Struct, frozen=True, kw_only=True):
    """The first four change the rules and stand in records; the others belong to the table.

    `first_heights` is (1, 2) or (2,). `first_seat` None means drawn from the seed.
    """

    first_heights: tuple[int, ...] = (1, 2)
    turn_order: TurnOrder = TurnOrder.PLAY_DRAW
    ladder: Ladder = Ladder.SHARED
    clock_mice: ClockMice = ClockMice.COUNT
    open_memory: OpenMemory = OpenMemory.OFF
    take_back: TakeBack = TakeBack.ON
    first_seat: Annotated[int, Meta(ge=0, le=3)] | None = None


FIRST_HEIGHTS: Final = ((1, 2), (2,))
"""The values `first_heights` may have."""

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"first_heights": (1, 2), "turn_order": "play-draw", "clock_mice": "count"},
    "italian": {"first_heights": (2,), "turn_order": "play-draw", "clock_mice": "count"},
    "russian": {"first_heights": (1, 2), "turn_order": "draw-play", "clock_mice": "count"},
    "dutch": {"first_heights": (1, 2), "turn_order": "play-draw", "clock_mice": "count"},
}
"""What a preset sets; the ladder stays a switch in every one (rules: Table options)."""
