"""Rectangles lie on the board, apart from each other, at every size."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti import legend
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.layout import (
    GOAL_ROWS,
    GOAL_WIDTH,
    INSET,
    LEAST,
    NAMES_ROWS,
    NAMES_WIDTH,
    NEEDS,
    NUMBERS,
    PANEL,
    SCALES,
    Arrangement,
    Layout,
    after,
    fits,
    layout,
)
from clocktowers_tui.games.architetti_attenti.scale import MIDDLE, PICTURES, SIGNS, TALL
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import cells
from clocktowers_tui.text.i18n import SOURCE, languages, speak
from protocol.games.architetti_attenti import Blocks, Kind, Parks, Rails
from tests.games.architetti_attenti.boards import board, scene
from tests.stage.golden_boards import text_of


@given(
    st.integers(1, 260),
    st.integers(1, 90),
    st.sampled_from(Arrangement),
    st.integers(1, 4),
    st.booleans(),
)
def test_nothing_overlaps_or_hangs_over(
    width: int, height: int, wish: Arrangement, seats: int, over: bool
) -> None:
    found = layout(width, height, wish, seats=seats, over=over)
    if width < LEAST[0] or height < LEAST[1]:
        assert found is None
        return
    assert found is not None
    places = found.places
    for rect in places.values():
        assert rect.x >= 0 and rect.x + rect.width <= width
        assert rect.y >= 0 and rect.y + rect.height <= height
        assert rect.width > 0 and rect.height > 0
    for one, other in combinations(places.values(), 2):
        apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
        apart_y = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert apart_x or apart_y, places
    assert {"meadow", "score", "log"} <= set(places) and ("row" in places) is not over
    assert places["meadow"].width == NUMBERS + found.scale.columns


def test_each_size_has_the_largest_that_fits() -> None:
    for wish, size in NEEDS.items():
        assert _at(*size).scale == SCALES[wish]
        if size != LEAST:
            smaller = _at(size[0] - 1, size[1])
            assert smaller.scale.width < SCALES[wish].width


def test_a_board_of_200_by_60_is_filled() -> None:
    found = _at(200, 60 - SHELL_ROWS)
    assert found.scale is TALL and found.places["meadow"].height == 60 - SHELL_ROWS
    assert found.towns is PICTURES and {"goal", "log", "towns"} <= set(found.places)
    assert _at(200, 60 - SHELL_ROWS, seats=2).towns is MIDDLE


def test_from_160_columns_the_others_towns_have_pictures() -> None:
    assert _at(120, 40 - SHELL_ROWS).towns is SIGNS
    for width, height in ((160, 48), (160, 40), (180, 50)):
        assert _at(width, height - SHELL_ROWS).towns is PICTURES


@pytest.mark.parametrize("width", [NAMES_WIDTH, PANEL[0], GOAL_WIDTH])
def test_where_the_goal_stands_all_of_it_does(width: int) -> None:
    """In every language: a longer sentence would push out the last one."""
    wide, glyphs = width >= GOAL_WIDTH, GLYPHS[GlyphSet.UNICODE]
    word_for_word = {"blocks": Blocks.ALL, "parks": Parks.HOUSES, "rails": Rails.STRETCH}
    for code in languages():
        speak(code)
        for view in (board(2), replace(board(2), **word_for_word)):
            rows = legend.rules(view, width - 2 * INSET, glyphs)
            fits = len(rows) <= GOAL_ROWS[wide]
            assert (len(rows) >= 8 and fits) or width < PANEL[0], [code, *map(text_of, rows)]
        signs = legend.names(scene(view), width - 2 * INSET, 99, glyphs)
        assert len(signs) <= NAMES_ROWS[wide] and max(map(cells, signs)) <= width - 2 * INSET
        told = "".join(map(text_of, signs))
        assert all(glyphs.signs[kind] + kind_letter(kind) in told for kind in Kind if kind)
    speak(SOURCE)


def _at(width: int, height: int, seats: int = 4) -> Layout:
    found = layout(width, height, seats=seats, over=False)
    assert found is not None
    return found


def test_what_does_not_fit_is_passed_over() -> None:
    wish = Arrangement.AUTOMATIC
    seen = []
    for _ in range(3):
        wish, skipped = after(wish, 80, 21)
        seen.append((wish, skipped))
    assert seen == [
        (Arrangement.SMALL, [Arrangement.VAST, Arrangement.LARGE]),
        (Arrangement.AUTOMATIC, []),
        (Arrangement.SMALL, [Arrangement.VAST, Arrangement.LARGE]),
    ], "each key changes the board, which is middle-sized by itself"
    assert not fits(Arrangement.LARGE, 80, 21)


def test_the_scales_go_down() -> None:
    for larger, smaller in pairwise(SCALES.values()):
        assert larger.width > smaller.width and larger.height > smaller.height
