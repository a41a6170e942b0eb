"""How every ink looks: in each palette, in the terminal's sixteen colours, and in none.

Laws: text has a contrast of 4.5 or more on its ground in every palette (the tests measure it);
of the terminal's sixteen a colour never stands on a background that is not ours, so it can be read
on dark and on light terminals.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.canvas import Inks
from clocktowers_tui.look import Colours, Look, Palette


class Ground(NamedTuple):
    colour: str
    letter: str


class Paint(NamedTuple):
    """`shops` in the order bakery, bookshop, florist, toys."""

    quiet: str
    turn: str
    gem: str
    house: Ground
    park: Ground
    school: Ground
    shops: tuple[Ground, Ground, Ground, Ground]
    track: Ground
    station: Ground
    hall: Ground

    def grounds(self) -> tuple[Ground, ...]:
        """By kind, from houses on."""
        first = (self.house, self.park, self.school)
        return (*first, *self.shops, self.track, self.station, self.hall)


_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"

_DARK: Final = Paint(
    quiet="#8f98a6",
    turn="#ffab52",
    gem="#6fd3ff",
    house=Ground("#6b3526", "#ffdccb"),
    park=Ground("#1f4d2b", "#baf3b3"),
    school=Ground("#5c4a0e", "#ffe991"),
    shops=(
        Ground("#4b2b5e", "#eccfff"),
        Ground("#2a3570", "#ccd5ff"),
        Ground("#641f49", "#ffc8e3"),
        Ground("#154c5a", "#b6f2ff"),
    ),
    track=Ground("#30343b", "#dfe3ea"),
    station=Ground("#4d545e", _WHITE),
    hall=Ground("#8a2323", "#ffeadf"),
)

PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        quiet="#6a6157",
        turn="#9c4200",
        gem="#00568a",
        house=Ground("#f2c6b3", "#5a1d08"),
        park=Ground("#bfe3b4", "#123f16"),
        school=Ground("#f2dd86", "#493700"),
        shops=(
            Ground("#e0c8f0", "#42185e"),
            Ground("#c8d2f7", "#16246b"),
            Ground("#f5c3dc", "#650c3f"),
            Ground("#b5e3ec", "#083f4c"),
        ),
        track=Ground("#d8d3ca", "#2e2a25"),
        station=Ground("#bdb7ad", "#1b1815"),
        hall=Ground("#b33a2e", _WHITE),
    ),
    Palette.CONTRAST: Paint(
        quiet="#d6d6d6",
        turn="#ffff00",
        gem="#8fe3ff",
        house=Ground("#ff9a66", _BLACK),
        park=Ground("#5fff5f", _BLACK),
        school=Ground("#ffee33", _BLACK),
        shops=(
            Ground("#d9b3ff", _BLACK),
            Ground("#9fc0ff", _BLACK),
            Ground("#ff9fe0", _BLACK),
            Ground("#5ff0ff", _BLACK),
        ),
        track=Ground("#3a3a3a", _WHITE),
        station=Ground("#c8c8c8", _BLACK),
        hall=Ground(_WHITE, _BLACK),
    ),
    # Okabe and Ito's; the four shops share one, for no score asks which of them is which but by
    # telling them apart, and that the letters do for every kind of eyes.
    Palette.COLOUR_BLIND: _DARK._replace(
        house=Ground("#d55e00", _BLACK),
        park=Ground("#009e73", _BLACK),
        school=Ground("#f0e442", _BLACK),
        shops=(Ground("#cc79a7", _BLACK),) * 4,
        track=Ground("#56b4e9", _BLACK),
        station=Ground("#005a8f", _WHITE),
        hall=Ground("#bbbbbb", _BLACK),
    ),
}

_BARE: Final[Mapping[Ink, Style]] = {
    Ink.BOLD: Style(bold=True),
    Ink.DIM: Style(dim=True),
    Ink.TURN: Style(bold=True),
    Ink.MARKED: Style(bold=True, reverse=True),
    Ink.FRESH: Style(bold=True),
    Ink.GHOST: Style(bold=True),
    Ink.TOWN_HALL: Style(bold=True),
}

COLOURLESS: Final[Inks] = {None: Style(), **{ink: _BARE.get(ink, Style()) for ink in Ink}}
"""Bold, dim and reverse, and not one colour (NO_COLOR)."""

_NATIVE: Final = Paint(
    quiet="",
    turn="",
    gem="",
    house=Ground("color(1)", "color(15)"),
    park=Ground("color(2)", "color(0)"),
    school=Ground("color(3)", "color(0)"),
    shops=(Ground("color(5)", "color(15)"),) * 4,
    track=Ground("color(7)", "color(0)"),
    station=Ground("color(4)", "color(15)"),
    hall=Ground("color(15)", "color(0)"),
)
"""The terminal's own sixteen, two by two; outside the tiles bold, dim and reverse must do."""


@cache
def styles(look: Look) -> Inks:
    """How each ink looks."""
    if look.colours is Colours.NONE:
        return COLOURLESS
    return _styles(_NATIVE if look.ansi else PAINTS[look.palette])


def _styles(paint: Paint) -> Inks:
    coloured: dict[Ink, Style] = {
        Ink.DIM: Style(color=paint.quiet) if paint.quiet else Style(dim=True),
        Ink.GEM: Style(color=paint.gem or None),
        Ink.MISFIT: Style(color=paint.turn or None),
    }
    for ink in (Ink.TURN, Ink.FRESH, Ink.GHOST):
        coloured[ink] = Style(color=paint.turn or None, bold=True)
    for kind, ground in zip(KINDS[1:], paint.grounds(), strict=True):
        coloured[kind] = Style(color=ground.letter, bgcolor=ground.colour)
    return dict(COLOURLESS) | coloured
