"""One line a tower: whole where there is room, its height and top where there is little."""

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.ledger import grid, ledger
from clocktowers_tui.games.clocktowers.marks import Effect, Marks
from clocktowers_tui.games.spans import cells
from protocol.games.clocktowers import Town
from tests.games.clocktowers.boards import MANY, cards, town
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (40, " 1  1-.2c.1-.K-.Rb"),
        (17, " 1  +3c.1-.K-.Rb"),
        (15, " 1  +4c.K-.Rb"),
        (12, " 1  +4cK-Rb"),
        (10, " 1 +4cK-Rb"),
        (9, " 1 +4cKRb"),
        (7, " 1 +4Rb"),
    ],
)
def test_shorter_and_shorter(width: int, line: str) -> None:
    rows = ledger(town(["1-.2c.1-.K-.Rb"]), width, 1, Marks(), GLYPH)
    assert text_of(rows[0]).rstrip() == line


@given(
    st.lists(st.lists(st.integers(1, 13), min_size=1, max_size=12).map(bytes), max_size=25),
    st.integers(29, 120),
    st.integers(3, 12),
    st.integers(0, 24),
)
def test_rows_keep_their_width(towers: list[bytes], width: int, height: int, at: int) -> None:
    marks = Marks(
        True, dict.fromkeys(range(len(towers)), Effect(3, 5)), min(at, len(towers) - 1), False
    )
    rows = ledger(Town(towers, bytes(len(towers))), width, height, marks, GLYPH)
    assert [cells(row) for row in rows] == [width] * height


@given(st.integers(1, 40), st.integers(29, 120), st.integers(3, 12), st.data())
def test_the_picked_place_is_always_among_those_drawn(
    count: int, width: int, rows: int, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, count - 1))
    shape = grid(count, width, rows, at)
    assert shape.first <= at < shape.first + shape.columns * shape.rows


def test_what_does_not_fit_gives_way_to_what_is_picked() -> None:
    for picked in range(len(MANY)):
        marks = Marks(True, {picked: Effect(3)}, picked, False)
        rows = ledger(town(MANY), 29, 3, marks, GLYPH)
        assert f"[{picked + 1}]" in " ".join(map(text_of, rows))


def test_the_roof_stands_on_its_colour() -> None:
    rows = ledger(Town([cards("1-.K-.Rb")], b"\5"), 40, 1, Marks(), GLYPH)
    assert [span.text for span in rows[0] if span.ink is Ink.ROOF_B] == ["Rb"]
