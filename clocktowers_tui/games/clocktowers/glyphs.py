"""The characters the board is drawn with, in three sets of equal widths.

`unicode` needs a font with box drawing; `safe` only what the Linux console and Windows' oldest
fonts have; `ascii` nothing. Every character takes one cell in every set.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


class Glyphs(NamedTuple):
    """`shapes` by roof colour, as on the wire: b g p r y. `walls` alternate from card to card.

    `dial` and `sill` are for the large art; `legal` stands round the number of a tower that takes
    the card, `fresh` round one that others have just built on.
    """

    hat: tuple[str, str]
    shapes: tuple[str, str, str, str, str]
    clock: str
    clock_mouse: str
    cat: str
    mouse: str
    windows: str
    dial: tuple[str, str, str]
    sill: str
    walls: tuple[str, str]
    rule: str
    turn_rule: str
    turn: str
    ground: str
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
    dial=("╭───╮", "│ └╴│", "╰───╯"),
    sill="▁",
    walls=("│", "║"),
    rule="─",
    turn_rule="━",
    turn="►",
    ground="━",
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
    dial=("┌───┐", "│ └ │", "└───┘"),
    sill="_",
    walls=("|", "!"),
    turn_rule="═",
    ground="═",
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
    windows=". .",
    dial=(".---.", "| L |", "'---'"),
    rule="-",
    turn_rule="=",
    turn=">",
    fresh=("*", "*"),
    ground="=",
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
