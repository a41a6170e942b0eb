"""A board as rows: tiles are boxes, tracks join, shares stand in their cells."""

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.layout import SCALES
from clocktowers_tui.games.architetti_attenti.scale import MIDDLE, PICTURES, SIGNS
from clocktowers_tui.games.architetti_attenti.small_town import small_town
from clocktowers_tui.games.architetti_attenti.town import Marks, joins, town_block
from clocktowers_tui.games.spans import cells
from protocol.games.architetti_attenti import CELLS, SIDE
from protocol.games.architetti_attenti.board import cell_named
from tests.games.architetti_attenti.boards import ANN, BJORN, town
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.UNICODE]


def at(name: str) -> int:
    cell = cell_named(name)
    assert cell is not None
    return cell


@pytest.mark.parametrize("scale", SCALES.values())
def test_it_is_a_rectangle_of_its_scale(scale: object) -> None:
    found = next(one for one in SCALES.values() if one == scale)
    rows = town_block(town(ANN), found, GLYPH)
    assert [cells(row) for row in rows] == [SIDE * found.width] * (SIDE * found.height)


def test_a_tile_is_one_box_across_or_upright() -> None:
    rows = [text_of(row) for row in town_block(town(["a1 b1 2", "c1 c2 4"]), MIDDLE, GLYPH)]
    assert [row[:18] for row in rows[:6]] == [
        "╭──────────╮╭────╮",
        "│ ⌂H    ♣P ││ ⌂H │",
        "╰──────────╯│    │",
        "            │    │",
        "  ·     ·   │ ∞B │",
        "            ╰────╯",
    ]


def test_tracks_join_tracks_and_stations_and_no_station_another() -> None:
    board = town(["a1 b1 11", "a2 b2 11", "c1 c2 10", "d1 d2 1"])
    assert joins(board, at("a1")) == [0], "a station below it, not joined"
    assert joins(board, at("b1")) == [0, 1, 2]
    assert joins(board, at("c2")) == [2, 3]
    assert joins(board, at("d1")) == []


def test_shares_stand_in_their_cells() -> None:
    board = town(["a1 b1 2"])
    shares = [0] * CELLS
    shares[at("a1")], shares[at("b1")] = 7, 12
    rows = [text_of(row) for row in town_block(board, MIDDLE, GLYPH, Marks(shares=shares))]
    assert rows[2][:12] == "╰───7────12╯"


def test_what_is_fresh_is_marked_by_signs() -> None:
    marks = Marks(fresh=frozenset({at("c3"), at("d3")}))
    rows = [text_of(row) for row in town_block(town(BJORN), MIDDLE, GLYPH, marks)]
    assert "│»⌂H«  »⚑S«│" in rows[7]
    assert not any("»" in row for row in [*rows[:7], *rows[8:]])


def test_a_small_town_has_a_sign_or_a_picture_on_each_square() -> None:
    board, fresh = town(["a1 b1 2", "c1 d1 10"]), frozenset({at("c1"), at("d1")})
    signs = [text_of(row) for row in small_town(board, SIGNS, frozenset(), GLYPH)]
    assert signs[0] == "⌂─♣ ═══ · · · " and len(signs) == SIDE
    drawn = [text_of(row) for row in small_town(board, PICTURES, fresh, GLYPH)]
    assert drawn[:2] == ["▗█▖♣♣♣ ════  ·  ·  · ", "▐H▌ P »R«»R«         "]
    assert [len(row) for row in drawn] == [PICTURES.columns] * PICTURES.rows
