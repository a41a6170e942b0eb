"""Ways to count wrongly, each planted in the game's own score; the oracle has to notice."""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import pytest

from protocol.games.architetti_attenti import (
    Blocks,
    Kind,
    Rails,
    blocks,
    masks,
    rails,
    score,
    shops,
)
from protocol.games.architetti_attenti.masks import beside, cells_in
from protocol.games.architetti_attenti.rails import Network
from protocol.games.architetti_attenti.shops import Piece

Patch: TypeAlias = pytest.MonkeyPatch
Fault: TypeAlias = Callable[[Patch], None]


def forget() -> None:
    """What was remembered before a fault was planted, or with one."""
    for module in (blocks, rails, score, shops):
        for known in vars(module).values():
            if hasattr(known, "cache_clear"):
                known.cache_clear()


# Houses and parks --------------------------------------------------------------------------------


def large_squares_first(patch: Patch) -> None:
    def greedy(houses: int) -> tuple[int, ...]:
        found: tuple[int, ...] = ()
        for square in reversed(blocks.every_square(houses)):
            if not any(square & other for other in found):
                found = (*found, square)
        return found

    patch.setattr(score, "best_packing", greedy)


def no_large_squares(patch: Patch) -> None:
    def small(houses: int) -> list[int]:
        return [square for square in every(houses) if square.bit_count() == 4]

    every = blocks.every_square
    patch.setattr(score, "every_square", small)


def every_square_always(patch: Patch) -> None:
    every, real = blocks.every_square, score._blocks
    patch.setattr(score, "best_packing", lambda houses: tuple(every(houses)))
    patch.setattr(score, "_blocks", lambda houses, option: real(houses, Blocks.ALL))


def packing_always(patch: Patch) -> None:
    real = score._blocks
    patch.setattr(score, "_blocks", lambda houses, option: real(houses, Blocks.PACKED))


def the_board_is_a_tube(patch: Patch) -> None:
    for module in (masks, blocks, score):
        patch.setattr(module, "to_the_left", lambda mask: mask >> 1)


def parks_look_straight(patch: Patch) -> None:
    patch.setattr(score, "around", lambda mask: mask | beside(mask))
    patch.setattr(score, "_beside_each", lambda mask: (masks.to_the_left(mask), 0))


def parks_bring_nine_at_most(patch: Patch) -> None:
    real = score._parks
    patch.setattr(
        score, "_parks", lambda houses, parks, option: min(real(houses, parks, option), 9)
    )


# Rails -------------------------------------------------------------------------------------------


def stations_are_joined(patch: Patch) -> None:
    def joined(track: int, tracks: int, stations: int) -> tuple[int, int]:
        found = track
        while (grown := found | beside(found) & (tracks | stations)) != found:
            found = grown
        return found & tracks, found & stations

    patch.setattr(rails, "joined", joined)


def dead_ends_live(patch: Patch) -> None:
    """All tracks of a network with two stations."""

    def live(tracks: int, stations: int) -> int:
        found = 0
        for track in cells_in(tracks):
            _cells, stops = rails.joined(1 << track, tracks, stations)
            found |= (stops.bit_count() > 1) << track
        return found

    _live_by(patch, live)


def ways_may_cross(patch: Patch) -> None:
    """Only single stations are taken away, never single tracks."""

    def live(tracks: int, stations: int) -> int:
        found = tracks
        for cell in cells_in(stations):
            found &= rails._leading_to(stations & ~(1 << cell), tracks)
        return found

    _live_by(patch, live)


def loops_live(patch: Patch) -> None:
    """A way may come back to the station where it began."""

    def live(tracks: int, stations: int) -> int:
        found = rails._leading_to(stations, tracks)
        for cell in cells_in(found):
            found &= rails._leading_to(stations, tracks & ~(1 << cell)) | 1 << cell
        return found

    _live_by(patch, live)


def _live_by(patch: Patch, live: Callable[[int, int], int]) -> None:
    patch.setattr(rails, "live_tracks", live)
    patch.setattr(score, "live_tracks", live)


def all_stations_count(patch: Patch) -> None:
    real = rails.networks

    def networks(tracks: int, stations: int) -> tuple[Network, ...]:
        return tuple(network._replace(stations=stations) for network in real(tracks, stations))

    patch.setattr(score, "networks", networks)


