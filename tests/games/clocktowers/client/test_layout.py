"""Rectangles lie on the board, apart from each other, at every size."""

from itertools import combinations

from hypothesis import given, strategies as st

from clocktowers_tui.games.clocktowers.layout import LEAST, Arrangement, after, fits, layout
from clocktowers_tui.games.clocktowers.scale import LARGE, SMALL
from clocktowers_tui.games.spans import Rect


def apart(one: Rect, other: Rect) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@given(
    st.integers(1, 200),
    st.integers(1, 80),
    st.sampled_from([2, 3, 4]),
    st.integers(0, 4),
    st.sampled_from(Arrangement),
    st.integers(1, 6),
)
def test_nothing_overlaps_or_hangs_over(
    width: int, height: int, seats: int, slots: int, wish: Arrangement, rungs: int
) -> None:
    found = layout(width, height, seats, slots, wish)
    if width < LEAST[0] or height < LEAST[1]:
        assert found is None
        return
    assert found is not None
    rects = [*found.places(rungs).values()]
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


def test_large_from_110_by_36_on() -> None:
    for width, height, scale in ((110, 33, LARGE), (109, 33, SMALL), (110, 32, SMALL)):
        for slots in (0, 4):
            found = layout(width, height, 4, slots)
            assert found is not None and found.scale is scale
            assert found.framed == (scale is LARGE)


def test_large_has_the_others_side_by_side_above() -> None:
    found = layout(120, 37, 4, 3)
    assert found is not None
    own, *others = found.towns
    assert own.width == 120 and len({rect.y for rect in others}) == 1
    assert all(rect.y + rect.height <= own.y for rect in others)


def test_who_watches_has_no_hand_and_sees_all_towns_alike() -> None:
    found = layout(120, 37, 4, None)
    assert found is not None and "hand" not in found.places(5)
    assert {rect.height for rect in found.towns} == {14, 13}


def test_the_log_stands_beside_the_ladder_where_both_have_room() -> None:
    for width, beside in ((200, True), (110, False)):
        found = layout(width, 37, 4, 4)
        assert found is not None
        places = found.places(3)
        assert (places["log"].y == places["ladder"].y) is beside


def test_a_wish_that_does_not_fit_is_as_good_as_none() -> None:
    for wish in Arrangement:
        for size in ((60, 17), (80, 21), (120, 37)):
            if not fits(wish, *size):
                assert layout(*size, 4, 3, wish) == layout(*size, 4, 3)


def test_the_key_goes_round_what_fits_and_says_what_does_not() -> None:
    auto, pictures, large, ledger = Arrangement
    assert after(auto, 120, 37) == (pictures, [])
    assert after(pictures, 120, 37) == (large, [])
    assert after(large, 120, 37) == (ledger, [])
    assert after(ledger, 120, 37) == (auto, [])
    assert after(pictures, 80, 21) == (ledger, [large])
    assert after(auto, 60, 17) == (ledger, [pictures, large])
