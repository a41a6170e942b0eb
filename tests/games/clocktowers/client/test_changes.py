"""A mark that moves touches few cells: what a terminal has to be sent for one key is bounded.

Counted as a cell-by-cell driver would send it: changed cells, and what brings the cursor there.
"""

from collections.abc import Iterator

import pytest
from rich.style import Style

from bench.turns import CARD, TOWER
from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.paints import PAINTING
from clocktowers_tui.games.clocktowers.scene import draw
from clocktowers_tui.games.clocktowers.sight import Scene
from clocktowers_tui.games.spans import Block
from tests.games.clocktowers.boards import MANY, READY, board, scene

MOVE = len("\x1b[24;80H")
BASE = Style(color="#e6e2da", bgcolor="#11151c")
SIZES = [(80, 24), (60, 20), (120, 40)]

Cell = tuple[str, Style]


def painted(shown: Scene, width: int, height: int) -> list[list[Cell]]:
    rows = draw(shown, width, height - SHELL_ROWS, GLYPHS[GlyphSet.UNICODE])
    assert rows is not None
    return [list(_cells(rows, y)) for y in range(len(rows))]


def _cells(rows: Block, y: int) -> Iterator[Cell]:
    inks = PAINTING.styles(Look())
    for text, ink in rows[y]:
        for char in text:
            yield char, BASE + inks[ink]


def cost(before: list[list[Cell]], after: list[list[Cell]]) -> int:
    """Bytes: a cursor move for each run of changed cells, an SGR where the style changes."""
    sent, at, pen = 0, (-1, -1), BASE
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        for x, (char, style) in enumerate(new):
            if (char, style) == old[x]:
                continue
            sent += MOVE if at != (y, x) else 0
            sent += _sgr(style) if style != pen else 0
            sent += len(char.encode())
            at, pen = (y, x + 1), style
    return sent


def _sgr(style: Style) -> int:
    return len(style.render("x").split("x")[0])


def moved(shown: Scene, step: int = 1) -> Scene:
    return shown._replace(selection=choosing.move(shown.view, shown.selection, step).selection)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("card", [0, 1, 2])
@pytest.mark.parametrize("own", [READY, MANY])
def test_to_another_tower(size: tuple[int, int], card: int, own: tuple[str, ...]) -> None:
    shown = scene(board(4, own=own), chosen=card)
    for _ in range(4):
        after = moved(shown)
        assert 0 < cost(painted(shown, *size), painted(after, *size)) <= TOWER.worst
        shown = after


@pytest.mark.parametrize("size", SIZES)
def test_to_another_card(size: tuple[int, int]) -> None:
    shown = scene(board(4, own=READY))
    for _ in range(3):
        after = moved(shown)
        assert 0 < cost(painted(shown, *size), painted(after, *size)) <= CARD.worst
        shown = after


def test_taking_up_another_card() -> None:
    first, second = (painted(scene(board(4), chosen=card), 80, 24) for card in (0, 1))
    assert 0 < cost(first, second) <= CARD.worst


def test_a_whole_board_would_be_noticed() -> None:
    shown = scene(board(4))
    other = shown._replace(wish=Arrangement.LEDGER)
    assert cost(painted(shown, 80, 24), painted(other, 80, 24)) > 2 * CARD.worst
