"""What a text on the board is, how that looks in each palette, and the characters it is made of.

`painting` has the laws and what is alike on all boards.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.config.look import GlyphSet, Tones
from clocktowers_tui.games.painting import Inks, Paint, Painting, by_glyphs, paints, sets
from clocktowers_tui.games.spans import HEAVY, Frame


class Ink(Enum):
    MONEY = auto()
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


# The characters the board is drawn with.
#
# `unicode` needs a font with box drawing and a few signs; `safe` only what the Linux console
# and Windows' oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


def _signs(objects: str, suits: str) -> Mapping[int, str]:
    return {**dict(enumerate(objects)), **dict(enumerate(suits, 13))}


class Glyphs(NamedTuple):
    """`signs`: of objects and suits by feature; a colour has none. `arrows`: right, down, left, up.
    `fresh` stands round what was just played. `heavy`, `shot`, `pair`: see `wheel`. `halves`: a
    cell with its upper, its lower and both halves full. `cross`: between two cards that speak
    against a pattern. `none`: a colour that is not there."""

    light: Frame
    heavy: Frame
    turn: str
    sending: str
    ellipsis: str
    signs: Mapping[int, str] = sets(
        _signs("⌐♦★♙Ω¡Θ☻", "¢•"), _signs("⌐♦☼♀Ω¡Θ☻", "¢•"), _signs("/&*!)=%@", "$:")
    )
    shot: Frame = sets(HEAVY[GlyphSet.SAFE], Frame(*"████▀█▄"), Frame(*"******"))
    pair: Frame = sets(
        Frame("▛", "▜", "▟", "▙", "▀", "", "▄"),
        Frame("▒", "▒", "▒", "▒", "▒", ""),
        Frame("+", "+", "+", "+", "+", ""),
    )
    arrows: str = sets("→↓←↑", "→↓←↑", ">v<^")
    fresh: str = sets("»«", "»«", "><")
    back: str = sets("░", "░", ".")
    halves: str = sets("▀▄█", "▀▄█", '"_#')
    cross: str = sets("x")
    none: str = sets("·", "·", ".")


GLYPHS: Final = by_glyphs(Glyphs)


# How every ink looks in each palette -------------------------------------------------------------


# The cards for colour-blind eyes are Okabe and Ito's; the colours of gruvbox, nord and catppuccin
# are published where `config.look` says. In the terminal's own sixteen cards look alike two by two;
# outside the cards bold, dim and reverse must do.
_PAINTS: Final = paints(
    """
money      #7fdc8a  #1d5f2a  #b8bb26  #a3be8c  #a6e3a1  #5fff5f  #7fdc8a  -
challenge  #4b2b5e  #e0c8f0  #d3869b  #b48ead  #cba6f7  #d9b3ff  #4b2b5e  color(5)
  text     #eccfff  #42185e  #000000  #000000  #000000  #000000  #eccfff  color(15)
red        #862121  #c23b30  #9d0006  #bf616a  #f38ba8  #ff8c7a  #d55e00  color(1)
  text     #ffe0da  #ffffff  #fbf1c7  #000000  #000000  #000000  #000000  color(15)
azure      #17568a  #1f6fb0  #83a598  #81a1c1  #89b4fa  #6fc3ff  #56b4e9  color(4)
  text     #dff1ff  #ffffff  #000000  #000000  #000000  #000000  #000000  color(15)
yellow     #d9b430  #eccb4a  #fabd2f  #ebcb8b  #f9e2af  #ffee33  #f0e442  color(3)
  text     #221a00  #3a2c00  #000000  #000000  #000000  #000000  #000000  color(0)
grey       #4d545e  #a39c92  #504945  #4c566a  #585b70  #3a3a3a  #4d4d4d  color(7)
  text     #ffffff  #14110e  #fbf1c7  #eceff4  #ffffff  #ffffff  #ffffff  color(0)
white      #f0ede6  #ffffff  #fbf1c7  #eceff4  #f5e0dc  #ffffff  #ffffff  color(15)
  text     #1c1a17  #2e2a25  #000000  #000000  #000000  #000000  #000000  color(0)
"""
)


def _own(paint: Paint, tones: Tones) -> Inks:
    return {
        Ink.SUIT: Style(),
        Ink.MONEY: Style(color=paint["money"].colour or None),
        Ink.CHALLENGE: paint["challenge"].style(),
        Ink.HIT: Style(color=tones.success or None, bold=True),
        Ink.WRONG: Style(color=tones.danger or None, bold=True),
        **{ink: paint[ink.name.lower()].style() for ink in COLOURS},
    }


PAINTING: Final = Painting(
    Ink,
    _PAINTS,
    own=_own,
    bare={
        **dict.fromkeys((Ink.HIT, Ink.WRONG), Style(bold=True)),
        Ink.SUIT: Style(bold=True, reverse=True),
    },
)
