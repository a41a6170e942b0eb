"""What a board may still bring, for the `hard` level: points to come, by kind, each an estimate.

All of it is counted on the board alone; how much a hope is worth was tuned by matches between
variants. Law: the same board gives the same number on every machine.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from protocol.games.architetti_attenti import SHOPS, SIDE, Kind
from protocol.games.architetti_attenti.board import kinds
from protocol.games.architetti_attenti.masks import (
    above,
    around,
    beside,
    cells_in,
    mask_of,
    to_the_left,
)
from protocol.games.architetti_attenti.rails import joined
from protocol.games.architetti_attenti.shops import POINTS, best_pieces, points


class Weights(NamedTuple):
    """Points for one of each, when the match is at its beginning; they fade to nothing."""

    beside_park: float = 0.35
    beside_house: float = 0.05
    three_of_four: float = 0.8
    two_of_four: float = 0.15
    shop_to_come: float = 0.3
    one_station: float = 0.5
    no_station: float = 0.2
    further_track: float = 0.5
    school: float = 1.0
    gem: float = 1.0
    lonely_cell: float = -1.0


WEIGHTS: Final = Weights()


def hope(board: bytes, gems: int, left: float, weights: Weights = WEIGHTS) -> float:
    """`left`: the share of one's turns that are still to come, 0-1."""
    free = mask_of(board, Kind.FREE)
    houses = mask_of(board, Kind.HOUSE)
    parks = mask_of(board, Kind.PARK)
    schools = mask_of(board, Kind.SCHOOL).bit_count()
    tracks, stations = mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION)
    three, two = _begun_blocks(houses, free)
    total = (
        weights.beside_park * _pairs(parks, free)
        + weights.beside_house * _pairs(houses, free)
        + weights.three_of_four * three
        + weights.two_of_four * two
        + _shops(kinds(board), weights.shop_to_come)
        + _rails(tracks, stations, free, weights)
    )
    room = 5 * schools - gems
    total += weights.school * min(schools, 4) if room > 0 else 0
    return left * total + weights.gem * gems * left + weights.lonely_cell * _lonely(free)


def _pairs(ones: int, others: int) -> int:
    """How many pairs of one and another touch, corners too."""
    return sum((around(1 << cell) & others).bit_count() for cell in cells_in(ones))


def _lonely(free: int) -> int:
    """Free cells beside no free cell: no tile will ever lie there."""
    return (free & ~beside(free)).bit_count()


@lru_cache(maxsize=1 << 15)
def _begun_blocks(houses: int, free: int) -> tuple[int, int]:
    """Squares of 2 x 2 that lack one house, and two; what they lack is free."""
    either = houses | free
    rows = either & to_the_left(either)
    three = two = 0
    for cell in cells_in(rows & above(rows)):
        square = (1 << cell) * 0b110000011
        missing = (square & free).bit_count()
        three += missing == 1
        two += missing == 2
    return three, two


def _shops(board: bytes, chance: float) -> float:
    lines = [board[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
    lines += [board[column::SIDE] for column in range(SIDE)]
    return sum(_line_hope(line, chance) for line in lines)


@lru_cache(maxsize=1 << 15)
def _line_hope(line: bytes, chance: float) -> float:
    """What a row of shops may come to, more than it is: each shop that lacks has that chance."""
    chances = (1.0, chance, chance * chance, chance * chance * chance)
    best = [0.0] * (len(line) + 1)
    for end in range(1, len(line) + 1):
        best[end] = best[end - 1]
        for length, worth in POINTS.items():
            piece = line[end - length : end] if length <= end else b""
            here = [kind for kind in piece if kind in SHOPS]
            lacking = piece.count(Kind.FREE)
            if here and len(set(here)) + lacking == length:
                best[end] = max(best[end], best[end - length] + worth * chances[lacking])
    return best[-1] - points(best_pieces(line))


@lru_cache(maxsize=1 << 15)
def _rails(tracks: int, stations: int, free: int, weights: Weights) -> float:
    total = 0.0
    left = tracks
    while left:
        some, stops = joined(left & -left, tracks, stations)
        left &= ~some
        count, ends = stops.bit_count(), some.bit_count()
        open_ends = beside(some) & free
        if not open_ends:
            continue
        if not count:
            total += weights.no_station * ends
        elif count == 1:
            total += weights.one_station * 2 * ends
        else:
            total += weights.further_track * (count + 1)
    return total
