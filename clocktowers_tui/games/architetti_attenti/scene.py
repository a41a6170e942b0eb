"""The parts of the board, each drawn from a sight; the sight of a scene; its peaks."""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.games.architetti_attenti import choosing, scores
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, Stage, points, settle
from clocktowers_tui.games.architetti_attenti.inks import Glyphs
from clocktowers_tui.games.architetti_attenti.log import looked_at, news
from clocktowers_tui.games.architetti_attenti.meadow import (
    meadow_rows,
    meadow_square,
    meadow_under,
    towns_rows,
    towns_square,
    towns_under,
)
from clocktowers_tui.games.architetti_attenti.sight import (
    EDGES,
    INSET,
    LINES,
    RULE,
    Arrangement,
    Boxes,
    Neighbour,
    Scene,
    Sight,
    bought,
    boxes,
    layout,
    lines,
    over,
    seats_in_order,
    shown_seat,
)
from clocktowers_tui.games.frames import framed, ruled
from clocktowers_tui.games.motion import Moment, Win, above, fitting, on_board
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import Cell, Hit, Part, Size, log_rows, log_under
from clocktowers_tui.games.scenes import Given
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import Kind, Phase, View
from protocol.games.architetti_attenti.board import cells_in, every_square, mask_of


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


# The row of tiles --------------------------------------------------------------------------------


def _row(sight: Sight, size: Size) -> Block:
    scene, glyphs = sight.scene, sight.glyphs
    view, selection = scene.view, scene.selection
    width, _height = _inside(sight, size)
    if sight.layout.framed:
        rows = boxes(view, selection, width, glyphs)
    else:
        rows = lines(view, selection, glyphs)
    # A whole frame in the colour of the turn costs many bytes.
    choosing = selection.stage in (Stage.CHOOSE, Stage.LOOK)
    ink = Voice.LOUD if choosing else Voice.BOLD
    title: Row = [Span(pgettext("where the four tiles lie", "Market"), ink)]
    return _pane(sight, size, title, rows, _pile(scene, glyphs))


def _row_under(sight: Sight, size: Size, at: Cell) -> Hit | None:
    x, y = at
    if not sight.layout.framed:
        position = y if RULE <= y <= LINES else None
    else:
        position = Boxes.of(_inside(sight, size)[0]).position(x - INSET, y - 1)
    return None if position is None else Hit(choosing.pick, (position,))


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
    title = scores.head(
        scene,
        [Span(pgettext("title of the table of points, 5 cells", "Score"), Voice.BOLD)],
        width,
        glyphs,
        before,
        _told(sight),
    )
    return _pane(sight, size, title, scores.rows(scene, width, glyphs, _told(sight)))


def _told(sight: Sight) -> str:
    """What the pane of the goal says: "rules" or "signs"; "" where there is none."""
    place = sight.places.get("goal")
    if place is None:
        return ""
    return "rules" if _rules(sight, (place.width, place.height)) else "signs"


def tells_why(sight: Sight) -> bool:
    """Whether the score has room for what scores, and for why the tile in hand changes it."""
    seats = len(sight.scene.view.boards)
    place = sight.places["score"]
    width, _height = _inside(sight, (place.width, place.height))
    return scores.Columns.of(seats, width).tells_all


def _score_under(sight: Sight, size: Size, at: Cell) -> Neighbour | None:
    inset = INSET if sight.layout.framed else 0
    seats = seats_in_order(sight.scene.view)
    column = scores.column_at(len(seats), _inside(sight, size)[0], at[0] - inset)
    return None if column is None else Neighbour(seats[column])


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
    "meadow": Part(meadow_rows, meadow_under),
    "row": Part(_row, _row_under),
    "score": Part(_score, _score_under),
    "towns": Part(towns_rows, towns_under),
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
    square = meadow_square if part == "meadow" else towns_square
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
    width, _height = _inside(sight, (place.width, place.height))
    x, y, room = scores.total_at(seats.index(seat), len(seats), width)
    before, above = (INSET, 1) if sight.layout.framed else (0, RULE)
    numbers = [Rect(before + x, above + up, room, 1) for up in range(y, -1, -1)]
    return on_board(place, numbers)


MOMENTS: Final[Mapping[type, Callable[[Sight, Any], Moment]]] = {
    Houses: _houses_light,
    Win: _points_light,
}
