"""What a seat of Clocktowers may do and why not, and what happens then."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from protocol.games.clocktowers.cards import BOX, CODES, PILE_NAMES
from protocol.games.clocktowers.options import Options
from protocol.games.moves import Moves, Way, counted, named

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
