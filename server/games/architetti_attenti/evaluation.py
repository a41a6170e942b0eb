"""What a board may still bring: the estimate of the levels `hard` and `expert`."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, json

from protocol.games.architetti_attenti import SHOPS, Kind
from protocol.games.architetti_attenti.board import (
    KIND_BITS,
    POINTS,
    SQUARES,
    around,
    beside,
    cells_in,
    corners,
    joined,
    lines,
    live_tracks,
    mask_of,
    most_points,
    only_shops,
)
from protocol.games.architetti_attenti.score import FULL_SCHOOL

# What stands on a board and may still bring points, counted: the input of the learnt estimate.
#
# It looks at each kind alone, so that places of one tile share most of the
# work.


_LACKING: Final = {(2, 1): 0, (3, 1): 1, (3, 2): 2, (4, 1): 3, (4, 2): 4, (4, 3): 5}
"""(Length, shops that lack) → index in what `_line` gives."""
_SHOPS: Final = frozenset(SHOPS)
_LINE: Final = len(_LACKING) + 2
_FILLED: Final = bytes(
    kind if (kind := byte & KIND_BITS) in _SHOPS or kind == Kind.FREE else Kind.HOUSE
    for byte in range(256)
)
"""What is no shop is a house: that leaves few different lines, of which much is kept."""


@lru_cache(maxsize=1 << 13)
def features(board: bytes, gems: int) -> tuple[int, ...]:
    """The numbers that `learnt.json` names, in its order. `gems`: those in hand."""
    free = mask_of(board, Kind.FREE)
    houses = mask_of(board, Kind.HOUSE)
    schools = mask_of(board, Kind.SCHOOL).bit_count()
    room = FULL_SCHOOL * schools
    found = [1, *_around_each(mask_of(board, Kind.PARK), free), *_around_each(houses, free)]
    found += (houses.bit_count(), (free & ~beside(free)).bit_count())
    found += (min(gems, room), max(0, gems - room), max(0, room - gems), schools, gems)
    found += _block_features(houses, free)
    found += _rail_features(mask_of(board, Kind.TRACK), mask_of(board, Kind.STATION), free)
    shops = map(sum, zip(*map(_line, lines(board.translate(_FILLED))), strict=True))
    return (*found, *shops)


@lru_cache(maxsize=1 << 15)
def _around_each(ones: int, free: int) -> tuple[int, int]:
    """The free cells around each of `ones`, added up, and their squares."""
    near = [(around(1 << cell) & free).bit_count() for cell in cells_in(ones)]
    return sum(near), sum([many * many for many in near])


@lru_cache(maxsize=1 << 15)
def _block_features(houses: int, free: int) -> list[int]:
    twos, threes = corners(houses | free)
    found = [0] * 7
    for corner in cells_in(twos):
        lacking = (SQUARES[2] << corner & free).bit_count()
        if 1 <= lacking <= 3:
            found[lacking - 1] += 1
    for corner in cells_in(threes):
        lacking = (SQUARES[3] << corner & free).bit_count()
        if 1 <= lacking <= 6:
            found[2 + min(4, lacking)] += 1
    return found


@lru_cache(maxsize=1 << 15)
def _rail_features(tracks: int, stations: int, free: int) -> list[int]:
    live = live_tracks(tracks, stations)
    found = [0] * 9
    reached = 0
    while tracks:
        network, stops = joined(tracks & -tracks, tracks, stations)
        tracks &= ~network
        reached |= stops
        ends = (beside(network | stops) & free).bit_count()
        if not ends:
            continue
        match stops.bit_count():
            case 0:
                found[0] += network.bit_count()
            case 1:
                found[1] += network.bit_count()
                found[2] += 1
            case many:
                found[3] += many
                found[4] += (network & live).bit_count()
                found[5] += (network & ~live).bit_count()
        found[6] += min(ends, 4)
    alone = stations & ~reached
    found[7] = sum([bool(beside(1 << cell) & free) for cell in cells_in(alone)])
    found[8] = stations.bit_count()
    return found


@lru_cache(maxsize=1 << 15)
def _line(line: bytes) -> list[int]:
    """Of the shops in a row or column, whose other cells are free or filled."""
    found = [0] * _LINE
    for length in POINTS:
        for start in range(len(line) - length + 1):
            piece = line[start : start + length]
            here, lacking = set(piece) & _SHOPS, piece.count(Kind.FREE)
            if here and lacking and len(here) + lacking == length:
                found[_LACKING[length, lacking]] += 1
    shops = only_shops(line)
    now = most_points(shops)
    for cell in [cell for cell in range(len(line)) if line[cell] == Kind.FREE]:
        for shop in SHOPS:
            more = most_points(shops[:cell] + bytes((shop,)) + shops[cell + 1 :]) - now
            found[-2] = max(found[-2], more)
            found[-1] += more
    return found


# The estimate: what a board brings in the turns to come, learnt from matches of bots against each
# other.
#
# `learnt.json` has for some numbers of turns to come, learnt as bench/README.md says, the weight of
# each feature. Law: whole numbers alone, so the same board has the same estimate on every machine.


FILE: Final = Path(__file__).with_name("learnt.json")
UNIT: Final = 1000
"""An estimate is in thousandths of a point, and so is the weight of one of a feature."""


class Learnt(Struct, frozen=True):
    """`turns`: ascending. `weights`: feature, in the order of `features` → its weight at each of
    these numbers of turns."""

    turns: Sequence[int]
    weights: Mapping[str, Sequence[int]]


def estimate(board: bytes, gems: int, turns: int) -> int:
    """Thousandths of a point to come in so many turns of the seat; `gems`: those in hand."""
    total = 0
    for weight, number in zip(weights(turns), features(board, gems), strict=True):
        total += weight * number
    return total


@cache
def weights(turns: int) -> tuple[int, ...]:
    """The weight of each feature with so many turns to come, as the file has it."""
    return weights_of(learnt(), turns)


@cache
def learnt() -> Learnt:
    """What the file has."""
    return json.decode(FILE.read_bytes(), type=Learnt)


def weights_of(found: Learnt, turns: int) -> tuple[int, ...]:
    """The same out of what need not stand in the file."""
    shares = knots(turns, found.turns)
    return tuple(
        sum(at[knot] * share for knot, share in shares) // found.turns[-1]
        for at in found.weights.values()
    )


def knots(turns: int, known: Sequence[int]) -> list[tuple[int, int]]:
    """(Index in `known`, share): how to find a weight between those learnt, on straight lines from
    0 at no turns. The shares of a number of turns add up to at most `known[-1]`."""
    whole, low = known[-1], 0
    turns = min(turns, whole)
    for index, high in enumerate(known):
        if turns <= high:
            share = whole * (turns - low) // (high - low)
            below = [(index - 1, whole - share)] if index else []
            return [*below, (index, share)] if turns else []
        low = high
    raise AssertionError("no turns are more than the last")
