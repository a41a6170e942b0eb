"""What a piece of text on the board is; `paints` says how that looks.

Law: no ink is told from another by colour alone, the glyphs always say it too.
"""

from enum import Enum, auto
from typing import Final


class Ink(Enum):
    BOLD = auto()
    DIM = auto()
    TURN = auto()
    MARKED = auto()
    FRESH = auto()
    GEM = auto()
    GAIN = auto()
    LOSS = auto()
    GHOST = auto()
    """The tile that is about to be placed, where it fits."""
    MISFIT = auto()
    """The same where it does not."""
    MEADOW = auto()
    """A free cell."""
    HOUSE = auto()
    PARK = auto()
    SCHOOL = auto()
    BAKERY = auto()
    BOOKSHOP = auto()
    FLORIST = auto()
    TOYS = auto()
    TRACK = auto()
    STATION = auto()
    TOWN_HALL = auto()


KINDS: Final = (
    Ink.MEADOW,
    Ink.HOUSE,
    Ink.PARK,
    Ink.SCHOOL,
    Ink.BAKERY,
    Ink.BOOKSHOP,
    Ink.FLORIST,
    Ink.TOYS,
    Ink.TRACK,
    Ink.STATION,
    Ink.TOWN_HALL,
)
"""By `Kind`: the ground of what stands on a cell."""
