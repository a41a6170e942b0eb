"""Where a match of Architetti Attenti stands, and how it is set up."""

from typing import Final

from msgspec import Struct, structs

from protocol.games.architetti_attenti import ROW, START_GEMS, Dealt, End, Event, Options, Phase
from protocol.games.architetti_attenti.board import MEADOW
from protocol.games.architetti_attenti.options import dealt
from protocol.games.architetti_attenti.score import Counting
from server.games.contract import Addressed

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


# From options, seats and a seed to a fresh state (rules: Material).


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        return "first_seat"
    return None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.architetti_attenti.options` says how the stream is used."""
    dealing = dealt(seats, seed)
    first = dealing.stream.below(seats) if options.first_seat is None else options.first_seat
    deal = Deal(
        seats=seats,
        first_seat=first,
        row=dealing.row,
        pile=dealing.pile,
        removed=dealing.removed,
    )
    return State(options, deal)


def rematch_options(options: Options, seats: int, seed: bytes) -> Options:
    """The options for a rematch: the next seat begins."""
    first = options.first_seat
    if first is None:
        first = setup(options, seats, seed).deal.first_seat
    return structs.replace(options, first_seat=(first + 1) % seats)


def opening(state: State) -> list[Addressed[Event]]:
    """The open row, and how many tiles lie below."""
    deal = state.deal
    return [Addressed(None, Dealt(deal.first_seat, deal.row, len(deal.pile), state.options))]
