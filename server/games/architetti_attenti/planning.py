"""The levels above `random`: they weigh every purchase and every place, one step ahead."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from protocol.games.architetti_attenti import Action, Buy, Event, Phase, Place, View
from protocol.games.architetti_attenti.deal import TURNS
from protocol.games.architetti_attenti.score import Counting, parts
from protocol.games.architetti_attenti.views import turns_after
from server.games.architetti_attenti.choices import (
    Purchase,
    own_board,
    purchases,
    sites,
)
from server.games.architetti_attenti.evaluation import hope
from server.games.contract import Stop, never

Worth: TypeAlias = Callable[[bytes, int], float]
"""A board and the gems in hand → what a level takes them to be worth."""

_GEM: Final = 0.5
"""What a gem is worth to `normal`, beside the points that it brings on a school."""

_JITTER: Final = 1e-6
"""Breaks ties."""


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys the tile that brings most on its board, whatever gems that takes, and puts it there."""
    score, gems = _score(view), view.gems[view.seat or 0]
    return _best(view, lambda board, _left: score(board, gems), rng)


def normal(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys the tile that brings most at once, and puts it there."""
    score = _score(view)
    return _best(view, lambda board, gems: score(board, gems) + _GEM * gems, rng)


def hard(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Counts besides what the board may bring later."""
    score, left = _score(view), turns_after(view) / TURNS
    return _best(view, lambda board, gems: score(board, gems) + hope(board, gems, left), rng)


def _score(view: View) -> Worth:
    rules = Counting.of(view)
    return lambda board, gems: parts(board, gems, rules).total


def _best(view: View, worth: Worth, rng: Random) -> Action:
    if view.phase is Phase.PLACE:
        return best_place(view, worth, rng)
    board = own_board(view)

    def value(purchase: Purchase) -> float:
        boards = [site.board for site in sites(board, purchase.tile)] or [board]
        return max(worth(one, purchase.gems) for one in boards) + _JITTER * rng.random()

    return Buy(max(purchases(view), key=value).position)


def best_place(view: View, worth: Worth, rng: Random) -> Action:
    """Puts the bought tile where the board is worth most."""
    gems = view.gems[view.seat or 0]
    found = sites(own_board(view), view.tile)
    values = [worth(site.board, gems) + _JITTER * rng.random() for site in found]
    best = found[values.index(max(values))]
    return Place(best.first, best.second)
