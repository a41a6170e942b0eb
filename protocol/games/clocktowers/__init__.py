"""What is said of Clocktowers over the wire: options, actions, events, views and outcome.

Piles are 0 floor, 1 clock, 2 roof. Towers are counted from 0 in the order in which
their owner started them and keep their number when complete.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from protocol.games import Switch
from protocol.games.clocktowers.cards import (
    ANIMALS as ANIMALS,
    BOX as BOX,
    CODES as CODES,
    COPIES as COPIES,
    FIRST_CLOCK as FIRST_CLOCK,
    FIRST_ROOF as FIRST_ROOF,
    PILE_NAMES as PILE_NAMES,
    PILES as PILES,
    SEATS as SEATS,
    START_HAND as START_HAND,
    STOREYS as STOREYS,
    Pile as Pile,
)
from protocol.games.moves import Moves, Way, counted, named

LATER_TOWERS: Final = "new"
"""`recording.Judged.parts` has a part for each tower that stands, by its index, and this one for
all towers that are begun later."""

LEVELS: Final = ("random", "learner", "easy", "normal", "hard", "expert")
"""Of bots, weakest first."""

# The options of a table, and its presets --------------------------------------------------------


class TurnOrder(StrEnum):
    PLAY_DRAW = "play-draw"
    DRAW_PLAY = "draw-play"


class Ladder(StrEnum):
    SHARED = "shared"
    OWN = "own"


class ClockMice(StrEnum):
    COUNT = "count"
    IGNORE = "ignore"


class Options(Struct, frozen=True, kw_only=True):
    """The first four change the rules and stand in records; the others belong to the table.

    `first_heights` is (1, 2) or (2,). `first_seat` None means drawn from the seed.
    """

    first_heights: tuple[int, ...] = (1, 2)
    turn_order: TurnOrder = TurnOrder.PLAY_DRAW
    ladder: Ladder = Ladder.SHARED
    clock_mice: ClockMice = ClockMice.COUNT
    open_memory: Switch = Switch.OFF
    take_back: Switch = Switch.ON
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


# What a seat may do and why not, and what happens then --------------------------------------------


Card: TypeAlias = Annotated[int, Meta(ge=1, lt=len(CODES))]
TowerIndex: TypeAlias = Annotated[int, Meta(ge=0, lt=BOX)]


class Play(Struct, frozen=True, array_like=True, tag="play", gc=False):
    """`tower` None starts a new one."""

    card: Card
    tower: TowerIndex | None


class Discard(Struct, frozen=True, array_like=True, tag="discard", gc=False):
    card: Card


class Draw(Struct, frozen=True, array_like=True, tag="draw", gc=False):
    pile: Annotated[int, Meta(ge=0, le=2)]


Action: TypeAlias = Play | Discard | Draw

CARD: Final = named("card", CODES)
TOWER: Final = counted("tower", none="new")
MOVES: Final = Moves(
    (Way(Play, (CARD, TOWER)), Way(Discard, (CARD,)), Way(Draw, (named("pile", PILE_NAMES),)))
)


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


# What happens in Clocktowers. All seats are told, except of `YouDiscarded`.


class Dealt(Struct, frozen=True, array_like=True, tag="dealt", gc=False):
    """Everyone holds the start hand. `piles`: top card of each pile, `left`: cards in each.

    `options` are the table's: with them a client that hears every event can work out the rest.
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
    """A seat discarded; only that seat is told which card (`YouDiscarded`)."""

    seat: int


class YouDiscarded(Struct, frozen=True, array_like=True, tag="you_discarded", gc=False):
    """Follows `Discarded`; only the seat that discarded gets it."""

    card: int


class Drew(Struct, frozen=True, array_like=True, tag="drew", gc=False):
    """Everybody sees which card; `top` is the card that lies open now, 0 = the pile is out."""

    seat: int
    pile: int
    card: int
    top: int


Event: TypeAlias = Dealt | Played | Completed | Discarded | YouDiscarded | Drew


# What a tower is worth, for the server and for a client's preview (rules: Score).


