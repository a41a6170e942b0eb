"""What happens in Architetti Attenti. All seats are told of everything."""

from typing import TypeAlias

from msgspec import Struct

from protocol.games.architetti_attenti.options import Options


class Dealt(Struct, frozen=True, array_like=True, tag="dealt", gc=False):
    """`row`: the four open tiles; `left`: tiles in the pile. `options` are the table's."""

    first_seat: int
    row: bytes
    left: int
    options: Options


class Bought(Struct, frozen=True, array_like=True, tag="bought", gc=False):
    """`paid`: gems, one on each tile before the position; `gained`: those that lay on this one."""

    seat: int
    position: int
    tile: int
    paid: int
    gained: int


class Placed(Struct, frozen=True, array_like=True, tag="placed", gc=False):
    seat: int
    tile: int
    first: int
    second: int


class Discarded(Struct, frozen=True, array_like=True, tag="discarded", gc=False):
    """Follows the `Bought` of a tile for which no two free cells touch."""

    seat: int
    tile: int


class Revealed(Struct, frozen=True, array_like=True, tag="revealed", gc=False):
    """The row has slid together, and this tile lies at its end now."""

    tile: int


Event: TypeAlias = Dealt | Bought | Placed | Discarded | Revealed
