"""What boards are worth, and what the tile in hand would add where its ghost lies."""

from functools import lru_cache
from typing import Final

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from protocol.games.architetti_attenti import Parts, View, score as scoring
from protocol.games.architetti_attenti.board import with_tile
from protocol.games.architetti_attenti.score import Counting

PARTS: Final = tuple(Parts.__struct_fields__)
"""The kinds of points, as on the score sheet."""

_KEPT: Final = 64
"""Boards whose points are remembered: those on the table, and where the ghost has just been."""


def points(view: View, seat: int) -> Parts:
    """What a seat has now."""
    return _parts(view.boards[seat], view.gems[seat], Counting.of(view))


def shares(view: View, seat: int) -> tuple[int, ...]:
    """Cell → the points that what stands there brings."""
    return _shares(view.boards[seat], view.gems[seat], Counting.of(view))


def with_ghost(view: View, selection: Selection) -> Parts | None:
    """What the player would have with the tile in hand where its ghost lies, bought and paid; None
    when it does not fit there. Where no tile fits any more only the gems count."""
    after = town_after(view, selection)
    return None if after is None else _parts(*after, Counting.of(view))


def before(view: View, selection: Selection) -> Parts:
    """What the player had when the turn began: what a purchase changes counts when it is built."""
    board, gems = choosing.own_board(view), choosing.gems_before(view, selection)
    return _parts(board, gems, Counting.of(view))


def gain(view: View, selection: Selection) -> int:
    """The points that the turn would add with the tile in hand where it lies, the same before it
    is bought and after; 0 where it does not fit."""
    after = with_ghost(view, selection)
    return 0 if after is None else after.total - before(view, selection).total


def town_after(view: View, selection: Selection) -> tuple[bytes, int] | None:
    """The player's board and gems with the tile in hand, as `with_ghost` counts them."""
    in_hand = choosing.tile(view, selection)
    if view.seat is None or not in_hand:
        return None
    board, ghost = view.boards[view.seat], choosing.shown_ghost(view, selection)
    if ghost is not None:
        if not choosing.fits(view, ghost):
            return None
        board = with_tile(board, in_hand, *ghost.cells)
    return board, gems_after(view, selection)


def gems_after(view: View, selection: Selection) -> int:
    """What the player has left when the tile in hand is bought."""
    assert view.seat is not None
    gems = view.gems[view.seat]
    if selection.stage is not Stage.LOOK:
        return gems
    paid = choosing.cost(view, selection.position)
    # What cannot be paid can still be looked at.
    return max(0, gems - paid) + view.on_row[selection.position - 1]


@lru_cache(_KEPT)
def _parts(board: bytes, gems: int, counting: Counting) -> Parts:
    return scoring.parts(board, gems, counting)


@lru_cache(_KEPT)
def _shares(board: bytes, gems: int, counting: Counting) -> tuple[int, ...]:
    return scoring.shares(board, gems, counting)
