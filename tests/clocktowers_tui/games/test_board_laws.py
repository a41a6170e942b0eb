"""What the boards of all games do alike, on a screen of their own; and a pane alone."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from rich.style import Style
from textual.app import App, ComposeResult

from clocktowers_tui.config.look import Colours, Look
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.parts import Part, Size
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spans import Block, Rect, Span
from clocktowers_tui.text.i18n import SOURCE, speak
from tests.stage.board_shell import BoardShell, on_screen, painting, type_fast
from tests.stage.own_files import FaceCase, OnBoard, by_game

CASES: dict[str, FaceCase] = by_game("face_case", "CASE")
GOLDENS = by_game("goldens", "GOLDENS")
SIZE = (80, 24)


@pytest.fixture(params=list(FACES))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def case(game: str) -> OnBoard:
    return CASES[game].board


def panes(app: BoardShell[Any]) -> list[Pane[Any]]:
    """Those that are on the board."""
    return [pane for pane in app.board.query(Pane) if pane.size]


async def test_the_screen_shows_what_the_golden_has(game: str, case: OnBoard) -> None:
    view, keys, name = case.golden
    async with on_screen(case.shell(view)) as (app, pilot):
        await pilot.press(*keys)
        golden = GOLDENS[game].kept(name).splitlines()
        assert [line.rstrip() for line in app.lines()] == [line.rstrip() for line in golden]


async def test_too_small_a_terminal_says_so_and_recovers(game: str, case: OnBoard) -> None:
    async with on_screen(case.shell(case.golden[0]), (59, 20)) as (app, pilot):
        text = " ".join(" ".join(app.lines()).split())
        assert text == f"{title_of(game)} needs a terminal of 60x20, this one has 59x20."
        await pilot.resize_terminal(*SIZE)
        assert case.whose in "".join(app.lines())
        await pilot.resize_terminal(30, 6)
        assert "60x20" in " ".join(app.lines())


async def test_markup_in_names_and_log_is_text(case: OnBoard) -> None:
    """A board may cut a name, and say "You" to the player."""
    view, *_ = case.paints
    async with on_screen(case.shell(view)) as (app, pilot):
        names = ("[/nope]", "[b]x[/b]", "[", "]")
        app.board.show(view, names, waiting=False, log=["[@click=app.quit]x[/]"])
        await pilot.pause()
        shown = "\n".join(app.lines())
        for text in ("[b]x", "[@click=app.quit]x[/]"):
            assert text in shown


async def test_hints_say_what_follows_and_what_is_missing(case: OnBoard) -> None:
    async with on_screen(case.shell(case.hints[0][0])) as (app, pilot):
        for view, keys, hint in case.hints:
            if view is not None:
                app.show(view)
            await pilot.press(*keys)
            assert hint in app.hints[-1]
            assert app.chosen == []


async def test_while_an_action_is_under_way_nothing_can_be_chosen(case: OnBoard) -> None:
    view, keys, meanwhile, action = case.sends
    async with on_screen(case.shell(view)) as (app, pilot):
        await type_fast(pilot, (*keys, *meanwhile))
        assert app.chosen == [action]
        assert "…" in "".join(app.lines())
        app.show(view)
        await pilot.press(keys[-1])
        assert app.chosen == [action] * 2


async def test_escape_steps_back_and_then_is_the_screens(case: OnBoard) -> None:
    view, keys, steps = case.back
    async with on_screen(case.shell(view)) as (app, pilot):
        begun = app.lines()
        await pilot.press(*keys)
        for _ in range(steps):
            assert app.lines() != begun
            await pilot.press("escape")
        assert not app.left
        await pilot.press("backspace")
        assert not app.left, "another key that steps back leaves nothing"
        await pilot.press("escape")
        assert app.left


async def test_only_what_changed_is_painted(case: OnBoard) -> None:
    view, same, keys = case.paints
    async with on_screen(case.shell(view)) as (app, pilot):
        with painting() as line:
            app.show(same)
            await pilot.pause()
            assert line.call_count == 0
            for key, most in keys:
                line.reset_mock()
                await pilot.press(key)
                assert 0 < line.call_count <= most


async def test_every_part_is_a_widget_of_its_own(case: OnBoard) -> None:
    """So that a lesson can light or hide it, and the mouse is given to it."""
    view, parts = case.parts
    async with on_screen(case.shell(view), (160, 48)) as (app, pilot):
        assert {pane.id for pane in panes(app)} == parts
        for part in sorted(parts):
            pane = app.board.query_one(f"#{part}", Pane)
            before = _styles(pane)
            pane.lit = True
            await pilot.pause()
            assert _styles(pane) != before, part
        await pilot.click("#log")
        assert app.log_wanted == 1 and app.focused is app.board


async def test_without_colours_there_are_none(case: OnBoard) -> None:
    view, keys = case.marked
    async with on_screen(case.shell(view, look=Look(colours=Colours.NONE))) as (app, pilot):
        await pilot.press(*keys)
        styles = {style for pane in panes(app) for style in _styles(pane)}
        base = app.board.rich_style
        assert all(style is None or style.bgcolor == base.bgcolor for style in styles)
        assert all(style is None or style.color == base.color for style in styles)
        assert any(style is not None and style.reverse for style in styles)


def _styles(pane: Pane[Any]) -> list[Style | None]:
    return [*_each_style(pane)]


def _each_style(pane: Pane[Any]) -> Iterator[Style | None]:
    for y in range(pane.size.height):
        for _text, style, _control in pane.render_line(y):
            yield style


# A pane alone ------------------------------------------------------------------------------------


class Sight(NamedTuple):
    words: str
    places: Mapping[str, Rect] = {"words": Rect(0, 0, 10, 3)}


def drawn(sight: Sight, size: Size) -> Block:
    return [[Span(sight.words.ljust(size[0]))]] * size[1]


class LonePart(App[None]):
    CSS = "Pane { width: 10; height: 3; }"

    def __init__(self, part: Part[Sight]) -> None:
        super().__init__()
        self.pane = Pane(part, id="words")
        self.inks: Inks = {None: Style()}
        self.picked: list[Any] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def show(self, words: str) -> None:
        self.pane.show(Sight(words), self.inks)

    def on_pane_picked(self, event: Pane.Picked) -> None:
        self.picked.append(event.hit)


async def test_what_looks_as_before_is_not_drawn_until_the_language_changes() -> None:
    drawings: list[str] = []

    def drawn_once(sight: Sight, size: Size) -> Block:
        drawings.append(sight.words)
        return drawn(sight, size)

    app = LonePart(Part(drawn_once, lambda *_: None, lambda before, sight: before == sight))
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        for words in ("abc", "abc", "abd"):
            app.show(words)
        assert drawings == ["abc", "abd"]
        speak("it")
        app.show("abd")
        assert drawings == ["abc", "abd", "abd"]
    speak(SOURCE)


async def test_a_part_that_fails_neither_draws_nor_ends_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed: list[Exception] = []
    monkeypatch.setattr("clocktowers_tui.games.pane.survive", failed.append)
    app = LonePart(Part(drawn, lambda *_: "hit"))
    async with app.run_test(size=(20, 5)) as pilot:
        app.show("abc")
        monkeypatch.setattr(app.pane, "_part", Part[Sight](lambda *_: [][0], lambda *_: [][0]))
        app.show("xyz")
        await pilot.click("#words", offset=(1, 1))
        assert app.picked == [] and len(failed) == 2
        assert "abc" in app.pane.render_line(1).text
