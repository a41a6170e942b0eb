"""What a text on the board is (`paints` says how that looks), and the characters it is made of."""

from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from typing import Final, NamedTuple

from clocktowers_tui.config.look import Colours, GlyphSet, Look
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


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


# The characters the board is drawn with, in three sets of equal widths.
#
# `unicode` needs a font with box drawing; `safe` only what the Linux console and Windows'
# oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


class Glyphs(NamedTuple):
    """`shapes` by roof colour, as on the wire: b g p r y. `walls` alternate from card to card;
    `belfry` are those of a clock.

    `windows` are lit, in a complete tower; `dark` ones are not; `panes` are those of the huge art.
    `stars`, `moon` and `far`, roofs of two rows each, are behind the towers. `dial` and `sill` are
    for the large art; `legal` stands round the number of a tower that takes the card, `fresh`
    round one that others have just built on.
    """

    hat: tuple[str, str]
    shapes: tuple[str, str, str, str, str]
    clock: str
    clock_mouse: str
    cat: str
    mouse: str
    windows: str
    dark: str
    dial: tuple[str, str, str]
    hands: str
    panes: tuple[str, str]
    dark_panes: tuple[str, str]
    sill: str
    walls: tuple[str, str]
    belfry: tuple[str, str]
    rule: str
    turn_rule: str
    turn: str
    ground: str
    stars: tuple[str, ...]
    moon: tuple[str, ...]
    small_moon: tuple[str, ...]
    far: tuple[tuple[str, str], ...]
    legal: tuple[str, str]
    fresh: tuple[str, str]
    step: str
    sending: str
    back: str
    light: Frame
    heavy: Frame
    dot: str
    ellipsis: str


_UNICODE: Final = Glyphs(
    hat=("▟", "▙"),
    shapes=("●", "▼", "◊", "▲", "■"),
    clock="(└)",
    clock_mouse="(m)",
    cat="^.^",
    mouse="°o°",
    windows="▪ ▪",
    dark="▫ ▫",
    dial=("╭───╮", "│ └╴│", "╰───╯"),
    hands="└──",
    panes=("▄▄", "██"),
    dark_panes=("╭╮", "╰╯"),
    sill="▁",
    walls=("│", "║"),
    belfry=("▐", "▌"),
    rule="─",
    turn_rule="━",
    turn="►",
    ground="━",
    stars=("·", ".", "˙"),
    moon=(" ▗▟▘", " █▌ ", " ▝▜▖"),
    small_moon=("☾",),
    far=(
        ("      ", "▄▄▄▄▄▄"),
        (" ▟██▙ ", "▟████▙"),
        ("  ▟▙  ", "▄▄██▄▄"),
        ("   ▖  ", "▟████▙"),
        (" ▗▖   ", " ▐▌▄▄▄"),
        ("      ", "  ▄▄▄ "),
        ("      ", " ▟██▙ "),
    ),
    legal=("‹", "›"),
    fresh=("»", "«"),
    step="→",
    sending="…",
    back="▒",
    light=LIGHT[GlyphSet.UNICODE],
    heavy=HEAVY[GlyphSet.UNICODE],
    dot="·",
    ellipsis="…",
)

_SAFE: Final = _UNICODE._replace(
    hat=("▄", "▄"),
    shapes=("•", "▼", "♦", "▲", "■"),
    mouse="oOo",
    windows="■ ■",
    dark="· ·",
    dial=("┌───┐", "│ └ │", "└───┘"),
    dark_panes=("┌┐", "└┘"),
    sill="_",
    walls=("|", "!"),
    turn_rule="═",
    ground="═",
    stars=("·", ".", "'"),
    moon=(" ▄▀ ", " █  ", " ▀▄ "),
    small_moon=("(",),
    far=(),
    legal=("<", ">"),
    step=">",
    sending="~",
    light=LIGHT[GlyphSet.SAFE],
    heavy=HEAVY[GlyphSet.SAFE],
    ellipsis="~",
)

_ASCII: Final = _SAFE._replace(
    hat=("/", "\\"),
    shapes=("o", "*", "+", "^", "#"),
    clock="(L)",
    belfry=("[", "]"),
    windows="# #",
    dark=". .",
    dial=(".---.", "| L |", "'---'"),
    hands="L__",
    panes=("##", "##"),
    dark_panes=("..", "''"),
    rule="-",
    turn_rule="=",
    turn=">",
    fresh=("*", "*"),
    ground="=",
    stars=(".", "'", "."),
    moon=("  _ ", " (  ", "  ~ "),
    back="%",
    light=LIGHT[GlyphSet.ASCII],
    heavy=HEAVY[GlyphSet.ASCII],
    dot=".",
)

GLYPHS: Final[Mapping[GlyphSet, Glyphs]] = {
    GlyphSet.UNICODE: _UNICODE,
    GlyphSet.SAFE: _SAFE,
    GlyphSet.ASCII: _ASCII,
}


@cache
def glyphs_of(look: Look) -> Glyphs:
    """Far roofs are a shade of the ground: a look without such shades has none."""
    shades = not look.ansi and look.colours is not Colours.NONE
    glyphs = GLYPHS[look.glyphs]
    return glyphs if shades else glyphs._replace(far=())
