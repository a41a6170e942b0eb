"""Which moments of a match are worth a motion, and where they are seen. Pure."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

from clocktowers_tui.games.architetti_attenti.meadow import meadow_square
from clocktowers_tui.games.architetti_attenti.preview import points
from clocktowers_tui.games.architetti_attenti.scene import PARTS
from clocktowers_tui.games.architetti_attenti.sight import Sight, shown_seat
from clocktowers_tui.games.architetti_attenti.towns import towns_square
from clocktowers_tui.games.motion import Shine, above, fitting, upwards
from clocktowers_tui.games.spans import Rect
from protocol.games.architetti_attenti import Kind, Phase, View
from protocol.games.architetti_attenti.board import cells_in, every_square, mask_of


class Block(NamedTuple):
    """Houses make a square, or a larger one, and bring so many points more."""

    seat: int
    cells: tuple[int, ...]
    points: int


class Win(NamedTuple):
    """The match is over, and this seat has most points."""

    seat: int


Peak: TypeAlias = Block | Win


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


def _block(before: View, after: View, seat: int) -> Block | None:
    gained = points(after, seat).blocks - points(before, seat).blocks
    had = mask_of(before.boards[seat], Kind.HOUSE)
    squares = every_square(mask_of(after.boards[seat], Kind.HOUSE))
    fresh = [square for square in squares if square & ~had]
    return Block(seat, tuple(cells_in(reduce(or_, fresh, 0))), gained) if gained > 0 else None


def shine(sight: Sight, peak: Peak) -> Shine:
    """A block lights its houses, a win the winner's points; so does a block in a town that is not
    seen."""
    if isinstance(peak, Block):
        if peak.seat == shown_seat(sight.scene):
            return _houses(sight, peak, "meadow", meadow_square)
        if "towns" in sight.places:
            return _houses(sight, peak, "towns", towns_square)
    return Shine("score", _points(sight, peak.seat))


def _houses(
    sight: Sight, block: Block, part: str, square: Callable[[Sight, int, int], Rect]
) -> Shine:
    houses = [square(sight, block.seat, cell) for cell in block.cells]
    label = f"+{block.points}"
    return Shine(part, fitting(houses), label, above(houses[:1], label))


def _points(sight: Sight, seat: int) -> tuple[Rect, ...]:
    """A player's column of the score, from the total up."""
    part = PARTS["score"]
    _x, _y, width, height = sight.places["score"]
    size = width, height
    inside = range(height - sight.layout.framed)

    def holds(x: int, y: int) -> bool:
        hit = part.under(sight, size, (x, y))
        return y in inside and hit is not None and hit.number == seat

    return upwards(part.drawn(sight, size), holds)
