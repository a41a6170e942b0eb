"""Where a match of Clocktowers stands, how it is set up, and what all can know of the hands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol.games import Switch
from protocol.games.clocktowers import (
    BOX,
    FIRST_HEIGHTS,
    START_HAND,
    ClockMice,
    Dealt,
    Event,
    Ladder,
    Options,
    TurnOrder,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, Deal, dealt
from server.games.contract import Addressed, first_seat_sits

# Open memory: which hands fit what everybody saw (rules: What is hidden).
#
# A seat's start hand, draws and plays are public; of its discards only the number is. `Hands` holds
# every hand that fits, each with a possible list of discards. So the marks on the table and a bot
# that imagines the other hands use the same calculation.
# Law: nothing here is changed in place.


Hands: TypeAlias = dict[bytes, bytes]
"""A possible hand, cards ascending → discards (oldest first) after which it is the hand."""


def begin() -> Hands:
    """Everybody starts with the start hand."""
    return {START_HAND: b""}


def after_draw(hands: Hands, card: int) -> Hands:
    """Add the card to every hand."""
    return {bytes(sorted((*hand, card))): gone for hand, gone in hands.items()}


def after_play(hands: Hands, card: int) -> Hands:
    """Keep the hands that held the card, without it."""
    return {_less(hand, card): gone for hand, gone in hands.items() if card in hand}


def after_discard(hands: Hands) -> Hands:
    """Every card of every hand may be the discarded one."""
    fits: Hands = {}
    for hand, gone in hands.items():
        for card in dict.fromkeys(hand):
            fits.setdefault(_less(hand, card), gone + bytes((card,)))
    return fits


def certain(hands: Iterable[bytes]) -> bytes:
    """The cards that all hands have in common, ascending, each as often as all have it."""
    common: list[int] | None = None
    for hand in hands:
        common = list(hand) if common is None else _common(common, hand)
        if not common:
            break
    return bytes(common or ())


def _less(hand: bytes, card: int) -> bytes:
    return hand.replace(bytes((card,)), b"", 1)


def _common(cards: list[int], hand: bytes) -> list[int]:
    rest = list(hand)
    kept = []
    for card in cards:
        if card in rest:
            rest.remove(card)
            kept.append(card)
    return kept


PLAY: Final = 0
DRAW: Final = 1
OVER: Final = 2

NOBODY: Final = 4
"""The value of `State.turn` when the match is over; no seat has it."""

COLOURS: Final = 5
TURNS: Final = BOX - REMOVED_FLOORS - REMOVED_ROOFS
"""Each turn plays or discards a card (rules: A turn): 58."""


@dataclass(slots=True, eq=False)
class State:
    """Law: everything a copy shares with its original is immutable.

    By seat: `hands` (ascending), `towers` (each the cards from the ground up), and beside them
    `heights` (storeys), `worth` (points, 0 = not complete), `bare` and `clocked` (the indexes of
    the towers of floors only, and of those waiting for a roof; ascending), `points`, `discards`
    (oldest first). `worth` and `discards` change seldom: they are bytes, which copies share.
    `left` and `open_piles` (bit p = pile p has cards): what is still in the piles.
    `ladder`: a mask of the heights that fit, five colours a row; a seat's row starts at `rows`.
    `memory`, `known`: only on open-memory tables (open memory, above); replaced, never changed.
    `late`: the seat whose time ran out or, with `gone`, whose player left: that ended the match.
    """

    options: Options
    deal: Deal
    seats: int
    piles: tuple[bytes, bytes, bytes]
    draw_first: bool
    count_clock_mice: bool
    rows: tuple[int, ...]
    turn: int
    phase: int
    turns_left: int
    open_piles: int
    left: list[int]
    ladder: list[int]
    points: list[int]
    hands: list[list[int]]
    towers: list[list[bytes]]
    heights: list[list[int]]
    worth: list[bytes]
    bare: list[list[int]]
    clocked: list[list[int]]
    discards: list[bytes]
    memory: list[Hands] | None
    known: list[bytes]
    late: int | None = None
    gone: bool = False


def fresh(options: Options, deal: Deal) -> State:
    """Before the first turn."""
    seats = range(deal.seats)
    own = options.ladder == Ladder.OWN
    draw_first = options.turn_order == TurnOrder.DRAW_PLAY
    is_open = options.open_memory == Switch.ON
    return State(
        options=options,
        deal=deal,
        seats=deal.seats,
        piles=deal.piles,
        draw_first=draw_first,
        count_clock_mice=options.clock_mice == ClockMice.COUNT,
        rows=tuple(COLOURS * seat if own else 0 for seat in seats),
        turn=deal.first_seat,
        phase=DRAW if draw_first else PLAY,
        turns_left=TURNS,
        open_piles=0b111,
        left=[len(pile) for pile in deal.piles],
        ladder=[sum(1 << height for height in options.first_heights)]
        * (COLOURS * (deal.seats if own else 1)),
        points=[0 for _ in seats],
        hands=[list(START_HAND) for _ in seats],
        towers=[[] for _ in seats],
        heights=[[] for _ in seats],
        worth=[b"" for _ in seats],
        bare=[[] for _ in seats],
        clocked=[[] for _ in seats],
        discards=[b"" for _ in seats],
        memory=[begin() for _ in seats] if is_open else None,
        known=[START_HAND for _ in seats] if is_open else [],
    )


def copy(state: State) -> State:
    """An independent state. Field by field: a measured hot path of every search."""
    return State(
        state.options,
        state.deal,
        state.seats,
        state.piles,
        state.draw_first,
        state.count_clock_mice,
        state.rows,
        state.turn,
        state.phase,
        state.turns_left,
        state.open_piles,
        state.left[:],
        state.ladder[:],
        state.points[:],
        [row[:] for row in state.hands],
        [row[:] for row in state.towers],
        [row[:] for row in state.heights],
        state.worth[:],
        [row[:] for row in state.bare],
        [row[:] for row in state.clocked],
        state.discards[:],
        None if state.memory is None else state.memory[:],
        state.known[:],
        state.late,
        state.gone,
    )


# From options, seats and a seed to a fresh state (rules: Setting up).


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    if options.first_heights not in FIRST_HEIGHTS:
        return "first_heights"
    return first_seat_sits(options, seats)


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; `protocol.games.clocktowers.cards` says in which order the stream is used."""
    return fresh(options, dealt(seats, seed, options.first_seat))


def opening(state: State) -> list[Addressed[Event]]:
    """The deal as everybody sees it: the open top cards, and what lies below as a number."""
    deal = state.deal
    event = Dealt(
        first_seat=deal.first_seat,
        piles=bytes(pile[0] for pile in deal.piles),
        left=bytes(len(pile) for pile in deal.piles),
        options=state.options,
    )
    return [Addressed(None, event)]
