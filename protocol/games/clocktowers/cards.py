"""The cards of Clocktowers, their piles, and the deal from a seed.

A card is one byte, its place in `CODES`; 0 is no card, or a card whose face is hidden. Several
cards are one `bin`.
"""

from enum import IntEnum
from functools import cache
from typing import Final

from msgspec import Struct

from protocol.dealing import Stream

SEATS: Final = (2, 3, 4)

CODES: Final = ("", "1-", "1c", "1m", "2-", "2c", "2m", "K-", "Km", "Rb", "Rg", "Rp", "Rr", "Ry")
"""Card byte → the code used in records, notation and tests."""

COPIES: Final = (0, 5, 5, 4, 5, 5, 4, 9, 9, 4, 4, 4, 4, 4)
"""Card byte → how many there are in the box (rules: Cards)."""

BOX: Final = sum(COPIES)
"""All cards: 66. No seat can have more cards, or start more towers."""

STOREYS: Final = (0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0)
"""Card byte → storeys it adds to a tower."""

ANIMALS: Final = ("", "", "c", "m", "", "c", "m", "", "m", "", "", "", "", "")
"""Card byte → "c" with a cat, "m" with a mouse, "" with neither."""

START_HAND: Final = bytes((2, 3, 8))
"""1c, 1m, Km: what every seat begins with (rules: Setting up, 1)."""

FIRST_CLOCK: Final = 7
FIRST_ROOF: Final = 9
"""The card byte of the blue roof; a colour is a roof's byte less this: b g p r y = 0..4."""


class Pile(IntEnum):
    FLOOR = 0
    CLOCK = 1
    ROOF = 2


PILES: Final = (None, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2)
"""Card byte → the pile it belongs to."""

PILE_NAMES: Final = ("floor", "clock", "roof")


# The deal of Clocktowers: from seats and a seed to the piles, the same on both sides.
#
# The order, by which a proof deals the same cards again:
# - Three pools: floor, clock, roof. Each holds its cards in card-byte order, every card as often
#   as the box has it less the start hands: with n seats 28 - 2n floors, 18 - n clocks, 20 roofs.
# - One stream out of the seed shuffles the floors, then the clocks, then the roofs.
# - After that element 0 of a pool is its top card. The first 5 floors and the first 3 roofs come
#   off the top: they are the removed cards, in that order. What remains is the pile, top card
#   first.
# - Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).
#   It comes last so that the cards do not depend on who begins.


REMOVED_FLOORS: Final = 5
REMOVED_ROOFS: Final = 3


class Deal(Struct, frozen=True):
    """What lies there before the first turn. `piles`: floor, clock, roof, each from the top down.
    `removed`: floors, roofs, in the order in which they were taken."""

    seats: int
    first_seat: int
    piles: tuple[bytes, bytes, bytes]
    removed: tuple[bytes, bytes]


@cache
def pool(pile: int, seats: int) -> bytes:
    """The cards of one pool before the shuffle, ascending (rules: Setting up, 1 and 2)."""
    return bytes(
        card
        for card, copies in enumerate(COPIES)
        if PILES[card] == pile
        for _ in range(copies - seats * START_HAND.count(card))
    )


_POOLS: Final = {seats: tuple(pool(pile, seats) for pile in Pile) for seats in SEATS}
"""A journal or a record may name another number of seats: KeyError."""


def dealt(seats: int, seed: bytes, first_seat: int | None = None) -> Deal:
    """The cards of a match; `seats` is one of SEATS. `first_seat`: who begins, if the table has
    chosen. The order stands above."""
    stream = Stream(seed)
    floors, clocks, roofs = (bytearray(cards) for cards in _POOLS[seats])
    stream.shuffle(floors)
    stream.shuffle(clocks)
    stream.shuffle(roofs)
    return Deal(
        seats,
        stream.below(seats) if first_seat is None else first_seat,
        piles=(bytes(floors[REMOVED_FLOORS:]), bytes(clocks), bytes(roofs[REMOVED_ROOFS:])),
        removed=(bytes(floors[:REMOVED_FLOORS]), bytes(roofs[:REMOVED_ROOFS])),
    )
