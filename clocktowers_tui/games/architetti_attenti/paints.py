"""How every ink looks in each palette; `painting` has the laws and what is alike on all boards."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.config.look import Palette
from clocktowers_tui.config.tones import Tones
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.painting import BLACK, WHITE, Ground, Inks, Painting, Voices


class Paint(NamedTuple):
    """`shops` in the order bakery, bookshop, florist, toys."""

    gem: str
    meadow: Ground
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


_DARK: Final = Paint(
    gem="#6fd3ff",
    meadow=Ground("#12221a", "#649e66"),
    house=Ground("#80461a", WHITE),
    park=Ground("#0f5523", "#baf3b3"),
    school=Ground("#5c4a0e", "#ffe991"),
    shops=(
        Ground("#5a1a80", "#eccfff"),
        Ground("#1c2a86", "#ccd5ff"),
        Ground("#821c5c", "#ffc8e3"),
        Ground("#154c5a", "#b6f2ff"),
    ),
    track=Ground("#30343b", "#dfe3ea"),
    station=Ground("#4d545e", WHITE),
    hall=Ground("#8a2323", "#ffeadf"),
)

_PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        gem="#00568a",
        meadow=Ground("#e6efd9", "#3f6b38"),
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
        hall=Ground("#b33a2e", WHITE),
    ),
    # The colours of these three are published where `tones` says.
    Palette.GRUVBOX: Paint(
        gem="#83a598",
        meadow=Ground("#222b1c", "#8ec07c"),
        house=Ground("#af3a03", "#fbf1c7"),
        park=Ground("#98971a", BLACK),
        school=Ground("#fabd2f", BLACK),
        shops=(
            Ground("#d3869b", BLACK),
            Ground("#83a598", BLACK),
            Ground("#b16286", BLACK),
            Ground("#8ec07c", BLACK),
        ),
        track=Ground("#504945", "#fbf1c7"),
        station=Ground("#a89984", BLACK),
        hall=Ground("#9d0006", "#fbf1c7"),
    ),
    Palette.NORD: Paint(
        gem="#88c0d0",
        meadow=Ground("#2f3f3a", "#a3be8c"),
        house=Ground("#d08770", BLACK),
        park=Ground("#a3be8c", BLACK),
        school=Ground("#ebcb8b", BLACK),
        shops=(
            Ground("#b48ead", BLACK),
            Ground("#81a1c1", BLACK),
            Ground("#88c0d0", BLACK),
            Ground("#8fbcbb", BLACK),
        ),
        track=Ground("#4c566a", "#eceff4"),
        station=Ground("#d8dee9", BLACK),
        hall=Ground("#bf616a", BLACK),
    ),
    Palette.CATPPUCCIN: Paint(
        gem="#74c7ec",
        meadow=Ground("#1b2f2a", "#a6e3a1"),
        house=Ground("#eba0ac", BLACK),
        park=Ground("#a6e3a1", BLACK),
        school=Ground("#f9e2af", BLACK),
        shops=(
            Ground("#cba6f7", BLACK),
            Ground("#89b4fa", BLACK),
            Ground("#f5c2e7", BLACK),
            Ground("#94e2d5", BLACK),
        ),
        track=Ground("#45475a", "#cdd6f4"),
        station=Ground("#9399b2", BLACK),
        hall=Ground("#f5e0dc", BLACK),
    ),
    Palette.CONTRAST: Paint(
        gem="#8fe3ff",
        meadow=Ground("#001f00", "#5fff5f"),
        house=Ground("#ff9a66", BLACK),
        park=Ground("#5fff5f", BLACK),
        school=Ground("#ffd84d", BLACK),
        shops=(
            Ground("#d9b3ff", BLACK),
            Ground("#9fc0ff", BLACK),
            Ground("#ff9fe0", BLACK),
            Ground("#5ff0ff", BLACK),
        ),
        track=Ground("#3a3a3a", WHITE),
        station=Ground("#c8c8c8", BLACK),
        hall=Ground(WHITE, BLACK),
    ),
    # Okabe and Ito's; the four shops share one, for no score asks which of them is which but by
    # telling them apart, and that the letters do for every kind of eyes.
    Palette.COLOUR_BLIND: _DARK._replace(
        house=Ground("#d55e00", BLACK),
        park=Ground("#009e73", BLACK),
        school=Ground("#e69f00", BLACK),
        shops=(Ground("#cc79a7", BLACK),) * 4,
        track=Ground("#56b4e9", BLACK),
        station=Ground("#005a8f", WHITE),
        hall=Ground("#bbbbbb", BLACK),
    ),
    # Two by two; outside the tiles bold, dim and reverse must do.
    Palette.NATIVE: Paint(
        gem="",
        meadow=Ground("", ""),
        house=Ground("color(1)", "color(15)"),
        park=Ground("color(2)", "color(0)"),
        school=Ground("color(3)", "color(0)"),
        shops=(Ground("color(5)", "color(15)"),) * 4,
        track=Ground("color(7)", "color(0)"),
        station=Ground("color(4)", "color(15)"),
        hall=Ground("color(15)", "color(0)"),
    ),
}


def _own(paint: Paint, tones: Tones) -> Inks:
    meadow, *kinds = KINDS
    grounds = zip(kinds, paint.grounds(), strict=True)
    return {
        Ink.GEM: Style(color=paint.gem or None),
        meadow: paint.meadow.style() if paint.meadow.colour else Style(dim=True),
        Ink.GAIN: Style(color=tones.success or None, bold=not tones.success),
        Ink.LOSS: Style(color=tones.danger or None, bold=not tones.danger),
        Ink.MISFIT: Style(color=tones.turn or None),
        **{kind: ground.style() for kind, ground in grounds},
    }


PAINTING: Final = Painting(
    Ink,
    Voices(Ink.BOLD, Ink.DIM, Ink.MARKED, loud=(Ink.TURN, Ink.FRESH, Ink.GHOST)),
    _PAINTS,
    own=_own,
    bare={
        Ink.MEADOW: Style(dim=True),
        **dict.fromkeys((Ink.GAIN, Ink.LOSS, Ink.TOWN_HALL), Style(bold=True)),
    },
)
