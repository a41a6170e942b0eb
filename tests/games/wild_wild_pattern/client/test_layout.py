"""Rectangles lie inside the board and never overlap, at every size."""

from itertools import combinations

from clocktowers_tui.games.spans import Rect
from clocktowers_tui.games.wild_wild_pattern.layout import LEAST, SIZES, beside, layout

ALL = [(width, height) for width in range(60, 132, 3) for height in range(17, 45)]


def test_nothing_overlaps_and_all_is_inside() -> None:
    for size in ALL:
        nothing_overlaps(size)


def nothing_overlaps(size: tuple[int, int]) -> None:
    found = layout(*size)
    assert found is not None
    rects = [*found.places, found.deck, found.hand, found.side]
    rects += [Rect(x, y, cells, 1) for x, y, cells, _way in beside(found.scale)]
    for rect in rects:
        assert rect.x >= 0 <= rect.y
        assert rect.x + rect.width <= size[0] and rect.y + rect.height <= size[1]
    for one, other in combinations(rects, 2):
        apart = one.x + one.width <= other.x or other.x + other.width <= one.x
        below = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert apart or below, (one, other)


def test_smaller_there_is_none() -> None:
    width, height = LEAST
    assert layout(width - 1, height) is None and layout(width, height - 1) is None
    assert [layout(*size.least).scale for size in SIZES] == [  # type: ignore[union-attr]
        size.wheel for size in SIZES
    ]


def test_places_go_clockwise_from_the_top() -> None:
    found = layout(80, 21)
    assert found is not None
    deck = found.deck
    sides = [
        ((place.x > deck.x) - (place.x < deck.x), (place.y > deck.y) - (place.y < deck.y))
        for place in found.places
    ]
    assert sides == [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    assert [way for *_, way in beside(found.scale)] == [0, 1, 1, 2, 2, 3, 3, 0]
