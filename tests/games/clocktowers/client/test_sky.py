"""The night is behind everything, and the same every time."""

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS, glyphs_of
from clocktowers_tui.games.clocktowers.inks import NIGHT, Ink
from clocktowers_tui.games.clocktowers.sky import Sky, night, without_night
from clocktowers_tui.games.spans import Block, Span, cells
from tests.stage.golden_boards import text_of

BARE: Block = [[Span(" " * 20), Span("|::|", Ink.WALL_0), Span(" " * 40)] for _row in range(16)]

MOON = Sky(home=True)


def test_it_fills_blanks_only() -> None:
    for set_ in GLYPHS.values():
        rows = night(BARE, set_, MOON)
        assert rows == night(BARE, set_, MOON)
        assert [cells(row) for row in rows] == [64] * 16
        assert all(text_of(row)[20:24] == "|::|" for row in rows)
        inks = {span.ink for row in rows for span in row}
        assert {Ink.STAR, Ink.MOON} <= inks
        assert [text_of(row) for row in without_night(rows)] == [text_of(row) for row in BARE]


def test_only_one_street_has_the_moon() -> None:
    rows = night(BARE, GLYPHS[GlyphSet.UNICODE], Sky())
    assert Ink.MOON not in {span.ink for row in rows for span in row}


def test_far_roofs_need_shades() -> None:
    assert glyphs_of(Look()).far and glyphs_of(Look(Palette.LIGHT)).far
    for look in (Look(colours=Colours.NONE), Look(colours=Colours.C16), Look(Palette.NATIVE)):
        rows = night(BARE, glyphs_of(look), MOON)
        assert {span.ink for row in rows for span in row} & {*NIGHT} == {Ink.STAR, Ink.MOON}


def test_far_houses_are_whole_and_leave_sky_between() -> None:
    glyphs = GLYPHS[GlyphSet.UNICODE]
    wide, bare = len(glyphs.far[0][0]), [[Span(" " * 96)] for _row in range(9)]
    everywhere = far_cells(night(bare, glyphs, Sky(home=True)))
    assert {*range(96)} - {x for x, _y in everywhere}
    narrow = [[Span(" " * 64)] for _row in bare]
    for near in (1, wide, 2 * wide + 3):
        found = far_cells(night(narrow, glyphs, Sky(home=True, near=near)))
        whole = range(near, 64 - wide + 1)
        assert found == {(x, y) for x, y in everywhere if x - x % wide in whole}


def far_cells(rows: Block) -> set[tuple[int, int]]:
    """Where far houses are drawn."""
    inks = [[span.ink for span in row for _ in span.text] for row in rows]
    return {(x, y) for y, row in enumerate(inks) for x, ink in enumerate(row) if ink is Ink.FAR}
