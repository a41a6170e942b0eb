"""What a text on the board is, how that looks in each palette, and the characters it is made of.

`painting` has the laws and what is alike on all boards. Slopes and the ground line are exceptions,
because they say nothing: with the terminal's sixteen colours they stand on a background that is not
ours.
"""

from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet
from rich.style import Style

from clocktowers_tui.config.look import Colours, Look, Tones
from clocktowers_tui.games.painting import Inks, Paint, Painting, by_glyphs, paints, sets
from clocktowers_tui.games.spans import Frame

Ink = Enum(
    "Ink",
    """
    NOTE GROUND STAR MOON FAR LAMP
    WALL_0 WALL_1 WINDOW_0 WINDOW_1 CAT_0 CAT_1 MOUSE_0 MOUSE_1 CLOCK_0 CLOCK_1
    ROOF_B ROOF_G ROOF_P ROOF_R ROOF_Y HAT_B HAT_G HAT_P HAT_R HAT_Y
    """,
)
"""`FAR`: roofs so pale that nobody takes them for towers. Walls, windows, animals and dials come in
two tints, which alternate from card to card."""


WALLS: Final = (Ink.WALL_0, Ink.WALL_1)
WINDOWS: Final = (Ink.WINDOW_0, Ink.WINDOW_1)
CATS: Final = (Ink.CAT_0, Ink.CAT_1)
MICE: Final = (Ink.MOUSE_0, Ink.MOUSE_1)
CLOCKS: Final = (Ink.CLOCK_0, Ink.CLOCK_1)
ROOFS: Final = (Ink.ROOF_B, Ink.ROOF_G, Ink.ROOF_P, Ink.ROOF_R, Ink.ROOF_Y)
"""By colour, as on the wire: b g p r y."""
HATS: Final = (Ink.HAT_B, Ink.HAT_G, Ink.HAT_P, Ink.HAT_R, Ink.HAT_Y)
"""The slopes of the roofs, on the sky."""
NIGHT: Final = (Ink.STAR, Ink.MOON, Ink.FAR, Ink.LAMP)
"""What is behind the towers."""


# The characters the board is drawn with.
#
# `unicode` needs a font with box drawing; `safe` only what the Linux console and Windows'
# oldest fonts have; `ascii` nothing. Every character takes one cell in every set.


_FAR: Final = (
    ("      ", "▄▄▄▄▄▄"),
    (" ▟██▙ ", "▟████▙"),
    ("  ▟▙  ", "▄▄██▄▄"),
    ("   ▖  ", "▟████▙"),
    (" ▗▖   ", " ▐▌▄▄▄"),
    ("      ", "  ▄▄▄ "),
    ("      ", " ▟██▙ "),
)


class Glyphs(NamedTuple):
    """`shapes` by roof colour, as on the wire: b g p r y. `walls` alternate from card to card;
    `belfry` are those of a clock.

    `windows` are lit, in a complete tower; `dark` ones are not; `panes` are those of the huge art.
    `stars`, `moon` and `far`, roofs of two rows each, are behind the towers. `dial` and `sill` are
    for the large art; `legal` stands round the key for a discard, `fresh` round the number of a
    tower that others have just built on.
    """

    turn: str
    sending: str
    light: Frame
    heavy: Frame
    ellipsis: str
    hat: str = sets("▟▙", "▄▄", "/\\")
    shapes: str = sets("●▼◊▲■", "•▼♦▲■", "o*+^#")
    clock: str = sets("(└)", "(└)", "(L)")
    clock_mouse: str = sets("(m)")
    cat: str = sets("^.^")
    mouse: str = sets("°o°", "oOo")
    windows: str = sets("▪ ▪", "■ ■", "# #")
    dark: str = sets("▫ ▫", "· ·", ". .")
    dial: tuple[str, str, str] = sets(
        ("╭───╮", "│ └╴│", "╰───╯"), ("┌───┐", "│ └ │", "└───┘"), (".---.", "| L |", "'---'")
    )
    hands: str = sets("└──", "└──", "L__")
    panes: tuple[str, str] = sets(("▄▄", "██"), ("▄▄", "██"), ("##", "##"))
    dark_panes: tuple[str, str] = sets(("╭╮", "╰╯"), ("┌┐", "└┘"), ("..", "''"))
    sill: str = sets("▁", "_")
    walls: str = sets("│║", "|!")
    belfry: str = sets("▐▌", "▐▌", "[]")
    rule: str = sets("─", "─", "-")
    turn_rule: str = sets("━", "═", "=")
    ground: str = sets("━", "═", "=")
    stars: str = sets("·.˙", "·.'", ".'.")
    moon: tuple[str, ...] = sets(
        (" ▗▟▘", " █▌ ", " ▝▜▖"), (" ▄▀ ", " █  ", " ▀▄ "), ("  _ ", " (  ", "  ~ ")
    )
    small_moon: str = sets("☾", "(")
    far: tuple[tuple[str, str], ...] = sets(_FAR, ())
    legal: str = sets("‹›", "<>")
    fresh: str = sets("»«", "»«", "**")
    step: str = sets("→", ">")
    back: str = sets("▒", "▒", "%")
    dot: str = sets("·", "·", ".")


GLYPHS: Final = by_glyphs(Glyphs)


