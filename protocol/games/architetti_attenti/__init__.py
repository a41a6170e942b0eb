"""What is said of Architetti Attenti over the wire: options, actions, events, views and outcome;
and the deal from a seed. `board` says how tiles, cells and positions are written.
"""

from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct, structs

from protocol.dealing import Stream
from protocol.games import Switch
from protocol.games.architetti_attenti.board import (
    CELLS as CELLS,
    COPIES as COPIES,
    HALL as HALL,
    KIND_BITS as KIND_BITS,
    ROW as ROW,
    SHOPS as SHOPS,
    SIDE as SIDE,
    START_GEMS as START_GEMS,
    STEPS as STEPS,
    TILES as TILES,
    Kind as Kind,
    cell_name,
    cell_named,
)
from protocol.games.moves import Field, Json, Moves, RecordError, Way, counted, wrong

# The options of a table, its presets, and the deal from a seed ----------------------------------


LEVELS: Final = ("random", "learner", "easy", "normal", "hard", "expert")
SEATS: Final = (1, 2, 3, 4)


class Blocks(StrEnum):
    PACKED = "packed"
    ALL = "all"


class Parks(StrEnum):
    PAIRS = "pairs"
    HOUSES = "houses"


class Rails(StrEnum):
    NETWORK = "network"
    STRETCH = "stretch"


class End(StrEnum):
    AT_ONCE = "at-once"
    ROW = "row"


class Options(Struct, frozen=True, kw_only=True):
    """The first four change the rules and stand in records; the others belong to the table.

    `first_seat` None means drawn from the seed.
    """

    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    take_back: Switch = Switch.ON
    first_seat: Annotated[int, Meta(ge=0, le=3)] | None = None


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "at-once"},
    "letter": {"blocks": "all", "parks": "houses", "rails": "stretch", "end": "at-once"},
    "last-tile": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "row"},
}
"""`letter` is closer to the sheet's words; its rails are a reading, and shops have no option."""


# The deal: from seats and a seed to the tiles, the same on both sides.
#
# The order, by which a proof deals the same tiles again:
# - One pool: every tile of 2, 2, 3, 4 sheets for 1, 2, 3, 4 players, in tile-byte order, each as
#   often as those sheets have it.
# - The stream out of the seed shuffles the pool. The first four tiles are the row, positions 1-4;
#   the next 22 for each player are the pile, top first; what remains is removed unseen.
# - Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).


SHEETS: Final = {1: 2, 2: 2, 3: 3, 4: 4}
"""Players → sheets of 24 tiles (rules: Material)."""

TURNS: Final = 22
"""Tiles in the pile for each player, so turns of each while there is a pile (rules: Material)."""


class Deal(Struct, frozen=True):
    """What lies there before the first turn. `row`: positions 1-4. `pile`: top first."""

    seats: int
    first_seat: int
    row: bytes
    pile: bytes
    removed: bytes


@cache
def pool(seats: int) -> bytes:
    """All tiles before the shuffle, ascending; `seats` is one of SEATS."""
    return bytes(tile for tile, copies in enumerate(COPIES) for _ in range(copies * SHEETS[seats]))


def dealt(seats: int, seed: bytes, first_seat: int | None = None) -> Deal:
    """The tiles of a match. `first_seat`: who begins, if the table has chosen. The order stands
    above."""
    stream = Stream(seed)
    tiles = bytearray(pool(seats))
    stream.shuffle(tiles)
    drawn = ROW + TURNS * seats
    return Deal(
        seats,
        stream.below(seats) if first_seat is None else first_seat,
        row=bytes(tiles[:ROW]),
        pile=bytes(tiles[ROW:drawn]),
        removed=bytes(tiles[drawn:]),
    )


# What a seat may do and why not, and what happens then --------------------------------------------


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


# How a match ends, and what a seat may see --------------------------------------------------------


class DecidedBy(StrEnum):
    POINTS = "points"
    SHARED = "shared"
    ALONE = "alone"
    TIME = "time"
    LEFT = "left"


class Parts(Struct, frozen=True):
    """A score, kind by kind (rules: Score)."""

    houses: int = 0
    blocks: int = 0
    parks: int = 0
    rails: int = 0
    shops: int = 0
    schools: int = 0

    @property
    def total(self) -> int:
        return self.houses + self.blocks + self.parks + self.rails + self.shops + self.schools


class Outcome(Struct, frozen=True, omit_defaults=True):
    """Scores and their parts by seat; `winners` ascending. `late`: the seat whose days were over,
    which ended the match."""

    scores: tuple[int, ...]
    parts: tuple[Parts, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
    late: int | None = None


# No real view is larger; a client that believed a larger one would draw it slowly.
BY_SEAT: Final = Meta(max_length=max(SEATS))
Board: TypeAlias = Annotated[bytes, Meta(min_length=CELLS, max_length=CELLS)]
Row: TypeAlias = Annotated[bytes, Meta(min_length=ROW, max_length=ROW)]
Tiles: TypeAlias = Annotated[bytes, Meta(max_length=max(SHEETS.values()) * sum(COPIES))]


class Phase(StrEnum):
    BUY = "buy"
    PLACE = "place"
    OVER = "over"


class View(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Everything that one seat may see; `seat` None is a spectator's. Only the pile is hidden.

    Lists and bins run by seat, or by position in the row. `row`: a 0 is a gap, where a tile was
    bought or no more come; `on_row`: the gems that lie on each. `left`: tiles in the pile.
    `tile`: the bought one, which `turn` has to place. `boards`: 49 bytes each (see `KIND_BITS`).
    `discarded`: tiles that fitted nowhere, oldest first.
    `removed`: after the end, the tiles that were out of the game unseen.
    The legal actions are not listed: they follow from the row, the gems and the board.
    """

    seat: int | None = None
    turn: int | None = None
    phase: Phase
    row: Row
    on_row: Row
    left: int
    tile: int = 0
    boards: Annotated[list[Board], BY_SEAT]
    gems: Annotated[bytes, BY_SEAT]
    discarded: Annotated[list[Tiles], BY_SEAT]
    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    removed: Tiles = b""


def turns_after(view: View) -> int:
    """How many turns the seat that acts has after this one."""
    return turns_to_come(view) // len(view.boards)


def turns_to_come(view: View) -> int:
    """How many turns all seats have after this one."""
    tiles = view.left
    if view.end is End.ROW:
        tiles += sum(map(bool, view.row)) + bool(view.tile)
    return max(0, tiles - 1)
