"""What all these tests stand on: styles are as Textual finds them."""

from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from clocktowers_tui.config.look import Look, Palette
from tests.games.clocktowers.stages import match
from tests.stage.pilot import SMALL, playing, press

TEXTUALS = Stylesheet.apply


async def test_what_a_run_knows_of_styles_is_what_textual_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In two looks and after many keys."""
    wrong = set[str]()
    known = Stylesheet.apply
    assert known is not TEXTUALS

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
    assert not wrong
