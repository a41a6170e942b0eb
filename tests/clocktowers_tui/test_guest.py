"""The client of a server's guest: what is there and what is not, and what it may use."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clocktowers_tui.deeds.match import given_up_in_words
from clocktowers_tui.deeds.table import leave_for_good
from clocktowers_tui.guest import settling
from clocktowers_tui.guest.closed import ClosedApp, by_invitation
from clocktowers_tui.guest.settling import Idle
from clocktowers_tui.history import history_file
from clocktowers_tui.net import house as our_house
from clocktowers_tui.terminal import guard
from clocktowers_tui.terminal.guard import CUT_SHORT
from protocol.from_client import Join
from protocol.from_server import Done
from protocol.guests import GIVEN_BACK, SOCKET_NAME, House as Told
from protocol.invitation import NO_SECRET, Invitation, Place, encode
from server.config import Limits
from server.guests.passing import inside
from tests.stage.house import READY, START, House, eventually, house
from tests.stage.pilot import Playing, playing, press, seen, sees


@pytest.fixture(autouse=True)
def own_time() -> Iterator[None]:
    """A guest's client bounds the time of the process that it runs in, which is ours here: without
    this the system ends the run of tests half a minute of work later."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    yield
    resource.setrlimit(resource.RLIMIT_CPU, before)


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@asynccontextmanager
async def guest(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, code: str = ""
) -> AsyncIterator[tuple[Playing, House]]:
    """In the lobby of a server that has the guest's things in a folder of their own."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(folder))
    async with house(limits=Limits()) as at:
        serving = asyncio.ensure_future(inside(folder, at.server.session))
        await eventually((folder / SOCKET_NAME).exists)
        socket = str(folder / SOCKET_NAME)
        told = Told(socket, str(folder), "192.0.2.7", b"\1" * 32, code=code, idle_s=1800)
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
        await press(player, "escape", shows="q: leave")
        await press(player, "b", shows=("Clocktowers", "To the lobby", "q To the lobby"))
        elsewhere = [("c", "Join a table"), ("o", "Host a table"), ("y", "Your matches")]
        for key, words in elsewhere:
            await press(player, key, shows="does nothing here")
            assert words not in seen(player[0])
        await press(player, "q", shows="New table")
        await press(player, "q")
        await eventually(lambda: not player[0].is_running)


async def test_a_match_against_bots_is_played_at_a_table_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits there, and ends for another."""
    async with guest(tmp_path, monkeypatch, code="back-abc") as (player, at):
        await sees(player, "New table")
        await press(player, "b", "p", shows=("Next roof", "log in as back-abc"))
        (first,) = at.server.lobby.tables.values()
        await press(player, "q", "down", "enter", shows="Continue: turn 1")
        await press(player, "enter", shows="Next roof")
        assert list(at.server.lobby.tables.values()) == [first]
        await press(player, "q", "down", "enter", shows="Continue")
        await press(player, "p", shows="You have an unfinished match")
        await press(player, "down", "enter", shows="Next roof")
        await eventually(lambda: len(at.server.lobby.tables) == 1)
        assert first not in at.server.lobby.tables.values()


async def test_of_a_match_that_is_left_nothing_is_kept_for_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guest(tmp_path, monkeypatch) as ((app, _pilot), at):
        ben = await at.peer("Ben")
        code = await ben.create(seats=2)
        for wish in Join(id=0, table=code), READY:
            assert isinstance(await app.journey.request(wish), Done)
        await ben.done(START)
        await eventually(lambda: app.state.match is not None)
        said = given_up_in_words(app.state)
        assert said == "If you give your seat up, a bot plays on for you."
        await leave_for_good(app)
        assert not history_file().with_name("owed").exists()


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
        await press(player, "S", shows="Settings")
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
    monkeypatch.setattr("clocktowers_tui.guest.settling.LOOK_S", 0.05)
    async with guest(tmp_path, monkeypatch) as (player, _at):
        app = player[0]
        assert isinstance(app, ClosedApp)
        await sees(player, "New table")
        app.idle._since_s -= 1750
        await sees(player, "Press a key, or your connection ends soon")
        app.idle._since_s -= 50
        await eventually(lambda: not app.is_running)
        assert app.ended_idle


