"""Fixtures for tests of the client: a home of its own, a pilot that waits, a server."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from textual._context import active_app
from textual.pilot import Pilot

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.net.address import Address
from clocktowers_tui.text import i18n, spelling
from server.config import Limits
from tests.stage.house import house
from tests.stage.known_styles import known_styles
from tests.stage.settling import settle


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and logs of the player at the machine are not touched."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    i18n.speak("en")
    spelling.draw_with(GlyphSet.UNICODE)
    return tmp_path


@pytest.fixture(autouse=True)
def settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on when all is done, neither before nor much later."""

    async def settled(_: float) -> None:
        await settle(active_app.get())

    async def asked(pilot: Pilot[None], timeout: float = 30) -> bool:
        await settle(pilot.app)
        return True

    for user in ("app", "pilot"):
        monkeypatch.setattr(f"textual.{user}.wait_for_idle", settled)
    monkeypatch.setattr(Pilot, "_wait_for_screen", asked)


@pytest.fixture(autouse=True)
def styles() -> Iterator[None]:
    with known_styles():
        yield


@pytest.fixture(autouse=True)
def loud_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that fails fails its test: only a lying server may make it fail in silence."""

    def fail(error: Exception) -> None:
        raise error

    monkeypatch.setattr("clocktowers_tui.games.surviving.survive", fail)


@pytest.fixture
async def address(home: Path) -> AsyncIterator[Address]:
    """A real server on loopback, with bots that do not dawdle. It runs in the test's own loop: a
    process for each test would spend most of its time on imports."""
    async with house(limits=Limits()) as at:
        yield Address(*at.address)
