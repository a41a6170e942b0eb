"""The deal of Clocktowers: from seats and a seed to the piles, the same on both sides.

The order, by which a proof deals the same cards again:
- Three pools: floor, clock, roof. Each holds its cards in card-byte order, every card as often as
  the box has it less the start hands: with n seats 28 - 2n floors, 18 - n clocks, 20 roofs.
- One stream out of the seed shuffles the floors, then the clocks, then the roofs.
- After that element 0 of a pool is its top card. The first 5 floors and the first 3 roofs come off
  the top: they are the removed cards, in that order. What remains is the pile, top card first.
- Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).
  It comes last so that the cards do not depend on who begins.
"""

from typing import Final, NamedTuple

from protocol.dealing import Stream
from protocol.games.clocktowers.cards import COPIES, PILES, START_HAND, Pile
from protocol.games.clocktowers.options import SEATS

REMOVED_FLOORS: Final = 5
REMOVED_ROOFS: Final = 3


class Dealing(NamedTuple):
    """`piles`: floor, clock, roof, each from the top down. `removed`: floors, roofs. `stream`: what
    the cards left of the seed; the first seat comes out of it."""

    piles: tuple[bytes, bytes, bytes]
    removed: tuple[bytes, bytes]
    stream: Stream


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


def dealt(seats: int, seed: bytes) -> Dealing:
    """The cards of a match; `seats` is one of SEATS. The module's docstring has the order."""
    stream = Stream(seed)
    floors, clocks, roofs = (bytearray(cards) for cards in _POOLS[seats])
    stream.shuffle(floors)
    stream.shuffle(clocks)
    stream.shuffle(roofs)
    return Dealing(
        piles=(bytes(floors[REMOVED_FLOORS:]), bytes(clocks), bytes(roofs[REMOVED_ROOFS:])),
        removed=(bytes(floors[:REMOVED_FLOORS]), bytes(roofs[:REMOVED_ROOFS])),
        stream=stream,
    )
