"""Fifteen cells wide, never higher than the sky, with faces and gables."""

from itertools import product

from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.scale import HUGE
from clocktowers_tui.games.spans import cells
from tests.games.clocktowers.boards import cards
from tests.games.clocktowers.client.test_art import TOWERS
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


def test_a_whole_tower() -> None:
    assert [text_of(row) for row in HUGE.tower(cards("2m.Km.Rb"), 30, 3, GLYPH)] == [
        "      / \\      ",
        "    /  o  \\    ",
        "  /  o B o  \\  ",
        "/             \\",
        " [ .-------. ] ",
        " [ |  12   | ] ",
        " [ |9 oOo 3| ] ",
        " [ |   6   | ] ",
        " [ '-------' ] ",
        " |   ()_()   | ",
        " |  ( o.o )  | ",
        " |___________| ",
        " | ## ## ##  | ",
        " | ## ## ##  | ",
        " |___________| ",
    ]


def test_a_tower_is_dark_until_it_has_its_roof() -> None:
    dark = " ".join(text_of(row) for row in HUGE.tower(cards("2-.K-"), 30, 3, GLYPH))
    assert "##" not in dark and ".." in dark


@given(TOWERS, st.integers(0, 30), st.sampled_from((2, 3, 4)), st.sampled_from(GlyphSet))
def test_towers_keep_to_their_cells(tower: bytes, rows: int, storey: int, set_: GlyphSet) -> None:
    drawn = HUGE.tower(tower, rows, storey, GLYPHS[set_])
    assert len(drawn) <= rows
    assert all(cells(row) == 15 for row in drawn)


@given(st.lists(TOWERS, max_size=4), st.integers(16, 60))
def test_storeys_are_high_where_all_fit_then(towers: list[bytes], rows: int) -> None:
    for tower, storey in product(towers, (4, 3)):
        if not HUGE.takes(towers, rows, storey, own=False):
            continue
        assert not any("+" in text_of(row) for row in HUGE.tower(tower, rows, storey, GLYPH))
