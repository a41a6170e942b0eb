"""What the Bank pays for a player's cards, line by line (rules: Bank)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from protocol.games.wild_wild_pattern.cards import (
    FEATURES,
    FEATURES_OF,
    FIRST_COLOUR,
    FIRST_SUIT,
    Object,
)

MAX_CARDS: Final = 5
"""A player who brings more is paid nothing."""


class Line(StrEnum):
    """In the order of the sheet."""

    ONE_OF_A_SUIT = "one_of_a_suit"
    FIVE_OF_A_SUIT = "five_of_a_suit"
    TWO_COLOUR = "two_colour"
    THREE_COLOUR = "three_colour"
    FOUR_COLOUR = "four_colour"
    FIVE_COLOUR = "five_colour"
    TWO_OBJECT = "two_object"
    THREE_OBJECT = "three_object"
    FOUR_OBJECT = "four_object"
    FIVE_OBJECTS = "five_objects"
    ONE_TARGET = "one_target"
    TWO_TARGETS = "two_targets"
    THREE_TARGETS = "three_targets"
    FOUR_TARGETS = "four_targets"
    FIVE_COLOURS = "five_colours"
    WILD = "wild"


CENTS: Final = {
    Line.ONE_OF_A_SUIT: 10,
    Line.FIVE_OF_A_SUIT: 50,
    Line.TWO_COLOUR: 10,
    Line.THREE_COLOUR: 50,
    Line.FOUR_COLOUR: 100,
    Line.FIVE_COLOUR: 150,
    Line.TWO_OBJECT: 10,
    Line.THREE_OBJECT: 50,
    Line.FOUR_OBJECT: 100,
    Line.FIVE_OBJECTS: 20,
    Line.ONE_TARGET: 10,
    Line.TWO_TARGETS: 30,
    Line.THREE_TARGETS: 60,
    Line.FOUR_TARGETS: 100,
    Line.FIVE_COLOURS: 100,
    Line.WILD: 0,
}
"""What each line pays, in cents. The sums are the project's own, the sheet has them in a picture.
`FIVE_COLOURS` is paid only where five different colours do not win; `WILD` wins the match."""

_ON_THE_SHEET: Final = tuple(Line)

_SUIT: Final = {1: Line.ONE_OF_A_SUIT, 5: Line.FIVE_OF_A_SUIT}
_COLOUR: Final = {
    2: Line.TWO_COLOUR,
    3: Line.THREE_COLOUR,
    4: Line.FOUR_COLOUR,
    5: Line.FIVE_COLOUR,
}
_OBJECT: Final = {2: Line.TWO_OBJECT, 3: Line.THREE_OBJECT, 4: Line.FOUR_OBJECT}
_TARGET: Final = {
    1: Line.ONE_TARGET,
    2: Line.TWO_TARGETS,
    3: Line.THREE_TARGETS,
    4: Line.FOUR_TARGETS,
}


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
    return sum(CENTS[line] for line in met)
