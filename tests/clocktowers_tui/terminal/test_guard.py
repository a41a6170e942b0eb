"""The guard alone: what it does when the client is gone, and when it has nothing to do."""

import os
import pty
import select
import subprocess
import sys
import termios
import tty
from collections.abc import Iterator

import pytest

from clocktowers_tui.terminal.guard import Guard, raw

LIMIT_S = 30
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


def test_it_gives_back_what_was_taken(terminal: tuple[int, int]) -> None:
    ours, theirs = terminal
    before = termios.tcgetattr(theirs)
    guard = Guard.post(theirs, theirs, LEAVE)
    termios.tcsetattr(theirs, termios.TCSANOW, raw(before))
    guard.taken()
    wait_for_the_end_of(guard)
    assert LEAVE.encode() in said(ours)
    assert termios.tcgetattr(theirs) == before


@pytest.mark.parametrize("times", [0, 1, 3])
def test_it_does_nothing_when_all_was_given_back(terminal: tuple[int, int], times: int) -> None:
    ours, theirs = terminal
    guard = Guard.post(theirs, theirs, LEAVE)
    for _ in range(times):
        guard.taken()
        guard.given_back()
    wait_for_the_end_of(guard)
    assert said(ours) == b""


def test_a_shell_that_was_quicker_keeps_its_own_mode(terminal: tuple[int, int]) -> None:
    ours, theirs = terminal
    guard = Guard.post(theirs, theirs, LEAVE)
    guard.taken()
    tty.setcbreak(theirs)
    shells = termios.tcgetattr(theirs)
    wait_for_the_end_of(guard)
    assert LEAVE.encode() in said(ours)
    assert termios.tcgetattr(theirs) == shells


def test_without_a_terminal_there_is_none() -> None:
    reading, writing = os.pipe()
    guard = Guard.post(reading, writing, LEAVE)
    guard.taken()
    guard.dismiss()
    assert not select.select([reading], [], [], 0)[0]
    os.close(reading)
    os.close(writing)


def test_it_is_posted_before_anything_large_is_imported() -> None:
    program = (
        "import sys, clocktowers_tui.__main__;"
        "print(sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=LIMIT_S
    )
    for large in ("textual", "rich", "asyncio", "msgspec", "wcwidth"):
        assert f"'{large}'" not in done.stdout
