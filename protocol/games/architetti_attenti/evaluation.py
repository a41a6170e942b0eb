"""What a board is worth with turns to come: the estimate of the levels `hard` and `expert`, and of
the place that a player is offered.

It is the points and what the board may still bring, in thousandths of a point. Houses, parks,
rails, lines of shops and gems are each weighed alone, so that places of one tile share most of the
work. Law: whole numbers alone, so the same board is worth the same on every machine.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter, mul
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, json

from protocol.games.architetti_attenti import SHOPS, TILES, Kind
from protocol.games.architetti_attenti.board import (
    AROUND,
    KIND_BITS,
    POINTS,
    SIDE,
    SQUARES,
    beside,
    cells_in,
    corners,
    fitting,
    is_double,
    joined,
    lines,
    live_tracks,
    mask_of,
    most_points,
    only_shops,
    tally,
    ways,
)
from protocol.games.architetti_attenti.score import (
    FULL_SCHOOL,
    Counting,
    block_points,
    park_points,
    rail_points,
    school_points,
)

UNIT: Final = 1000
"""Worths are in thousandths of a point, and so is the weight of one of a feature."""

# A board taken apart, so that a tile is put on it in few steps: the set of the cells of each kind,
# and for each row, and then each column, a number of seven bytes, one for each cell.


_FREE: Final = int(Kind.FREE)
_HOUSE: Final = int(Kind.HOUSE)
_PARK: Final = int(Kind.PARK)
_TRACK: Final = int(Kind.TRACK)
_STATION: Final = int(Kind.STATION)
_SHOPS: Final = frozenset(SHOPS)
_FILLED: Final = bytes(
    kind if (kind := byte & KIND_BITS) in _SHOPS or kind == Kind.FREE else Kind.HOUSE
    for byte in range(256)
)
"""Kind → how a line has it: a house stands for each kind that is no shop. So there are few lines
that differ, and most of their worths are kept."""


@lru_cache(maxsize=1 << 8)
def _taken_apart(board: bytes) -> tuple[list[int], list[int]]:
    """The sets and the numbers; nobody may change them."""
    filled = lines(board.translate(_FILLED))
    sets = [mask_of(board, kind) for kind in Kind]
    return sets, [int.from_bytes(line, "little") for line in filled]


Way: TypeAlias = tuple[int, int]
"""The cells of a tile's halves."""

_Place: TypeAlias = tuple[Way, int, int, tuple[tuple[int, int, int], ...]]
"""A way; each of its cells as a set; and of each line that has one, the index, and by what the kind
there counts in its number, for each half."""


def _place(first: int, second: int) -> _Place:
    added = dict[int, list[int]]()
    for half, cell in enumerate((first, second)):
        row, column = divmod(cell, SIDE)
        for line, place in ((row, column), (SIDE + column, row)):
            added.setdefault(line, [0, 0])[half] = 1 << 8 * place
    crossed = tuple((line, one, other) for line, (one, other) in added.items())
    return (first, second), 1 << first, 1 << second, crossed


_PLACES: Final = ways(_place)


# What each part of it brings.


_KEPT: Final = 1 << 11
"""How many worths of each part are kept: those of a turn in a match, and more."""


