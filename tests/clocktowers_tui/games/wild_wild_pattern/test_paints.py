"""Text can be read in every palette, and colours of cards are told apart."""

import pytest
from rich.color import Color
from rich.style import Style

from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Ink
from clocktowers_tui.games.wild_wild_pattern.paints import COLOURLESS, PAINTS, styles
from clocktowers_tui.look import Colours, Look, Palette
from clocktowers_tui.themes import THEMES
from tests.clocktowers_tui.games.eyes import EYES, contrast, nearest

READABLE = 4.5
"""WCAG 2.1, level AA, for text."""
TOLD_APART = 15.0
"""CIE76, between the grounds of the five colours."""
XTERM = {0: "#000000", 7: "#e5e5e5", 15: "#ffffff"} | dict(
    zip(range(1, 6), ("#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd"), strict=True)
)
B = (None, True)


def hexed(color: Color | None, otherwise: str) -> str:
    return otherwise if color is None else color.get_truecolor().hex


@pytest.mark.parametrize("palette", PAINTS)
def test_all_text_has_contrast_on_its_ground(palette: Palette) -> None:
    theme = THEMES[palette]
    ground, text = str(theme.background), str(theme.foreground)
    figures = {
        ink: contrast(hexed(style.color, text), hexed(style.bgcolor, ground))
        for ink, style in styles(Look(palette)).items()
    }
    assert set(figures) == {None, *Ink}
    assert min(figures.values()) >= READABLE, figures


def test_high_contrast_is_higher() -> None:
    paint, ground = PAINTS[Palette.CONTRAST], str(THEMES[Palette.CONTRAST].background)
    assert min(contrast(one, ground) for one in (paint.quiet, paint.turn, paint.money)) >= 7
    assert min(contrast(*one) for one in (paint.challenge, *paint.cards)) >= 7


@pytest.mark.parametrize("palette", PAINTS)
def test_the_five_colours_are_told_apart(palette: Palette) -> None:
    assert nearest([one.colour for one in PAINTS[palette].cards], "normal") >= TOLD_APART


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_does_so_for_all_eyes(eyes: str) -> None:
    paint = PAINTS[Palette.COLOUR_BLIND]
    assert nearest([one.colour for one in paint.cards], eyes) >= TOLD_APART


@pytest.mark.parametrize("look", [Look(Palette.NATIVE), Look(colours=Colours.C16)])
def test_of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours(look: Look) -> None:
    for ink, style in styles(look).items():
        assert (style.color is None) == (style.bgcolor is None), ink
        if style.color and style.bgcolor:
            pair = [XTERM[part.number or 0] for part in (style.color, style.bgcolor)]
            assert contrast(*pair) >= READABLE, ink
    assert len({styles(look)[ink].bgcolor for ink in COLOURS}) == len(COLOURS)


@pytest.mark.parametrize("palette", Palette)
def test_without_colours_there_are_bold_dim_and_reverse(palette: Palette) -> None:
    found = styles(Look(palette, Colours.NONE))
    assert found == COLOURLESS and set(found) == {None, *Ink}
    allowed = {Style(bold=b, dim=d, reverse=r) for b in B for d in B for r in B}
    assert set(found.values()) <= allowed | {Style()}


def test_every_look_has_every_ink() -> None:
    for palette in Palette:
        for colours in Colours:
            assert set(styles(Look(palette, colours))) == {None, *Ink}
