"""Fixtures for tests of the client: a home of its own, a pilot that waits, a server."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
from textual._context import active_app
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.net.address import Address
from clocktowers_tui.text import i18n, spelling
from server.config import Limits
from tests.stage.house import house
from tests.stage.settling import settle

_RULES: Final[dict[tuple[Any, ...], list[RuleSet]]] = {}


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
def styles_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every app reads the same style sheets: a run reads them once for each palette."""
    read = Stylesheet._parse_rules

    def known(sheet: Stylesheet, *what: Any, **how: Any) -> list[RuleSet]:
        key = (frozenset(sheet._variables.items()), what, *sorted(how.items()))
        if key not in _RULES:
            _RULES[key] = read(sheet, *what, **how)
        return _RULES[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", known)


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
