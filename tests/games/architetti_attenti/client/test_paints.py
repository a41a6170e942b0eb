"""Text can be read in every palette, and kinds are told apart."""

from collections.abc import Callable

import pytest
from rich.color import Color, ColorSystem

from clocktowers_tui.config.look import Palette
from clocktowers_tui.config.tones import TONES
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.paints import PAINTING
from tests.laws.paint_laws import LAWS, PALETTES
from tests.stage.eyes import EYES, nearest

TOLD_APART = 15.0
"""CIE76, between the grounds of houses, parks, schools, shops, tracks and stations."""


@pytest.mark.parametrize("law", LAWS)
def test_law(law: Callable[..., None]) -> None:
    law(PAINTING, ())


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_keeps_kinds_apart(eyes: str) -> None:
    paint = PAINTING.paints[Palette.COLOUR_BLIND]
    kinds = (paint.house, paint.park, paint.school, paint.shops[0], paint.track, paint.station)
    assert nearest([kind.colour for kind in kinds], eyes) >= TOLD_APART


@pytest.mark.parametrize("palette", PALETTES)
def test_whose_turn_it_is_has_a_colour_of_its_own(palette: Palette) -> None:
    paint, turn = PAINTING.paints[palette], TONES[palette].turn
    eyes = EYES if palette is Palette.COLOUR_BLIND else ("normal",)
    for ground in paint.grounds():
        assert min(nearest([turn, ground.colour], one) for one in eyes) >= TOLD_APART, ground


def test_with_256_colours_no_two_kinds_share_a_ground() -> None:
    paint = PAINTING.paints[Palette.DARK]
    kinds = (paint.house, paint.park, paint.school, *paint.shops, paint.station)
    grounds = [Color.parse(kind.colour).downgrade(ColorSystem.EIGHT_BIT).number for kind in kinds]
    assert len({*grounds}) == len(grounds), grounds


def test_every_kind_has_an_ink() -> None:
    assert set(KINDS) <= {None, *Ink}
