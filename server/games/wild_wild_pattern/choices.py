"""What a bot can choose on the Wheel: shots, the patterns they make, and what each would gain."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from protocol.games.wild_wild_pattern import PlayedInPair, View
from protocol.games.wild_wild_pattern.cards import FEATURE_BITS, is_pattern
from protocol.games.wild_wild_pattern.pattern import (
    MIN_ANCHORS,
    PATTERNS,
    PLACES,
    STEP,
    Pattern,
)
from protocol.games.wild_wild_pattern.verdict import plays_at
from server.games.wild_wild_pattern.evaluation import WINS

Worth: TypeAlias = Callable[[bytes], int]
"""What some Pattern cards are worth to the bot, in cents."""


class Find(NamedTuple):
    """A card on this place makes this pattern; `gain`: what the reward is worth."""

    gain: int
    place: int
    pattern: Pattern


def finds(view: View, card: int, own: bytes, worth: Worth) -> Iterator[Find]:
    """All patterns that this card can make, by place. `own`: the bot's Pattern cards."""
    for place in range(PLACES):
        if is_pattern(view.wheel[place]):
            wheel = view.wheel[:place] + bytes((card,)) + view.wheel[place + 1 :]
            yield from patterns_at(view, wheel, place, view.wheel[place], own, worth)


def patterns_at(
    view: View, wheel: bytes, place: int, covered: int, own: bytes, worth: Worth
) -> Iterator[Find]:
    """All patterns that the card on this place of the Wheel has made."""
    in_pair = view.options.played_in_pair is PlayedInPair.REQUIRED
    base = worth(own)
    for _place, pattern, pairs in plays_at(wheel, place, covered, in_pair=in_pair):
        if pairs.is_wild:
            yield Find(WINS, place, pattern)
            continue
        more = len(pairs.anchors) > MIN_ANCHORS
        offered = _rewards(wheel, place, covered, more, suit=pattern.has_suit)
        yield Find(max(map(worth, (own + cards for cards in offered))) - base, place, pattern)


def mistaken(wheel: bytes, place: int) -> Pattern:
    """A pattern that a hasty look at this place takes for true: of those that the card there and
    its neighbours suggest, and that do not hold, the one with the fewest cards against it."""
    suggested = _suggested(wheel, place)
    return min(suggested, key=lambda found: found[0], default=(0, PATTERNS[0]))[1]


def _suggested(wheel: bytes, place: int) -> Iterator[tuple[int, Pattern]]:
    """Each with how many anchors lack the partner; a single anchor lacks the second."""
    here = FEATURE_BITS[wheel[place]]
    for pattern in PATTERNS:
        step = STEP[pattern.direction]
        beside = FEATURE_BITS[wheel[(place + step) % PLACES]]
        if not (here >> pattern.anchor & 1 and beside >> pattern.partner & 1):
            continue
        anchors = [at for at in range(PLACES) if FEATURE_BITS[wheel[at]] >> pattern.anchor & 1]
        holds = sum(
            FEATURE_BITS[wheel[(at + step) % PLACES]] >> pattern.partner & 1 for at in anchors
        )
        if lacking := max(len(anchors), MIN_ANCHORS) - holds:
            yield lacking, pattern


def _rewards(wheel: bytes, place: int, covered: int, more: bool, *, suit: bool) -> list[bytes]:
    """What the winner may choose from (rules: A turn, 3)."""
    if suit:
        return [bytes((covered, wheel[place])) if more else bytes((covered,))]
    if more:
        return [bytes(pair) for pair in combinations(wheel, 2)]
    return [bytes((card,)) for at, card in enumerate(wheel) if at != place]
