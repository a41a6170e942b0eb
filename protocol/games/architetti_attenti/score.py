"""What a board is worth, kind by kind and cell by cell (rules: Score).

`board` is 49 bytes as in a view; `gems` are those left over, which go to the schools.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from protocol.games.architetti_attenti import Blocks, Options, Parks, Parts, Rails, View
from protocol.games.architetti_attenti.board import (
    CELLS,
    POINTS,
    Kind,
    above,
    around,
    below,
    best_packing,
    best_pieces,
    cells_in,
    covered,
    every_square,
    kinds,
    lines,
    live_tracks,
    mask_of,
    most_points,
    networks,
    only_shops,
    to_the_left,
    to_the_right,
)

FULL_SCHOOL: Final = 5
"""Gems that fill a school."""

SCHOOL_POINTS: Final = (0, 1, 2, 3, 4, 10)
"""Gems on a school → points."""

STRETCH: Final = 2
"""What a live track is worth where stretches count (rules: Score, rails)."""

_LINES: Final = lines(bytes(range(CELLS)))
"""The cells of each row, then of each column."""


class Counting(NamedTuple):
    """The options by which points are counted."""

    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK

    @classmethod
    def of(cls, told: Options | View) -> "Counting":
        """Taken from a table's options or from a view of its match."""
        return cls(told.blocks, told.parks, told.rails)


STANDARD: Final = Counting()


def parts(board: bytes, gems: int, counting: Counting = STANDARD) -> Parts:
    """The score, kind by kind. Hot: bots and previews call it some hundred times a turn."""
    houses = mask_of(board, Kind.HOUSE)
    return Parts(
        houses=houses.bit_count(),
        blocks=_blocks(houses, counting.blocks),
        parks=park_points(houses, mask_of(board, Kind.PARK), counting.parks),
        rails=_rails(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION), counting.rails),
        shops=_shops(board),
        schools=_schools(mask_of(board, Kind.SCHOOL).bit_count(), gems),
    )


def shares(board: bytes, gems: int, counting: Counting = STANDARD) -> tuple[int, ...]:
    """Cell → the points that what stands there brings; their sum is the score.

    A house has its own point and those of its blocks; a park the houses that it adds; points of a
    piece of shops are spread evenly, those left over to the first; schools are filled in order.
    """
    shared = [0] * CELLS
    for cell, more in chain(
        _house_shares(mask_of(board, Kind.HOUSE), counting.blocks),
        _park_shares(mask_of(board, Kind.HOUSE), mask_of(board, Kind.PARK), counting.parks),
        _rail_shares(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION), counting.rails),
        _shop_shares(kinds(board)),
        _school_shares(mask_of(board, Kind.SCHOOL), gems),
    ):
        shared[cell] += more
    return tuple(shared)


def gems_on_schools(schools: int, gems: int) -> list[int]:
    """Spread the gems over the schools for most points; gems that no school holds are left out."""
    on_each = []
    for _school in range(schools):
        on_each.append(min(gems, FULL_SCHOOL))
        gems -= on_each[-1]
    return on_each


# Kind by kind ------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _blocks(houses: int, option: Blocks) -> int:
    if option is Blocks.PACKED:
        return covered(best_packing(houses))
    return sum(map(int.bit_count, every_square(houses)))


def park_points(houses: int, parks: int, option: Parks) -> int:
    if option is Parks.HOUSES:
        return (around(parks) & houses).bit_count()
    upper, lower = above(parks), below(parks)
    steps = (upper, lower, *_beside_each(upper), *_beside_each(lower), *_beside_each(parks))
    return sum((step & houses).bit_count() for step in steps)


def _beside_each(mask: int) -> tuple[int, int]:
    return to_the_left(mask), to_the_right(mask)


def _rails(tracks: int, stations: int, option: Rails) -> int:
    if option is Rails.STRETCH:
        return STRETCH * live_tracks(tracks, stations).bit_count()
    return sum(
        network.stations.bit_count() * network.live.bit_count()
        for network in networks(tracks, stations)
    )


def _shops(board: bytes) -> int:
    return sum(map(most_points, lines(only_shops(board))))


def _schools(schools: int, gems: int) -> int:
    return sum(SCHOOL_POINTS[on_it] for on_it in gems_on_schools(schools, gems))


# Cell by cell ------------------------------------------------------------------------------------


def _house_shares(houses: int, option: Blocks) -> Iterator[tuple[int, int]]:
    squares = best_packing(houses) if option is Blocks.PACKED else every_square(houses)
    for group in (houses, *squares):
        for cell in cells_in(group):
            yield cell, 1


def _park_shares(houses: int, parks: int, option: Parks) -> Iterator[tuple[int, int]]:
    left = houses
    for cell in cells_in(parks):
        touched = around(1 << cell) & left
        yield cell, touched.bit_count()
        if option is Parks.HOUSES:
            left &= ~touched


def _rail_shares(tracks: int, stations: int, option: Rails) -> Iterator[tuple[int, int]]:
    for network in networks(tracks, stations):
        each = STRETCH if option is Rails.STRETCH else network.stations.bit_count()
        for cell in cells_in(network.live):
            yield cell, each


def _shop_shares(board: bytes) -> Iterator[tuple[int, int]]:
    for cells, line in zip(_LINES, lines(board), strict=True):
        for piece in best_pieces(line):
            each, over = divmod(POINTS[piece.length], piece.length)
            for place in range(piece.length):
                yield cells[piece.start + place], each + (place < over)


def _school_shares(schools: int, gems: int) -> Iterator[tuple[int, int]]:
    on_each = gems_on_schools(schools.bit_count(), gems)
    for cell, on_it in zip(cells_in(schools), on_each, strict=True):
        yield cell, SCHOOL_POINTS[on_it]
