"""The characters the boards are drawn with, in three sets of equal widths.

`unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console and
Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti.pictures import PICTURES, Pictures
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


class Glyphs(NamedTuple):
    """`signs` by `Kind`. `rails`: a track by the sides on which it is joined, a bit each: 1 right,
    2 below, 4 left, 8 above; `sleepers`: across and upright, on large boards. `cross` stands in the
    corners of what does not fit, `fresh` round what others have just placed, `becomes` between a
    number now and then."""

    signs: str
    pictures: Pictures
    rails: str
    sleepers: str
    tile: Frame
    ghost: Frame
    cross: str
    free: str
    gem: str
    turn: str
    fresh: tuple[str, str]
    link: str
    becomes: str
    sending: str
    ellipsis: str


_UNICODE: Final = Glyphs(
    signs="·⌂♣⚑∞▤✿☻═▣♜",
    pictures=PICTURES[GlyphSet.UNICODE],
    rails="══║╔═══╦║╚║╠╝╩╣╬",
    sleepers="╪╫",
    tile=LIGHT[GlyphSet.UNICODE],
    ghost=HEAVY[GlyphSet.UNICODE],
    cross="×",
    free="·",
    gem="♦",
    turn="►",
    fresh=("»", "«"),
    link="─",
    becomes="→",
    sending="…",
    ellipsis="…",
)

_SAFE: Final = _UNICODE._replace(
    signs="·⌂♣¶∞≡☼☻═■∩",
    pictures=PICTURES[GlyphSet.SAFE],
    tile=LIGHT[GlyphSet.SAFE],
    ghost=HEAVY[GlyphSet.SAFE],
    cross="x",
    becomes=">",
    sending="~",
    ellipsis="~",
)

_ASCII: Final = _SAFE._replace(
    signs=".^&!%=@o-$A",
    pictures=PICTURES[GlyphSet.ASCII],
    rails="--|+---+|+|+++++",
    sleepers="++",
    tile=LIGHT[GlyphSet.ASCII],
    ghost=HEAVY[GlyphSet.ASCII],
    free=".",
    gem="*",
    turn=">",
    fresh=(">", "<"),
    link="-",
)

GLYPHS: Final[Mapping[GlyphSet, Glyphs]] = {
    GlyphSet.UNICODE: _UNICODE,
    GlyphSet.SAFE: _SAFE,
    GlyphSet.ASCII: _ASCII,
}
