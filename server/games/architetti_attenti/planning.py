"""The levels that look no further than their own board: what a purchase or a place adds at once."""

from collections.abc import Sequence
from random import Random
from typing import Final

from protocol.games.architetti_attenti import Action, Buy, Event, Phase, Place, View
from protocol.games.architetti_attenti.score import parts
from server.games.architetti_attenti.choices import (
    Purchase,
    choices,
    counting,
    own_board,
    purchases,
    sites,
)
from server.games.contract import Stop, never

_GEM: Final = 0.5
"""What a gem in hand is worth beside the points it brings on a school."""

_JITTER: Final = 1e-6
"""Breaks ties."""


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys any tile, all alike, and puts it where it brings most at once."""
    if view.phase is Phase.PLACE:
        return _best_place(view, rng)
    legal = choices(view)
    return legal[int(rng.random() * len(legal))]


def normal(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Buys the tile that brings most at once, and puts it there."""
    if view.phase is Phase.PLACE:
        return _best_place(view, rng)
    board, rules = own_board(view), counting(view)

    def worth(purchase: Purchase) -> float:
        boards = [site.board for site in sites(board, purchase.tile)] or [board]
        points = max(parts(one, purchase.gems, rules).total for one in boards)
        return points + _GEM * purchase.gems + _JITTER * rng.random()

    return Buy(max(purchases(view), key=worth).position)


def _best_place(view: View, rng: Random) -> Action:
    board, rules = own_board(view), counting(view)
    gems = view.gems[view.seat or 0]
    found = sites(board, view.tile)
    values = [parts(site.board, gems, rules).total + _JITTER * rng.random() for site in found]
    best = found[values.index(max(values))]
    return Place(best.first, best.second)
