"""Estimates, for the `hard` level, the points that a board may still bring, kind by kind.

The weights were found by letting variants play `normal`, on other deals than the level is measured
on. Law: the same board gives the same number on every machine; so there are products here, but no
powers, which machines round differently.
"""

from functools import lru_cache
from typing import Final

from protocol.games.architetti_attenti import SHOPS, SIDE, Kind
from protocol.games.architetti_attenti.board import kinds, lines
from protocol.games.architetti_attenti.masks import (
    above,
    around,
    beside,
    cells_in,
    mask_of,
    to_the_left,
)
from protocol.games.architetti_attenti.rails import joined
from protocol.games.architetti_attenti.score import FULL_SCHOOL
from protocol.games.architetti_attenti.shops import POINTS, best_pieces, points

# Points for each of these when the match begins; all but the last fade as the turns run out.
_FREE_BY_PARK: Final = 0.35
_FREE_BY_HOUSE: Final = 0.05
_LACKS_ONE: Final = 0.4
_LACKS_TWO: Final = 0.15
_TRACK_WITHOUT_STATION: Final = 0.4
_TRACK_WITH_ONE: Final = 1.0
_STATION_MORE: Final = 1.4
_SCHOOL: Final = 0.35
_SCHOOLS_AT_MOST: Final = 4
_GEM: Final = 2.0
_LONELY: Final = -0.7

_SHOP: Final = (1.0, 0.15, 0.15 * 0.15, 0.15 * 0.15 * 0.15)
"""How many shops a row lacks → the chance that they come."""

_SQUARE: Final = 0b11 | 0b11 << SIDE
"""2 x 2 cells, from cell 0."""


def hope(board: bytes, gems: int, left: float) -> float:
    """`gems`: those in hand. `left`: the share of the seat's turns still to come, 0-1."""
    free = mask_of(board, Kind.FREE)
    houses = mask_of(board, Kind.HOUSE)
    to_come = (
        _FREE_BY_PARK * _pairs(mask_of(board, Kind.PARK), free)
        + _FREE_BY_HOUSE * _pairs(houses, free)
        + _blocks(houses, free)
        + sum(map(_row, lines(kinds(board))))
        + _rails(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION), free)
        + _schools(mask_of(board, Kind.SCHOOL).bit_count(), gems)
    )
    return left * to_come + _LONELY * (free & ~beside(free)).bit_count()


def _pairs(ones: int, others: int) -> int:
    """How many cells of `ones` touch how many of `others`, corners too."""
    return sum((around(1 << cell) & others).bit_count() for cell in cells_in(ones))


def _schools(schools: int, gems: int) -> float:
    """Gems always help; schools only when they can still be filled."""
    wanted = FULL_SCHOOL * schools > gems
    return _GEM * gems + wanted * _SCHOOL * min(schools, _SCHOOLS_AT_MOST)


@lru_cache(maxsize=1 << 15)
def _blocks(houses: int, free: int) -> float:
    """Squares of 2 x 2 that lack one or two houses and have free cells for them."""
    either = houses | free
    rows = either & to_the_left(either)
    total = 0.0
    for corner in cells_in(rows & above(rows)):
        match (_SQUARE << corner & free).bit_count():
            case 1:
                total += _LACKS_ONE
            case 2:
                total += _LACKS_TWO
    return total


@lru_cache(maxsize=1 << 15)
def _row(line: bytes) -> float:
    """What the shops of a line may come to, more than they are."""
    best = [0.0]
    for end in range(1, len(line) + 1):
        ways = [best[end - 1]]
        for length, worth in POINTS.items():
            if length <= end:
                ways.append(best[end - length] + worth * _chance(line[end - length : end]))
        best.append(max(ways))
    return best[-1] - points(best_pieces(line))


def _chance(piece: bytes) -> float:
    """The chance that these cells become shops of different types; needs a shop to start from."""
    here = [kind for kind in piece if kind in SHOPS]
    lacking = piece.count(Kind.FREE)
    possible = here and len(set(here)) + lacking == len(piece)
    return _SHOP[lacking] if possible else 0.0


@lru_cache(maxsize=1 << 15)
def _rails(tracks: int, stations: int, free: int) -> float:
    """Networks that can still grow: tracks want a first station, then a second, then more."""
    total = 0.0
    while tracks:
        found, stops = joined(tracks & -tracks, tracks, stations)
        tracks &= ~found
        if not beside(found) & free:
            continue
        match stops.bit_count():
            case 0:
                total += _TRACK_WITHOUT_STATION * found.bit_count()
            case 1:
                total += _TRACK_WITH_ONE * found.bit_count()
            case many:
                total += _STATION_MORE * (many + 1)
    return total
