"""Whether events, views and outcomes can be: seats that are there, tiles of the box, whole boards.
No rules: whether a placement was legal is the server's to know.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final, assert_never

from msgspec.structs import astuple

from clocktowers_tui.games import sensible
from clocktowers_tui.games.sensible import Possible, can_have_won
from protocol.games.architetti_attenti import (
    CELLS,
    HALL,
    KIND_BITS,
    ROW,
    SEATS,
    START_GEMS,
    STEPS,
    TILES,
    Bought,
    Dealt,
    DecidedBy,
    Discarded,
    Event,
    Kind,
    Outcome,
    Phase,
    Placed,
    Revealed,
    View,
)
from protocol.games.architetti_attenti.board import NEIGHBOURS, has_room
from protocol.games.architetti_attenti.deal import TURNS

_TILES: Final = range(1, len(TILES))
_POINTS: Final = range(10_000)
"""More than any board is worth: 576 for tracks is the most that one kind can bring."""
_MOST_GEMS: Final = START_GEMS * max(SEATS)
_HALVES: Final = frozenset(chain(TILES[1:], (tile[::-1] for tile in TILES[1:])))


def nonsense(
    seats: int | None, events: Sequence[Event], view: View | None, outcome: Outcome | None
) -> str:
    """See `Face.nonsense`."""
    if seats is None:
        seats = max(SEATS) if view is None else len(view.boards)
    possible = Possible(SEATS, _can_happen, _can_be_the_end, _wrong_in_view)
    return sensible.nonsense(possible, seats, events, view, outcome)


def _can_happen(event: Event, seats: range) -> bool:
    match event:
        case Dealt():
            row = len(event.row) == ROW and all(tile in _TILES for tile in event.row)
            return event.first_seat in seats and row and 0 <= event.left <= TURNS * len(seats)
        case Bought():
            gems = 0 <= event.paid < ROW and 0 <= event.gained <= _MOST_GEMS
            bought = event.position in range(1, ROW + 1) and event.tile in _TILES
            return event.seat in seats and bought and gems
        case Placed():
            placed = event.first in range(CELLS) and event.second in NEIGHBOURS[event.first]
            return event.seat in seats and event.tile in _TILES and placed
        case Discarded():
            return event.seat in seats and event.tile in _TILES
        case Revealed():
            return event.tile in _TILES
        case _:
            assert_never(event)


def _can_be_the_end(outcome: Outcome, seats: int) -> bool:
    if not len(outcome.scores) == len(outcome.parts) == seats:
        return False
    counted = (
        score in _POINTS
        and score == parts.total
        and all(part in _POINTS for part in astuple(parts))
        for score, parts in zip(outcome.scores, outcome.parts, strict=True)
    )
    alone = (outcome.decided_by is DecidedBy.ALONE) == (seats == 1)
    return all(counted) and alone and can_have_won(outcome.winners, seats)


def _wrong_in_view(view: View, seats: int) -> str:
    if not all(seat is None or seat in range(seats) for seat in (view.seat, view.turn)):
        return "a seat beyond the table"
    if any(len(row) != seats for row in (view.boards, view.gems, view.discarded)):
        return "a row of another length than there are seats"
    if not _market_can_be(view, seats):
        return "tiles or gems that cannot be"
    if not all(map(_board_can_be, view.boards)):
        return "a board that cannot be"
    return "" if _turn_can_be(view) else "a turn that nobody can take"


def _market_can_be(view: View, seats: int) -> bool:
    if not len(view.row) == len(view.on_row) == ROW or view.left not in range(TURNS * seats + 1):
        return False
    known = all(tile in _TILES for tile in chain(view.removed, *view.discarded))
    open_ones = all(tile == 0 or tile in _TILES for tile in (*view.row, view.tile))
    return known and open_ones and sum(view.gems) + sum(view.on_row) <= START_GEMS * seats


def _board_can_be(board: bytes) -> bool:
    """The town hall in the middle, and around it free cells and whole tiles."""
    if len(board) != CELLS or board[HALL] != Kind.TOWN_HALL:
        return False
    return all(
        board[cell] == Kind.FREE or _is_half(board, cell) for cell in range(CELLS) if cell != HALL
    )


def _is_half(board: bytes, cell: int) -> bool:
    """Whether the other half lies where this one says, and both make a tile of the box."""
    towards, kind = board[cell] >> 4, board[cell] & KIND_BITS
    if towards >= len(STEPS) or (beside := cell + STEPS[towards]) not in NEIGHBOURS[cell]:
        return False
    back, other = board[beside] >> 4, board[beside] & KIND_BITS
    return back == (towards + 2) % len(STEPS) and (kind, other) in _HALVES


def _turn_can_be(view: View) -> bool:
    """Where a tile is to be placed there is one, and room for it."""
    match view.phase:
        case Phase.BUY:
            return view.turn is not None
        case Phase.PLACE:
            return view.turn is not None and view.tile != 0 and has_room(view.boards[view.turn])
        case Phase.OVER:
            return True
        case _:
            assert_never(view.phase)
