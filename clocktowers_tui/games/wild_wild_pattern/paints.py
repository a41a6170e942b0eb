"""How every ink looks in each palette; `painting` has the laws and what is alike on all boards."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.style import Style

from clocktowers_tui.config.look import Palette
from clocktowers_tui.config.tones import Tones
from clocktowers_tui.games.painting import BLACK, WHITE, Ground, Inks, Painting, Voices
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Ink


class Paint(NamedTuple):
    """`cards` by `Colour`."""

    money: str
    challenge: Ground
    cards: tuple[Ground, Ground, Ground, Ground, Ground]


_DARK: Final = Paint(
    money="#7fdc8a",
    challenge=Ground("#4b2b5e", "#eccfff"),
    cards=(
        Ground("#862121", "#ffe0da"),
        Ground("#17568a", "#dff1ff"),
        Ground("#d9b430", "#221a00"),
        Ground("#4d545e", WHITE),
        Ground("#f0ede6", "#1c1a17"),
    ),
)

_PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        money="#1d5f2a",
        challenge=Ground("#e0c8f0", "#42185e"),
        cards=(
            Ground("#c23b30", WHITE),
            Ground("#1f6fb0", WHITE),
            Ground("#eccb4a", "#3a2c00"),
            Ground("#a39c92", "#14110e"),
            Ground(WHITE, "#2e2a25"),
        ),
    ),
    # The colours of these three are published where `tones` says.
    Palette.GRUVBOX: Paint(
        money="#b8bb26",
        challenge=Ground("#d3869b", BLACK),
        cards=(
            Ground("#9d0006", "#fbf1c7"),
            Ground("#83a598", BLACK),
            Ground("#fabd2f", BLACK),
            Ground("#504945", "#fbf1c7"),
            Ground("#fbf1c7", BLACK),
        ),
    ),
    Palette.NORD: Paint(
        money="#a3be8c",
        challenge=Ground("#b48ead", BLACK),
        cards=(
            Ground("#bf616a", BLACK),
            Ground("#81a1c1", BLACK),
            Ground("#ebcb8b", BLACK),
            Ground("#4c566a", "#eceff4"),
            Ground("#eceff4", BLACK),
        ),
    ),
    Palette.CATPPUCCIN: Paint(
        money="#a6e3a1",
        challenge=Ground("#cba6f7", BLACK),
        cards=(
            Ground("#f38ba8", BLACK),
            Ground("#89b4fa", BLACK),
            Ground("#f9e2af", BLACK),
            Ground("#585b70", WHITE),
            Ground("#f5e0dc", BLACK),
        ),
    ),
    Palette.CONTRAST: Paint(
        money="#5fff5f",
        challenge=Ground("#d9b3ff", BLACK),
        cards=(
            Ground("#ff8c7a", BLACK),
            Ground("#6fc3ff", BLACK),
            Ground("#ffee33", BLACK),
            Ground("#3a3a3a", WHITE),
            Ground(WHITE, BLACK),
        ),
    ),
    # Okabe and Ito's.
    Palette.COLOUR_BLIND: _DARK._replace(
        cards=(
            Ground("#d55e00", BLACK),
            Ground("#56b4e9", BLACK),
            Ground("#f0e442", BLACK),
            Ground("#4d4d4d", WHITE),
            Ground(WHITE, BLACK),
        ),
    ),
    # Two by two; outside the cards bold, dim and reverse must do.
    Palette.NATIVE: Paint(
        money="",
        challenge=Ground("color(5)", "color(15)"),
        cards=(
            Ground("color(1)", "color(15)"),
            Ground("color(4)", "color(15)"),
            Ground("color(3)", "color(0)"),
            Ground("color(7)", "color(0)"),
            Ground("color(15)", "color(0)"),
        ),
    ),
}


def _own(paint: Paint, tones: Tones) -> Inks:
    cards = zip(COLOURS, paint.cards, strict=True)
    return {
        Ink.SUIT: Style(),
        Ink.MONEY: Style(color=paint.money or None),
        Ink.CHALLENGE: paint.challenge.style(),
        Ink.HIT: Style(color=tones.success or None, bold=True),
        Ink.WRONG: Style(color=tones.danger or None, bold=True),
        **{ink: ground.style() for ink, ground in cards},
    }


PAINTING: Final = Painting(
    Ink,
    Voices(Ink.BOLD, Ink.DIM, Ink.MARKED, loud=(Ink.TURN, Ink.PICK)),
    _PAINTS,
    own=_own,
    bare={
        **dict.fromkeys((Ink.HIT, Ink.WRONG), Style(bold=True)),
        Ink.SUIT: Style(bold=True, reverse=True),
    },
)
