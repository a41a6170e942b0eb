"""Where a match of Architetti Attenti stands, and how it is set up."""

from dataclasses import dataclass
from typing import Final

from protocol.games.architetti_attenti import (
    ROW,
    START_GEMS,
    Deal,
    Dealt,
    End,
    Event,
    Options,
    Phase,
    dealt,
)
from protocol.games.architetti_attenti.board import MEADOW
from protocol.games.architetti_attenti.score import Counting
from server.games.contract import Addressed

BUY: Final = 0
PLACE: Final = 1
OVER: Final = 2
PHASES: Final = (Phase.BUY, Phase.PLACE, Phase.OVER)
"""What they are called outside."""


@dataclass(slots=True, eq=False)
class State:
    """Law: everything a copy shares with its original is immutable.

    `row` and `on_row`: the open tiles and the gems on each, always four; 0 is a gap. `drawn`: tiles
    that have come from the pile. `tile`: the bought one, to be placed. By seat: `boards` (49 bytes,
    see `protocol.games.architetti_attenti.KIND_BITS`), `gems`, `discarded` (oldest first). `late`:
    the seat whose time ran out or, with `gone`, whose player left: that ended the match.
    """

    options: Options
    deal: Deal
    seats: int
    pile: bytes
    counting: Counting
    to_the_end: bool
    turn: int
    phase: int
    row: bytes
    on_row: bytes
    drawn: int
    tile: int
    boards: list[bytes]
    gems: list[int]
    discarded: list[bytes]
    late: int | None = None
    gone: bool = False

    @property
    def left(self) -> int:
        """Tiles in the pile."""
        return len(self.pile) - self.drawn


def fresh(options: Options, deal: Deal) -> State:
    """Before the first turn."""
    return State(
        options=options,
        deal=deal,
        seats=deal.seats,
        pile=deal.pile,
        counting=Counting.of(options),
        to_the_end=options.end is End.ROW,
        turn=deal.first_seat,
        phase=BUY,
        row=deal.row,
        on_row=bytes(ROW),
        drawn=0,
        tile=0,
        boards=[MEADOW] * deal.seats,
        gems=[START_GEMS] * deal.seats,
        discarded=[b""] * deal.seats,
    )


def copy(state: State) -> State:
    """An independent state. Field by field: a loop over the fields takes five times as long."""
    return State(
        state.options,
        state.deal,
        state.seats,
        state.pile,
        state.counting,
        state.to_the_end,
        state.turn,
        state.phase,
        state.row,
        state.on_row,
        state.drawn,
        state.tile,
        state.boards[:],
        state.gems[:],
        state.discarded[:],
        state.late,
        state.gone,
    )


# From options, seats and a seed to a fresh state (rules: Material).


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.architetti_attenti` says how the stream is used."""
    return fresh(options, dealt(seats, seed, options.first_seat))


def opening(state: State) -> list[Addressed[Event]]:
    """The open row, and how many tiles lie below."""
    deal = state.deal
    return [Addressed(None, Dealt(deal.first_seat, deal.row, len(deal.pile), state.options))]
