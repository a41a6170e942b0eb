"""The row of four tiles, with what each costs and the gems that lie on it."""

from typing import Final, NamedTuple

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.scale import LARGE, MIDDLE, Scale
from clocktowers_tui.games.architetti_attenti.sheet import LEFT, RIGHT, Sheet
from clocktowers_tui.games.architetti_attenti.town import tile_sheet
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.spans import Block, Row, Span, line
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import ROW, TILES, View

LINES: Final = ROW
"""Rows of the tiles as lines."""

_SIGNS: Final = Scale(4, 3)
_SCALES: Final = (LARGE, MIDDLE, _SIGNS)
"""Those of tiles that lie side by side."""


class Boxes(NamedTuple):
    """Tiles side by side. `step`: cells from one to the next."""

    scale: Scale
    step: int

    @property
    def rows(self) -> int:
        """Of the tiles and the prices below them."""
        return self.scale.height + 1

    @classmethod
    def of(cls, width: int) -> "Boxes":
        """The largest that fit into so many cells."""
        for scale in _SCALES:
            step = min((width + 1) // ROW, 2 * scale.width + 1)
            if step >= 2 * scale.width:
                return cls(scale, step)
        return cls(scale, 2 * scale.width)

    def position(self, x: int, y: int) -> int | None:
        return 1 + x // self.step if 0 <= x < ROW * self.step and 0 <= y < self.rows else None


def boxes(view: View, selection: Selection, width: int, glyphs: Glyphs) -> Block:
    """Side by side: a tile of the row's first half on the left, below it what it costs."""
    side_by_side = Boxes.of(width)
    tiles = [_box(view, selection, n, side_by_side, glyphs) for n in range(1, ROW + 1)]
    return [[span for tile in tiles for span in tile[y]] for y in range(side_by_side.rows)]


def _box(view: View, selection: Selection, position: int, boxes: Boxes, glyphs: Glyphs) -> Block:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    up = _is_up(selection, position)
    if boxes.scale is _SIGNS:
        sheet = _signs(tile, glyphs, up=up)
    else:
        sheet = tile_sheet(tile, boxes.scale, glyphs, up=up)
    sheet.over(1, 0, str(position))
    if gems:
        sheet.put(2, boxes.scale.height - 1, f"{glyphs.gem}{gems}", Ink.GEM)
    price: Row = [Span(" "), *(_price(view, position, glyphs) if tile else [])]
    return [line(boxes.step, row) for row in [*sheet.rows(), price]]


def _signs(tile: int, glyphs: Glyphs, *, up: bool) -> Sheet:
    """A tile with ground below its signs alone, and a loud upper edge when it is up: this costs
    the fewest bytes."""
    scale = _SIGNS
    sheet = Sheet(2 * scale.width, scale.height)
    for half, (kind, way) in enumerate(zip(TILES[tile], (RIGHT, LEFT), strict=True)):
        sheet.frame(half * scale.width, 0, scale, glyphs.tile, None, way)
        if tile:
            sign = glyphs.signs[kind] + kind_letter(kind)
            text = f" {sign}" if half else f"{sign} "
            sheet.put(scale.width if half else 1, 1, text, KINDS[kind])
    if up:
        loud = glyphs.ghost
        edge = loud.nw + loud.across * (2 * scale.width - 2) + loud.ne
        sheet.put(0, 0, edge, Ink.GHOST)
    return sheet


def lines(view: View, selection: Selection, glyphs: Glyphs) -> Block:
    """One below the other, `LINES` rows."""
    return [_line(view, selection, position, glyphs) for position in range(1, ROW + 1)]


def _tile_spans(tile: int, glyphs: Glyphs) -> Row:
    first, second = (
        Span(glyphs.signs[kind] + kind_letter(kind), KINDS[kind]) for kind in TILES[tile]
    )
    return [first, Span(" "), second]


def _line(view: View, selection: Selection, position: int, glyphs: Glyphs) -> Row:
    tile, gems = view.row[position - 1], view.on_row[position - 1]
    if not tile:
        return [Span(" ")]
    up = _is_up(selection, position)
    number = Span(f"[{position}]", Ink.MARKED) if up else Span(f" {position} ", Ink.BOLD)
    price = line(_PRICE, _price(view, position, glyphs))
    lying = [Span(f"{glyphs.gem}{gems}", Ink.GEM)] if gems else []
    return [number, Span(" "), *_tile_spans(tile, glyphs), Span("  "), *price, Span(" "), *lying]


_PRICE: Final = 8


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
    return [Span(_("To build:") + " ", Ink.BOLD), *_tile_spans(view.tile, glyphs)]
