"""A pane alone: it draws no more than it must, and a part that fails ends nothing.

What panes do on a board is test_board_laws.py.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from rich.style import Style
from textual.app import App, ComposeResult

from clocktowers_tui.games.frames import Edge
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.parts import Cell, Part, Size
from clocktowers_tui.games.spans import Block, Rect, Span
from clocktowers_tui.text.i18n import SOURCE, speak

SIZE = (10, 3)


class Ink(Enum):
    WORD = auto()


INKS: Inks = {
    None: Style(),
    Ink.WORD: Style(bold=True),
    Edge.QUIET: Style(),
    Edge.LIT: Style(bold=True),
}


class Sight(NamedTuple):
    words: str
    places: Mapping[str, Rect] = {"words": Rect(0, 0, *SIZE)}


def drawn(sight: Sight, size: Size) -> Block:
    width, height = size
    edge = [Span("-" * width, Edge.QUIET)]
    return [edge, [Span(sight.words.ljust(width), Ink.WORD)], *[edge] * (height - 2)]


def under(sight: Sight, _size: Size, at: Cell) -> str | None:
    x, y = at
    return sight.words[x] if y == 1 and x < len(sight.words) else None


class Alone(App[None]):
    CSS = "Pane { width: 10; height: 3; }"

    def __init__(self) -> None:
        super().__init__()
        self.pane = Pane(Part(drawn, under), id="words")
        self.picked: list[Any] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_pane_picked(self, event: Pane.Picked) -> None:
        self.picked.append(event.hit)


async def test_what_looks_as_before_is_not_drawn_until_the_language_changes() -> None:
    app, drawings = Alone(), list[str]()

    def drawn_once(sight: Sight, size: Size) -> Block:
        drawings.append(sight.words)
        return drawn(sight, size)

    app.pane = Pane(Part(drawn_once, under, lambda before, sight: before == sight), id="words")
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        for words in ("abc", "abc", "abd"):
            app.pane.show(Sight(words), INKS)
        assert drawings == ["abc", "abd"]
        speak("it")
        app.pane.show(Sight("abd"), INKS)
        assert drawings == ["abc", "abd", "abd"]
    speak(SOURCE)


async def test_a_part_that_fails_neither_draws_nor_ends_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed: list[Exception] = []
    monkeypatch.setattr("clocktowers_tui.games.surviving.survive", failed.append)
    app = Alone()
    async with app.run_test(size=(20, 5)) as pilot:
        app.pane.show(Sight("abc"), INKS)
        with patch.object(app.pane, "_part", Part[Sight](lambda *_: [][0], lambda *_: [][0])):
            app.pane.show(Sight("xyz"), INKS)
            await pilot.click("#words", offset=(1, 1))
        assert app.picked == [] and len(failed) == 2
        assert "abc" in app.pane.render_line(1).text
