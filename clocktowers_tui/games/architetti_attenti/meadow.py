"""The town that is being built, and the others' beside it."""

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.inks import Ink
from clocktowers_tui.games.architetti_attenti.sight import (
    NUMBERS,
    Layout,
    Neighbour,
    Scene,
    Sight,
    home,
    over,
    seats_in_order,
    shown_seat,
)
from clocktowers_tui.games.architetti_attenti.town import (
    SIGNS,
    Laid,
    Marks,
    town_block,
)
from clocktowers_tui.games.frames import Edge, ruled
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import Cell, Hit, Size
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, cells, cut, side_by_side
from protocol.games.architetti_attenti import SIDE
from protocol.games.architetti_attenti.board import cell_name


def meadow_rows(sight: Sight, size: Size) -> Block:
    layout, scene = sight.layout, sight.scene
    board = scene.view.boards[shown_seat(scene)]
    town = town_block(board, layout.scale, sight.glyphs, _marks(scene, layout))
    # Another's town has a loud edge, so that nobody takes it for their own.
    edge = Edge.WORDS if scene.looking is None else Edge.LIT
    rows = [[_number(y, layout, edge), *row] for y, row in enumerate(town)]
    return block(*size, [_letters(layout, edge), *rows] if layout.headed else rows)


def meadow_under(sight: Sight, _size: Size, at: Cell) -> Hit | None:
    """The square at a cell."""
    layout = sight.layout
    x, y = at[0] - NUMBERS, at[1] - layout.headed
    if not (0 <= x < layout.scale.columns and 0 <= y < layout.scale.rows):
        return None
    cell = y // layout.scale.height * SIDE + x // layout.scale.width
    return Hit(choosing.point, (cell,))


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
        choosing.shares(scene.view, seat) if over(scene.view) else (),
        named=not layout.headed,
    )


def _laid(scene: Scene) -> Laid | None:
    view, selection = scene.view, scene.selection
    ghost = choosing.shown_ghost(view, selection)
    if ghost is None:
        return None
    return Laid(choosing.tile(view, selection), ghost, choosing.fits(view, ghost))


# The others' towns, each below a rule with its player's name -------------------------------------


def towns_rows(sight: Sight, size: Size) -> Block:
    """In columns from the top."""
    scene, scale = sight.scene, sight.layout.towns
    others = seats_in_order(scene.view)[1:]
    down = _down(sight, size)
    height = min(size[1], down * (scale.rows + 1))
    columns = [others[start : start + down] for start in range(0, len(others), down)]
    drawn = [[row for seat in seats for row in _town(sight, seat)] for seats in columns]
    blocks = [block(scale.columns, height, rows) for rows in drawn]
    return block(*size, side_by_side(blocks, 1))


def towns_under(sight: Sight, size: Size, at: Cell) -> Neighbour | None:
    scale = sight.layout.towns
    down = _down(sight, size)
    column, row = at[0] // (scale.columns + 1), at[1] // (scale.rows + 1)
    others = seats_in_order(sight.scene.view)[1:]
    place = column * down + row
    return Neighbour(others[place]) if row < down and place < len(others) else None


def towns_square(sight: Sight, seat: int, cell: int) -> Rect:
    """Where a square of another's town is drawn."""
    place = sight.places["towns"]
    others = seats_in_order(sight.scene.view)[1:]
    column, below = divmod(others.index(seat), _down(sight, (place.width, place.height)))
    scale, (row, across) = sight.layout.towns, divmod(cell, SIDE)
    x = column * (scale.columns + 1) + across * scale.width
    y = below * (scale.rows + 1) + 1 + row * scale.height
    return Rect(x, y, scale.width, scale.height)


def _down(sight: Sight, size: Size) -> int:
    """How many towns stand below each other."""
    return max(1, size[1] // (sight.layout.towns.rows + 1))


def _town(sight: Sight, seat: int) -> Block:
    scene, scale, glyphs = sight.scene, sight.layout.towns, sight.glyphs
    view, fresh = scene.view, scene.news.get(seat, frozenset())
    turn = seat == view.turn
    shown = seat == shown_seat(scene) != home(view)
    end = [Span(f"{choosing.points(view, seat).total}", Voice.BOLD)]
    if scale is not SIGNS:
        end.append(Span(f" {glyphs.gem}{view.gems[seat]}", Ink.GEM))
    mark = [Span(glyphs.turn, Voice.LOUD)] if turn else []
    room = scale.columns - cells(end) - cells(mark) - 6
    name = cut(scene.names[seat], room, glyphs.ellipsis)
    ink = Voice.LOUD if turn and seat not in scene.away else scene.name_ink(seat)
    title = [*mark, Span(name, Voice.MARKED if shown else ink)]
    edge = Edge.TURN if turn else Edge.QUIET
    town = town_block(view.boards[seat], scale, glyphs, Marks(fresh=fresh))
    return [ruled(scale.columns, glyphs.light.across, title, end, edge), *town]
