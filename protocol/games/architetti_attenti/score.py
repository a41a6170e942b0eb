"""What a board is worth, kind by kind and cell by cell (rules: Score).

`board` is 49 bytes as in a view; `gems` are those left over, which go to the schools.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from protocol.games.architetti_attenti import Blocks, Options, Parks, Parts, Rails, View
from protocol.games.architetti_attenti.board import (
    AROUND,
    CELLS,
    POINTS,
    Kind,
    around,
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
        blocks=block_points(houses, counting.blocks),
        parks=park_points(houses, mask_of(board, Kind.PARK), counting.parks),
        rails=rail_points(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION), counting.rails),
        shops=_shops(board),
        schools=school_points(mask_of(board, Kind.SCHOOL).bit_count(), gems),
    )


def shares(board: bytes, gems: int, counting: Counting = STANDARD) -> tuple[int, ...]:
    """Cell → the points that what stands there brings; their sum is the score. What stands on
    several cells shares its points evenly, those left over go to the first."""
    shared = [0] * CELLS
    for thing in things(board, gems, counting):
        each, over = divmod(thing.worth, len(thing.cells))
        for place, cell in enumerate(thing.cells):
            shared[cell] += each + (place < over)
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
def block_points(houses: int, option: Blocks) -> int:
    if option is Blocks.PACKED:
        return covered(best_packing(houses))
    return sum(map(int.bit_count, every_square(houses)))


def park_points(houses: int, parks: int, option: Parks) -> int:
    if option is Parks.HOUSES:
        return (around(parks) & houses).bit_count()
    return sum([(AROUND[park] & houses).bit_count() for park in cells_in(parks)])


def rail_points(tracks: int, stations: int, option: Rails) -> int:
    if option is Rails.STRETCH:
        return STRETCH * live_tracks(tracks, stations).bit_count()
    return sum(
        network.stations.bit_count() * network.live.bit_count()
        for network in networks(tracks, stations)
    )


def _shops(board: bytes) -> int:
    return sum(map(most_points, lines(only_shops(board))))


def school_points(schools: int, gems: int) -> int:
    return sum(SCHOOL_POINTS[on_it] for on_it in gems_on_schools(schools, gems))


# Thing by thing ----------------------------------------------------------------------------------


class Thing(NamedTuple):
    """What brings points for a part of the score, on which cells. `size`: a block's sides, a row's
    shops, a school's gems, or a network's stations and tracks; () where all are alike."""

    part: str
    worth: int
    size: tuple[int, ...]
    cells: tuple[int, ...]


def things(board: bytes, gems: int, counting: Counting = STANDARD) -> Iterator[Thing]:
    """Everything that brings points, part by part; schools are filled in order."""
    yield from _built(board, counting)
    for network in networks(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION)):
        stations, tracks = network.stations.bit_count(), (*cells_in(network.live),)
        if counting.rails is Rails.STRETCH:
            yield from (Thing("rails", STRETCH, (), (cell,)) for cell in tracks)
        else:
            size = stations, len(tracks)
            yield Thing("rails", stations * len(tracks), size, tracks)
    for cells, line in zip(_LINES, lines(kinds(board)), strict=True):
        for start, length in best_pieces(line):
            row = (*cells[start : start + length],)
            yield Thing("shops", POINTS[length], (length,), row)
    schools = [*cells_in(mask_of(board, Kind.SCHOOL))]
    for cell, on_it in zip(schools, gems_on_schools(len(schools), gems), strict=True):
        if on_it:
            yield Thing("schools", SCHOOL_POINTS[on_it], (on_it,), (cell,))


def _built(board: bytes, counting: Counting) -> Iterator[Thing]:
    """Houses, their blocks, and parks; a park has the houses that it adds."""
    houses = left = mask_of(board, Kind.HOUSE)
    yield from (Thing("houses", 1, (), (cell,)) for cell in cells_in(houses))
    packed = counting.blocks is Blocks.PACKED
    for square in best_packing(houses) if packed else every_square(houses):
        side = 2 if square.bit_count() == 2 * 2 else 3
        yield Thing("blocks", side * side, (side, side), (*cells_in(square),))
    for cell in cells_in(mask_of(board, Kind.PARK)):
        if touched := around(1 << cell) & left:
            yield Thing("parks", touched.bit_count(), (), (cell,))
        if counting.parks is Parks.HOUSES:
            left &= ~touched
