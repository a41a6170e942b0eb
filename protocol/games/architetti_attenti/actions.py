"""What a seat of Architetti Attenti may do and why not, and what happens then."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from protocol.games.architetti_attenti.board import CELLS, ROW
from protocol.games.architetti_attenti.options import Options

Position: TypeAlias = Annotated[int, Meta(ge=1, le=ROW)]
Cell: TypeAlias = Annotated[int, Meta(ge=0, le=CELLS - 1)]


class Buy(Struct, frozen=True, array_like=True, tag="buy", gc=False):
    """Costs a gem for each tile before the position. A tile that fits nowhere is discarded."""

    position: Position


class Place(Struct, frozen=True, array_like=True, tag="place", gc=False):
    """The cells of the bought tile's first and second half. Where both halves are equal, `first`
    is the smaller cell: one action per pair of cells."""

    first: Cell
    second: Cell


Action: TypeAlias = Buy | Place


class Refused(StrEnum):
    """Why an action is impossible; parameters stand behind each."""

    WRONG_PHASE = "wrong_phase"  # phase
    NO_TILE_THERE = "no_tile_there"  # position
    TOO_FEW_GEMS = "too_few_gems"  # position, cost, gems
    NOT_NEIGHBOURS = "not_neighbours"  # first, second
    CELL_TAKEN = "cell_taken"  # cell
    TOWN_HALL = "town_hall"  # cell
    SAME_HALVES = "same_halves"  # first, second: the smaller cell goes first


# What happens in Architetti Attenti. All seats are told of everything.


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
