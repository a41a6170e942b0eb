"""When a pattern holds on the Wheel, and what a play makes of it (rules: Pattern)."""

from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from protocol.games.wild_wild_pattern.cards import FEATURES, FEATURES_OF, is_object, is_suit

PLACES: Final = 8
"""Cards on the Wheel; places are 0-7 clockwise from the top."""

MIN_ANCHORS: Final = 2
"""A pattern needs at least this many anchors: a sequence that is there once does not recur."""


class Direction(StrEnum):
    """Where the partner lies, seen from the anchor: after is clockwise."""

    BEFORE = "before"
    AFTER = "after"


STEP: Final = {Direction.BEFORE: -1, Direction.AFTER: 1}


class Pattern(Struct, frozen=True, array_like=True, gc=False):
    """Before (after) every `anchor` there is always a `partner`. Both are features (see `cards`),
    and exactly one of them is an object."""

    direction: Direction
    anchor: Annotated[int, Meta(ge=0, lt=FEATURES)]
    partner: Annotated[int, Meta(ge=0, lt=FEATURES)]

    @property
    def is_well_formed(self) -> bool:
        """Whether it pairs an object with a colour or a suit."""
        return is_object(self.anchor) != is_object(self.partner)

    @property
    def has_suit(self) -> bool:
        return is_suit(self.anchor) or is_suit(self.partner)


PATTERNS: Final = tuple(
    pattern
    for direction in Direction
    for anchor in range(FEATURES)
    for partner in range(FEATURES)
    if (pattern := Pattern(direction, anchor, partner)).is_well_formed
)
"""Every pattern that can be declared."""


class Pairs(NamedTuple):
    """`anchors`: places of the anchor cards; none where the pattern does not hold."""

    anchors: tuple[int, ...]
    step: int

    @property
    def places(self) -> frozenset[int]:
        """Every place in a pair."""
        return frozenset(self.anchors) | {(place + self.step) % PLACES for place in self.anchors}

    @property
    def is_wild(self) -> bool:
        """Whether all cards of the Wheel are in it: the Wild Wild Pattern."""
        return len(self.places) == PLACES


def pairs(wheel: bytes, pattern: Pattern) -> Pairs:
    """Where the pattern lies on the Wheel. It holds if at least two cards are anchors and each has
    the partner beside it."""
    step = STEP[pattern.direction]
    places = _places(wheel)
    anchors, partners = places[pattern.anchor], places[pattern.partner]
    beside = anchors << step % PLACES | anchors >> -step % PLACES
    if anchors.bit_count() < MIN_ANCHORS or beside % (1 << PLACES) & ~partners:
        return Pairs((), step)
    return Pairs(tuple(place for place in range(PLACES) if anchors >> place & 1), step)


@lru_cache(maxsize=1 << 12)
def _places(wheel: bytes) -> tuple[int, ...]:
    """Feature → the places of the cards that have it, as bits. Hot: bots try every pattern."""
    places = [0] * FEATURES
    for place, card in enumerate(wheel):
        bit = 1 << place
        for feature in FEATURES_OF[card]:
            places[feature] |= bit
    return tuple(places)


class Fault(StrEnum):
    """Why a declared pattern is worth nothing."""

    UNTRUE = "untrue"
    """It is not so everywhere, or there is only one such card."""
    OLD = "old"
    """It was there before the card was played."""
    APART = "apart"
    """The played card is in none of its pairs, and the table asks for that."""


def judged(
    wheel: bytes, place: int, covered: int, pattern: Pattern, *, in_pair: bool
) -> Pairs | Fault:
    """What the card that was played on `place` of this Wheel, onto `covered`, has made of a
    pattern, or what is wrong with it; `in_pair`: the card has to be in one of the pairs."""
    found = pairs(wheel, pattern)
    if not found.anchors:
        return Fault.UNTRUE
    before = wheel[:place] + bytes((covered,)) + wheel[place + 1 :]
    if pairs(before, pattern).anchors:
        return Fault.OLD
    return Fault.APART if in_pair and place not in found.places else found


def made(wheel: bytes, place: int, covered: int, pattern: Pattern, *, in_pair: bool) -> Pairs:
    """As `judged`, but without pairs when something is wrong."""
    found = judged(wheel, place, covered, pattern, in_pair=in_pair)
    return Pairs((), STEP[pattern.direction]) if isinstance(found, Fault) else found