def test_an_invitation_that_lets_nobody_in_is_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    line = encode(Invitation((Place("here", 7777),), NO_SECRET, match="m1", proof=bytes(12)))
    for typed, why in ((line, "only shows"), (f"{line[:-9]}22{line[-7:]}", "wrong")):
        told = by_invitation(Told(name=typed, password="sesame"), typed)
        assert (told.name, told.password) == ("", "sesame") and why in capsys.readouterr().err


def test_what_a_client_takes_of_a_terminal_is_given_back() -> None:
    """By the door, where the client was killed."""
    assert CUT_SHORT + guard.leave(titled=True).encode() == GIVEN_BACK


# One that spins or swells is ended, alone ---------------------------------------------------------


_BEGIN = """
import os, time
from clocktowers_tui.guest import settling
from protocol.from_client import Join
from protocol.from_server import Done
from protocol.guests import House
settling.CPU_S, settling.CPU_SHARE = 1, 0
settling.settle(House("nowhere", HOME, "192.0.2.7", bytes(32)))
assert os.environ["HOME"] == HOME and "XDG_STATE_HOME" not in os.environ
allowance = settling.Allowance()
"""


def run(program: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    environ = {**os.environ, "XDG_STATE_HOME": "elsewhere"}
    command = [sys.executable, "-P", "-c", f"HOME = {str(folder)!r}\n{_BEGIN}{program}"]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_guest_earns_a_share_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, used_s, limits_s = 0.0, 0.0, list[int]()
    monkeypatch.setattr("time.monotonic", lambda: now_s)
    monkeypatch.setattr(settling, "_used_s", lambda: used_s)
    monkeypatch.setattr("resource.setrlimit", lambda _which, limits: limits_s.append(limits[0]))
    allowance = settling.Allowance()
    now_s, used_s = 100.0, 5.0
    allowance.renew()
    used_s = 50.0
    allowance.renew()
    assert limits_s == [30, 35, 60]


def test_a_guest_that_swells_gets_no_more(tmp_path: Path) -> None:
    grown = run("bytearray(300 << 20)", tmp_path)
    assert grown.returncode == 1 and "MemoryError" in grown.stderr
    assert run("bytearray(50 << 20)", tmp_path).returncode == 0


def test_a_guest_writes_no_large_file(tmp_path: Path) -> None:
    file = tmp_path / "large"
    assert run(f"open({str(file)!r}, 'wb').write(bytes(8 << 20))", tmp_path).returncode == 1
    assert file.stat().st_size <= 4 << 20


@pytest.mark.soak
def test_a_guest_that_spins_is_ended(tmp_path: Path) -> None:
    """Also one that asks for more in time, however little of the processor a busy machine gives it.
    One that mostly waits is not."""
    for spins in ("while True: pass", "while True: allowance.renew()"):
        assert run(spins, tmp_path).returncode == -signal.SIGXCPU
    waits = "for _ in range(3): time.sleep(0.1); allowance.renew()"
    assert run(waits, tmp_path).returncode == 0


def test_the_end_is_told_once_and_a_key_puts_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, warned = 0.0, list[float]()

    async def pass_by(delay_s: float) -> None:
        nonlocal now_s
        now_s += delay_s
        if now_s == 595:
            idle.heard()

    monkeypatch.setattr("clocktowers_tui.guest.settling.time.monotonic", lambda: now_s)
    monkeypatch.setattr("clocktowers_tui.guest.settling.asyncio.sleep", pass_by)
    idle = Idle(600)
    with pytest.raises(StopIteration):
        idle.until_over(lambda: warned.append(now_s)).send(None)
    assert (warned, now_s) == ([540, 1135], 1195)
