"""What all these tests stand on: a pilot goes on when all is done, and styles are as Textual finds
them."""

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.events import Resize
from textual.widgets import Static

from clocktowers_tui.config.look import Look, Palette
from tests.games.clocktowers.stages import match
from tests.stage.pilot import SMALL, playing, press


class Measured(App[None]):
    """Says its size after three steps, each of which only begins the next."""

    def compose(self) -> ComposeResult:
        yield Static()

    def on_resize(self, event: Resize) -> None:
        text = f"{event.size.width}x{event.size.height}"
        said = self.query_one(Static)
        self.call_later(self.call_after_refresh, self.call_next, said.update, text)

    def says(self) -> str:
        return str(self.query_one(Static).render())


SIZES = [(60, 20), (120, 40), (80, 24)] * 4


async def test_what_follows_is_waited_for() -> None:
    app = Measured()
    async with app.run_test() as pilot:
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            assert app.says() == f"{width}x{height}"


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
