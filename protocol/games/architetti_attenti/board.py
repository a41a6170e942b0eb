"""Where a tile fits on a board, and the board with it; server and client both use this.

A board is 49 bytes, each a `Kind` and above it the side on which the tile's other half lies.
"""

from typing import Final

from protocol.games.architetti_attenti.tiles import CELLS, HALL, KIND_BITS, SIDE, STEPS, TILES, Kind

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
    return any(not (board[first] or board[second]) for first, second in PAIRS)


def placements(board: bytes, tile: int) -> list[tuple[int, int]]:
    """The cells of the first and second half, wherever the tile fits; each different board once."""
    free = [pair for pair in PAIRS if not (board[pair[0]] or board[pair[1]])]
    if is_double(tile):
        return free
    return [both for first, second in free for both in ((first, second), (second, first))]


def is_double(tile: int) -> bool:
    """Whether both halves are equal, so that turning it round makes no other board."""
    first, second = TILES[tile]
    return first == second


def with_tile(board: bytes, tile: int, first: int, second: int) -> bytes:
    """The board with the tile on two neighbouring free cells."""
    towards = STEPS.index(second - first)
    cells = bytearray(board)
    cells[first] = TILES[tile][0] | towards << 4
    cells[second] = TILES[tile][1] | (towards + 2) % 4 << 4
    return bytes(cells)


def cell_name(cell: int) -> str:
    """A column's letter and a row's number: a1 is top left, g7 bottom right."""
    return f"{_LETTERS[cell % SIDE]}{cell // SIDE + 1}"


def cell_named(name: str) -> int | None:
    """The cell of a name; None when there is none."""
    if len(name) != 2 or name[0] not in _LETTERS or name[1] not in "1234567":
        return None
    return (int(name[1]) - 1) * SIDE + _LETTERS.index(name[0])
