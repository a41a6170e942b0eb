"""Shops in rows: pieces of two to four neighbours of different types (rules: Score)."""

from functools import lru_cache
from typing import Final, NamedTuple

from protocol.games.architetti_attenti.tiles import KIND_BITS, SHOPS

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
