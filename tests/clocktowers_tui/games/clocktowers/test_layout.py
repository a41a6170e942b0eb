"""Rectangles lie on the board, apart from each other, at every size."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from clocktowers_tui.games.clocktowers.layout import LEAST, layout
from clocktowers_tui.games.clocktowers.scale import SMALL
from clocktowers_tui.games.clocktowers.spans import Rect


def apart(one: Rect, other: Rect) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@given(st.integers(1, 200), st.integers(1, 80), st.sampled_from([2, 3, 4]), st.integers(0, 4))
def test_nothing_overlaps_or_hangs_over(width: int, height: int, seats: int, slots: int) -> None:
    found = layout(width, height, seats, slots)
    if width < LEAST[0] or height < LEAST[1]:
        assert found is None
        return
    assert found is not None
    rects = [*found.towns, found.hand, found.piles, found.side]
    assert len(found.towns) == seats
    for rect in rects:
        assert rect.x >= 0 and rect.x + rect.width <= width
        assert rect.y >= 0 and rect.y + rect.height <= height
    assert all(apart(one, other) for one, other in combinations(rects, 2))


def test_quarters_on_the_usual_terminal() -> None:
    found = layout(80, 21, 4, 3)
    assert found is not None and found.scale is SMALL
    assert [rect.height for rect in found.towns] == [8] * 4
    assert found.side.width >= 20


def test_one_column_less_and_it_is_text() -> None:
    found = layout(79, 21, 4, 3)
    assert found is not None and found.scale is None


def test_with_three_players_ones_own_town_is_a_full_row_below() -> None:
    found = layout(80, 21, 3, 3)
    assert found is not None
    own, *others = found.towns
    assert own.width == 80 and all(other.y < own.y for other in others)
