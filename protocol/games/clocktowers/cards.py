"""The cards of Clocktowers, the tables that say what each shows, and the piles they lie in.

A card is one byte, its place in `CODES`; 0 is no card, or a card whose face is hidden. Several
cards are one `bin`.
"""

from enum import IntEnum
from typing import Final

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
