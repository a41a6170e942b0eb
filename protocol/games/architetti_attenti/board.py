"""The tiles and the board of Architetti Attenti; where a tile fits; houses, rails and shops.

A board is 49 bytes, each a `Kind` and above it the side on which the tile's other half lies.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias, TypeVar

# The tiles of Architetti Attenti, and the board that they are placed on.
#
# A tile is one byte, its place in `TILES`; 0 is no tile. The cells of a board are 0-48, row by row
# from the top left; 24 is the town hall. Positions in the row of tiles are 1-4, 4 next to the pile.


SIDE: Final = 7
CELLS: Final = SIDE * SIDE
HALL: Final = 24
"""The town hall's cell; the other 48 are free at the start (rules: Material)."""

ROW: Final = 4
"""Tiles that lie face up (rules: A turn)."""

START_GEMS: Final = 5


class Kind(IntEnum):
    """What stands on a cell; half a tile shows one of 1-9."""

    FREE = 0
    HOUSE = 1
    PARK = 2
    SCHOOL = 3
    BAKERY = 4
    BOOKSHOP = 5
    FLORIST = 6
    TOYS = 7
    TRACK = 8
    STATION = 9
    TOWN_HALL = 10


SHOPS: Final = (Kind.BAKERY, Kind.BOOKSHOP, Kind.FLORIST, Kind.TOYS)

TILES: Final = (
    (Kind.FREE, Kind.FREE),
    (Kind.HOUSE, Kind.HOUSE),
    (Kind.HOUSE, Kind.PARK),
    (Kind.HOUSE, Kind.SCHOOL),
    (Kind.HOUSE, Kind.BAKERY),
    (Kind.HOUSE, Kind.BOOKSHOP),
    (Kind.HOUSE, Kind.FLORIST),
    (Kind.HOUSE, Kind.TOYS),
    (Kind.HOUSE, Kind.TRACK),
    (Kind.HOUSE, Kind.STATION),
    (Kind.TRACK, Kind.TRACK),
    (Kind.STATION, Kind.TRACK),
    (Kind.BAKERY, Kind.PARK),
    (Kind.BOOKSHOP, Kind.PARK),
    (Kind.FLORIST, Kind.SCHOOL),
    (Kind.TOYS, Kind.SCHOOL),
)
"""Tile byte → its first and its second half."""

COPIES: Final = (0, 6, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1)
"""Tile byte → how many there are on a sheet; 24 in all (rules: Material)."""

KIND_BITS: Final = 0b1111
"""The bits of a board's byte that say what stands there; the two above say where the tile's other
half lies, 0 right, 1 below, 2 left, 3 above (`STEPS`)."""

STEPS: Final = (1, SIDE, -1, -SIDE)


# Squares of houses: 2 x 2 are worth 4, 3 x 3 worth 9 (rules: Score).
#
# So a block gives each of its houses one point, and the best packing is one that covers most
# houses.


SQUARES: Final = {
    side: sum(1 << row * SIDE + column for row in range(side) for column in range(side))
    for side in (2, 3)
}
"""Side → the square that has its corner on cell 0."""


def every_square(houses: int) -> list[int]:
    """All squares of 2 x 2 and 3 x 3 houses, overlapping or not, each as a mask."""
    twos, threes = corners(houses)
    return [
        SQUARES[side] << cell
        for side, corners in ((2, twos), (3, threes))
        for cell in cells_in(corners)
    ]


def corners(houses: int) -> tuple[int, int]:
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
        square = SQUARES[side] * first if side else first
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
    twos, _threes = corners(houses)
    columns = twos | twos << 1
    return columns | columns << SIDE


def _fits(corner: int, side: int) -> bool:
    """Whether a square from this cell on stays in its rows."""
    return (corner.bit_length() - 1) % SIDE <= SIDE - side


# Sets of cells as integers: bit c is cell c, so that a whole board is looked at in one step.


_ALL: Final = (1 << CELLS) - 1
_LEFT: Final = sum(1 << cell for cell in range(0, CELLS, SIDE))
_NOT_LEFT: Final = _ALL & ~_LEFT
_NOT_RIGHT: Final = _ALL & ~(_LEFT << (SIDE - 1))

_IS_KIND: Final = {
    kind: bytes(b"01"[byte & KIND_BITS == kind] for byte in range(256)) for kind in Kind
}


