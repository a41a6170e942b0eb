"""Clocktowers on the wire: cards, options, actions, events, views.

A card is one byte, its place in `CODES`; 0 is no card, or one whose face is hidden. Several cards
are one `bin`. Piles are 0 floor, 1 clock, 2 roof. Towers are counted from 0 in the order in which
their owner started them and keep their number when complete.
"""

from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

CODES: Final = ("", "1-", "1c", "1m", "2-", "2c", "2m", "K-", "Km", "Rb", "Rg", "Rp", "Rr", "Ry")
"""Card byte → the code used in records, notation and tests."""

COPIES: Final = (0, 5, 5, 4, 5, 5, 4, 9, 9, 4, 4, 4, 4, 4)
"""Card byte → how many there are in the box; 66 in all (rules: Cards)."""

STOREYS: Final = (0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0)
"""Card byte → storeys it adds to a tower."""

ANIMALS: Final = ("", "", "c", "m", "", "c", "m", "", "m", "", "", "", "", "")
"""Card byte → "c" with a cat, "m" with a mouse, "" with neither."""

START_HAND: Final = bytes((2, 3, 8))
"""1c, 1m, Km: what every seat begins with (rules: Setting up, 1)."""

FIRST_ROOF: Final = 9
"""The card byte of the blue roof; a colour is a roof's byte less this: b g p r y = 0..4."""


class Pile(IntEnum):
    FLOOR = 0
    CLOCK = 1
    ROOF = 2


PILES: Final = (None, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2)
"""Card byte → the pile it belongs to."""

PILE_NAMES: Final = ("floor", "clock", "roof")


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

Card: TypeAlias = Annotated[int, Meta(ge=1, le=13)]
TowerIndex: TypeAlias = Annotated[int, Meta(ge=0, le=65)]


# Actions -----------------------------------------------------------------------------------------


class Play(Struct, frozen=True, array_like=True, tag="play", gc=False):
    """`tower` None starts a new one."""

    card: Card
    tower: TowerIndex | None


class Discard(Struct, frozen=True, array_like=True, tag="discard", gc=False):
    card: Card


class Draw(Struct, frozen=True, array_like=True, tag="draw", gc=False):
    pile: Annotated[int, Meta(ge=0, le=2)]


Action: TypeAlias = Play | Discard | Draw


# Events ------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, array_like=True, tag="dealt", gc=False):
    """Everyone holds the start hand. `piles`: top card of each pile, `left`: cards in each.

    `options` are the table's: whoever was sent this from the start can work out the rest alone.
    """

    first_seat: int
    piles: bytes
    left: bytes
    options: Options


class Played(Struct, frozen=True, array_like=True, tag="played", gc=False):
    """`tower` is where the card lies now, `height` that tower's storeys with it."""

    seat: int
    card: int
    tower: int
    height: int


class Completed(Struct, frozen=True, array_like=True, tag="completed", gc=False):
    """Follows the `Played` of a roof. `next_height` is what the colour's ladder asks for now."""

    seat: int
    tower: int
    roof: int
    height: int
    points: int
    next_height: int


class Discarded(Struct, frozen=True, array_like=True, tag="discarded", gc=False):
    """Somebody discarded; which card only its owner is told (`YouDiscarded`)."""

    seat: int


class YouDiscarded(Struct, frozen=True, array_like=True, tag="you_discarded", gc=False):
    """Follows `Discarded`, sent to nobody but the seat that did it."""

    card: int


class Drew(Struct, frozen=True, array_like=True, tag="drew", gc=False):
    """Everybody sees which card; `top` is the card that lies open now, 0 = the pile is out."""

    seat: int
    pile: int
    card: int
    top: int


Event: TypeAlias = Dealt | Played | Completed | Discarded | YouDiscarded | Drew


# Views -------------------------------------------------------------------------------------------


class Phase(StrEnum):
    PLAY = "play"
    DRAW = "draw"
    OVER = "over"


class Choice(Struct, frozen=True, array_like=True, gc=False):
    """A legal action and what it would do.

    `height`: storeys of the tower after it. `points`: what it scores at once (a roof does).
    `next_height`: what the roof's colour asks for after it. 0 where there is nothing to say.
    """

    action: Action
    height: int = 0
    points: int = 0
    next_height: int = 0


class Town(Struct, frozen=True, array_like=True):
    """One seat's towers, each the cards from the ground up; `points` 0 = not complete."""

    towers: list[bytes]
    points: bytes


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one seat may see; `seat` None is a spectator's.

    Lists and bins run by seat, or by pile (floor, clock, roof).
    `ladder`: rows of five bytes by colour, bit h set = a tower of height h may be completed; one
    row for all seats when the ladder is shared, else one a seat.
    `known` (open memory only): the cards in each hand that are in every hand which fits the public
    events. `discards`: one's own, oldest first; `thrown`: how many each seat discarded.
    `shown` and `removed`: after the end, every seat's discards and the cards taken out unseen.
    """

    seat: int | None = None
    turn: int | None = None
    phase: Phase
    hand: bytes = b""
    hands: bytes
    piles: bytes
    left: bytes
    towns: list[Town]
    ladder: list[bytes]
    points: bytes
    thrown: bytes
    discards: bytes = b""
    legal: list[Choice] = []
    known: list[bytes] = []
    shown: list[bytes] = []
    removed: bytes = b""


class DecidedBy(StrEnum):
    POINTS = "points"
    MOUSE = "mouse"
    CAT = "cat"
    SHARED = "shared"


class Outcome(Struct, frozen=True):
    """Scores by seat; `winners` ascending."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


class Refused(StrEnum):
    """Why an action is impossible; parameters stand behind each."""

    WRONG_PHASE = "wrong_phase"  # phase
    NOT_IN_HAND = "not_in_hand"  # card
    NO_SUCH_TOWER = "no_such_tower"  # tower, towers
    NEEDS_TOWER = "needs_tower"  # card: only a floor starts a tower
    TOWER_COMPLETE = "tower_complete"  # tower
    HAS_CLOCK = "has_clock"  # tower, card: neither floor nor clock goes above a clock
    NO_CLOCK = "no_clock"  # tower: a roof needs a clock below it
    WRONG_HEIGHT = "wrong_height"  # tower, card, height, heights (those that would fit)
    PILE_EMPTY = "pile_empty"  # pile
