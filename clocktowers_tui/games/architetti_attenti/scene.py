"""The parts of the board, each drawn from a sight; the sight of a scene; its peaks."""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.games.architetti_attenti import choosing, scores
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, Stage, points, settle
from clocktowers_tui.games.architetti_attenti.inks import Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.log import looked_at, news
from clocktowers_tui.games.architetti_attenti.sight import (
    EDGES,
    INSET,
    LINES,
    NUMBERS,
    RULE,
    Arrangement,
    Boxes,
    Layout,
    Neighbour,
    Scene,
    Sight,
    bought,
    boxes,
    home,
    layout,
    lines,
    over,
    seats_in_order,
    shown_seat,
)
from clocktowers_tui.games.architetti_attenti.town import SIGNS, Laid, Marks, town_block
from clocktowers_tui.games.motion import Moment, Win, above, fitting, on_board
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import Cell, Given, Hit, Part, Size, log_rows, log_under
from clocktowers_tui.games.spans import (
    Block,
    Edge,
    Rect,
    Row,
    Span,
    block,
    cells,
    cut,
    framed,
    ruled,
    side_by_side,
)
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import ROW, SIDE, Kind, Phase, View
from protocol.games.architetti_attenti.board import cell_name, cells_in, every_square, mask_of


def sight(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Sight | None:
    """None: the board is too small."""
    view = scene.view
    found = layout(width, height, scene.wish, seats=len(view.boards), over=over(view))
    return None if found is None else Sight(scene, found, glyphs, found.places)


def staged(given: Given, before: Scene | None, wish: Arrangement) -> Scene:
    """The scene for what the screen tells, after another one."""
    view, seen = given.view, before.view if before is not None else None
    since = looked_at(view, seen, before.since if before is not None else None)
    selection = settle(view, seen, before.selection if before is not None else NOTHING)
    looking = _still_looking_at(view, before)
    return Scene(*given, selection, news(view, since), looking, wish, since)


def _still_looking_at(view: View, before: Scene | None) -> int | None:
    """The player's turn brings their own town back; so does a table with fewer seats."""
    if before is None or before.looking is None or before.looking >= len(view.boards):
        return None
    begins = view.seat is not None and view.turn == view.seat != before.view.turn
    return None if begins else before.looking


def _pane(sight: Sight, size: Size, title: Row, rows: Block, end: Row | None = None) -> Block:
    """`rows` below a rule, or in a frame with a blank on each side."""
    frame = sight.glyphs.light
    if not sight.layout.framed:
        return block(*size, [ruled(size[0], frame.across, title, end), *rows])
    return framed(size, [[Span(" "), *row] for row in rows], frame, title, end)


def _inside(sight: Sight, size: Size) -> Size:
    """What is left of a pane within its edge."""
    width, height = size
    if not sight.layout.framed:
        return width, height - RULE
    return width - 2 * INSET, height - EDGES


# The town that is being built ---------------------------------------------------------------------


def _meadow(sight: Sight, size: Size) -> Block:
    layout, scene = sight.layout, sight.scene
    board = scene.view.boards[shown_seat(scene)]
    town = town_block(board, layout.scale, sight.glyphs, _marks(scene, layout))
    # Another's town has a loud edge, so that nobody takes it for their own.
    edge = Edge.WORDS if scene.looking is None else Edge.LIT
    rows = [[_number(y, layout, edge), *row] for y, row in enumerate(town)]
    return block(*size, [_letters(layout, edge), *rows] if layout.headed else rows)


def _meadow_under(sight: Sight, _size: Size, at: Cell) -> Hit | None:
    """The square at a cell."""
    layout = sight.layout
    x, y = at[0] - NUMBERS, at[1] - layout.headed
    if not (0 <= x < layout.scale.columns and 0 <= y < layout.scale.rows):
        return None
    cell = y // layout.scale.height * SIDE + x // layout.scale.width
    return Hit(choosing.point, (cell,))


def _meadow_square(sight: Sight, _seat: int, cell: int) -> Rect:
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


def _towns(sight: Sight, size: Size) -> Block:
    """In columns from the top."""
    scene, scale = sight.scene, sight.layout.towns
    others = seats_in_order(scene.view)[1:]
    down = _down(sight, size)
    height = min(size[1], down * (scale.rows + 1))
    columns = [others[start : start + down] for start in range(0, len(others), down)]
    drawn = [[row for seat in seats for row in _town(sight, seat)] for seats in columns]
    blocks = [block(scale.columns, height, rows) for rows in drawn]
    return block(*size, side_by_side(blocks, 1))


def _towns_under(sight: Sight, size: Size, at: Cell) -> Neighbour | None:
    scale = sight.layout.towns
    down = _down(sight, size)
    column, row = at[0] // (scale.columns + 1), at[1] // (scale.rows + 1)
    others = seats_in_order(sight.scene.view)[1:]
    place = column * down + row
    return Neighbour(others[place]) if row < down and place < len(others) else None


def _towns_square(sight: Sight, seat: int, cell: int) -> Rect:
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


# The row of tiles --------------------------------------------------------------------------------


def _row(sight: Sight, size: Size) -> Block:
    scene, glyphs = sight.scene, sight.glyphs
    view, selection = scene.view, scene.selection
    sized = _boxes(sight, size)
    rows = boxes(view, selection, sized, glyphs) if sized else lines(view, selection, glyphs)
    # A whole frame in the colour of the turn costs many bytes.
    choosing = selection.stage in (Stage.CHOOSE, Stage.LOOK)
    ink = Voice.LOUD if choosing else Voice.BOLD
    title: Row = [Span(pgettext("where the four tiles lie", "Market"), ink)]
    return _pane(sight, size, title, rows, _pile(scene, glyphs))


def _row_under(sight: Sight, size: Size, at: Cell) -> Hit | None:
    x, y = at
    if sized := _boxes(sight, size):
        position = sized.position(x - INSET * sight.layout.framed, y - RULE)
    else:
        position = y if RULE <= y <= LINES else None
    return None if position is None else Hit(choosing.pick, (position,))


def _boxes(sight: Sight, size: Size) -> Boxes | None:
    """None where tiles side by side have no room."""
    width, height = _inside(sight, size)
    found = Boxes.of(width, height)
    return found if found.step * ROW <= width + 1 else None


def _pile(scene: Scene, glyphs: Glyphs) -> Row:
    """How many tiles are left, or which one is to be placed."""
    if scene.view.phase is Phase.PLACE:
        return bought(scene.view, glyphs)
    sign = f" {glyphs.sending}" if scene.waiting else ""
    return [Span(_("Pile: {n}").format(n=scene.view.left) + sign, Voice.DIM)]


# The score --------------------------------------------------------------------------------


def _score(sight: Sight, size: Size) -> Block:
    scene, glyphs = sight.scene, sight.glyphs
    width, _height = _inside(sight, size)
    # Both edges put a line and a blank before a title; a frame has its corner and an inset, too.
    before = 1 if sight.layout.framed else 2
    title = Span(pgettext("title of the table of points, 5 cells", "Score"), Voice.BOLD)
    table = scores.ScoreTable(scene, width, glyphs, _told(sight))
    return _pane(sight, size, table.head([title], before), table.rows())


def _told(sight: Sight) -> str:
    """What the pane of the goal says: "rules" or "signs"; "" where there is none."""
    place = sight.places.get("goal")
    if place is None:
        return ""
    return "rules" if _rules(sight, (place.width, place.height)) else "signs"


def tells_why(sight: Sight) -> bool:
    """Whether the score has room for what scores, and for why the tile in hand changes it."""
    place = sight.places["score"]
    return _columns(sight, (place.width, place.height)).why > 0


def _columns(sight: Sight, size: Size) -> scores.Columns:
    return scores.Columns.of(len(sight.scene.view.boards), _inside(sight, size)[0])


def _score_under(sight: Sight, size: Size, at: Cell) -> Neighbour | None:
    inset = INSET if sight.layout.framed else 0
    seats, column = seats_in_order(sight.scene.view), _columns(sight, size).at(at[0] - inset)
    return Neighbour(seats[column]) if 0 <= column < len(seats) else None


# The log and the goal -----------------------------------------------------------------------------


def _log(sight: Sight, size: Size) -> Block:
    if not sight.layout.framed:
        return log_rows(sight.scene.log, size)
    rows = log_rows(sight.scene.log, _inside(sight, size))
    # TRANSLATORS: title of the list of what has happened.
    return _pane(sight, size, [Span(_("Log"), Voice.BOLD)], rows)


def _goal(sight: Sight, size: Size) -> Block:
    """What the signs mean, and what each brings where there is room for that."""
    # TRANSLATORS: title of the table of what brings points.
    rows, title = _rules(sight, size), _("What scores")
    if not rows:
        rows = scores.names(sight.scene, *_inside(sight, size), sight.glyphs)
        # TRANSLATORS: title of the explanation of what is drawn.
        title = _("Signs")
    return _pane(sight, size, [Span(title, Voice.BOLD)], rows)


def _rules(sight: Sight, size: Size) -> Block:
    """Empty where there is no room, and in a lesson, which says them."""
    width, height = _inside(sight, size)
    if sight.scene.taught.asks:
        return []
    rows = scores.rules(sight.scene.view, width, sight.glyphs)
    return rows if len(rows) <= height else []


PARTS: Final[Mapping[str, Part[Sight]]] = {
    "meadow": Part(_meadow, _meadow_under),
    "row": Part(_row, _row_under),
    "score": Part(_score, _score_under),
    "towns": Part(_towns, _towns_under),
    "log": Part(_log, log_under),
    "goal": Part(_goal),
}


# Which moments of a match are worth a motion, and where they are seen. Pure ----------------------


class Houses(NamedTuple):
    """Houses make a square, or a larger one, and bring so many points more."""

    seat: int
    cells: tuple[int, ...]
    points: int


Peak: TypeAlias = Houses | Win


def peak(before: View, after: View) -> Peak | None:
    """What has happened between the two; None for nothing, or for more than one thing: after an
    absence nothing is played."""
    if len(before.boards) != len(after.boards):
        return None
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        totals = [points(after, seat).total for seat in range(len(after.boards))]
        alone = len(totals) > 1 and totals.count(max(totals)) == 1
        return Win(totals.index(max(totals))) if alone else None
    built = [seat for seat, board in enumerate(after.boards) if board != before.boards[seat]]
    return _block(before, after, built[0]) if len(built) == 1 else None


def _block(before: View, after: View, seat: int) -> Houses | None:
    gained = points(after, seat).blocks - points(before, seat).blocks
    had = mask_of(before.boards[seat], Kind.HOUSE)
    squares = every_square(mask_of(after.boards[seat], Kind.HOUSE))
    fresh = [square for square in squares if square & ~had]
    return Houses(seat, tuple(cells_in(reduce(or_, fresh, 0))), gained) if gained > 0 else None


def _houses_light(sight: Sight, block: Houses) -> Moment:
    """One house after the other, and the points fly to the total; in a town that is not seen only
    the player's points."""
    total, label = _points(sight, block.seat)[0], f"+{block.points}"
    part = "meadow" if block.seat == shown_seat(sight.scene) else "towns"
    if part not in sight.places:
        return _points_light(sight, block)
    square = _meadow_square if part == "meadow" else _towns_square
    squares = [square(sight, block.seat, cell) for cell in block.cells]
    houses = on_board(sight.places[part], fitting(squares))
    # Only the first player's column has room behind its numbers, where a gain stands.
    is_first = block.seat == seats_in_order(sight.scene.view)[0]
    beside = total.x + total.width + 1 if is_first else total.x - len(label) - 1
    ends = beside, total.y
    return Moment((part, "score"), (*houses, total), label, above(houses[0], label), ends)


def _points_light(sight: Sight, of: Houses | Win) -> Moment:
    return Moment(("score",), _points(sight, of.seat))


def _points(sight: Sight, seat: int) -> tuple[Rect, ...]:
    """A player's numbers in the score, from the total up."""
    place, seats = sight.places["score"], seats_in_order(sight.scene.view)
    columns = _columns(sight, (place.width, place.height))
    x, y, room = columns.total(seats.index(seat))
    before, above = (INSET, 1) if sight.layout.framed else (0, RULE)
    numbers = [Rect(before + x, above + up, room, 1) for up in range(y, -1, -1)]
    return on_board(place, numbers)


MOMENTS: Final[Mapping[type, Callable[[Sight, Any], Moment]]] = {
    Houses: _houses_light,
    Win: _points_light,
}
