"""The row of four tiles, with what each costs and the gems that lie on it."""

from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.spans import Block, Row, Span, cells, line
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import ROW, TILES, View

_WIDTH: Final = 8
STEP: Final = _WIDTH + 1
"""Cells from one tile to the next."""
BOXED: Final = 4
"""Rows of the tiles as boxes, or of as many lines."""


def boxes(view: View, selection: Selection, glyphs: Glyphs) -> Block:
    """Side by side: `ROW` times `STEP` cells wide, `BOXED` rows."""
    tiles = [_box(view, selection, position, glyphs) for position in range(1, ROW + 1)]
    return [[span for tile in tiles for span in (*tile[row], Span(" "))] for row in range(BOXED)]


def lines(view: View, selection: Selection, glyphs: Glyphs) -> Block:
    """One below the other, `BOXED` rows."""
    return [_line(view, selection, position, glyphs) for position in range(1, ROW + 1)]


def tile_spans(tile: int, glyphs: Glyphs, between: str = " ") -> Row:
    """Both halves: sign and letter."""
    first, second = (
        Span(glyphs.signs[kind] + kind_letter(kind), KINDS[kind]) for kind in TILES[tile]
    )
    return [first, Span(between), second]


def _box(view: View, selection: Selection, position: int, glyphs: Glyphs) -> Block:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    up = _is_up(selection, position)
    frame, ink = (glyphs.ghost, Ink.GHOST) if up else (glyphs.tile, None)
    number = Span(str(position), Ink.MARKED if up else Ink.BOLD)
    lying = [Span(f"{glyphs.gem}{gems}", Ink.GEM)] if gems else []
    inside = tile_spans(tile, glyphs, "  ") if tile else [Span(" " * (_WIDTH - 2))]
    rest = frame.across * (_WIDTH - 3)
    foot = frame.across * (_WIDTH - 3 - cells(lying))
    return [
        [Span(frame.nw, ink), number, Span(rest + frame.ne, ink)],
        [Span(frame.down, ink), *inside, Span(frame.down, ink)],
        [Span(frame.sw + frame.across, ink), *lying, Span(foot + frame.se, ink)],
        line(_WIDTH, [Span(" "), *(_price(view, position, glyphs) if tile else [])]),
    ]


def _line(view: View, selection: Selection, position: int, glyphs: Glyphs) -> Row:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    if not tile:
        return [Span(" ")]
    up = _is_up(selection, position)
    number = Span(f"[{position}]", Ink.MARKED) if up else Span(f" {position} ", Ink.BOLD)
    price = line(_WIDTH, _price(view, position, glyphs))
    lying = [Span(f"{glyphs.gem}{gems}", Ink.GEM)] if gems else []
    return [number, Span(" "), *tile_spans(tile, glyphs), Span("  "), *price, Span(" "), *lying]


def _price(view: View, position: int, glyphs: Glyphs) -> Row:
    """What it costs, or will cost when the row has slid together; crossed when the player has
    less."""
    cost = choosing.cost(view, position)
    if not cost:
        return [Span(pgettext("below a tile, 6 cells", "free"), Ink.DIM)]
    text = pgettext("below a tile, 4 cells", "pay")
    if not choosing.affordable(view, position):
        return [Span(f"{glyphs.cross}{text} {cost}", Ink.MISFIT)]
    return [Span(f"{text} {cost}{glyphs.gem}", Ink.GEM)]


def _is_up(selection: Selection, position: int) -> bool:
    return selection.stage is Stage.LOOK and selection.position == position


def bought(view: View, glyphs: Glyphs) -> Row:
    """The tile that has been bought and is to be placed."""
    return [Span(_("To place:") + " ", Ink.BOLD), *tile_spans(view.tile, glyphs)]
