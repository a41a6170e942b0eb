"""Rectangles lie inside the board and never overlap, at every size."""

from itertools import combinations

from clocktowers_tui.games.spans import Rect
from clocktowers_tui.games.wild_wild_pattern.layout import LEAST, beside, layout

ALL = [(width, height) for width in range(60, 210, 7) for height in range(17, 60, 3)]


def test_nothing_overlaps_and_all_is_inside() -> None:
    for size in ALL:
        nothing_overlaps(size)


def nothing_overlaps(size: tuple[int, int]) -> None:
    found = layout(*size)
    assert found is not None
    rects = [*found.places, found.own, found.told, found.side]
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


def test_places_go_clockwise_from_the_top() -> None:
    found = layout(80, 21)
    assert found is not None
    hole = found.own
    sides = [
        (
            (place.x >= hole.x + hole.width) - (place.x < hole.x),
            (place.y >= hole.y + hole.height) - (place.y < hole.y),
        )
        for place in found.places
    ]
    assert sides == [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    assert [way for *_, way in beside(found.scale)] == [0, 1, 1, 2, 2, 3, 3, 0]


def test_the_ring_fills_the_height() -> None:
    """But for a few rows below it, which say what goes on."""
    for size, most in (((80, 21), 4), ((120, 37), 8), ((160, 47), 9), ((200, 57), 8)):
        found = layout(*size)
        assert found is not None
        assert found.wheel.height >= size[1] - most
        assert found.wheel.y + found.wheel.height == found.told.y


def test_the_own_card_lies_in_the_hole() -> None:
    for size in ALL:
        found = layout(*size)
        assert found is not None
        hole, wheel = found.own, found.wheel
        assert wheel.holds(hole.x, hole.y)
        assert wheel.holds(hole.x + hole.width - 1, hole.y + hole.height - 1)
