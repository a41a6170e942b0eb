"""A look has a theme."""

import pytest

from clocktowers_tui.look import Colours, Look, Palette
from clocktowers_tui.themes import theme


@pytest.mark.parametrize(
    ("look", "name"),
    [
        (Look(), "textual-dark"),
        (Look(colours=Colours.C256), "textual-dark"),
        (Look(colours=Colours.C16), "ansi-dark"),
        (Look(colours=Colours.NONE), "ansi-dark"),
        (Look(Palette.NATIVE), "ansi-dark"),
    ],
)
def test_few_colours_are_the_terminals_own(look: Look, name: str) -> None:
    assert theme(look) == name
