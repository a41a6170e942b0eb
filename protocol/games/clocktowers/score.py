"""What a tower is worth, for the server and for a client's preview (rules: Score)."""

from typing import Final

from protocol.games.clocktowers.cards import ANIMALS, PILES, Pile

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
