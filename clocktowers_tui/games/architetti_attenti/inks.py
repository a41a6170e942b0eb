"""What a text on the board is, how that looks in each palette, and what it is drawn with.

`painting` has the laws and what is alike on all boards.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.config.look import Tones
from clocktowers_tui.games.painting import Inks, Paint, Painting, by_glyphs, paints, sets
from clocktowers_tui.games.spans import Frame
from protocol.games.architetti_attenti.board import Kind

Ink = Enum(
    "Ink",
    """
    GEM GAIN LOSS MISFIT
    FREE HOUSE PARK SCHOOL BAKERY BOOKSHOP FLORIST TOYS TRACK STATION TOWN_HALL
    """,
)
"""`MISFIT`: the tile that is about to be placed, where it does not fit; `FREE`: a free cell."""


KINDS: Final = tuple(Ink[kind.name] for kind in Kind)
"""By `Kind`: the ground of what stands on a cell, a free one first."""


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
        *(("^v^v^", f" {ware} {ware} ") for ware in "%=@o"),
        ("=====", "|$ $|"),
        (" _A_ ", "|:n:|"),
    ),
    _by_kind(
        ("    /\\    ", "   /  \\   ", "  | [] |  ", "  |_||_|  "),
        ("   &   &  ", "  &&& &&& ", "   |   |  ", "  ~~~~~~~ "),
        ("    |>    ", "  __|___  ", " |: :: :| ", " |__[]__| "),
        *(
            (" ________ ", " \\/\\/\\/\\/ ", f" | {ware}  {ware} | ", " |__[]__| ")
            for ware in "%=@o"
        ),
        (" ________ ", " |$|  |$| ", " | |  | | ", " |_|[]|_| "),
        ("    _A_   ", "  _|: :|_ ", " |: : : :|", " |__|n|__|"),
    ),
)


# The characters the boards are drawn with.
#
# `unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console
# and Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


class Glyphs(NamedTuple):
    """`signs` by `Kind`. `rails`: a track by the sides on which it is joined, a bit each: 1 right,
    2 below, 4 left, 8 above; `thin`: of one that scores nothing; `sleepers`: across and upright, on
    large boards. `cross` stands in the corners of what does not fit, `fresh` round what others have
    just placed, `becomes` between a number now and then."""

    light: Frame
    heavy: Frame
    turn: str
    sending: str
    ellipsis: str
    signs: str = sets("·⌂♣⚑∞▤✿☻═▣♜", "·⌂♣¶∞≡☼☻═■∩", ".^&!%=@o-$A")
    pictures: Pictures = sets(_UNICODE, _SAFE, _ASCII)
    rails: str = sets("══║╔═══╦║╚║╠╝╩╣╬", "══║╔═══╦║╚║╠╝╩╣╬", "--|+---+|+|+++++")
    thin: str = sets("──│┌───┬│└│├┘┴┤┼", "──│┌───┬│└│├┘┴┤┼", "..:.....:.:.....")
    sleepers: str = sets("╪╫", "╪╫", "++")
    cross: str = sets("×", "x")
    free: str = sets("·", "·", ".")
    gem: str = sets("♦", "♦", "*")
    fresh: str = sets("»«", "»«", "><")
    link: str = sets("─", "─", "-")
    becomes: str = sets("→", ">")


GLYPHS: Final = by_glyphs(Glyphs)


# How every ink looks in each palette -------------------------------------------------------------


# The colours of gruvbox, nord and catppuccin are published where `config.look` says. Those for
# colour-blind eyes are Okabe and Ito's; the four shops share one, for no score asks which of them
# is which but by telling them apart, and that the letters do for every kind of eyes. In the
# terminal's own sixteen kinds look alike two by two; outside the tiles bold, dim and reverse must
# do.
_PAINTS: Final = paints(
    """
gem        #6fd3ff  #00568a  #83a598  #88c0d0  #74c7ec  #8fe3ff  #6fd3ff  -
meadow     #12221a  #e6efd9  #222b1c  #2f3f3a  #1b2f2a  #001f00  #12221a  -
  text     #649e66  #3f6b38  #8ec07c  #a3be8c  #a6e3a1  #5fff5f  #649e66  -
house      #80461a  #f2c6b3  #af3a03  #d08770  #eba0ac  #ff9a66  #d55e00  color(1)
  text     #ffffff  #5a1d08  #fbf1c7  #000000  #000000  #000000  #000000  color(15)
park       #0f5523  #bfe3b4  #98971a  #a3be8c  #a6e3a1  #5fff5f  #009e73  color(2)
  text     #baf3b3  #123f16  #000000  #000000  #000000  #000000  #000000  color(0)
school     #5c4a0e  #f2dd86  #fabd2f  #ebcb8b  #f9e2af  #ffd84d  #e69f00  color(3)
  text     #ffe991  #493700  #000000  #000000  #000000  #000000  #000000  color(0)
bakery     #5a1a80  #e0c8f0  #d3869b  #b48ead  #cba6f7  #d9b3ff  #cc79a7  color(5)
  text     #eccfff  #42185e  #000000  #000000  #000000  #000000  #000000  color(15)
bookshop   #1c2a86  #c8d2f7  #83a598  #81a1c1  #89b4fa  #9fc0ff  #cc79a7  color(5)
  text     #ccd5ff  #16246b  #000000  #000000  #000000  #000000  #000000  color(15)
florist    #821c5c  #f5c3dc  #b16286  #88c0d0  #f5c2e7  #ff9fe0  #cc79a7  color(5)
  text     #ffc8e3  #650c3f  #000000  #000000  #000000  #000000  #000000  color(15)
toys       #154c5a  #b5e3ec  #8ec07c  #8fbcbb  #94e2d5  #5ff0ff  #cc79a7  color(5)
  text     #b6f2ff  #083f4c  #000000  #000000  #000000  #000000  #000000  color(15)
track      #30343b  #d8d3ca  #504945  #4c566a  #45475a  #3a3a3a  #56b4e9  color(7)
  text     #dfe3ea  #2e2a25  #fbf1c7  #eceff4  #cdd6f4  #ffffff  #000000  color(0)
station    #4d545e  #bdb7ad  #a89984  #d8dee9  #9399b2  #c8c8c8  #005a8f  color(4)
  text     #ffffff  #1b1815  #000000  #000000  #000000  #000000  #ffffff  color(15)
town_hall  #8a2323  #b33a2e  #9d0006  #bf616a  #f5e0dc  #ffffff  #bbbbbb  color(15)
  text     #ffeadf  #ffffff  #fbf1c7  #000000  #000000  #000000  #000000  color(0)
"""
)


def _own(paint: Paint, tones: Tones) -> Inks:
    meadow, *kinds = KINDS
    return {
        Ink.GEM: Style(color=paint["gem"].colour or None),
        meadow: paint["meadow"].style() if paint["meadow"].colour else Style(dim=True),
        Ink.GAIN: Style(color=tones.success or None, bold=not tones.success),
        Ink.LOSS: Style(color=tones.danger or None, bold=not tones.danger),
        Ink.MISFIT: Style(color=tones.turn or None),
        **{kind: paint[kind.name.lower()].style() for kind in kinds},
    }


PAINTING: Final = Painting(
    Ink,
    _PAINTS,
    own=_own,
    bare={
        Ink.FREE: Style(dim=True),
        **dict.fromkeys((Ink.GAIN, Ink.LOSS, Ink.TOWN_HALL), Style(bold=True)),
    },
)
