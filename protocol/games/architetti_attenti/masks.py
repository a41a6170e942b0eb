"""Sets of cells as integers: bit c is cell c, so that a whole board is looked at in one step."""

from collections.abc import Iterator
from typing import Final

from protocol.games.architetti_attenti.tiles import CELLS, KIND_BITS, SIDE, Kind

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
