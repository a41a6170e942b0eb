"""What a text on the board is (`paints` says how that looks), and the characters it is made of."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


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


# The characters the board is drawn with, in three sets of equal widths.
#
# `unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console
# and Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


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
