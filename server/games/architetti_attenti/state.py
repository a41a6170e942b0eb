"""Where a match of Architetti Attenti stands: bytes and small ints, so that a copy costs little."""

from typing import Final

from msgspec import Struct

from protocol.games.architetti_attenti import ROW, START_GEMS, End, Options, Phase
from protocol.games.architetti_attenti.board import MEADOW
from protocol.games.architetti_attenti.score import Counting

BUY: Final = 0
PLACE: Final = 1
OVER: Final = 2
PHASES: Final = (Phase.BUY, Phase.PLACE, Phase.OVER)
"""What they are called outside."""


class Deal(Struct, frozen=True):
    """What was laid down before the first turn and never changes; the pile top first."""

    seats: int
    first_seat: int
    row: bytes
    pile: bytes
    removed: bytes


class State:
    """Law: everything a copy shares with its original is immutable.

    `row` and `on_row`: the open tiles and the gems on each, always four; 0 is a gap. `drawn`: tiles
    that have come from the pile. `tile`: the bought one, to be placed. By seat: `boards` (49 bytes,
    see `protocol.games.architetti_attenti.KIND_BITS`), `gems`, `discarded` (oldest first).
    """

    __slots__ = (
        "boards",
        "counting",
        "deal",
        "discarded",
        "drawn",
        "gems",
        "on_row",
        "options",
        "phase",
        "pile",
        "row",
        "seats",
        "tile",
        "to_the_end",
        "turn",
    )

    def __init__(self, options: Options, deal: Deal) -> None:
        self.options = options
        self.deal = deal
        self.seats = deal.seats
        self.pile = deal.pile
        self.counting = Counting.of(options)
        self.to_the_end = options.end is End.ROW
        self.turn = deal.first_seat
        self.phase = BUY
        self.row = deal.row
        self.on_row = bytes(ROW)
        self.drawn = 0
        self.tile = 0
        self.boards = [MEADOW] * deal.seats
        self.gems = [START_GEMS] * deal.seats
        self.discarded = [b""] * deal.seats

    @property
    def left(self) -> int:
        """Tiles in the pile."""
        return len(self.pile) - self.drawn


def copy(state: State) -> State:
    """An independent state. Field by field: a loop over the slots takes five times as long."""
    twin = State.__new__(State)
    twin.options = state.options
    twin.deal = state.deal
    twin.seats = state.seats
    twin.pile = state.pile
    twin.counting = state.counting
    twin.to_the_end = state.to_the_end
    twin.turn = state.turn
    twin.phase = state.phase
    twin.row = state.row
    twin.on_row = state.on_row
    twin.drawn = state.drawn
    twin.tile = state.tile
    twin.boards = state.boards[:]
    twin.gems = state.gems[:]
    twin.discarded = state.discarded[:]
    return twin
