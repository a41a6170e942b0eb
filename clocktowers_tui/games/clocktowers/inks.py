"""What a piece of text is (`Ink`) and how that looks, with colours and without.

Laws: no ink is told from another by colour alone, the glyphs always say it too; the roofs' colours
are Okabe and Ito's, black on each of them has a contrast of 4.9 or more.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from rich.style import Style


class Ink(Enum):
    """Walls, windows and animals come in two tints, which alternate from card to card."""

    PLAIN = auto()
    BOLD = auto()
    DIM = auto()
    TURN = auto()
    MARKED = auto()
    GROUND = auto()
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
    CAT = auto()
    MOUSE = auto()
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

_TINTS: Final = ("#3a3129", "#4e433a")
_ROOFS: Final = ("#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#f0e442")

_BARE: Final[Mapping[Ink, Style]] = {
    Ink.PLAIN: Style(),
    Ink.BOLD: Style(bold=True),
    Ink.DIM: Style(dim=True),
    Ink.TURN: Style(bold=True),
    Ink.MARKED: Style(bold=True, reverse=True),
    **dict.fromkeys(ROOFS, Style(bold=True, reverse=True)),
    **dict.fromkeys((*CATS, *MICE, *CLOCKS, Ink.CAT, Ink.MOUSE), Style(bold=True)),
}

COLOURLESS: Final[Mapping[Ink, Style]] = {ink: _BARE.get(ink, Style()) for ink in Ink}
"""Bold, dim and reverse, and not one colour (NO_COLOR)."""


def _tinted(inks: tuple[Ink, Ink], color: str, *, bold: bool) -> dict[Ink, Style]:
    pairs = zip(inks, _TINTS, strict=True)
    return {ink: Style(color=color, bgcolor=tint, bold=bold) for ink, tint in pairs}


COLOURED: Final[Mapping[Ink, Style]] = {
    **COLOURLESS,
    Ink.TURN: Style(color="#ff9f2e", bold=True),
    Ink.GROUND: Style(color="#7a8f5c"),
    **_tinted(WALLS, "#b09a84", bold=False),
    **_tinted(WINDOWS, "#ffd866", bold=False),
    **_tinted(CATS, "#ffa94d", bold=True),
    **_tinted(MICE, "#b5dcf5", bold=True),
    **_tinted(CLOCKS, "#f5f0e8", bold=True),
    Ink.CAT: Style(color="#ffa94d", bold=True),
    Ink.MOUSE: Style(color="#b5dcf5", bold=True),
    **{
        ink: Style(color="#000000", bgcolor=c, bold=True)
        for ink, c in zip(ROOFS, _ROOFS, strict=True)
    },
    **{ink: Style(color=c, bold=True) for ink, c in zip(HATS, _ROOFS, strict=True)},
}
