"""What the others have placed since the player's last turn."""

from collections.abc import Mapping
from typing import TypeAlias

from protocol.games.architetti_attenti import View

News: TypeAlias = Mapping[int, frozenset[int]]
"""Seat → the cells that were free when the player's last turn ended."""


def news(view: View, since: View) -> News:
    """What `view` shows that `since` did not; the player's own board is no news."""
    return {
        seat: frozenset(
            cell
            for cell, (now, then) in enumerate(zip(board, since.boards[seat], strict=True))
            if now and not then
        )
        for seat, board in enumerate(view.boards)
        if seat != view.seat
    }


def looked_at(view: View, before: View | None, since: View | None) -> View:
    """The view that news count from: at the end of the player's last turn; for those who watch, the
    one before. `before` and `since` are the last view and what this gave for it."""
    if before is None or since is None or len(before.boards) != len(view.boards):
        return view
    if _built(view) < _built(before):
        return view  # another match, or a tile taken back
    if view.seat is None:
        return before if before.boards != view.boards else since
    if before.turn != view.seat:
        return since
    return since if view.turn == view.seat else view


def _built(view: View) -> int:
    return sum(len(board) - board.count(0) for board in view.boards)
