"""Text can be read in every palette, and roofs are told apart by more kinds of eyes than one."""

from collections.abc import Callable

import pytest

from clocktowers_tui.config.look import Palette
from clocktowers_tui.games.clocktowers.inks import HATS, NIGHT, Ink
from clocktowers_tui.games.clocktowers.paints import PAINTING
from tests.laws.paint_laws import LAWS
from tests.stage.eyes import EYES, nearest

TOLD_APART = 50.0
"""CIE76; Okabe and Ito's roofs come to 16 for tritan eyes."""
DRAWN = (*HATS, *NIGHT, Ink.GROUND)
"""Drawn, not read: the letter and the number stand beside them."""


def roofs(palette: Palette) -> list[str]:
    return [roof.colour for roof in PAINTING.paints[palette].roofs]


@pytest.mark.parametrize("law", LAWS)
def test_law(law: Callable[..., None]) -> None:
    law(PAINTING, DRAWN)


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_keeps_roofs_apart(eyes: str) -> None:
    assert nearest(roofs(Palette.COLOUR_BLIND), eyes) >= TOLD_APART


def test_the_others_would_not() -> None:
    assert min(nearest(roofs(Palette.DARK), eyes) for eyes in EYES) < TOLD_APART / 2