_CAT: Final = 1
_MOUSE: Final = 2
_MARKS: Final = tuple({"": 0, "c": _CAT, "m": _MOUSE}[animal] for animal in ANIMALS)
_WITHOUT_CLOCKS: Final = tuple(
    0 if pile == Pile.CLOCK else marks for pile, marks in zip(PILES, _MARKS, strict=True)
)
_POINTS: Final = (5, 4, 2, 3)
"""By marks: neither, cats only, mice only, both (rules: Score)."""


def tower_points(tower: bytes, count_clock_mice: bool) -> int:
    """Points of a tower, cards from the ground up, once it is complete; of one that is not, what it
    would score without another animal.

    Only the kinds of animal matter, not how many.
    """
    of_card = _MARKS if count_clock_mice else _WITHOUT_CLOCKS
    marks = 0
    for card in tower:
        marks |= of_card[card]
    return _POINTS[marks]


def height_of(tower: bytes) -> int:
    """Its storeys."""
    return sum(STOREYS[card] for card in tower)


# How a match of Clocktowers ends.


class DecidedBy(StrEnum):
    POINTS = "points"
    MOUSE = "mouse"
    CAT = "cat"
    SHARED = "shared"
    TIME = "time"
    LEFT = "left"


class Outcome(Struct, frozen=True, omit_defaults=True):
    """Scores by seat; `winners` ascending. `late`: the seat whose days were over, which ended the
    match."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
    late: int | None = None


# No real view is larger; a client that believed a larger one would draw it slowly.
BY_SEAT: Final = Meta(max_length=max(SEATS))
Cards: TypeAlias = Annotated[bytes, Meta(max_length=BOX)]


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


class Town(Struct, frozen=True, array_like=True, gc=False):
    """One seat's towers, each the cards from the ground up; `points` 0 = not complete."""

    towers: Annotated[list[Cards], Meta(max_length=BOX)]
    points: Cards


class View(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Everything that one seat may see; `seat` None is a spectator's.

    Lists and bins run by seat, or by pile (floor, clock, roof).
    `ladder`: rows of five bytes by colour, bit h set = a tower of height h may be completed; one
    row for all seats when the ladder is shared, else one a seat.
    `known` (open memory only): the cards that each seat must hold, by the public events.
    `discards`: the seat's own, oldest first; `thrown`: how many each seat discarded.
    `count_clock_mice`: the table's option, for what a tower would be worth.
    `shown` and `removed`: after the end, every seat's discards and the cards taken out unseen; in a
    replay with all hands open `shown` is there before.
    """

    seat: int | None = None
    turn: int | None = None
    phase: Phase
    hand: Cards = b""
    hands: Cards
    piles: Cards
    left: Cards
    towns: Annotated[list[Town], BY_SEAT]
    ladder: Annotated[list[Cards], BY_SEAT]
    points: Cards
    thrown: Cards
    discards: Cards = b""
    legal: list[Choice] = []
    known: Annotated[list[Cards], BY_SEAT] = []
    shown: Annotated[list[Cards], BY_SEAT] = []
    removed: Cards = b""
    count_clock_mice: bool = True


def _held(view: View, events: Sequence[Event]) -> View:
    """With the hand as its player holds it: a card stays where it is, and the one that is drawn
    takes the place of the one that has gone. Where events are missing it is as it was sent."""
    held = bytearray(START_HAND)
    for event in events:
        match event:
            case Played(seat=view.seat, card=card) | YouDiscarded(card=card) if card in held:
                held[held.rindex(card)] = 0
            case Drew(seat=view.seat, card=card):
                at = held.find(0) if 0 in held else len(held)
                held[at : at + 1] = bytes((card,))
    hand = bytes(filter(None, held))
    return replace(view, hand=hand) if sorted(hand) == sorted(view.hand) else view


HOLDS: Final = _held


def ladder_of(view: View, seat: int) -> bytes:
    """The heights at which a roof of this seat fits, by colour, as in `View.ladder`."""
    return view.ladder[seat % len(view.ladder)]
