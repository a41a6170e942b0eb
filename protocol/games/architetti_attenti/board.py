"""Where a tile fits on a board, and the board with it; server and client both use this.

A board is 49 bytes, each a `Kind` and above it the side on which the tile's other half lies.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

from protocol.games.architetti_attenti.masks import above, mask_of, to_the_left
from protocol.games.architetti_attenti.tiles import CELLS, HALL, KIND_BITS, SIDE, STEPS, TILES, Kind

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
