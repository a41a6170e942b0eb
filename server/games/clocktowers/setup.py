"""The deal: from options, seats and a seed to a fresh state (rules: Setting up).

The order, by which a proof deals the same cards again:
- Three pools: floor, clock, roof. Each holds its cards in card-byte order, every card as often as
  the box has it less the start hands: with n seats 28 - 2n floors, 18 - n clocks, 20 roofs.
- One stream out of the seed shuffles the floors, then the clocks, then the roofs.
- After that element 0 of a pool is its top card. The first 5 floors and the first 3 roofs come off
  the top: they are the removed cards, in that order. What remains is the pile, top card first.
- Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).
  It comes last so that the cards are the same whoever begins.
"""

from typing import Final

from msgspec import structs

from protocol.dealing import Stream
from protocol.games.clocktowers import (
    COPIES,
    FIRST_HEIGHTS,
    PILES,
    START_HAND,
    Dealt,
    Event,
    Options,
    Pile,
)
from server.games.clocktowers.state import Deal, State
from server.games.contract import Addressed

SEATS: Final = (2, 3, 4)
REMOVED_FLOORS: Final = 5
REMOVED_ROOFS: Final = 3


def pool(pile: int, seats: int) -> bytes:
    """The cards of one pool before the shuffle, ascending (rules: Setting up, 1 and 2)."""
    return bytes(
        card
        for card, copies in enumerate(COPIES)
        if PILES[card] == pile
        for _ in range(copies - seats * START_HAND.count(card))
    )


_POOLS: Final = {
    seats: tuple(pool(pile, seats) for pile in (Pile.FLOOR, Pile.CLOCK, Pile.ROOF))
    for seats in SEATS
}


def check_options(options: Options, seats: int) -> str | None:
    """The name of the first option whose value this game does not have, or None."""
    if options.first_heights not in FIRST_HEIGHTS:
        return "first_heights"
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        return "first_seat"
    return None


def setup(options: Options, seats: int, seed: bytes) -> State:
    """A fresh state; the module's docstring says in which order the stream is used."""
    stream = Stream(seed)
    floors, clocks, roofs = (bytearray(cards) for cards in _POOLS[seats])
    stream.shuffle(floors)
    stream.shuffle(clocks)
    stream.shuffle(roofs)
    first_seat = stream.below(seats) if options.first_seat is None else options.first_seat
    return State(
        options,
        Deal(
            seats=seats,
            first_seat=first_seat,
            piles=(
                bytes(floors[REMOVED_FLOORS:]),
                bytes(clocks),
                bytes(roofs[REMOVED_ROOFS:]),
            ),
            removed=(bytes(floors[:REMOVED_FLOORS]), bytes(roofs[:REMOVED_ROOFS])),
        ),
    )


def rematch_options(options: Options, seats: int, seed: bytes) -> Options:
    """The same table once more: the seat after the last first one begins."""
    first_seat = setup(options, seats, seed).deal.first_seat
    return structs.replace(options, first_seat=(first_seat + 1) % seats)


def opening(state: State) -> list[Addressed[Event]]:
    """The deal as everybody sees it: the open top cards, and what lies below as a number."""
    deal = state.deal
    dealt = Dealt(
        first_seat=deal.first_seat,
        piles=bytes(pile[0] for pile in deal.piles),
        left=bytes(len(pile) for pile in deal.piles),
        options=state.options,
    )
    return [Addressed(None, dealt)]
