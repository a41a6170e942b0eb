"""The level `expert`: as `hard`, with a learnt estimate, and with an eye on the next seat: a
purchase counts as much as it leaves that seat less to buy.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from protocol.games.architetti_attenti import Action, Buy, Event, Phase, View
from protocol.games.architetti_attenti.score import Counting, parts
from protocol.games.architetti_attenti.views import turns_after
from server.games.architetti_attenti.choices import Purchase, own_board, purchases, sites
from server.games.architetti_attenti.learnt import UNIT, estimate
from server.games.architetti_attenti.planning import Worth, best_place
from server.games.contract import Stop, never

_JITTER: Final = 1e-3
"""Breaks ties: a thousandth of the smallest difference that counts."""


_Best: TypeAlias = Callable[[bytes, int, int], float]
"""A board, a tile to put on it, and the gems after buying that → what it is worth at its best."""


class _Next(NamedTuple):
    """The seat that buys next. `share`: how much of its gain counts as a loss: it may be one of
    several rivals."""

    board: bytes
    gems: int
    share: float


def expert(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """`stop` is asked before each purchase that is weighed; the first always is."""
    worth = _worth(view)
    if view.phase is Phase.PLACE:
        return best_place(view, worth, rng)
    best = _best_on(worth)
    rival, board = _next(view), own_board(view)
    chosen: list[tuple[float, int]] = []
    for purchase in purchases(view):
        if chosen and stop():
            break
        value = best(board, purchase.tile, purchase.gems) - _answer(view, purchase, rival, best)
        chosen.append((value + _JITTER * rng.random(), purchase.position))
    return Buy(max(chosen)[1])


def _next(view: View) -> _Next | None:
    """None: nobody buys after this turn, or nobody else plays."""
    rivals = len(view.boards) - 1
    if not rivals or not turns_after(view) or view.seat is None:
        return None
    seat = (view.seat + 1) % len(view.boards)
    return _Next(view.boards[seat], view.gems[seat], 1 / rivals)


def _answer(view: View, purchase: Purchase, rival: _Next | None, best: _Best) -> float:
    """The best that the next seat can do with the tiles that are left, before a new one comes."""
    if rival is None:
        return 0.0
    bought = purchase.position - 1
    left = [
        (tile, gems + (place < bought))
        for place, (tile, gems) in enumerate(zip(view.row, view.on_row, strict=True))
        if tile and place != bought
    ]
    values = [
        best(rival.board, tile, rival.gems - cost + gems)
        for cost, (tile, gems) in enumerate(left)
        if cost <= rival.gems
    ]
    return rival.share * max(values, default=0.0)


def _worth(view: View) -> Worth:
    counting, turns = Counting.of(view), turns_after(view)

    def worth(board: bytes, gems: int) -> float:
        return UNIT * parts(board, gems, counting).total + estimate(board, gems, turns)

    return worth


def _best_on(worth: Worth) -> _Best:
    @cache
    def best(board: bytes, tile: int, gems: int) -> float:
        boards = [site.board for site in sites(board, tile)] or [board]
        return max([worth(one, gems) for one in boards])

    return best
