"""What is to be said of a declaration: where it is so and where it is not; and what a card could
have made.

Law: `tests/games/wild_wild_pattern/protocol/test_verdict.py` holds all of it to the server's judge.
"""

from collections.abc import Iterator
from typing import NamedTuple

from protocol.games.wild_wild_pattern.cards import FEATURE_BITS, is_pattern
from protocol.games.wild_wild_pattern.pattern import (
    PATTERNS,
    PLACES,
    STEP,
    Pairs,
    Pattern,
    made,
)


class Verdict(NamedTuple):
    """`anchors`: the places of the anchor cards, clockwise. `against`: the first of them with no
    partner beside it. `step`: from an anchor to what lies beside it."""

    anchors: tuple[int, ...]
    against: int | None
    step: int

    def beside(self, place: int) -> int:
        """The place at which an anchor there needs its partner."""
        return (place + self.step) % PLACES


def verdict(wheel: bytes, pattern: Pattern) -> Verdict:
    """How a pattern lies on a full Wheel, right or wrong."""
    step = STEP[pattern.direction]
    anchors = [place for place in range(PLACES) if _has(wheel[place], pattern.anchor)]
    against = (at for at in anchors if not _has(wheel[(at + step) % PLACES], pattern.partner))
    return Verdict(tuple(anchors), next(against, None), step)


def _has(card: int, feature: int) -> bool:
    return bool(FEATURE_BITS[card] >> feature & 1)


class Play(NamedTuple):
    """A card on `place` makes `pattern`, in these `pairs`."""

    place: int
    pattern: Pattern
    pairs: Pairs


def plays(wheel: bytes, card: int, *, in_pair: bool) -> Iterator[Play]:
    """Everything that this card can make on this Wheel, by place."""
    for place in range(PLACES):
        if is_pattern(wheel[place]):
            after = wheel[:place] + bytes((card,)) + wheel[place + 1 :]
            yield from plays_at(after, place, wheel[place], in_pair=in_pair)


def plays_at(wheel: bytes, place: int, covered: int, *, in_pair: bool) -> Iterator[Play]:
    """Everything that the card on this place of the Wheel has made, covering that card."""
    features = FEATURE_BITS[wheel[place]]
    for pattern in PATTERNS:
        if in_pair and not features >> pattern.anchor & 1 and not features >> pattern.partner & 1:
            continue
        found = made(wheel, place, covered, pattern, in_pair=in_pair)
        if found.anchors:
            yield Play(place, pattern, found)
