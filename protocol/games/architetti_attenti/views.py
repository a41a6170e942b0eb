"""What a seat of Architetti Attenti may see, and how a match ends."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from protocol.games.architetti_attenti.board import CELLS, COPIES, ROW
from protocol.games.architetti_attenti.options import SEATS, SHEETS, Blocks, End, Parks, Rails

# How a match of Architetti Attenti ends.


class DecidedBy(StrEnum):
    POINTS = "points"
    SHARED = "shared"
    ALONE = "alone"


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


class Outcome(Struct, frozen=True):
    """Scores and their parts by seat; `winners` ascending."""

    scores: tuple[int, ...]
    parts: tuple[Parts, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


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
    tiles = view.left
    if view.end is End.ROW:
        tiles += sum(map(bool, view.row)) + bool(view.tile)
    return max(0, tiles - 1) // len(view.boards)
