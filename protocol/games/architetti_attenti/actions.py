"""What a seat of Architetti Attenti may do, and why it may not."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from protocol.games.architetti_attenti.tiles import CELLS, ROW

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
