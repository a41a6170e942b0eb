"""Towers on a common ground, with their numbers below them and what a play gives above."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games import spans
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.marks import NEW, Effect, Marks
from clocktowers_tui.games.clocktowers.scale import HUGE, LARGE, PAIRED, SMALL, Scale
from clocktowers_tui.games.clocktowers.sky import without_night
from clocktowers_tui.games.clocktowers.street import Pitch, Plot, pitches, place_at, street
from tests.games.clocktowers.boards import cards, town
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]
QUARTER = 39
BOTH = (LARGE, SMALL)


def pitch(
    towers: Sequence[bytes], width: int, sky: int, scales: Sequence[Scale], *, own: bool
) -> Pitch | None:
    """Of the only street of a board."""
    return pitches([Plot(towers, width, sky, own)], scales)[0]


def step(towers: int, width: int, scales: tuple[Scale, ...] = (SMALL,), *, own: bool) -> object:
    found = pitch([b"\1"] * towers, width, 12, scales, own=own)
    return None if found is None else found.step


def test_the_gap_closes_before_the_ledger_is_needed() -> None:
    assert [step(towers, QUARTER, own=True) for towers in (5, 6, 7, 8)] == [6, 5, 5, None]
    assert [step(towers, QUARTER, own=False) for towers in (6, 7, 8)] == [6, 5, None]


def test_a_full_street_has_thirteen_towers() -> None:
    assert step(13, 80, own=False) == 6


def test_where_the_sky_is_too_low_storeys_are_and_then_towers_are_small() -> None:
    high = [cards("2-.2-.2-.K-.Rb")]
    for sky, scale, storey in ((7, SMALL, PAIRED), (8, SMALL, 1), (11, LARGE, 1), (21, HUGE, 2)):
        found = pitch(high, 120, sky, (HUGE, LARGE, SMALL), own=True)
        assert found is not None and (found.scale, found.storey) == (scale, storey)


@given(
    st.lists(st.lists(st.sampled_from(["1-", "2c.K-.Rb", "2-.2-.2m", "1m.K-"]), max_size=7)),
    st.integers(3, 25),
    st.integers(20, 120),
)
def test_on_a_board_storeys_are_of_one_height_and_the_own_towers_the_largest(
    towns: list[list[str]], sky: int, width: int
) -> None:
    plots = [Plot(town(one).towers, width, sky, own=not n) for n, one in enumerate(towns)]
    found = pitches(plots)
    assert len({at.storey for at in found if at is not None}) <= 1
    own = found[0] if found else None
    assert all(at is None or (own is not None and at.width <= own.width) for at in found)


def test_all_others_are_drawn_at_one_scale_however_few_their_towers() -> None:
    own, few, many, most = (
        Plot([b"\1"] * towers, 80, 16, own=not n) for n, towers in enumerate((1, 1, 9, 40))
    )
    (*_one, alone), (_own, one, other, none) = pitches([own, few]), pitches([own, few, many, most])
    assert alone is not None and one is not None and other is not None
    assert one.scale == other.scale and none is None
    assert alone.width > one.width, "the control: without the other it would be larger"


def test_alone_other_towns_would_be_drawn_larger() -> None:
    """The control of the test above."""
    own = Plot([b"\1"] * 9, 80, 12, own=True)
    other = Plot([b"\1"], 80, 12)
    (alone,), (first, second) = pitches([other]), pitches([own, other])
    assert alone is not None and first is not None and second is not None
    assert alone.width > first.width >= second.width
    low = pitches([own, other._replace(towers=[cards("2-.2-.2-.2-.2-")])])
    assert low[0] is not None and low[0].storey < first.storey


def test_large_towers_come_closer_and_then_get_small() -> None:
    assert [step(towers, 110, BOTH, own=True) for towers in (9, 10, 11, 12)] == [11, 10, 9, 6]
    assert step(17, 110, BOTH, own=True) == 6


@given(st.integers(0, 15), st.integers(30, 130), st.booleans())
def test_rows_keep_their_width_and_show_every_number(towers: int, width: int, own: bool) -> None:
    at = pitch([b"\1"] * towers, width, 12, BOTH, own=own)
    if at is None:
        return
    marks = Marks(True, {NEW: Effect(1)}, NEW, False) if own else Marks()
    rows = street(town(["1-.K-"] * towers), width, 5, at, marks, GLYPH)
    assert [spans.cells(row) for row in rows] == [width] * 5
    ground = text_of(rows[-1])
    assert all(str(number + 1) in ground for number in range(towers))
    assert ("[+]" in ground) == own


@given(st.integers(1, 13), st.data())
def test_a_place_is_found_below_its_number(towers: int, data: st.DataObject) -> None:
    at = pitch([b"\1"] * towers, 120, 12, (SMALL,), own=True)
    assert at is not None
    picked = data.draw(st.integers(0, towers - 1))
    marks = Marks(True, {picked: Effect(1)}, picked, False)
    rows = street(town(["1c"] * towers), 120, 4, at, marks, GLYPH)
    x = text_of(rows[-1]).index(f"[{picked + 1}]")
    assert place_at(towers, 120, at, marks, x) == picked
    assert "^.^" in text_of(rows[-3])[x - 1 : x + 6]


@pytest.mark.parametrize("scale", [SMALL, LARGE])
def test_what_a_play_gives_stands_on_the_tower_however_high(scale: Scale) -> None:
    for tower in ("1-.K-", "2-.2-.2-.2-.2-.2-.K-"):
        at = pitch([b"\1"] * 1, 40, 12, (scale,), own=True)
        assert at is not None
        marks = Marks(True, {0: Effect(3, 5)}, 0, False)
        rows = without_night(street(town([tower]), 40, 9, at, marks, GLYPH))
        shown = [text_of(row).strip() for row in rows if text_of(row).strip()]
        assert shown[0] == "+5"


def test_choosing_moves_no_tower_that_has_room_above_it() -> None:
    at = pitch([b"\1"] * 2, 40, 12, (SMALL,), own=True)
    assert at is not None
    towers = town(["1-.K-", "2c"])
    marks = Marks(True, {0: Effect(1, 5), 1: Effect(3)}, 0, False)
    calm, marked = (street(towers, 40, 9, at, one, GLYPH) for one in (Marks(), marks))
    assert [text_of(row) for row in calm[5:8]] != [text_of(row) for row in calm[4:7]]
    assert [text_of(row)[:8].rstrip() for row in calm[6:8]] == [
        text_of(row)[:8].rstrip() for row in marked[6:8]
    ]


def test_what_others_built_on_is_marked_without_colour() -> None:
    at = pitch([b"\1"] * 2, 40, 12, (SMALL,), own=False)
    assert at is not None
    for glyphs, sign in zip(GLYPHS.values(), ("»2«", "»2«", "*2*"), strict=True):
        marks = Marks(fresh=frozenset({1}))
        assert sign in text_of(street(town(["1-", "2c"]), 40, 9, at, marks, glyphs)[-1])
