"""The characters the boards are drawn with, in three sets of equal widths.

`unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console and
Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame

Picture = tuple[str, str]


class Glyphs(NamedTuple):
    """`signs` by `Kind`. `pictures` too, each two rows of five cells, for large boards; tracks are
    drawn as they join. `rails`: a track by the sides on which it is joined, a bit each: 1 right,
    2 below, 4 left, 8 above. `cross` stands in the corners of what
    does not fit, `fresh` round what others have just placed."""

    signs: str
    pictures: tuple[Picture, ...]
    rails: str
    tile: Frame
    ghost: Frame
    cross: str
    free: str
    gem: str
    turn: str
    fresh: tuple[str, str]
    link: str
    sending: str
    ellipsis: str


def _shop(awning: str, ware: str) -> Picture:
    return awning, f" {ware} {ware} "


_UNICODE: Final = Glyphs(
    signs="·⌂♣⚑∞▤✿☻═▣♜",
    pictures=(
        ("     ", "     "),
        (" ▟█▙ ", " █∩█ "),
        (" ♣ ♣ ", "♣ ♣ ♣"),
        ("  ⚑  ", "▟▪▪▪▙"),
        _shop("▀▄▀▄▀", "∞"),
        _shop("▀▄▀▄▀", "▤"),
        _shop("▀▄▀▄▀", "✿"),
        _shop("▀▄▀▄▀", "☻"),
        ("     ", "     "),
        ("▄▄▄▄▄", "▌▣ ▣▐"),
        ("▙▄█▄▟", "█▪∩▪█"),
    ),
    rails="══║╔═══╦║╚║╠╝╩╣╬",
    tile=LIGHT[GlyphSet.UNICODE],
    ghost=HEAVY[GlyphSet.UNICODE],
    cross="×",
    free="·",
    gem="♦",
    turn="►",
    fresh=("»", "«"),
    link="─",
    sending="…",
    ellipsis="…",
)

_SAFE: Final = _UNICODE._replace(
    signs="·⌂♣¶∞≡☼☻═■∩",
    pictures=(
        ("     ", "     "),
        (" ▄█▄ ", " █∩█ "),
        (" ♣ ♣ ", "♣ ♣ ♣"),
        ("  ¶  ", "█■■■█"),
        _shop("▀▄▀▄▀", "∞"),
        _shop("▀▄▀▄▀", "≡"),
        _shop("▀▄▀▄▀", "☼"),
        _shop("▀▄▀▄▀", "☻"),
        ("     ", "     "),
        ("▄▄▄▄▄", "▌■ ■▐"),
        ("█▄█▄█", "█■∩■█"),
    ),
    tile=LIGHT[GlyphSet.SAFE],
    ghost=HEAVY[GlyphSet.SAFE],
    cross="x",
    sending="~",
    ellipsis="~",
)

_ASCII: Final = _SAFE._replace(
    signs=".^&!%=@o-$A",
    pictures=(
        ("     ", "     "),
        (" /^\\ ", " |n| "),
        (" & & ", "& & &"),
        ("  !  ", "[:::]"),
        _shop("^v^v^", "%"),
        _shop("^v^v^", "="),
        _shop("^v^v^", "@"),
        _shop("^v^v^", "o"),
        ("     ", "     "),
        ("=====", "|$ $|"),
        (" _A_ ", "|:n:|"),
    ),
    rails="--|+---+|+|+++++",
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
