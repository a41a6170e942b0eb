"""The town that is being built: its squares, the columns' letters, the rows' numbers."""

from clocktowers_tui.games.architetti_attenti import choosing, preview
from clocktowers_tui.games.architetti_attenti.layout import NUMBERS, Layout
from clocktowers_tui.games.architetti_attenti.sight import Hit, Scene, Sight, Spot, over, shown_seat
from clocktowers_tui.games.architetti_attenti.town import Laid, Marks, town_block
from clocktowers_tui.games.frames import Edge
from clocktowers_tui.games.parts import Cell, Size
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block
from protocol.games.architetti_attenti import SIDE
from protocol.games.architetti_attenti.board import cell_name


def meadow_rows(sight: Sight, size: Size) -> Block:
    layout, scene = sight.layout, sight.scene
    board = scene.view.boards[shown_seat(scene)]
    town = town_block(board, layout.scale, sight.glyphs, _marks(scene, layout))
    # Another's town has a loud edge, so that nobody takes it for their own.
    edge = Edge.QUIET if scene.looking is None else Edge.LIT
    rows = [[_number(y, layout, edge), *row] for y, row in enumerate(town)]
    return block(*size, [_letters(layout, edge), *rows] if layout.headed else rows)


def meadow_under(sight: Sight, _size: Size, at: Cell) -> Hit | None:
    """The square at a cell."""
    layout = sight.layout
    x, y = at[0] - NUMBERS, at[1] - layout.headed
    if not (0 <= x < layout.scale.columns and 0 <= y < layout.scale.rows):
        return None
    return Hit(Spot.CELL, y // layout.scale.height * SIDE + x // layout.scale.width)


def meadow_square(sight: Sight, _seat: int, cell: int) -> Rect:
    """Where a square is drawn."""
    layout = sight.layout
    row, column = divmod(cell, SIDE)
    width, height = layout.scale.width, layout.scale.height
    return Rect(NUMBERS + column * width, layout.headed + row * height, width, height)


def _number(y: int, layout: Layout, edge: Edge) -> Span:
    row, inside = divmod(y, layout.scale.height)
    return Span(cell_name(row * SIDE)[1] if inside == layout.scale.down else " ", edge)


def _letters(layout: Layout, edge: Edge) -> Row:
    lead = " " * layout.scale.across
    letters = ((lead + cell_name(n)[0]).ljust(layout.scale.width) for n in range(SIDE))
    return [Span(" " * NUMBERS + "".join(letters), edge)]


def _marks(scene: Scene, layout: Layout) -> Marks:
    seat = shown_seat(scene)
    return Marks(
        _laid(scene) if seat == scene.view.seat else None,
        scene.news.get(seat, frozenset()),
        preview.shares(scene.view, seat) if over(scene.view) else (),
        named=not layout.headed,
    )


def _laid(scene: Scene) -> Laid | None:
    view, selection = scene.view, scene.selection
    ghost = choosing.shown_ghost(view, selection)
    if ghost is None:
        return None
    return Laid(choosing.tile(view, selection), ghost, choosing.fits(view, ghost))