def mask_of(board: bytes, kind: Kind) -> int:
    """The cells of a board on which a kind stands."""
    return int(board[::-1].translate(_IS_KIND[kind]), 2)


def cells_in(mask: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def to_the_right(mask: int) -> int:
    return (mask & _NOT_RIGHT) << 1


def to_the_left(mask: int) -> int:
    return (mask & _NOT_LEFT) >> 1


def below(mask: int) -> int:
    return mask << SIDE & _ALL


def above(mask: int) -> int:
    return mask >> SIDE


def beside(mask: int) -> int:
    """The cells that share a side with one of these."""
    return to_the_right(mask) | to_the_left(mask) | below(mask) | above(mask)


def around(mask: int) -> int:
    """The cells that touch one of these, corners too."""
    wide = mask | to_the_right(mask) | to_the_left(mask)
    return wide | below(wide) | above(wide)


AROUND: Final = tuple(around(1 << cell) & ~(1 << cell) for cell in range(CELLS))
"""Cell → those that touch it."""


def tally(sets: Iterable[int]) -> tuple[int, int, int, int]:
    """In how many of at most 15 sets each cell is: in binary, the ones, twos, fours and eights."""
    ones = twos = fours = eights = 0
    for mask in sets:
        carried = ones & mask
        ones ^= mask
        mask = twos & carried
        twos ^= carried
        eights ^= fours & mask
        fours ^= mask
    return ones, twos, fours, eights


# Railways: which tracks lie between two stations, and what they are worth (rules: Score).


class Network(NamedTuple):
    """Cells joined by rails, as masks; of the tracks only the live ones."""

    stations: int
    live: int


@lru_cache(maxsize=1 << 14)
def networks(tracks: int, stations: int) -> tuple[Network, ...]:
    """The networks that have live tracks."""
    live = live_tracks(tracks, stations)
    found = []
    left = live
    while left:
        joined_tracks, joined_stations = joined(left & -left, tracks, stations)
        found.append(Network(joined_stations, joined_tracks & live))
        left &= ~joined_tracks
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def live_tracks(tracks: int, stations: int) -> int:
    """The tracks on a path between two different stations that enters no cell twice.

    A track is on one exactly when no other single cell cuts it off from every station: then two
    ways that share nothing lead from it to two stations (Menger).
    """
    live = _leading_to(stations, tracks)
    for cell in cells_in(stations):
        live &= _leading_to(stations & ~(1 << cell), tracks)
    for cell in cells_in(live):
        live &= _leading_to(stations, tracks & ~(1 << cell)) | 1 << cell
    return live


def _leading_to(stations: int, tracks: int) -> int:
    """The tracks from which tracks lead to one of the stations."""
    reached = beside(stations) & tracks
    while (grown := reached | beside(reached) & tracks) != reached:
        reached = grown
    return reached


def joined(track: int, tracks: int, stations: int) -> tuple[int, int]:
    """The tracks and stations joined to a track, with the track itself. Two stations that touch are
    not joined."""
    found, stops = track, 0
    while True:
        more_stops = stops | beside(found) & stations
        more = found | beside(found | more_stops) & tracks
        if (more, more_stops) == (found, stops):
            return found, stops
        found, stops = more, more_stops


# Shops in rows: pieces of two to four neighbours of different types (rules: Score).


POINTS: Final = {2: 5, 3: 10, 4: 15}
"""How many shops of different types → what they bring."""

_SHOPS: Final = frozenset(SHOPS)
_ONLY_SHOPS: Final = bytes(
    byte & KIND_BITS if byte & KIND_BITS in _SHOPS else 0 for byte in range(256)
)


class Piece(NamedTuple):
    """`length` shops from place `start` of a line on."""

    start: int
    length: int


def only_shops(board: bytes) -> bytes:
    """The board with 0 for all else: that leaves few different lines, whose points are kept."""
    return board.translate(_ONLY_SHOPS)


@lru_cache(maxsize=1 << 15)
def best_pieces(line: bytes) -> tuple[Piece, ...]:
    """The pieces of a row or column, a kind for each cell, that score most; none share a shop."""
    best: list[tuple[Piece, ...]] = [()]
    for end in range(1, len(line) + 1):
        ways = [best[end - 1]]
        for length in POINTS:
            piece = line[end - length : end] if length <= end else b""
            if len(set(piece) & _SHOPS) == length:
                ways.append((*best[end - length], Piece(end - length, length)))
        best.append(max(ways, key=points))
    return best[-1]


@lru_cache(maxsize=1 << 15)
def most_points(line: bytes) -> int:
    """What its best pieces bring."""
    return points(best_pieces(line))


def points(pieces: tuple[Piece, ...]) -> int:
    return sum(POINTS[piece.length] for piece in pieces)


T = TypeVar("T")

_LETTERS: Final = "abcdefg"

MEADOW: Final = bytes(Kind.TOWN_HALL if cell == HALL else Kind.FREE for cell in range(CELLS))
"""The board before the first tile."""

NEIGHBOURS: Final = tuple(
    tuple(
        cell + step
        for step, inside in zip(
            STEPS,
            (cell % SIDE < SIDE - 1, cell < CELLS - SIDE, cell % SIDE > 0, cell >= SIDE),
            strict=True,
        )
        if inside
    )
    for cell in range(CELLS)
)
"""Cell → the cells beside it: right, below, left, above, without those beyond the edge."""

PAIRS: Final = tuple(
    (cell, other) for cell in range(CELLS) for other in NEIGHBOURS[cell] if other > cell
)
"""All pairs of neighbouring cells, the smaller one first."""

Ways: TypeAlias = tuple[tuple[int, int, tuple[T, ...]], ...]
"""For each of PAIRS its cells, and something for each way to place a tile on them."""


def ways(of: Callable[[int, int], T]) -> tuple[Ways[T], Ways[T]]:
    """By `is_double`. `of` gets the cells of the tile's first and second half; the way with the
    first half on the smaller cell comes first, and is the only one of a double."""
    both = tuple((one, other, (of(one, other), of(other, one))) for one, other in PAIRS)
    return both, tuple((one, other, found[:1]) for one, other, found in both)


_CELLS: Final = ways(lambda first, second: (first, second))
_EDGES: Final = {step: (side << 4, (side + 2) % 4 << 4) for side, step in enumerate(STEPS)}
"""From the first half's cell to the second's → the two cells' bits above their kinds."""

_ONLY_KINDS: Final = bytes(byte & KIND_BITS for byte in range(256))


def kinds(board: bytes) -> bytes:
    """The board without its tiles' edges: a `Kind` for each cell."""
    return board.translate(_ONLY_KINDS)


def lines(board: bytes) -> list[bytes]:
    """Its rows from the top, then its columns from the left."""
    return [
        *(board[start : start + SIDE] for start in range(0, CELLS, SIDE)),
        *(board[column::SIDE] for column in range(SIDE)),
    ]


def has_room(board: bytes) -> bool:
    """Whether two free cells touch."""
    free = mask_of(board, Kind.FREE)
    return bool(free & (to_the_left(free) | above(free)))


def placements(board: bytes, tile: int) -> list[tuple[int, int]]:
    """The cells of the first and second half, wherever the tile fits; each different board once."""
    return fitting(board, _CELLS[is_double(tile)])


def fitting(board: bytes, ways: Ways[T]) -> list[T]:
    """What `ways` has for the pairs of which both cells are free. A measured hot loop."""
    return [way for one, other, on in ways if not (board[one] or board[other]) for way in on]


def is_double(tile: int) -> bool:
    """Whether both halves are equal, so that turning it round makes no other board."""
    first, second = TILES[tile]
    return first == second


def with_tile(board: bytes, tile: int, first: int, second: int) -> bytes:
    """The board with the tile on two neighbouring free cells."""
    cells = bytearray(board)
    kinds_there, edges = TILES[tile], _EDGES[second - first]
    cells[first] = kinds_there[0] | edges[0]
    cells[second] = kinds_there[1] | edges[1]
    return bytes(cells)


def cell_name(cell: int) -> str:
    """A column's letter and a row's number: a1 is top left, g7 bottom right."""
    return f"{_LETTERS[cell % SIDE]}{cell // SIDE + 1}"


def cell_named(name: str) -> int | None:
    """The cell of a name; None when there is none."""
    if len(name) != 2 or name[0] not in _LETTERS or name[1] not in "1234567":
        return None
    return (int(name[1]) - 1) * SIDE + _LETTERS.index(name[0])
