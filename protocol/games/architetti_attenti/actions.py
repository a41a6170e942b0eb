"""What a seat of Architetti Attenti may do and why not, and what happens then."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct, structs

from protocol.games.architetti_attenti.board import CELLS, ROW, cell_name, cell_named
from protocol.games.architetti_attenti.options import Options
from protocol.games.moves import Field, Json, Moves, RecordError, Way, counted, wrong

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


def _cells(value: Json) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError("cells in action must be a list of 2 cells")
    first, second = map(_cell, value)
    return first, second


def _cell(value: Json) -> int:
    cell = cell_named(value) if isinstance(value, str) else None
    if cell is None:
        raise wrong("a cell in action", f'"{cell_name(0)}" to "{cell_name(CELLS - 1)}"', value)
    return cell


MOVES: Final = Moves(
    (
        Way(Buy, (counted("position", 1, ROW),)),
        Way(
            Place,
            (
                Field(
                    "cells",
                    lambda cells: [*map(cell_name, cells)],
                    _cells,
                    " ".join,
                    str.split,
                    ("CELL", "CELL"),
                ),
            ),
            lambda place: [structs.astuple(place)],
            lambda cells: Place(*cells),
        ),
    )
)


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
