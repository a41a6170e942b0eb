"""The characters the board is drawn with, in three sets of equal widths.

`unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console and
Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


class Glyphs(NamedTuple):
    """`signs`: of objects and suits by feature; a colour has none. `arrows`: right, down, left, up.
    `fresh` stands round what was just played. `pick`, `shot`, `pair`: see `wheel`. `halves`: a cell
    with its upper, its lower and both halves full. `cross`: between two cards that speak against a
    pattern. `none`: a colour that is not there."""

    signs: Mapping[int, str]
    card: Frame
    pick: Frame
    shot: Frame
    pair: Frame
    arrows: str
    fresh: tuple[str, str]
    back: str
    halves: str
    cross: str
    none: str
    turn: str
    sending: str
    ellipsis: str


def _signs(objects: str, suits: str) -> Mapping[int, str]:
    return {**dict(enumerate(objects)), **dict(enumerate(suits, 13))}


_UNICODE: Final = Glyphs(
    signs=_signs("⌐♦★♙Ω¡Θ☻", "¢•"),
    card=LIGHT[GlyphSet.UNICODE],
    pick=HEAVY[GlyphSet.UNICODE],
    shot=HEAVY[GlyphSet.SAFE],
    pair=Frame("▛", "▜", "▟", "▙", "▀", "", "▄"),
    arrows="→↓←↑",
    fresh=("»", "«"),
    back="░",
    halves="▀▄█",
    cross="x",
    none="·",
    turn="►",
    sending="…",
    ellipsis="…",
)

_SAFE: Final = _UNICODE._replace(
    signs=_signs("⌐♦☼♀Ω¡Θ☻", "¢•"),
    card=LIGHT[GlyphSet.SAFE],
    pick=HEAVY[GlyphSet.SAFE],
    shot=Frame("█", "█", "█", "█", "▀", "█", "▄"),
    pair=Frame("▒", "▒", "▒", "▒", "▒", ""),
    sending="~",
    ellipsis="~",
)

_ASCII: Final = _SAFE._replace(
    signs=_signs("/&*!)=%@", "$:"),
    card=LIGHT[GlyphSet.ASCII],
    pick=HEAVY[GlyphSet.ASCII],
    shot=Frame(*"******"),
    pair=Frame("+", "+", "+", "+", "+", ""),
    arrows=">v<^",
    fresh=(">", "<"),
    back=".",
    halves='"_#',
    none=".",
    turn=">",
)

GLYPHS: Final[Mapping[GlyphSet, Glyphs]] = {
    GlyphSet.UNICODE: _UNICODE,
    GlyphSet.SAFE: _SAFE,
    GlyphSet.ASCII: _ASCII,
}
