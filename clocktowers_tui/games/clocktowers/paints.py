"""How every ink looks: in each palette, in the terminal's sixteen colours, and in none.

Laws: text has a contrast of 4.5 or more on its ground in every palette (the tests measure it);
of the terminal's sixteen a colour never stands on a background that is not ours, but for slopes
and the ground line, which say nothing: so it can be read on dark and on light terminals.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.games.canvas import Inks
from clocktowers_tui.games.clocktowers.inks import (
    CATS,
    CLOCKS,
    HATS,
    MICE,
    ROOFS,
    WALLS,
    WINDOWS,
    Ink,
)
from clocktowers_tui.look import Colours, Look, Palette


class Roof(NamedTuple):
    colour: str
    letter: str


class Paint(NamedTuple):
    """`tints`: the two grounds of cards in a tower. `roofs` as on the wire: b g p r y."""

    quiet: str
    turn: str
    ground: str
    tints: tuple[str, str]
    wall: str
    window: str
    cat: str
    mouse: str
    clock: str
    roofs: tuple[Roof, Roof, Roof, Roof, Roof]


_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"

_DARK: Final = Paint(
    quiet="#8f98a6",
    turn="#ffab52",
    ground="#7f9560",
    tints=("#382f27", "#4b4037"),
    wall="#c7b099",
    window="#ffd866",
    cat="#ffb45e",
    mouse="#bfe3fa",
    clock="#f5f0e8",
    # Okabe and Ito's.
    roofs=(
        Roof("#56b4e9", _BLACK),
        Roof("#009e73", _BLACK),
        Roof("#cc79a7", _BLACK),
        Roof("#d55e00", _BLACK),
        Roof("#f0e442", _BLACK),
    ),
)

PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        quiet="#6a6157",
        turn="#9c4200",
        ground="#55702f",
        tints=("#ecdcc0", "#dfc9a4"),
        wall="#69523a",
        window="#6b4400",
        cat="#8a2f00",
        mouse="#0b4a7d",
        clock="#2a2520",
        roofs=(
            Roof("#56b4e9", _BLACK),
            Roof("#1fa97f", _BLACK),
            Roof("#cc79a7", _BLACK),
            Roof("#e0702a", _BLACK),
            Roof("#e8cf1e", _BLACK),
        ),
    ),
    Palette.CONTRAST: Paint(
        quiet="#d6d6d6",
        turn="#ffff00",
        ground="#5fff5f",
        tints=(_BLACK, "#262626"),
        wall=_WHITE,
        window="#ffee00",
        cat="#ffb84d",
        mouse="#8fe3ff",
        clock=_WHITE,
        roofs=(
            Roof("#6cc5ff", _BLACK),
            Roof("#00d68f", _BLACK),
            Roof("#ff9fe0", _BLACK),
            Roof("#ff7a4d", _BLACK),
            Roof("#ffee33", _BLACK),
        ),
    ),
    # The roofs differ in lightness as well as in hue, so that each kind of colour blindness
    # keeps them apart.
    Palette.COLOUR_BLIND: _DARK._replace(
        roofs=(
            Roof("#2c48f5", _WHITE),
            Roof("#6ff0c8", _BLACK),
            Roof("#85307c", _WHITE),
            Roof("#bd1200", _WHITE),
            Roof("#f7e928", _BLACK),
        ),
    ),
}

_BARE: Final[Mapping[Ink, Style]] = {
    Ink.BOLD: Style(bold=True),
    Ink.DIM: Style(dim=True),
    Ink.TURN: Style(bold=True),
    Ink.MARKED: Style(bold=True, reverse=True),
    Ink.FRESH: Style(bold=True),
    Ink.TAG: Style(bold=True),
    **dict.fromkeys(ROOFS, Style(bold=True, reverse=True)),
    **dict.fromkeys((*CATS, *MICE, *CLOCKS), Style(bold=True)),
}

COLOURLESS: Final[Inks] = {None: Style(), **{ink: _BARE.get(ink, Style()) for ink in Ink}}
"""Bold, dim and reverse, and not one colour (NO_COLOR)."""

_NATIVE: Final = Paint(
    quiet="",
    turn="",
    ground="color(2)",
    tints=("color(0)", "color(0)"),
    wall="color(7)",
    window="color(11)",
    cat="color(11)",
    mouse="color(14)",
    clock="color(15)",
    roofs=(
        Roof("color(4)", "color(15)"),
        Roof("color(2)", "color(0)"),
        Roof("color(5)", "color(15)"),
        Roof("color(1)", "color(15)"),
        Roof("color(3)", "color(0)"),
    ),
)
"""The terminal's own sixteen, two by two; outside the towers bold, dim and reverse must do."""


@cache
def styles(look: Look) -> Inks:
    """How each ink looks."""
    if look.colours is Colours.NONE:
        return COLOURLESS
    return _styles(_NATIVE if look.ansi else PAINTS[look.palette])


def _styles(paint: Paint) -> Inks:
    coloured: dict[Ink, Style] = {
        Ink.DIM: Style(color=paint.quiet) if paint.quiet else COLOURLESS[Ink.DIM],
        Ink.GROUND: Style(color=paint.ground),
        **_tinted(WALLS, paint.wall, paint, bold=False),
        **_tinted(WINDOWS, paint.window, paint, bold=False),
        **_tinted(CATS, paint.cat, paint, bold=True),
        **_tinted(MICE, paint.mouse, paint, bold=True),
        **_tinted(CLOCKS, paint.clock, paint, bold=True),
    }
    for ink in (Ink.TURN, Ink.TAG, Ink.FRESH):
        coloured[ink] = Style(color=paint.turn or None, bold=True)
    for ink, hat, roof in zip(ROOFS, HATS, paint.roofs, strict=True):
        coloured[ink] = Style(color=roof.letter, bgcolor=roof.colour, bold=True)
        coloured[hat] = Style(color=roof.colour)
    return dict(COLOURLESS) | coloured


def _tinted(inks: tuple[Ink, Ink], colour: str, paint: Paint, *, bold: bool) -> dict[Ink, Style]:
    pairs = zip(inks, paint.tints, strict=True)
    return {ink: Style(color=colour, bgcolor=tint, bold=bold) for ink, tint in pairs}
