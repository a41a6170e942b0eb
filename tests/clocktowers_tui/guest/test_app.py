"""The client of a server's guest: what is there, and what is not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clocktowers_tui.guest.app import ClosedApp
from clocktowers_tui.net import house as our_house
from protocol.guests import SOCKET_NAME, House as Told
from server.config import Limits
from server.guests.inside import inside
from tests.stage.house import House, eventually, house
from tests.stage.pilot import Playing, playing, press, seen, sees


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@asynccontextmanager
async def guest(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, code: str = "", idle_s: float = 1800
) -> AsyncIterator[tuple[Playing, House]]:
    """In the lobby of a server that has the guest's things in a folder of their own."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(folder))
    async with house(limits=Limits()) as at:
        serving = asyncio.ensure_future(inside(folder, at.server.session))
        await eventually((folder / SOCKET_NAME).exists)
        socket = str(folder / SOCKET_NAME)
        told = Told(socket, str(folder), "192.0.2.7", b"\1" * 32, code=code, idle_s=idle_s)
        our_house.move_in(told)
        try:
            async with playing(our_house.lobby(), make=ClosedApp) as player:
                yield player, at
        finally:
            our_house.move_in(None)
            serving.cancel()


async def test_the_lobby_is_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with guest(tmp_path, monkeypatch, code="back-abc") as (player, at):
        await sees(player, "this server as Ann", "log in as back-abc", "for 30 minutes")
        assert next(iter(at.server.peers.admitted)).who()["address"] == "192.0.2.7"
        await press(player, "escape")
        await sees(player, "q: leave")
        await press(player, "b")
        await sees(player, "Clocktowers", "To the lobby", "q To the lobby")
        elsewhere = [("c", "Join a table"), ("o", "Host a table"), ("y", "Your matches")]
        for key, words in elsewhere:
            await press(player, key)
            await sees(player, "does nothing here")
            assert words not in seen(player[0])
        await press(player, "q")
        await sees(player, "New table")
        await press(player, "q")
        await eventually(lambda: not player[0].is_running)


async def test_a_match_against_bots_is_played_at_a_table_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits there, and ends for another."""
    async with guest(tmp_path, monkeypatch, code="back-abc") as (player, at):
        await sees(player, "New table")
        await press(player, "b", "p")
        await sees(player, "Next roof", "log in as back-abc")
        (first,) = at.server.lobby.tables.values()
        await press(player, "q", "down", "enter")
        await sees(player, "Continue: turn 1")
        await press(player, "enter")
        await sees(player, "Next roof")
        assert list(at.server.lobby.tables.values()) == [first]
        await press(player, "q", "down", "enter")
        await sees(player, "Continue")
        await press(player, "p")
        await sees(player, "You have an unfinished match")
        await press(player, "down", "enter")
        await sees(player, "Next roof")
        await eventually(lambda: len(at.server.lobby.tables) == 1)
        assert first not in at.server.lobby.tables.values()


@pytest.mark.parametrize(
    ("keys", "shown"), [(("l",), "LessonScreen"), (("right", "right", "r"), "MatchScreen")]
)
async def test_lessons_and_practice_run_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], shown: str
) -> None:
    async with guest(tmp_path, monkeypatch) as (player, at):
        await sees(player, "New table")
        await press(player, "b", *keys)
        await eventually(lambda: type(player[0].screen).__name__ == shown)
        (table,) = at.server.lobby.tables.values()
        assert table.seed is not None


async def test_nothing_reaches_the_server_s_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: Textual's own app opens a browser and writes files."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url, *_more: opened.append(url))
    monkeypatch.chdir(tmp_path)
    async with guest(tmp_path, monkeypatch) as (player, _at):
        app = player[0]
        await sees(player, "New table")
        await press(player, "S")
        await sees(player, "Settings")
        assert str(tmp_path)[:12] not in seen(app) and "Saved in" not in seen(app)
        before = files_in(tmp_path)
        app.open_url("http://evil.example")
        app.save_screenshot(path=str(tmp_path))
        app.deliver_screenshot()
        app.deliver_text(str(tmp_path / "settings.json"))
        app.action_screenshot()
        app.action_suspend_process()
        await player[1].pause()
        assert not opened
        assert files_in(tmp_path) == before


async def test_a_line_that_nobody_uses_ends_after_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guest(tmp_path, monkeypatch, idle_s=2.0) as (player, _at):
        app = player[0]
        assert isinstance(app, ClosedApp)
        await sees(player, "New table")
        await sees(player, "Press a key, or your connection ends soon")
        await eventually(lambda: not app.is_running)
        assert "connection has ended" in app.last_word