class Outlook:
    """What boards are worth by these rules, where what they may still bring has these weights, one
    for each feature of `learnt.json`."""

    def __init__(self, counting: Counting, weights: Sequence[int]) -> None:
        self._counting = counting
        self._turn, self._lonely, self._house = weights[0], weights[6], weights[5]
        self._by_park, self._by_house = weights[1:3], weights[3:5]
        self._gems, self._squares = weights[7:12], weights[12:19]
        self._rail, self._shop = weights[19:28], weights[28:]
        self._best = lru_cache(maxsize=_KEPT)(self._best_of)
        self._houses = lru_cache(maxsize=_KEPT)(self._houses_of)
        self._parks = lru_cache(maxsize=_KEPT)(self._parks_of)
        self._rails = lru_cache(maxsize=_KEPT)(self._rails_of)
        self._line = lru_cache(maxsize=_KEPT)(self._line_of)

    def worth(self, board: bytes, gems: int) -> int:
        """With so many gems in hand."""
        sets, numbers = _taken_apart(board)
        return self._land(sets) + sum(map(self._line, numbers)) + self._purse(board, 0, gems)

    def parts(self, board: bytes, gems: int) -> dict[str, int]:
        """The same by what brings it; without what the turns to come do to every board."""
        sets, numbers = _taken_apart(board)
        found = {
            "houses": self._houses(sets[_HOUSE], sets[_FREE]),
            "parks": self._parks(sets[_HOUSE], sets[_PARK])
            + _near(sets[_PARK], sets[_FREE], self._by_park),
            "shops": sum(map(self._line, numbers)),
            "schools": self._purse(board, 0, gems),
        }
        return {**found, "rails": self.worth(board, gems) - self._turn - sum(found.values())}

    def places(self, board: bytes, tile: int, gems: int) -> list[tuple[int, Way]]:
        """The worth of the board with the tile on it, wherever it fits."""
        purse = self._purse(board, tile, gems)
        return [(worth + purse, way) for worth, way in self._without_gems(board, tile)]

    def best(self, board: bytes, tile: int, gems: int) -> tuple[int, Way | None]:
        """The most that the board is worth with the tile on it, and where, which the gems do not
        change; where it fits nowhere, the worth of the board as it is, and None."""
        best = self._best(board, tile)
        if best is None:
            return self.worth(board, gems), None
        return best[0] + self._purse(board, tile, gems), best[1]

    def _best_of(self, board: bytes, tile: int) -> tuple[int, Way] | None:
        return max(self._without_gems(board, tile), key=itemgetter(0), default=None)

    def _without_gems(self, board: bytes, tile: int) -> list[tuple[int, Way]]:
        """As `places`. A measured hot path: a tile changes three lines at most, and all others
        are worth what they were."""
        sets, numbers = _taken_apart(board)
        worths = [self._line(number) for number in numbers]
        before, found = sum(worths), list[tuple[int, Way]]()
        one, other = map(int, TILES[tile])
        in_line, other_in_line = _FILLED[one], _FILLED[other]
        for way, first, second, crossed in fitting(board, _PLACES[is_double(tile)]):
            there = sets[:]
            there[_FREE] ^= first | second
            there[one] |= first
            there[other] |= second
            worth = before + self._land(there)
            for line, by_first, by_second in crossed:
                number = numbers[line] + by_first * in_line + by_second * other_in_line
                worth += self._line(number) - worths[line]
            found.append((worth, way))
        return found

    def _land(self, sets: list[int]) -> int:
        """All but lines of shops, and gems. A measured hot path."""
        free, houses, parks = sets[_FREE], sets[_HOUSE], sets[_PARK]
        worth = self._turn + self._houses(houses, free)
        if parks:
            worth += self._parks(houses, parks) + _near(parks, free, self._by_park)
        fixed, ends = self._rails(sets[_TRACK], sets[_STATION])
        for cells, if_free, each in ends:
            many = (cells & free).bit_count()
            if many:
                worth += if_free + each * min(many, 4)
        return worth + fixed

    def _houses_of(self, houses: int, free: int) -> int:
        """With the free cells that no other touches."""
        twos, threes = corners(houses | free)
        lacking = (*_lacking(twos, 2, free)[:3], *_lacking(threes, 3, free))
        many, lonely = houses.bit_count(), (free & ~beside(free)).bit_count()
        points = many + block_points(houses, self._counting.blocks)
        worth = UNIT * points + self._house * many + self._lonely * lonely
        return worth + _near(houses, free, self._by_house) + _weighed(self._squares, lacking)

    def _parks_of(self, houses: int, parks: int) -> int:
        return UNIT * park_points(houses, parks, self._counting.parks)

    def _rails_of(self, tracks: int, stations: int) -> tuple[int, Sequence[tuple[int, int, int]]]:
        """What rails bring without free cells. Of each network, and each station alone: the cells
        beside it; what it brings if one is free; and what each of these brings, 4 at most."""
        no_stop, one_stop, a_network, stop, alive, dead, end, alone, station = self._rail
        points = rail_points(tracks, stations, self._counting.rails)
        fixed = UNIT * points + station * stations.bit_count()
        live, reached, ends = live_tracks(tracks, stations), 0, list[tuple[int, int, int]]()
        while tracks:
            network, stops = joined(tracks & -tracks, tracks, stations)
            tracks &= ~network
            reached |= stops
            match stops.bit_count():
                case 0:
                    if_free = no_stop * network.bit_count()
                case 1:
                    if_free = one_stop * network.bit_count() + a_network
                case many:
                    if_free = stop * many + alive * (network & live).bit_count()
                    if_free += dead * (network & ~live).bit_count()
            ends.append((beside(network | stops), if_free, end))
        ends += [(beside(1 << cell), alone, 0) for cell in cells_in(stations & ~reached)]
        return fixed, ends

    def _line_of(self, number: int) -> int:
        cells = number.to_bytes(SIDE, "little")
        return UNIT * most_points(only_shops(cells)) + _weighed(self._shop, _shops_in(cells))

    def _purse(self, board: bytes, tile: int, gems: int) -> int:
        """What gems in hand bring, and the schools that they go to, with a tile put on the board
        (0: none)."""
        schools = mask_of(board, Kind.SCHOOL).bit_count() + TILES[tile].count(Kind.SCHOOL)
        room = FULL_SCHOOL * schools
        counted = (min(gems, room), max(0, gems - room), max(0, room - gems), schools, gems)
        return UNIT * school_points(schools, gems) + _weighed(self._gems, counted)


