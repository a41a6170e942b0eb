"""What a piece of text on the board is; `paints` says how that looks.

Law: no ink is told from another by colour alone, the glyphs always say it too.
"""

from enum import Enum, auto
from typing import Final


class Ink(Enum):
    """Walls, windows, animals and dials come in two tints, which alternate from card to card."""

    BOLD = auto()
    DIM = auto()
    TURN = auto()
    MARKED = auto()
    FRESH = auto()
    TAG = auto()
    NOTE = auto()
    GROUND = auto()
    STAR = auto()
    MOON = auto()
    FAR = auto()
    """Roofs so pale that nobody takes them for towers."""
    LAMP = auto()
    WALL_0 = auto()
    WALL_1 = auto()
    WINDOW_0 = auto()
    WINDOW_1 = auto()
    CAT_0 = auto()
    CAT_1 = auto()
    MOUSE_0 = auto()
    MOUSE_1 = auto()
    CLOCK_0 = auto()
    CLOCK_1 = auto()
    ROOF_B = auto()
    ROOF_G = auto()
    ROOF_P = auto()
    ROOF_R = auto()
    ROOF_Y = auto()
    HAT_B = auto()
    HAT_G = auto()
    HAT_P = auto()
    HAT_R = auto()
    HAT_Y = auto()


WALLS: Final = (Ink.WALL_0, Ink.WALL_1)
WINDOWS: Final = (Ink.WINDOW_0, Ink.WINDOW_1)
CATS: Final = (Ink.CAT_0, Ink.CAT_1)
MICE: Final = (Ink.MOUSE_0, Ink.MOUSE_1)
CLOCKS: Final = (Ink.CLOCK_0, Ink.CLOCK_1)
ROOFS: Final = (Ink.ROOF_B, Ink.ROOF_G, Ink.ROOF_P, Ink.ROOF_R, Ink.ROOF_Y)
"""By colour, as on the wire: b g p r y."""
HATS: Final = (Ink.HAT_B, Ink.HAT_G, Ink.HAT_P, Ink.HAT_R, Ink.HAT_Y)
"""The slopes of the roofs, on the sky."""
NIGHT: Final = (Ink.STAR, Ink.MOON, Ink.FAR, Ink.LAMP)
"""What is behind the towers."""
