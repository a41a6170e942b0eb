"""What a text on the board is (`paints` says how that looks), and what it is drawn with."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.frames import HEAVY, LIGHT, Frame


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


# Pictures of what stands on a square: small ones of 3x2 cells, with a letter in the middle of
# the second row, large ones of 5x2, and vast ones of 10x4. Tracks and free squares have none.


Picture = tuple[str, ...]
"""Rows of the same width."""


class Pictures(NamedTuple):
    """Each by `Kind`."""

    small: Sequence[Picture]
    large: Sequence[Picture]
    vast: Sequence[Picture]


def _by_kind(*drawn: Picture) -> tuple[Picture, ...]:
    """House, park, school, the four shops, station and town hall."""
    blank = tuple(" " * len(row) for row in drawn[0])
    return (blank, *drawn[:7], blank, *drawn[7:])


def _shop(ware: str) -> Picture:
    return "▀▄▀▄▀", f" {ware} {ware} "


def _wide_shop(ware: str) -> Picture:
    return "▗▄▄▄▄▄▄▄▄▖", "▝▀▄▀▄▀▄▀▄▘", f" ▌ {ware} {ware} ▐▐ ", " ▙▄▄▄▄▄▐▐ "


_SMALL: Final = _by_kind(
    ("▗█▖", "▐ ▌"),
    ("♣♣♣", "   "),
    (" ⚑ ", "▟ ▙"),
    *[("▀▄▀", "   ")] * 4,
    ("▄▄▄", "▌ ▐"),
    ("▙█▟", "█ █"),
)

_VAST: Final = _by_kind(
    ("   ▗██▖   ", " ▗██████▖ ", " ▐█▀██▀█▌ ", " ▐█▄▌▐▄█▌ "),
    ("  ▄█▄  ▄▖ ", " ▐███▌▐██▌", "  ▝█▘  ▐▌ ", "▁▁▁█▁▁▁▐▌▁"),
    ("    ▐▀▀   ", " ▗▄▄▟▙▄▄▖ ", " █▌▐██▌▐█ ", " ███▌▐███ "),
    *map(_wide_shop, "∞▤✿☻"),
    ("▄▄▄▄▄▄▄▄▄▄", " ▐▀▜██▛▀▌ ", " ▐▄▟▀▀▙▄▌ ", " ▐██▌▐██▌ "),
    ("    ▐▀▘   ", "▙▟▙▟██▙▟▙▟", "██▀▜██▛▀██", "██▄▟▌▐▙▄██"),
)

_UNICODE: Final = Pictures(
    _SMALL,
    _by_kind(
        (" ▟█▙ ", " █∩█ "),
        (" ♣ ♣ ", "♣ ♣ ♣"),
        ("  ⚑  ", "▟▪▪▪▙"),
        *map(_shop, "∞▤✿☻"),
        ("▄▄▄▄▄", "▌▣ ▣▐"),
        ("▙▄█▄▟", "█▪∩▪█"),
    ),
    _VAST,
)

_SAFER: Final = str.maketrans("▟▙▗▖▜▛▝▘▁▤✿⚑", "▄▄▄▄▀▀▀▀_≡☼¶")
"""What the Linux console lacks, and the nearest that it has."""


def _safer(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    return tuple(tuple(row.translate(_SAFER) for row in picture) for picture in pictures)


_SAFE: Final = Pictures(
    _safer(_SMALL),
    _by_kind(
        (" ▄█▄ ", " █∩█ "),
        (" ♣ ♣ ", "♣ ♣ ♣"),
        ("  ¶  ", "█■■■█"),
        *map(_shop, "∞≡☼☻"),
        ("▄▄▄▄▄", "▌■ ■▐"),
        ("█▄█▄█", "█■∩■█"),
    ),
    _safer(_VAST),
)


def _plain_shop(ware: str) -> Picture:
    return "^v^v^", f" {ware} {ware} "


def _plain_wide_shop(ware: str) -> Picture:
    return " ________ ", " \\/\\/\\/\\/ ", f" | {ware}  {ware} | ", " |__[]__| "


_ASCII: Final = Pictures(
    _by_kind(
        ("/^\\", "| |"),
        ("&&&", "   "),
        (" ! ", "[ ]"),
        *[("^v^", "   ")] * 4,
        ("===", "| |"),
        ("/A\\", "| |"),
    ),
    _by_kind(
        (" /^\\ ", " |n| "),
        (" & & ", "& & &"),
        ("  !  ", "[:::]"),
        *map(_plain_shop, "%=@o"),
        ("=====", "|$ $|"),
        (" _A_ ", "|:n:|"),
    ),
    _by_kind(
        ("    /\\    ", "   /  \\   ", "  | [] |  ", "  |_||_|  "),
        ("   &   &  ", "  &&& &&& ", "   |   |  ", "  ~~~~~~~ "),
        ("    |>    ", "  __|___  ", " |: :: :| ", " |__[]__| "),
        *map(_plain_wide_shop, "%=@o"),
        (" ________ ", " |$|  |$| ", " | |  | | ", " |_|[]|_| "),
        ("    _A_   ", "  _|: :|_ ", " |: : : :|", " |__|n|__|"),
    ),
)

PICTURES: Final[Mapping[GlyphSet, Pictures]] = {
    GlyphSet.UNICODE: _UNICODE,
    GlyphSet.SAFE: _SAFE,
    GlyphSet.ASCII: _ASCII,
}


# The characters the boards are drawn with, in three sets of equal widths.
#
# `unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console
# and Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


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


_glyphs_UNICODE: Final = Glyphs(
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

_glyphs_SAFE: Final = _glyphs_UNICODE._replace(
    signs="·⌂♣¶∞≡☼☻═■∩",
    pictures=PICTURES[GlyphSet.SAFE],
    tile=LIGHT[GlyphSet.SAFE],
    ghost=HEAVY[GlyphSet.SAFE],
    cross="x",
    becomes=">",
    sending="~",
    ellipsis="~",
)

_glyphs_ASCII: Final = _glyphs_SAFE._replace(
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
    GlyphSet.UNICODE: _glyphs_UNICODE,
    GlyphSet.SAFE: _glyphs_SAFE,
    GlyphSet.ASCII: _glyphs_ASCII,
}