def _weighed(weights: Sequence[int], numbers: Sequence[int]) -> int:
    return sum(map(mul, weights, numbers))


_IN_SQUARE: Final = {side: tuple(cells_in(square)) for side, square in SQUARES.items()}


def _lacking(squares: int, side: int, free: int) -> Sequence[int]:
    """How many squares, each given by its upper left cell, lack 1, 2, 3, and 4 to 6 houses."""
    ones, twos, fours, eights = tally([free >> cell for cell in _IN_SQUARE[side]])
    few = squares & ~(fours | eights)
    sets = (
        few & ones & ~twos,
        few & twos & ~ones,
        few & ones & twos,
        squares & fours & ~(ones & twos),
    )
    return [each.bit_count() for each in sets]


def _near(cells: int, free: int, weights: Sequence[int]) -> int:
    """The free cells around each of some cells, added up, and their squares."""
    total = squares = 0
    for cell in cells_in(cells):
        near = (AROUND[cell] & free).bit_count()
        total += near
        squares += near * near
    return weights[0] * total + weights[1] * squares


_LACKING: Final = {(2, 1): 0, (3, 1): 1, (3, 2): 2, (4, 1): 3, (4, 2): 4, (4, 3): 5}
"""(Length, shops that lack) → index in what `_shops_in` gives."""


@lru_cache(maxsize=1 << 15)
def _shops_in(line: bytes) -> list[int]:
    """Of the shops in a row or column, whose other cells are free or filled."""
    found = [0] * (len(_LACKING) + 2)
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


# The weights, learnt from matches of bots against each other.
#
# `learnt.json` has for some numbers of turns to come, learnt as bench/README.md says, the weight of
# each feature.


FILE: Final = Path(__file__).with_name("learnt.json")


class Learnt(Struct, frozen=True):
    """`turns`: ascending. `weights`: feature → its weight at each of these numbers of turns; the
    features are in the order in which `Outlook` takes its weights."""

    turns: Sequence[int]
    weights: Mapping[str, Sequence[int]]


@lru_cache(maxsize=1 << 3)
def outlook(counting: Counting, turns: int) -> Outlook:
    """Of a seat that has so many turns to come. It is kept, because boards come again in the next
    decision. A decision asks for two or three, so eight are enough for some tables."""
    return Outlook(counting, weights(turns))


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
