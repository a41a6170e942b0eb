"""What the Bank pays for cards, and the verdict on a declaration."""

from collections.abc import Iterable, Iterator
from enum import IntEnum, StrEnum
from itertools import combinations
from typing import Final, NamedTuple, Self

from protocol.games.wild_wild_pattern.cards import (
    FEATURE_BITS,
    FEATURES,
    FEATURES_OF,
    FIRST_COLOUR,
    FIRST_SUIT,
    MIN_ANCHORS,
    PATTERN_CARDS,
    PATTERNS,
    PLACES,
    STEP,
    Object,
    Pairs,
    Pattern,
    is_pattern,
    made,
)

MAX_CARDS: Final = 5
"""A player who brings more is paid nothing."""


class Line(StrEnum):
    """In the order of the sheet: what each pays, in cents, for so many cards that show one thing of
    a kind; "" where several things decide. The sums are the project's own, the sheet has them in a
    picture. `FIVE_COLOURS` is paid only where five different colours do not win; `WILD` wins the
    match."""

    cents: int
    of: str
    cards: int

    def __new__(cls, name: str, cents: int, of: str = "", cards: int = 0) -> Self:
        line = str.__new__(cls, name)
        line._value_ = name
        line.cents, line.of, line.cards = cents, of, cards
        return line

    ONE_OF_A_SUIT = "one_of_a_suit", 10, "suit", 1
    FIVE_OF_A_SUIT = "five_of_a_suit", 50, "suit", 5
    TWO_COLOUR = "two_colour", 10, "colour", 2
    THREE_COLOUR = "three_colour", 50, "colour", 3
    FOUR_COLOUR = "four_colour", 100, "colour", 4
    FIVE_COLOUR = "five_colour", 150, "colour", 5
    TWO_OBJECT = "two_object", 10, "object", 2
    THREE_OBJECT = "three_object", 50, "object", 3
    FOUR_OBJECT = "four_object", 100, "object", 4
    FIVE_OBJECTS = "five_objects", 20
    ONE_TARGET = "one_target", 10, "target", 1
    TWO_TARGETS = "two_targets", 30, "target", 2
    THREE_TARGETS = "three_targets", 60, "target", 3
    FOUR_TARGETS = "four_targets", 100, "target", 4
    FIVE_COLOURS = "five_colours", 100
    WILD = "wild", 0


_ON_THE_SHEET: Final = tuple(Line)
_SUIT, _COLOUR, _OBJECT, _TARGET = (
    {line.cards: line for line in Line if line.of == kind}
    for kind in ("suit", "colour", "object", "target")
)


def in_play(*, five_colours_win: bool) -> list[Line]:
    """The lines that can be met in a match, in the order of the sheet."""
    return [line for line in Line if line is not Line.FIVE_COLOURS or not five_colours_win]


def lines(cards: bytes, target: Object, *, five_colours_win: bool) -> list[Line]:
    """The lines that these Pattern cards meet, each once, in the order of the sheet."""
    if len(cards) > MAX_CARDS:
        return []
    shown = _shown(cards)
    objects, colours, suits = (
        shown[:FIRST_COLOUR],
        shown[FIRST_COLOUR:FIRST_SUIT],
        shown[FIRST_SUIT:],
    )
    met = {*map(_SUIT.get, suits), *map(_COLOUR.get, colours), *map(_OBJECT.get, objects)}
    met.add(_TARGET.get(objects[target]))
    if objects.count(1) == MAX_CARDS:
        met.add(Line.FIVE_OBJECTS)
    if colours.count(1) == MAX_CARDS:
        met.add(Line.WILD if five_colours_win else Line.FIVE_COLOURS)
    if MAX_CARDS in objects:
        met.add(Line.WILD)
    return [line for line in _ON_THE_SHEET if line in met]


def _shown(cards: bytes) -> list[int]:
    """Feature → how many of the cards show it."""
    shown = [0] * FEATURES
    for card in cards:
        for feature in FEATURES_OF[card]:
            shown[feature] += 1
    return shown


def cents(met: Iterable[Line]) -> int:
    """What these lines pay together."""
    return sum(line.cents for line in met)


# What is to be said of a declaration: where it is so and where it is not; and what a card could
# have made.
#
# Law: `tests/games/wild_wild_pattern/server/test_reviewing.py` holds all of it to the server's
# judge.


def verdict(wheel: bytes, pattern: Pattern) -> tuple[Pairs, int | None]:
    """Where the anchors of a pattern lie on a full Wheel, be it right or wrong, and the first of
    them, clockwise, with no partner beside it."""
    anchors = [place for place in range(PLACES) if _has(wheel[place], pattern.anchor)]
    found = Pairs(tuple(anchors), STEP[pattern.direction])
    against = (at for at in anchors if not _has(wheel[found.beside(at)], pattern.partner))
    return found, next(against, None)


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


def rewards(wheel: bytes, played: Play, covered: int) -> list[bytes]:
    """What the winner may choose from, on the Wheel with the played card on it (rules: A turn,
    3)."""
    place, pattern, pairs = played
    more = len(pairs.anchors) > MIN_ANCHORS
    if pattern.has_suit:
        return [bytes((covered, wheel[place])) if more else bytes((covered,))]
    if more:
        return [bytes(pair) for pair in combinations(wheel, 2)]
    return [bytes((card,)) for at, card in enumerate(wheel) if at != place]


class Prize(IntEnum):
    """What a pattern can bring its player, the least first. `NOTHING`: its cards are too many for
    the Bank. `CLOSED`: they end the round for a player who lacks only one card for WILD and does
    not get it there, whatever the Bank pays. `MORE`: two cards, and the round goes on. `MATCH`: the
    match is won."""

    NOTHING = 0
    CLOSED = 1
    SOME = 2
    MORE = 3
    MATCH = 4


def prize(own: bytes, wheel: bytes, card: int, played: Play, *, five_colours_win: bool) -> Prize:
    """Of a card that is played on this Wheel. `own`: the player's Pattern cards before it."""

    def wins(cards: bytes) -> bool:
        return Line.WILD in lines(cards, Object.PISTOL, five_colours_win=five_colours_win)

    after = wheel[: played.place] + bytes((card,)) + wheel[played.place + 1 :]
    offered = rewards(after, played, wheel[played.place])
    held = len(own) + len(offered[0])
    if played.pairs.is_wild or any(wins(own + cards) for cards in offered if held == MAX_CARDS):
        return Prize.MATCH
    if held > MAX_CARDS:
        return Prize.NOTHING
    if len(own) + 1 == MAX_CARDS and any(wins(own + bytes((one,))) for one in PATTERN_CARDS):
        return Prize.CLOSED
    return Prize.MORE if len(offered[0]) > 1 and held < MAX_CARDS else Prize.SOME
