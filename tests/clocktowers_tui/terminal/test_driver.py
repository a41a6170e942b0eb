"""The real client on a real terminal: it takes it over, and gives it back whatever happens."""

import asyncio
import os
import pty
import select
import shlex
import signal
import sys
import termios
import tty
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from clocktowers_tui.config.settings import Settings, save
from clocktowers_tui.terminal.guard import Guard
from tests.stage.processes import loaded_by
from tests.stage.pseudo_terminal import ESC, LIMIT_S, PseudoTerminal, environment, untouched
from tests.stage.staged import CLIENT, OneTable, at_table

GIVEN_BACK: Final = (b"\x1b[?1000l", b"\x1b[<u", b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[23;2t")

OUR_DRIVER: Final = """
import asyncio, sys
from textual.widgets import Label
from clocktowers_tui.config.look import Look
from clocktowers_tui.terminal.driver import CellApp, for_terminal
from clocktowers_tui.terminal.guard import Guard

class Small(CellApp):
    def compose(self):
        yield Label("here we are")
    def key_t(self):
        self._driver.set_title("Your \\x1b]0;turn\\x07")
        self.bell()
    def key_e(self):
        raise RuntimeError("on purpose")

app = Small(driver_class=for_terminal(Guard(), Look()))
app.run()
sys.exit(app.return_code)
"""


@asynccontextmanager
async def at_home(home: Path, program: Sequence[str] = CLIENT) -> AsyncIterator[PseudoTerminal]:
    async with PseudoTerminal.run(program, environment(str(home))) as terminal:
        await terminal.sees("Join a table")
        await terminal.settles()
        yield terminal


def is_given_back(terminal: PseudoTerminal) -> bool:
    return all(sequence in terminal.painted for sequence in GIVEN_BACK)


async def test_what_the_terminal_is_told_till_ctrl_c_leaves_it_as_it_was(home: Path) -> None:
    async with at_home(home) as terminal:
        told = terminal.painted
        terminal.press("\x03")
        await terminal.sees("once more")
        terminal.press("\x03")
        assert await terminal.ends() == 0
        assert is_given_back(terminal)
        # The guard knows that all is well, and says nothing.
        assert terminal.painted.count(b"\x1b[?1049l") == 1
    for sequence in (b"\x1b[?1049h", b"\x1b[>1u", b"\x1b[?1000h", b"\x1b[?1006h", b"\x1b[22;2t"):
        assert told.count(sequence) == 1
    for sequence in (b"?1003h", b"?1015h", b"?1016h", b"\x1b[>25u"):
        assert sequence not in told


async def test_a_terminal_that_does_not_know_its_size_counts_as_80x24(home: Path) -> None:
    """At the start, and when it is told so later."""
    async with PseudoTerminal.run(CLIENT, environment(str(home)), 0, 0) as terminal:
        terminal.screen.resize(24, 80)
        await terminal.says(b"Join a table")
        await terminal.settles()
        for size in ((0, 0), (0, 24), (80, 0)):
            terminal.resize(90, 30)
            await terminal.sees("Join a table")
            await terminal.settles()
            terminal.painted = b""
            terminal.resize(*size)
            terminal.screen.resize(24, 80)
            await terminal.says(b"Join a table")
            await terminal.settles()
        assert terminal.status is None and b"Traceback" not in terminal.painted


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, 128 + signal.SIGTERM),
        (signal.SIGINT, 130),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
async def test_a_signal_leaves_the_terminal_as_it_was(
    home: Path, number: signal.Signals, status: int
) -> None:
    async with PseudoTerminal.run(CLIENT, environment(str(home))) as terminal:
        await terminal.sees("Join a table")
        assert terminal.attributes() != untouched()
        os.kill(terminal.child, number)
        await terminal.says(GIVEN_BACK[-1])
        assert await terminal.ends() == status
        assert is_given_back(terminal)
        assert terminal.attributes() == untouched()
        assert b"Traceback" not in terminal.painted


async def test_a_title_and_a_bell_and_an_exception_that_leaves_the_terminal_as_it_was(
    home: Path,
) -> None:
    async with PseudoTerminal.run(["-c", OUR_DRIVER], environment(str(home))) as terminal:
        await terminal.sees("here we are")
        await terminal.settles()
        terminal.painted = b""
        terminal.press("t")
        await terminal.says(b"\x07\x07")
        assert terminal.painted == b"\x1b]2;Your ]0;turn\x07\x07"
        await terminal.settles()
        assert terminal.status is None
        terminal.press("e")
        assert await terminal.ends() != 0
        given_back, _, said = terminal.painted.partition(b"\x1b[?1049l")
        assert given_back and b"on purpose" in said
        assert terminal.attributes() == untouched()


async def test_a_terminal_that_is_gone_ends_it_at_once(home: Path) -> None:
    async with at_home(home) as terminal:
        terminal.hang_up()
        # Without an end this would wait for ever; a client that spins does not end either.
        assert await terminal.ends() == 128 + signal.SIGHUP


async def test_a_line_that_comes_at_once_while_the_list_has_the_focus_is_whole(home: Path) -> None:
    """As by a terminal that puts no brackets round what is pasted."""
    been = Settings(name="Ann", servers=("192.0.2.9:1",))
    save(been, home / ".config" / "clocktowers" / "settings.json")
    line = "clocktowers join 192.0.2.2:39839 --table UC8N"
    async with at_home(home) as terminal:
        terminal.press("c")
        await terminal.sees("Table (if known)", "joined before")
        terminal.press(f"{line}!?")
        await terminal.sees(f"{line}!?")


async def test_ctrl_z_suspends_and_comes_back_whole(home: Path) -> None:
    environ = environment(str(home)) | {"PS1": "$ ", "ENV": ""}
    async with PseudoTerminal.run_program(["sh", "-i"], environ) as terminal:
        terminal.press(f"{shlex.quote(sys.executable)} -P -m clocktowers_tui\n")
        await terminal.sees("Join a table", "15 min")
        await terminal.settles()
        seen = terminal.text()
        terminal.painted = b""
        terminal.press("\x1a")
        await terminal.says(b"\x1b[?1049l")
        await terminal.says(b"$ ")
        assert is_given_back(terminal)
        terminal.screen.reset()
        terminal.painted = b""
        terminal.press("fg\n")
        await terminal.says(b"\x1b[?1049h")
        await terminal.sees("Join a table", "15 min")
        await terminal.settles()
        # All of it came again: pyte has no second screen that could have kept it.
        assert seen.splitlines()[1:] == terminal.text().splitlines()[1:]
        terminal.painted = b""
        terminal.press("\x03")
        await terminal.sees("once more")
        terminal.press("\x03")
        await terminal.says(b"$ ")


async def test_stopped_from_outside_it_repaints_all_and_no_key_is_its_end(home: Path) -> None:
    async with at_home(home, [*CLIENT, "--no-mouse"]) as terminal:
        assert b"?1000h" not in terminal.painted
        seen = terminal.text()
        os.kill(terminal.child, signal.SIGSTOP)
        terminal.screen.reset()
        os.kill(terminal.child, signal.SIGCONT)
        await terminal.sees("Join a table", "15 min")
        await terminal.settles()
        assert terminal.text() == seen
        no_text = b"\xff\xc3\x28\x1b[999999999999999999;1R"
        os.write(terminal.terminal, no_text)
        await terminal.settles()
        terminal.press("\x03")
        await terminal.sees("once more")


HURRIED: Final = ("1", "\x1b[C", ESC, "2", ESC, "\x1b[C", "1") * 4
"""Each changes the board and the key line; the next comes while the last is being painted."""


async def test_what_changes_while_something_is_painted_is_painted_too() -> None:
    table = OneTable(7, 40)
    async with at_table(table) as terminal:
        while not table.my_turn():
            table.opponent()
            await terminal.settles()
        for key in HURRIED:
            terminal.press(key)
            await asyncio.sleep(0.03)
        await terminal.settles()
        seen = terminal.text()
        for width in (81, 80):  # which paints everything
            terminal.resize(width, 24)
            await terminal.settles()
        assert terminal.text() == seen


async def test_a_terminal_that_is_not_read_holds_up_nothing() -> None:
    """The client's heart beats on; only the last picture of those painted meanwhile is sent."""
    table = OneTable(7)
    async with at_table(table) as terminal:
        terminal.read(False)
        for width in range(81, 121):
            terminal.resize(width, 24)
            async with asyncio.timeout(LIMIT_S):
                await table.ping()
            await terminal.settles(0.03)
        terminal.resize(80, 24)
        for _ in range(12):
            if not table.my_turn():
                table.opponent()
                await table.ping()
        terminal.painted = b""
        terminal.read(True)
        await terminal.settles()
        expected = table.staged.view()
        assert f"x{expected.left[0]}" in terminal.text()
        assert len(terminal.painted) < 100_000


# The guard alone: when the client is gone, and when it has nothing to do --------------------------


LEAVE = "\x1b[?1049l"


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


def said(ours: int) -> bytes:
    return os.read(ours, 1024) if select.select([ours], [], [], 0)[0] else b""


def wait_for_the_end_of(guard: Guard) -> None:
    guard.dismiss()
    try:
        os.waitpid(guard._process, 0)
    except ChildProcessError:
        return


def test_a_shell_that_was_quicker_keeps_its_own_mode(terminal: tuple[int, int]) -> None:
    ours, theirs = terminal
    guard = Guard.post(theirs, theirs, LEAVE)
    guard.taken()
    tty.setcbreak(theirs)
    shells = termios.tcgetattr(theirs)
    wait_for_the_end_of(guard)
    assert LEAVE.encode() in said(ours)
    assert termios.tcgetattr(theirs) == shells


def test_keys_that_come_before_the_screen_are_not_shown(terminal: tuple[int, int]) -> None:
    """Ctrl+Z waits for the screen, too: a shell would stay without an echo."""
    ours, theirs = terminal
    before = termios.tcgetattr(theirs)
    guard = Guard.post(theirs, theirs, LEAVE)
    os.write(ours, b"\x1ap\n")
    assert os.read(theirs, 8) == b"\x1ap\n"
    assert guard.modes(theirs) == before != termios.tcgetattr(theirs)
    wait_for_the_end_of(guard)
    os.write(ours, b"q\n")
    assert (os.read(theirs, 8), os.read(ours, 8)) == (b"q\n", b"q\r\n")
    assert termios.tcgetattr(theirs) == before


def test_it_is_posted_before_anything_large_is_imported() -> None:
    loaded = loaded_by("import clocktowers_tui.__main__")
    assert "clocktowers_tui" in loaded and not {"textual", "rich", "asyncio", "wcwidth"} & loaded
