"""Towers on a common ground, with their numbers below them."""

from hypothesis import given
from hypothesis import strategies as st

from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.marks import NEW, UNMARKED, Marks
from clocktowers_tui.games.clocktowers.spans import cells, text_of
from clocktowers_tui.games.clocktowers.street import pitch, place_at, street
from clocktowers_tui.look import GlyphSet
from tests.clocktowers_tui.games.clocktowers.boards import town

GLYPH = GLYPHS[GlyphSet.ASCII]
QUARTER = 39


def test_the_gap_closes_before_the_ledger_is_needed() -> None:
    assert [pitch(towers, QUARTER, own=True) for towers in (5, 6, 7, 8)] == [6, 5, 5, None]
    assert [pitch(towers, QUARTER, own=False) for towers in (6, 7, 8)] == [6, 5, None]


def test_a_full_street_has_thirteen_towers() -> None:
    assert pitch(13, 80, own=False) == 6


@given(st.integers(0, 15), st.integers(30, 130), st.booleans())
def test_rows_keep_their_width_and_show_every_number(towers: int, width: int, own: bool) -> None:
    step = pitch(towers, width, own=own)
    if step is None:
        return
    marks = Marks(True, frozenset({NEW}), NEW, False) if own else UNMARKED
    rows = street(town(["1-.K-"] * towers), width, 5, step, marks, GLYPH)
    assert [cells(row) for row in rows] == [width] * 5
    ground = text_of(rows[-1])
    assert all(str(number + 1) in ground for number in range(towers))
    assert ("[+]" in ground) == own


@given(st.integers(1, 13), st.data())
def test_a_place_is_found_below_its_number(towers: int, data: st.DataObject) -> None:
    step = pitch(towers, 120, own=True)
    assert step is not None
    picked = data.draw(st.integers(0, towers - 1))
    marks = Marks(True, frozenset({picked}), picked, False)
    rows = street(town(["1c"] * towers), 120, 4, step, marks, GLYPH)
    x = text_of(rows[-1]).index(f"[{picked + 1}]")
    assert place_at(towers, 120, step, marks, x) == picked
    assert "^.^" in text_of(rows[-2])[x - 1 : x + 4]
