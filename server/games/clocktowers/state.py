"""Where a match of Clocktowers stands: small ints and flat lists, so that a search can copy it."""

from typing import Final

from msgspec import Struct

from protocol.games.clocktowers import BOX, START_HAND, ClockMice, Ladder, Options, TurnOrder
from protocol.games.clocktowers.deal import REMOVED_FLOORS, REMOVED_ROOFS
from server.games.clocktowers.memory import Hands, begin

PLAY: Final = 0
DRAW: Final = 1
OVER: Final = 2

NOBODY: Final = 4
"""The value of `State.turn` when the match is over; no seat has it."""

COLOURS: Final = 5
TURNS: Final = BOX - REMOVED_FLOORS - REMOVED_ROOFS
"""Each turn plays or discards a card (rules: A turn): 58."""


class Deal(Struct, frozen=True):
    """What was laid down before the first turn and never changes.

    `piles`: every card that began in each pile, top card first. `removed`: 5 floors, 3 roofs.
    """

    seats: int
    first_seat: int
    piles: tuple[bytes, bytes, bytes]
    removed: tuple[bytes, bytes]


class State:
    """Law: everything a copy shares with its original is immutable.

    By seat: `hands` (ascending), `towers` (each the cards from the ground up), and beside them
    `heights` (storeys), `worth` (points, 0 = not complete), `bare` and `clocked` (the indexes of
    the towers of floors only, and of those waiting for a roof; ascending), `points`, `discards`
    (oldest first). `worth` and `discards` change seldom: they are bytes, which copies share.
    `left` and `open_piles` (bit p = pile p has cards): what is still in the piles.
    `ladder`: a mask of the heights that fit, five colours a row; a seat's row starts at `rows`.
    `memory`, `known`: only on open-memory tables (`memory.py`); replaced, never changed.
    """

    __slots__ = (
        "bare",
        "clocked",
        "count_clock_mice",
        "deal",
        "discards",
        "draw_first",
        "hands",
        "heights",
        "known",
        "ladder",
        "left",
        "memory",
        "open_piles",
        "options",
        "phase",
        "piles",
        "points",
        "rows",
        "seats",
        "towers",
        "turn",
        "turns_left",
        "worth",
    )

    def __init__(self, options: Options, deal: Deal) -> None:
        seats = range(deal.seats)
        own = options.ladder == Ladder.OWN
        first = 0
        for height in options.first_heights:
            first |= 1 << height
        self.options = options
        self.deal = deal
        self.seats = deal.seats
        self.piles = deal.piles
        self.draw_first = options.turn_order == TurnOrder.DRAW_PLAY
        self.count_clock_mice = options.clock_mice == ClockMice.COUNT
        self.turn = deal.first_seat
        self.phase = DRAW if self.draw_first else PLAY
        self.turns_left = TURNS
        self.left = [len(pile) for pile in deal.piles]
        self.open_piles = 0b111
        self.rows = tuple(COLOURS * seat if own else 0 for seat in seats)
        self.ladder = [first] * (COLOURS * (deal.seats if own else 1))
        self.hands = [list(START_HAND) for _ in seats]
        self.towers: list[list[bytes]] = [[] for _ in seats]
        self.heights: list[list[int]] = [[] for _ in seats]
        self.worth = [b""] * deal.seats
        self.bare: list[list[int]] = [[] for _ in seats]
        self.clocked: list[list[int]] = [[] for _ in seats]
        self.points = [0] * deal.seats
        self.discards = [b""] * deal.seats
        self.memory: list[Hands] | None = None
        self.known: list[bytes] = []
        if options.open_memory == "on":
            self.memory = [begin() for _ in seats]
            self.known = [START_HAND for _ in seats]


def copy(state: State) -> State:
    """An independent state. Field by field: a measured hot path of every search."""
    twin = State.__new__(State)
    twin.options = state.options
    twin.deal = state.deal
    twin.seats = state.seats
    twin.piles = state.piles
    twin.draw_first = state.draw_first
    twin.count_clock_mice = state.count_clock_mice
    twin.turn = state.turn
    twin.phase = state.phase
    twin.turns_left = state.turns_left
    twin.left = state.left[:]
    twin.open_piles = state.open_piles
    twin.rows = state.rows
    twin.ladder = state.ladder[:]
    twin.hands = [row[:] for row in state.hands]
    twin.towers = [row[:] for row in state.towers]
    twin.heights = [row[:] for row in state.heights]
    twin.worth = state.worth[:]
    twin.bare = [row[:] for row in state.bare]
    twin.clocked = [row[:] for row in state.clocked]
    twin.points = state.points[:]
    twin.discards = state.discards[:]
    twin.memory = None if state.memory is None else state.memory[:]
    twin.known = state.known[:]
    return twin