@cache
def glyphs_of(look: Look) -> Glyphs:
    """Far roofs are a shade of the ground: a look without such shades has none."""
    shades = not look.ansi and look.colours is not Colours.NONE
    glyphs = GLYPHS[look.glyphs]
    return glyphs if shades else glyphs._replace(far=())


# How every ink looks in each palette -------------------------------------------------------------


ROOF_PAINTS: Final = ("blue", "green", "purple", "red", "yellow")
"""As on the wire: b g p r y."""

# `tint` and `other-tint` are the grounds of cards in a tower. The roofs of the dark palette are
# Okabe and Ito's; those for colour-blind eyes differ in lightness as well as in hue, so that each
# kind of colour blindness keeps them apart. The cat and the mouse of nord are nord12 and nord7, two
# thirds of the way to nord6: as they are nobody could read them here. The colours of gruvbox, nord
# and catppuccin are published where `config.look` says; of their roofs, and those of contrast, some
# are moved as little as keeps all apart for red-blind and green-blind eyes, and gruvbox's are its
# faded blue and its aqua. In the terminal's own sixteen roofs look alike two by two; outside the
# towers bold, dim and reverse must do.
_PAINTS: Final = paints(
    """
ground      #7f9560  #55702f  #98971a  #a3be8c  #a6e3a1  #5fff5f  #7f9560  color(2)
tint        #382f27  #ecdcc0  #32302f  #3b4252  #313244  #000000  #382f27  color(0)
other-tint  #4b4037  #dfc9a4  #3c3836  #434c5e  #45475a  #262626  #4b4037  color(0)
wall        #c7b099  #69523a  #bdae93  #d8dee9  #cdd6f4  #ffffff  #c7b099  color(7)
window      #ffd866  #6b4400  #fabd2f  #ebcb8b  #f9e2af  #ffee00  #ffd866  color(11)
cat         #ffb45e  #8a2f00  #fe8019  #e3ccc8  #fab387  #ffb84d  #ffb45e  color(11)
mouse       #bfe3fa  #0b4a7d  #8ec07c  #cddee1  #89dceb  #8fe3ff  #bfe3fa  color(14)
clock       #f5f0e8  #2a2520  #fbf1c7  #eceff4  #f5e0dc  #ffffff  #f5f0e8  color(15)
blue        #56b4e9  #56b4e9  #076678  #84a6cb  #89b5fc  #6cc5ff  #2c48f5  color(4)
  text      #000000  #000000  #ffffff  #000000  #000000  #000000  #ffffff  color(15)
green       #009e73  #1fa97f  #8ec07c  #a0bc8d  #99d188  #19df9a  #6ff0c8  color(2)
  text      #000000  #000000  #000000  #000000  #000000  #000000  #000000  color(0)
purple      #cc79a7  #cc79a7  #d3869b  #ac859c  #ae84ca  #d67aa9  #85307c  color(5)
  text      #000000  #000000  #000000  #000000  #000000  #000000  #ffffff  color(15)
red         #d55e00  #e0702a  #fb4934  #bf616a  #f38ba8  #fe794c  #bd1200  color(1)
  text      #000000  #000000  #000000  #000000  #000000  #000000  #ffffff  color(15)
yellow      #f0e442  #e8cf1e  #fabd2f  #edcd8c  #ffe9b9  #ffee33  #f7e928  color(3)
  text      #000000  #000000  #000000  #000000  #000000  #000000  #000000  color(0)
"""
)


_TINTED: Final = {"wall": WALLS, "window": WINDOWS, "cat": CATS, "mouse": MICE, "clock": CLOCKS}
_BOLD: Final = (CATS, MICE, CLOCKS)


def _own(paint: Paint, tones: Tones) -> Inks:
    roofs = [paint[name] for name in ROOF_PAINTS]
    tinted: Inks = {
        ink: Style(color=paint[name].colour, bgcolor=paint[tint].colour, bold=inks in _BOLD)
        for name, inks in _TINTED.items()
        for ink, tint in zip(inks, ("tint", "other-tint"), strict=True)
    }
    return {
        Ink.GROUND: Style(color=paint["ground"].colour),
        **_night(tones),
        Ink.NOTE: Style(color=tones.text or None, bgcolor=tones.raised or None),
        **tinted,
        **{ink: roof.style(bold=True) for ink, roof in zip(ROOFS, roofs, strict=True)},
        **{hat: Style(color=roof.colour) for hat, roof in zip(HATS, roofs, strict=True)},
    }


def _night(tones: Tones) -> Inks:
    if not tones.raised:
        return dict.fromkeys(NIGHT, Style(dim=True))
    ground, raised = (
        ColorTriplet(*bytes.fromhex(each[1:])) for each in (tones.ground, tones.raised)
    )
    far = blend_rgb(ground, raised).hex  # half-way
    return {
        Ink.STAR: Style(color=tones.faint),
        Ink.MOON: Style(color=tones.quiet),
        Ink.FAR: Style(color=far),
        Ink.LAMP: Style(color=tones.quiet, bgcolor=far),
    }


PAINTING: Final = Painting(
    Ink,
    _PAINTS,
    own=_own,
    bare={
        **dict.fromkeys(ROOFS, Style(bold=True, reverse=True)),
        **{ink: Style(bold=True) for inks in _BOLD for ink in inks},
        **dict.fromkeys(NIGHT, Style(dim=True)),
    },
)
