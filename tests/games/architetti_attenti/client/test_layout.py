"""Rectangles lie on the board, apart from each other, at every size."""

from itertools import pairwise

from hypothesis import given, strategies as st

from clocktowers_tui.games.architetti_attenti.layout import (
    LEAST,
    NEEDS,
    NUMBERS,
    SCALES,
    Arrangement,
    after,
    fits,
    layout,
)


@given(st.integers(1, 200), st.integers(1, 80), st.sampled_from(Arrangement))
def test_nothing_overlaps_or_hangs_over(width: int, height: int, wish: Arrangement) -> None:
    found = layout(width, height, wish)
    if width < LEAST[0] or height < LEAST[1]:
        assert found is None
        return
    assert found is not None
    town, side = found.town, found.side
    assert town.y + town.height <= height and town.y == int(found.headed)
    assert town.x == NUMBERS and town.x + town.width < side.x, "the rows' numbers, and a blank"
    assert side.width >= 29 and side.x + side.width == width and side.height == height


def test_each_size_has_the_largest_that_fits() -> None:
    for wish, (width, height) in NEEDS.items():
        found = layout(width, height)
        assert found is not None and found.scale == SCALES[wish]
        smaller = layout(width - 1, height)
        assert smaller is None or smaller.scale.width < found.scale.width


def test_what_does_not_fit_is_passed_over() -> None:
    wish = Arrangement.AUTOMATIC
    seen = []
    for _ in range(3):
        wish, skipped = after(wish, 80, 21)
        seen.append((wish, skipped))
    assert seen == [
        (Arrangement.MIDDLE, [Arrangement.LARGE]),
        (Arrangement.SMALL, []),
        (Arrangement.AUTOMATIC, []),
    ]
    assert not fits(Arrangement.LARGE, 80, 21)


def test_the_scales_go_down() -> None:
    for larger, smaller in pairwise(SCALES.values()):
        assert larger.width > smaller.width and larger.height > smaller.height
