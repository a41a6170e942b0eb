"""Where a tile can lie on a board: the nearest place, and the one where it brings most."""

from collections.abc import Container, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from protocol.games.architetti_attenti import CELLS, HALL, SIDE, STEPS, Parts, View, score
from protocol.games.architetti_attenti.board import NEIGHBOURS, placements, with_tile
from protocol.games.architetti_attenti.score import Counting

_KEPT: Final = 8
"""Tiles whose places are remembered: those that a player compares."""


class Ghost(NamedTuple):
    """Where a tile would lie: the cell of its first half, and where the other half is (`STEPS`)."""

    first: int
    towards: int

    @property
    def second(self) -> int:
        return self.first + STEPS[self.towards]

    @property
    def cells(self) -> tuple[int, int]:
        return self.first, self.second


BESIDE_HALL: Final = Ghost(HALL + 1, 0)
"""Where the first ghost begins."""


def ghost_on(first: int, second: int) -> Ghost:
    """On two neighbouring cells."""
    return Ghost(first, STEPS.index(second - first))


def inside(first: int, towards: int) -> Ghost:
    """With the first half there, or, at the edge, the second one."""
    if first + STEPS[towards] in NEIGHBOURS[first]:
        return Ghost(first, towards)
    return Ghost(first - STEPS[towards], towards)


def is_free(board: bytes, ghost: Ghost) -> bool:
    return not any(board[cell] for cell in ghost.cells)


def nearest(
    board: bytes, ghost: Ghost | None, but: Container[tuple[int, int]] = ()
) -> Ghost | None:
    """The place for a tile that is nearest to a ghost, the same one if it is free, lying as it does
    where two are as near. `but`: cells of places that will not do. None: there is no room."""
    start = ghost or BESIDE_HALL
    places = (Ghost(first, way) for first in range(CELLS) for way in range(len(STEPS)))
    fitting = (one for one in places if one.second in NEIGHBOURS[one.first] and is_free(board, one))

    def rank(one: Ghost) -> tuple[int, bool]:
        return _distance(start, one.cells), one.towards != start.towards

    return min((one for one in fitting if one.cells not in but), key=rank, default=None)


def best(view: View, tile: int, near: Ghost | None) -> Ghost | None:
    """Where a tile brings the player of this view most; of several such places one beside what
    stands, the nearest to another one. None: it fits nowhere."""
    assert view.seat is not None
    board = view.boards[view.seat]
    found = worth(board, view.gems[view.seat], Counting.of(view), tile)

    def rank(place: tuple[int, int]) -> tuple[int, bool, int]:
        beside = any(board[cell] for half in place for cell in NEIGHBOURS[half])
        return found[place].total, beside, -_distance(near or BESIDE_HALL, place)

    return ghost_on(*max(found, key=rank)) if found else None


@lru_cache(_KEPT)
def worth(
    board: bytes, gems: int, counting: Counting, tile: int
) -> Mapping[tuple[int, int], Parts]:
    """Cells of a tile's halves → what the board is worth with it there."""
    return {
        place: score.parts(with_tile(board, tile, *place), gems, counting)
        for place in placements(board, tile)
    }


def _distance(ghost: Ghost, place: tuple[int, int]) -> int:
    """Steps that the two halves would go."""
    return sum(
        abs(one // SIDE - other // SIDE) + abs(one % SIDE - other % SIDE)
        for one, other in zip(ghost.cells, place, strict=True)
    )
