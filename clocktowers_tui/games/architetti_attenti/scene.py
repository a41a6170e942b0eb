"""The whole board as rows of text: what is to be seen goes in, a rectangle of cells comes out."""

from typing import NamedTuple

from clocktowers_tui.games.architetti_attenti import choosing, preview
from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import Ink
from clocktowers_tui.games.architetti_attenti.layout import NUMBERS, Layout, layout
from clocktowers_tui.games.architetti_attenti.side import Part, Spot, side_parts
from clocktowers_tui.games.architetti_attenti.sight import Scene, over, shown_seat
from clocktowers_tui.games.architetti_attenti.town import Laid, Marks, town_block
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, paint
from protocol.games.architetti_attenti import SIDE
from protocol.games.architetti_attenti.board import cell_name


class Hit(NamedTuple):
    """What lies under the mouse."""

    what: Spot
    number: int = 0


def draw(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block | None:
    """`height` rows of `width` cells, or None when that is too small."""
    found = layout(width, height, scene.wish)
    if found is None:
        return None
    seat = shown_seat(scene)
    town = town_block(scene.view.boards[seat], found.scale, glyphs, _marks(scene, found))
    rows = [row for part in _parts(scene, found, glyphs) for row in part.rows]
    placed = [
        (found.town, town),
        (found.side, block(found.side.width, found.side.height, rows)),
        *_names_of_lines(found),
    ]
    return paint(width, height, placed)


def hit(scene: Scene, width: int, height: int, x: int, y: int, glyphs: Glyphs) -> Hit | None:
    """What may be picked at a cell of the board."""
    found = layout(width, height, scene.wish)
    if found is None:
        return None
    if found.town.holds(x, y):
        across = (x - found.town.x) // found.scale.width
        down = (y - found.town.y) // found.scale.height
        return Hit(Spot.CELL, down * SIDE + across)
    if not found.side.holds(x, y):
        return None
    return _beside(_parts(scene, found, glyphs), x - found.side.x, y - found.side.y)


def _beside(parts: list[Part], x: int, y: int) -> Hit | None:
    for part in parts:
        if y < len(part.rows):
            number = part.at(x, y)
            return None if number is None else Hit(part.spot, number)
        y -= len(part.rows)
    return Hit(Spot.LOG)


def _parts(scene: Scene, found: Layout, glyphs: Glyphs) -> list[Part]:
    return side_parts(scene, found.scale, found.side.width, found.side.height, glyphs)


def _marks(scene: Scene, found: Layout) -> Marks:
    seat = shown_seat(scene)
    own = seat == scene.view.seat
    return Marks(
        _laid(scene) if own else None,
        scene.news.get(seat, frozenset()),
        preview.shares(scene.view, seat) if over(scene.view) else (),
        named=not found.headed,
    )


def _laid(scene: Scene) -> Laid | None:
    view, selection = scene.view, scene.selection
    ghost = choosing.shown_ghost(view, selection)
    if ghost is None:
        return None
    fits = choosing.obstacle(view, ghost) is None
    return Laid(choosing.tile(view, selection), ghost, fits)


def _names_of_lines(found: Layout) -> list[tuple[Rect, Block]]:
    """The letters of the columns, where there is a row for them, and the numbers of the rows."""
    town, scale = found.town, found.scale
    numbers: Block = [[Span(" ")] for _ in range(town.height)]
    for row in range(SIDE):
        name = cell_name(row * SIDE)[1]
        numbers[row * scale.height + scale.down] = [Span(name, Ink.DIM)]
    placed = [(Rect(town.x - NUMBERS, town.y, NUMBERS, town.height), numbers)]
    if found.headed:
        letters = [_letter(column, found) for column in range(SIDE)]
        head: Row = [Span("".join(letters), Ink.DIM)]
        placed.append((Rect(town.x, town.y - 1, town.width, 1), [head]))
    return placed


def _letter(column: int, found: Layout) -> str:
    lead = " " * found.scale.across
    return (lead + cell_name(column)[0]).ljust(found.scale.width)
