"""The characters the board is drawn with, in three sets of equal widths.

`unicode` needs a font with box drawing; `safe` only what the Linux console and Windows' oldest
fonts have; `ascii` nothing. Every character takes one cell in every set.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.look import GlyphSet


class Frame(NamedTuple):
    """Corners from the upper left one clockwise, then the lines."""

    nw: str
    ne: str
    se: str
    sw: str
    across: str
    down: str


class Glyphs(NamedTuple):
    """`shapes` by roof colour, as on the wire: b g p r y. `walls` alternate from card to card."""

    hat: tuple[str, str]
    shapes: tuple[str, str, str, str, str]
    clock: str
    clock_mouse: str
    cat: str
    mouse: str
    windows: str
    walls: tuple[str, str]
    rule: str
    turn_rule: str
    turn: str
    ground: str
    legal: tuple[str, str]
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
    walls=("│", "║"),
    rule="─",
    turn_rule="━",
    turn="►",
    ground="━",
    legal=("‹", "›"),
    sending="…",
    back="▒",
    light=Frame("╭", "╮", "╯", "╰", "─", "│"),
    heavy=Frame("┏", "┓", "┛", "┗", "━", "┃"),
    dot="·",
    ellipsis="…",
)

_SAFE: Final = _UNICODE._replace(
    hat=("▄", "▄"),
    shapes=("•", "▼", "♦", "▲", "■"),
    mouse="oOo",
    windows=". .",
    walls=("|", "!"),
    turn_rule="═",
    ground="═",
    legal=("<", ">"),
    sending="~",
    light=Frame("┌", "┐", "┘", "└", "─", "│"),
    heavy=Frame("╔", "╗", "╝", "╚", "═", "║"),
    ellipsis="~",
)

_ASCII: Final = _SAFE._replace(
    hat=("/", "\\"),
    shapes=("o", "*", "+", "^", "#"),
    clock="(L)",
    rule="-",
    turn_rule="=",
    turn=">",
    ground="=",
    back="%",
    light=Frame(".", ".", "'", "'", "-", "|"),
    heavy=Frame("#", "#", "#", "#", "#", "#"),
    dot=".",
)

GLYPHS: Final[Mapping[GlyphSet, Glyphs]] = {
    GlyphSet.UNICODE: _UNICODE,
    GlyphSet.SAFE: _SAFE,
    GlyphSet.ASCII: _ASCII,
}
