"""How every ink looks: in each palette, in the terminal's sixteen colours, and in none.

Laws: text has a contrast of 4.5 or more on its ground in every palette (the tests measure it);
of the terminal's sixteen a colour never stands on a background that is not ours, so it can be read
on dark and on light terminals.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.games.canvas import Inks
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Ink
from clocktowers_tui.look import Colours, Look, Palette


class Ground(NamedTuple):
    colour: str
    letter: str


class Paint(NamedTuple):
    """`cards` by `Colour`."""

    quiet: str
    turn: str
    money: str
    challenge: Ground
    cards: tuple[Ground, Ground, Ground, Ground, Ground]


_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"

_DARK: Final = Paint(
    quiet="#8f98a6",
    turn="#ffab52",
    money="#7fdc8a",
    challenge=Ground("#4b2b5e", "#eccfff"),
    cards=(
        Ground("#862121", "#ffe0da"),
        Ground("#17568a", "#dff1ff"),
        Ground("#d9b430", "#221a00"),
        Ground("#4d545e", _WHITE),
        Ground("#f0ede6", "#1c1a17"),
    ),
)

PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        quiet="#6a6157",
        turn="#9c4200",
        money="#1d5f2a",
        challenge=Ground("#e0c8f0", "#42185e"),
        cards=(
            Ground("#c23b30", _WHITE),
            Ground("#1f6fb0", _WHITE),
            Ground("#eccb4a", "#3a2c00"),
            Ground("#a39c92", "#14110e"),
            Ground(_WHITE, "#2e2a25"),
        ),
    ),
    Palette.CONTRAST: Paint(
        quiet="#d6d6d6",
        turn="#ffff00",
        money="#5fff5f",
        challenge=Ground("#d9b3ff", _BLACK),
        cards=(
            Ground("#ff8c7a", _BLACK),
            Ground("#6fc3ff", _BLACK),
            Ground("#ffee33", _BLACK),
            Ground("#3a3a3a", _WHITE),
            Ground(_WHITE, _BLACK),
        ),
    ),
    # Okabe and Ito's.
    Palette.COLOUR_BLIND: _DARK._replace(
        cards=(
            Ground("#d55e00", _BLACK),
            Ground("#56b4e9", _BLACK),
            Ground("#f0e442", _BLACK),
            Ground("#4d4d4d", _WHITE),
            Ground(_WHITE, _BLACK),
        ),
    ),
}

_BARE: Final[Mapping[Ink, Style]] = {
    Ink.BOLD: Style(bold=True),
    Ink.DIM: Style(dim=True),
    Ink.TURN: Style(bold=True),
    Ink.MARKED: Style(bold=True, reverse=True),
    Ink.PICK: Style(bold=True),
}

COLOURLESS: Final[Inks] = {None: Style(), **{ink: _BARE.get(ink, Style()) for ink in Ink}}
"""Bold, dim and reverse, and not one colour (NO_COLOR)."""

_NATIVE: Final = Paint(
    quiet="",
    turn="",
    money="",
    challenge=Ground("color(5)", "color(15)"),
    cards=(
        Ground("color(1)", "color(15)"),
        Ground("color(4)", "color(15)"),
        Ground("color(3)", "color(0)"),
        Ground("color(7)", "color(0)"),
        Ground("color(15)", "color(0)"),
    ),
)
"""The terminal's own sixteen, two by two; outside the cards bold, dim and reverse must do."""


@cache
def styles(look: Look) -> Inks:
    """How each ink looks."""
    if look.colours is Colours.NONE:
        return COLOURLESS
    return _styles(_NATIVE if look.ansi else PAINTS[look.palette])


def _styles(paint: Paint) -> Inks:
    coloured: dict[Ink, Style] = {
        Ink.DIM: Style(color=paint.quiet) if paint.quiet else Style(dim=True),
        Ink.MONEY: Style(color=paint.money or None),
    }
    for ink in (Ink.TURN, Ink.PICK):
        coloured[ink] = Style(color=paint.turn or None, bold=True)
    for ink, ground in zip((Ink.CHALLENGE, *COLOURS), (paint.challenge, *paint.cards), strict=True):
        coloured[ink] = Style(color=ground.letter, bgcolor=ground.colour)
    return dict(COLOURLESS) | coloured