def network_always(patch: Patch) -> None:
    real = score._rails
    patch.setattr(
        score, "_rails", lambda tracks, stations, option: real(tracks, stations, Rails.NETWORK)
    )


def a_stretch_counts_once(patch: Patch) -> None:
    patch.setattr(score, "STRETCH", 1)


# Shops and schools -------------------------------------------------------------------------------


def rows_only(patch: Patch) -> None:
    patch.setattr(score, "lines", _rows)
    patch.setattr(score, "_LINES", score._LINES[:7])


def _rows(board: bytes) -> Iterator[bytes]:
    return (board[start : start + 7] for start in range(0, 49, 7))


def shortest_piece_first(patch: Patch) -> None:
    def pairs_first(line: bytes) -> tuple[Piece, ...]:
        found, start = [], 0
        while start < len(line):
            fits = [
                length
                for length in (2, 3, 4)
                if len(set(line[start : start + length]) & set(types)) == length
            ]
            found += [Piece(start, length) for length in fits[:1]]
            start += fits[0] if fits else 1
        return tuple(found)

    types = shops._SHOPS
    patch.setattr(score, "best_pieces", pairs_first)


def three_types_of_shop(patch: Patch) -> None:
    patch.setattr(shops, "_SHOPS", shops._SHOPS - {Kind.TOYS})


def four_shops_bring_ten(patch: Patch) -> None:
    patch.setitem(shops.POINTS, 4, 10)


def gems_are_spread_evenly(patch: Patch) -> None:
    def evenly(schools: int, gems: int) -> list[int]:
        each, over = divmod(min(gems, 5 * schools), schools or 1)
        return [each + (school < over) for school in range(schools)]

    patch.setattr(score, "gems_on_schools", evenly)


def a_school_holds_four(patch: Patch) -> None:
    patch.setattr(score, "FULL_SCHOOL", 4)


def a_full_school_brings_five(patch: Patch) -> None:
    patch.setattr(score, "SCHOOL_POINTS", (0, 1, 2, 3, 4, 5))


# Shares ------------------------------------------------------------------------------------------


def the_rest_of_a_piece_is_lost(patch: Patch) -> None:
    real = score._shop_shares
    patch.setattr(
        score, "_shop_shares", lambda board: ((cell, more - more % 2) for cell, more in real(board))
    )


def shares_stand_beside(patch: Patch) -> None:
    real: Any = score._school_shares
    patch.setattr(
        score,
        "_school_shares",
        lambda schools, gems: (((cell + 1) % 49, more) for cell, more in real(schools, gems)),
    )


def parks_give_to_houses(patch: Patch) -> None:
    def on_houses(houses: int, parks: int, option: Any) -> Iterator[tuple[int, int]]:
        for cell, more in real(houses, parks, option):
            yield next(cells_in(houses), cell), more

    real = score._park_shares
    patch.setattr(score, "_park_shares", on_houses)


def one_house_takes_a_square(patch: Patch) -> None:
    def at_the_corner(houses: int, option: Blocks) -> Iterator[tuple[int, int]]:
        yield from ((cell, 1) for cell in cells_in(houses))
        packed = option is Blocks.PACKED
        for square in blocks.best_packing(houses) if packed else blocks.every_square(houses):
            yield next(cells_in(square)), square.bit_count()

    patch.setattr(score, "_house_shares", at_the_corner)


FAULTS: Final[list[Fault]] = [
    large_squares_first,
    no_large_squares,
    every_square_always,
    packing_always,
    the_board_is_a_tube,
    parks_look_straight,
    parks_bring_nine_at_most,
    stations_are_joined,
    dead_ends_live,
    ways_may_cross,
    loops_live,
    all_stations_count,
    network_always,
    a_stretch_counts_once,
    rows_only,
    shortest_piece_first,
    three_types_of_shop,
    four_shops_bring_ten,
    gems_are_spread_evenly,
    a_school_holds_four,
    a_full_school_brings_five,
    the_rest_of_a_piece_is_lost,
    shares_stand_beside,
    parks_give_to_houses,
    one_house_takes_a_square,
]
