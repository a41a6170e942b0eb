"""A pilot goes on when all is done; without that it goes on when it may be done."""

import asyncio

import pytest
from textual.app import App, ComposeResult
from textual.events import Resize
from textual.widgets import Static


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


class Stuck(App[None]):
    async def key_x(self) -> None:
        await asyncio.Event().wait()


async def test_who_never_gets_on_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.stage.settling._LIMIT_S", 0.05)
    async with Stuck().run_test() as pilot:
        with pytest.raises(TimeoutError, match=r"Stuck.*key_x > Event\.wait for"):
            await pilot.press("x")
        assert pilot.app._task is not None
        pilot.app._task.cancel()


async def test_without_waiting_it_would_be_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hurried(_: App[None]) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("tests.stage.client_fixtures.settle", hurried)
    app = Measured()
    async with app.run_test() as pilot:
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            if app.says() != f"{width}x{height}":
                return
    raise AssertionError("it was seen every time")
