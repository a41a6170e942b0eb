"""Text can be read in every palette, and roofs are told apart by more kinds of eyes than one."""

import pytest
from rich.color import Color
from rich.style import Style

from clocktowers_tui.games.clocktowers.inks import HATS, Ink
from clocktowers_tui.games.clocktowers.paints import COLOURLESS, PAINTS, styles
from clocktowers_tui.look import Colours, Look, Palette
from clocktowers_tui.themes import THEMES
from tests.clocktowers_tui.games.eyes import EYES, contrast, nearest

READABLE = 4.5
"""WCAG 2.1, level AA, for text."""
TOLD_APART = 50.0
"""CIE76; Okabe and Ito's roofs come to 16 for tritan eyes."""
XTERM = {0: "#000000", 7: "#e5e5e5", 11: "#ffff00", 14: "#00ffff", 15: "#ffffff"} | dict(
    zip(range(1, 6), ("#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd"), strict=True)
)
SLOPES = (*HATS, Ink.GROUND)
"""Drawn, not read: the letter and the number stand beside them."""


def roofs(palette: Palette) -> list[str]:
    return [roof.colour for roof in PAINTS[palette].roofs]


def hexed(color: Color | None, otherwise: str) -> str:
    return otherwise if color is None else color.get_truecolor().hex


@pytest.mark.parametrize("palette", PAINTS)
def test_all_text_has_contrast_on_its_ground(palette: Palette) -> None:
    theme = THEMES[palette]
    ground, text = str(theme.background), str(theme.foreground)
    figures = {
        ink: contrast(hexed(style.color, text), hexed(style.bgcolor, ground))
        for ink, style in styles(Look(palette)).items()
        if ink not in SLOPES
    }
    assert set(figures) == {None, *Ink} - set(SLOPES)
    assert min(figures.values()) >= READABLE, figures
    assert contrast(text, ground) >= READABLE
    assert contrast(str(theme.primary), ground) >= READABLE, "the banner, in its own colours"


def test_faint_text_would_be_noticed() -> None:
    assert contrast("#777777", "#ffffff") < READABLE <= contrast("#767676", "#ffffff")


def test_high_contrast_is_higher() -> None:
    paint, ground = PAINTS[Palette.CONTRAST], str(THEMES[Palette.CONTRAST].background)
    assert min(contrast(one, ground) for one in (paint.quiet, paint.turn)) >= 7
    assert min(contrast(*roof) for roof in paint.roofs) >= 7


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_keeps_roofs_apart(eyes: str) -> None:
    assert nearest(roofs(Palette.COLOUR_BLIND), eyes) >= TOLD_APART


def test_the_others_would_not() -> None:
    assert min(nearest(roofs(Palette.DARK), eyes) for eyes in EYES) < TOLD_APART / 2


@pytest.mark.parametrize("look", [Look(Palette.NATIVE), Look(colours=Colours.C16)])
def test_of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours(look: Look) -> None:
    for ink, style in styles(look).items():
        if ink in SLOPES:
            assert style.bgcolor is None
        else:
            assert (style.color is None) == (style.bgcolor is None), ink
            if style.color and style.bgcolor:
                pair = [XTERM[part.number or 0] for part in (style.color, style.bgcolor)]
                assert contrast(*pair) >= READABLE, ink


def test_sixteen_colours_are_the_terminals_own() -> None:
    for style in styles(Look(Palette.NATIVE)).values():
        for part in (style.color, style.bgcolor):
            assert part is None or (part.number is not None and part.number < 16)


@pytest.mark.parametrize("palette", Palette)
def test_without_colours_there_are_bold_dim_and_reverse(palette: Palette) -> None:
    found = styles(Look(palette, Colours.NONE))
    assert found == COLOURLESS and set(found) == {None, *Ink}
    allowed = {Style(bold=b, dim=d, reverse=r) for b in B for d in B for r in B}
    assert set(found.values()) <= allowed | {Style()}


B = (None, True)


def test_every_look_has_every_ink() -> None:
    for palette in Palette:
        for colours in Colours:
            assert set(styles(Look(palette, colours))) == {None, *Ink}
