"""Pictures of what stands on a square: small ones of 3x2 cells, with a letter in the middle of the
second row, large ones of 5x2, and vast ones of 10x4. Tracks and free squares have none.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.config.look import GlyphSet

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
