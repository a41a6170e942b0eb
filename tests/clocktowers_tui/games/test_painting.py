"""Paints that break a law are caught, and so are voices and chrome that nobody could read."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any

import pytest
from rich.style import Style

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.themes import THEMES
from clocktowers_tui.games.canvas import Inks
from clocktowers_tui.games.painting import BLACK, TONES, WHITE, Ground, Painting, Tone, Voices
from tests.laws import paint_laws
from tests.laws.paint_laws import HIGH, LAWS, PALETTES, READABLE
from tests.stage.eyes import contrast


class Ink(Enum):
    BOLD = auto()
    DIM = auto()
    MARKED = auto()
    TURN = auto()
    SIGN = auto()
    """On a ground of its own."""


VOICES = Voices(Ink.BOLD, Ink.DIM, Ink.MARKED, loud=(Ink.TURN,))
HONEST: Mapping[Palette, Ground] = {
    **dict.fromkeys(Palette, Ground(BLACK, WHITE)),
    Palette.NATIVE: Ground("color(0)", "color(15)"),
}
FAINT = Ground(WHITE, "#777777")
NEARLY = Ground(WHITE, "#666666")
"""Can be read, but has no high contrast."""


def on_its_ground(paint: Ground, tone: Tone) -> Inks:
    return {Ink.SIGN: paint.style()}


def painted(
    paints: Mapping[Palette, Ground] = HONEST,
    own: Callable[[Ground, Tone], Inks] = on_its_ground,
    bare: Inks | None = None,
) -> Painting[Ground]:
    return Painting(Ink, VOICES, paints, own, bare or {})


@pytest.mark.parametrize("law", LAWS)
def test_the_honest_paints_break_no_law(law: Callable[..., None]) -> None:
    law(painted(), ())


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        (
            paint_laws.text_has_contrast_on_its_ground,
            painted({**HONEST, Palette.LIGHT: FAINT}),
        ),
        (
            paint_laws.high_contrast_is_higher,
            painted({**HONEST, Palette.CONTRAST: NEARLY}),
        ),
        (
            paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours,
            painted(own=lambda paint, tone: {Ink.SIGN: Style(color=paint.letter)}),
        ),
        (
            paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours,
            painted({**HONEST, Palette.NATIVE: Ground("color(4)", "color(0)")}),
        ),
        (
            paint_laws.sixteen_colours_are_the_terminals_own,
            painted({**HONEST, Palette.NATIVE: Ground(BLACK, WHITE)}),
        ),
        (
            paint_laws.without_colours_there_are_bold_dim_and_reverse,
            painted(bare={Ink.SIGN: Style(color=WHITE)}),
        ),
        (
            paint_laws.every_look_has_every_ink,
            painted(own=lambda paint, tone: {Palette.DARK: Style()}),
        ),
    ],
)
def test_paints_that_break_a_law_are_caught(
    law: Callable[..., None], broken: Painting[Any]
) -> None:
    with pytest.raises(AssertionError):
        law(broken, ())


def test_what_is_drawn_need_not_be_read_but_stands_on_no_ground_of_its_own() -> None:
    law = paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours
    law(painted(own=lambda paint, tone: {Ink.SIGN: Style(color=paint.letter)}), (Ink.SIGN,))
    with pytest.raises(AssertionError):
        law(painted(), (Ink.SIGN,))


def test_the_voices_have_the_colours_of_the_look() -> None:
    styles = painted().styles
    for palette, tone in TONES.items():
        found = styles(Look(palette))
        assert found[Ink.TURN] == Style(color=tone.turn or None, bold=True)
        assert found[Ink.DIM] == (Style(color=tone.quiet) if tone.quiet else Style(dim=True))
    assert styles(Look(colours=Colours.C16)) == styles(Look(Palette.NATIVE))
    assert styles(Look(colours=Colours.C256)) == styles(Look(Palette.DARK))


@pytest.mark.parametrize("palette", PALETTES)
def test_the_chrome_has_contrast_too(palette: Palette) -> None:
    theme = THEMES[palette]
    ground = str(theme.background)
    assert contrast(str(theme.foreground), ground) >= READABLE
    assert contrast(str(theme.primary), ground) >= READABLE, "the banner, in its own colours"


def test_faint_text_would_be_noticed() -> None:
    assert contrast("#777777", "#ffffff") < READABLE <= contrast("#767676", "#ffffff")


def test_high_contrast_voices_are_higher() -> None:
    ground = str(THEMES[Palette.CONTRAST].background)
    assert min(contrast(one, ground) for one in TONES[Palette.CONTRAST]) >= HIGH
