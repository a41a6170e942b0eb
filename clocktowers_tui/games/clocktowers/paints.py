"""How every ink looks in each palette; `painting` has the laws and what is alike on all boards.

Slopes and the ground line are exceptions, because they say nothing: with the terminal's sixteen
colours they stand on a background that is not ours.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet
from rich.style import Style

from clocktowers_tui.config.look import Palette
from clocktowers_tui.config.tones import Tones
from clocktowers_tui.games.clocktowers.inks import (
    CATS,
    CLOCKS,
    HATS,
    MICE,
    NIGHT,
    ROOFS,
    WALLS,
    WINDOWS,
    Ink,
)
from clocktowers_tui.games.painting import BLACK, WHITE, Ground, Inks, Painting, Voices


class Paint(NamedTuple):
    """`tints`: the two grounds of cards in a tower. `roofs` as on the wire: b g p r y."""

    ground: str
    tints: tuple[str, str]
    wall: str
    window: str
    cat: str
    mouse: str
    clock: str
    roofs: tuple[Ground, Ground, Ground, Ground, Ground]


_DARK: Final = Paint(
    ground="#7f9560",
    tints=("#382f27", "#4b4037"),
    wall="#c7b099",
    window="#ffd866",
    cat="#ffb45e",
    mouse="#bfe3fa",
    clock="#f5f0e8",
    # Okabe and Ito's.
    roofs=(
        Ground("#56b4e9", BLACK),
        Ground("#009e73", BLACK),
        Ground("#cc79a7", BLACK),
        Ground("#d55e00", BLACK),
        Ground("#f0e442", BLACK),
    ),
)

_PAINTS: Final[Mapping[Palette, Paint]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Paint(
        ground="#55702f",
        tints=("#ecdcc0", "#dfc9a4"),
        wall="#69523a",
        window="#6b4400",
        cat="#8a2f00",
        mouse="#0b4a7d",
        clock="#2a2520",
        roofs=(
            Ground("#56b4e9", BLACK),
            Ground("#1fa97f", BLACK),
            Ground("#cc79a7", BLACK),
            Ground("#e0702a", BLACK),
            Ground("#e8cf1e", BLACK),
        ),
    ),
    # The colours of these three are published where `tones` says.
    Palette.GRUVBOX: Paint(
        ground="#98971a",
        tints=("#32302f", "#3c3836"),
        wall="#bdae93",
        window="#fabd2f",
        cat="#fe8019",
        mouse="#8ec07c",
        clock="#fbf1c7",
        roofs=(
            Ground("#83a598", BLACK),
            Ground("#b8bb26", BLACK),
            Ground("#d3869b", BLACK),
            Ground("#fb4934", BLACK),
            Ground("#fabd2f", BLACK),
        ),
    ),
    Palette.NORD: Paint(
        ground="#a3be8c",
        tints=("#3b4252", "#434c5e"),
        wall="#d8dee9",
        window="#ebcb8b",
        # nord12 and nord7, two thirds of the way to nord6: as they are nobody could read them here.
        cat="#e3ccc8",
        mouse="#cddee1",
        clock="#eceff4",
        roofs=(
            Ground("#81a1c1", BLACK),
            Ground("#a3be8c", BLACK),
            Ground("#b48ead", BLACK),
            Ground("#bf616a", BLACK),
            Ground("#ebcb8b", BLACK),
        ),
    ),
    Palette.CATPPUCCIN: Paint(
        ground="#a6e3a1",
        tints=("#313244", "#45475a"),
        wall="#cdd6f4",
        window="#f9e2af",
        cat="#fab387",
        mouse="#89dceb",
        clock="#f5e0dc",
        roofs=(
            Ground("#89b4fa", BLACK),
            Ground("#a6e3a1", BLACK),
            Ground("#cba6f7", BLACK),
            Ground("#f38ba8", BLACK),
            Ground("#f9e2af", BLACK),
        ),
    ),
    Palette.CONTRAST: Paint(
        ground="#5fff5f",
        tints=(BLACK, "#262626"),
        wall=WHITE,
        window="#ffee00",
        cat="#ffb84d",
        mouse="#8fe3ff",
        clock=WHITE,
        roofs=(
            Ground("#6cc5ff", BLACK),
            Ground("#00d68f", BLACK),
            Ground("#ff9fe0", BLACK),
            Ground("#ff7a4d", BLACK),
            Ground("#ffee33", BLACK),
        ),
    ),
    # The roofs differ in lightness as well as in hue, so that each kind of colour blindness
    # keeps them apart.
    Palette.COLOUR_BLIND: _DARK._replace(
        roofs=(
            Ground("#2c48f5", WHITE),
            Ground("#6ff0c8", BLACK),
            Ground("#85307c", WHITE),
            Ground("#bd1200", WHITE),
            Ground("#f7e928", BLACK),
        ),
    ),
    # Two by two; outside the towers bold, dim and reverse must do.
    Palette.NATIVE: Paint(
        ground="color(2)",
        tints=("color(0)", "color(0)"),
        wall="color(7)",
        window="color(11)",
        cat="color(11)",
        mouse="color(14)",
        clock="color(15)",
        roofs=(
            Ground("color(4)", "color(15)"),
            Ground("color(2)", "color(0)"),
            Ground("color(5)", "color(15)"),
            Ground("color(1)", "color(15)"),
            Ground("color(3)", "color(0)"),
        ),
    ),
}


def _own(paint: Paint, tones: Tones) -> Inks:
    return {
        Ink.GROUND: Style(color=paint.ground),
        **_night(tones),
        Ink.NOTE: Style(color=tones.text or None, bgcolor=tones.raised or None),
        **_tinted(WALLS, paint.wall, paint, bold=False),
        **_tinted(WINDOWS, paint.window, paint, bold=False),
        **_tinted(CATS, paint.cat, paint, bold=True),
        **_tinted(MICE, paint.mouse, paint, bold=True),
        **_tinted(CLOCKS, paint.clock, paint, bold=True),
        **{ink: roof.style(bold=True) for ink, roof in zip(ROOFS, paint.roofs, strict=True)},
        **{hat: Style(color=roof.colour) for hat, roof in zip(HATS, paint.roofs, strict=True)},
    }


def _night(tones: Tones) -> Inks:
    if not tones.raised:
        return dict.fromkeys(NIGHT, Style(dim=True))
    far = _between(tones.ground, tones.raised)
    return {
        Ink.STAR: Style(color=tones.faint),
        Ink.MOON: Style(color=tones.quiet),
        Ink.FAR: Style(color=far),
        Ink.LAMP: Style(color=tones.quiet, bgcolor=far),
    }


def _between(one: str, other: str) -> str:
    """The colour half-way."""
    return blend_rgb(ColorTriplet(*_rgb(one)), ColorTriplet(*_rgb(other))).hex


def _rgb(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


def _tinted(inks: tuple[Ink, Ink], colour: str, paint: Paint, *, bold: bool) -> Inks:
    pairs = zip(inks, paint.tints, strict=True)
    return {ink: Style(color=colour, bgcolor=tint, bold=bold) for ink, tint in pairs}


PAINTING: Final = Painting(
    Ink,
    Voices(Ink.BOLD, Ink.DIM, Ink.MARKED, loud=(Ink.TURN, Ink.TAG, Ink.FRESH)),
    _PAINTS,
    own=_own,
    bare={
        **dict.fromkeys(ROOFS, Style(bold=True, reverse=True)),
        **dict.fromkeys((*CATS, *MICE, *CLOCKS), Style(bold=True)),
        **dict.fromkeys(NIGHT, Style(dim=True)),
    },
)
