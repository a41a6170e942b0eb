"""Text can be read in every palette, and roofs are told apart by more kinds of eyes than one."""

from collections.abc import Callable

import pytest

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.games.clocktowers.cards import Held, framed
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.inks import HATS, NIGHT, Ink
from clocktowers_tui.games.clocktowers.paints import PAINTING
from clocktowers_tui.games.clocktowers.scale import HUGE, LARGE, SMALL
from clocktowers_tui.games.spans import Block
from tests.laws.paint_laws import LAWS
from tests.stage.eyes import EYES, nearest

TOLD_APART = 50.0
"""CIE76; Okabe and Ito's roofs come to 16 for tritan eyes."""
DRAWN = (*HATS, *NIGHT, Ink.GROUND)
"""Drawn, not read: the letter and the number stand beside them."""
HELD = Held(1, "1")
CHOSEN = HELD._replace(at=True, chosen=True)


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


@pytest.mark.parametrize("look", [*map(Look, Palette), *(Look(colours=one) for one in Colours)])
def test_what_is_chosen_is_loud_in_every_look(look: Look) -> None:
    inks = PAINTING.styles(look)
    assert inks[Ink.TURN].bold and inks[Ink.TURN] != inks[Ink.DIM]
    assert inks[Ink.MARKED].reverse
    for scale in (SMALL, LARGE, HUGE):
        calm, chosen = (framed(one, scale, GLYPHS[look.glyphs]) for one in (HELD, CHOSEN))
        assert loud(chosen) >= 2 * (scale.card_width + scale.card_height) - 4 > loud(calm)


def loud(card: Block) -> int:
    """Cells that the eye meets first."""
    return sum(len(text) for row in card for text, ink in row if ink in (Ink.TURN, Ink.MARKED))
