"""What a run knows of styles is what Textual finds for each widget."""

from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from clocktowers_tui.config.look import Look, Palette
from tests.games.clocktowers.stages import match
from tests.stage import known_styles
from tests.stage.pilot import SMALL, playing, press

TEXTUALS = Stylesheet.apply


async def wrong_styles(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The widgets that get other rules than Textual's, in two looks and after many keys."""
    wrong = set[str]()
    known = Stylesheet.apply

    def both(sheet: Stylesheet, node: DOMNode, **how: Any) -> None:
        known(sheet, node, **how)
        rules = node.styles.base.get_rules()
        TEXTUALS(sheet, node)
        if node.styles.base.get_rules() != rules:
            wrong.add(type(node).__name__)

    monkeypatch.setattr(Stylesheet, "apply", both)
    for look in (Look(), Look(Palette.LIGHT)):
        async with playing(look=look, size=SMALL) as player:
            await press(player, "down", "c", "tab", "escape", "S", "escape", "question_mark", "x")
            player[0].change(match())
            await player[1].pause()
            await press(player, "1", "slash", "tab", "escape")
    return wrong


async def test_they_are_what_textual_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TEXTUALS is not Stylesheet.apply
    assert await wrong_styles(monkeypatch) == set()


async def test_a_widget_that_passes_for_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_styles, "_FOUND", {})
    monkeypatch.setattr(known_styles, "_of_node", type)
    assert await wrong_styles(monkeypatch) > set()
