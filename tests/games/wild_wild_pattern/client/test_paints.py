"""Text can be read in every palette, and colours of cards are told apart."""

from collections.abc import Callable

import pytest

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS
from clocktowers_tui.games.wild_wild_pattern.paints import PAINTING
from tests.laws.paint_laws import LAWS, PALETTES
from tests.stage.eyes import EYES, nearest

TOLD_APART = 15.0
"""CIE76, between the grounds of the five colours."""


def grounds(palette: Palette) -> list[str]:
    return [card.colour for card in PAINTING.paints[palette].cards]


@pytest.mark.parametrize("law", LAWS)
def test_law(law: Callable[..., None]) -> None:
    law(PAINTING, ())


@pytest.mark.parametrize("palette", PALETTES)
def test_the_five_colours_are_told_apart(palette: Palette) -> None:
    assert nearest(grounds(palette), "normal") >= TOLD_APART


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_does_so_for_all_eyes(eyes: str) -> None:
    assert nearest(grounds(Palette.COLOUR_BLIND), eyes) >= TOLD_APART


@pytest.mark.parametrize("look", [Look(Palette.NATIVE), Look(colours=Colours.C16)])
def test_of_sixteen_colours_each_has_its_own(look: Look) -> None:
    assert len({PAINTING.styles(look)[ink].bgcolor for ink in COLOURS}) == len(COLOURS)
