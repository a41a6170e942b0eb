"""Squares of houses: 2 x 2 are worth 4, 3 x 3 worth 9 (rules: Score).

So a block gives each of its houses one point, and the best packing is one that covers most houses.
"""

from functools import lru_cache
from typing import Final

from protocol.games.architetti_attenti.masks import above, cells_in, to_the_left
from protocol.games.architetti_attenti.tiles import SIDE

_SQUARES: Final = {
    side: sum(1 << row * SIDE + column for row in range(side) for column in range(side))
    for side in (2, 3)
}
"""Side → the square that has its corner on cell 0."""


def every_square(houses: int) -> list[int]:
    """All squares of 2 x 2 and 3 x 3 houses, overlapping or not, each as a mask."""
    twos, threes = _corners(houses)
    return [
        _SQUARES[side] << cell
        for side, corners in ((2, twos), (3, threes))
        for cell in cells_in(corners)
    ]


def _corners(houses: int) -> tuple[int, int]:
    """The upper left cells of all squares: of 2 x 2, and of 3 x 3."""
    rows = houses & to_the_left(houses)
    twos = rows & above(rows)
    squares = twos & to_the_left(twos)
    return twos, squares & above(squares)


@lru_cache(maxsize=1 << 16)
def best_packing(houses: int) -> tuple[int, ...]:
    """Squares that share no house and cover as many as can be, each as a mask.

    The first house in reading order can only be the upper left corner of a square, or in none.
    """
    houses = _in_squares(houses)
    if not houses:
        return ()
    first = houses & -houses
    best: tuple[int, ...] = ()
    for side in (3, 2, 0):
        square = _SQUARES[side] * first if side else first
        if square & ~houses or (side and not _fits(first, side)):
            continue
        rest = best_packing(houses & ~square)
        found = (square, *rest) if side else rest
        if covered(found) > covered(best):
            best = found
        if covered(best) == houses.bit_count():
            break
    return best


def covered(squares: tuple[int, ...]) -> int:
    """How many houses squares without a common one cover."""
    return sum(map(int.bit_count, squares))


def _in_squares(houses: int) -> int:
    """The houses that are in any square at all."""
    twos, _threes = _corners(houses)
    columns = twos | twos << 1
    return columns | columns << SIDE


def _fits(corner: int, side: int) -> bool:
    """Whether a square from this cell on stays in its rows."""
    return (corner.bit_length() - 1) % SIDE <= SIDE - side
