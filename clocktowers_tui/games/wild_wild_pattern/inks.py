"""What a piece of text on the board is; `paints` says how that looks.

Law: no ink is told from another by colour alone, the glyphs always say it too.
"""

from enum import Enum, auto
from typing import Final


class Ink(Enum):
    BOLD = auto()
    DIM = auto()
    TURN = auto()
    """Whose choice it is, and what has just been played."""
    MARKED = auto()
    MONEY = auto()
    PICK = auto()
    """What may be picked."""
    CHALLENGE = auto()
    HIT = auto()
    """A pattern that is there, and its pairs."""
    WRONG = auto()
    """One that is not, and what speaks against it."""
    SUIT = auto()
    """The suit of a card, cut out of its ground: it has that of the board."""
    RED = auto()
    AZURE = auto()
    YELLOW = auto()
    GREY = auto()
    WHITE = auto()


COLOURS: Final = (Ink.RED, Ink.AZURE, Ink.YELLOW, Ink.GREY, Ink.WHITE)
"""By `Colour`: the ground of a card."""
