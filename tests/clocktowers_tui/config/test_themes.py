"""Every look has a theme, with as few colours as it may have."""

import pytest
from textual.theme import Theme

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.themes import ALL, THEMES, theme

LOOKS = [Look(palette, colours) for palette in Palette for colours in Colours]


def get(look: Look) -> Theme:
    return next(one for one in ALL if one.name == theme(look))


def test_every_palette_has_a_theme_of_its_own() -> None:
    assert set(THEMES) == set(Palette)
    assert len({one.name for one in ALL}) == len(ALL) == len(Palette) + 1
    for palette in Palette:
        assert theme(Look(palette)) == f"clocktowers-{palette}"


@pytest.mark.parametrize("look", LOOKS)
def test_few_colours_are_never_mixed_with_many(look: Look) -> None:
    assert get(look).ansi == look.ansi


def test_without_colours_there_is_not_one() -> None:
    for palette in Palette:
        plain = get(Look(palette, Colours.NONE))
        used = {plain.primary, plain.foreground, plain.background, *plain.variables.values()}
        assert used == {"ansi_default", "reverse"}
