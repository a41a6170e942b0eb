"""What a seat of Clocktowers may see, what a tower is worth, and how a match ends."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from protocol.games.clocktowers.actions import Action
from protocol.games.clocktowers.cards import ANIMALS, BOX, PILES, STOREYS, Pile
from protocol.games.clocktowers.options import SEATS

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


class Outcome(Struct, frozen=True):
    """Scores by seat; `winners` ascending."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


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


def ladder_of(view: View, seat: int) -> bytes:
    """The heights at which a roof of this seat fits, by colour, as in `View.ladder`."""
    return view.ladder[seat % len(view.ladder)]
