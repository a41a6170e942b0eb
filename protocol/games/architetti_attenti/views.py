"""What a seat of Architetti Attenti may see."""

from enum import StrEnum

from msgspec import Struct

from protocol.games.architetti_attenti.options import Blocks, End, Parks, Rails


class Phase(StrEnum):
    BUY = "buy"
    PLACE = "place"
    OVER = "over"


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one seat may see; `seat` None is a spectator's. Only the pile is hidden.

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
    row: bytes
    on_row: bytes
    left: int
    tile: int = 0
    boards: list[bytes]
    gems: bytes
    discarded: list[bytes]
    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    removed: bytes = b""
