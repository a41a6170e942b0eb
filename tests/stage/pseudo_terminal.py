"""A program on a terminal of our own: we press its keys and count every byte it paints.

The terminal is pyte's. "Settled" means that nothing came for a while and none of the program's
threads wanted the processor or the disk meanwhile: the while is for the program's own timers, and
a slow machine takes longer and counts the same.
"""

import asyncio
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import pyte

from tests.stage.late import LATE

LIMIT_S: Final = 60.0
"""A program that does not do what we wait for by then is broken."""
QUIET_S: Final = 0.09
"""Longer than anything Textual puts off: it switches a screen after 0.05 s."""
ESC: Final = "\x1b[27u"
"""As terminals send it that leave no doubt; a lone byte is an Esc only after a while."""
_LOOK_S: Final = 0.01


def untouched() -> list[Any]:
    """The `attributes` of a terminal that no program has used."""
    ours, its = pty.openpty()
    try:
        return termios.tcgetattr(ours)
    finally:
        os.close(ours)
        os.close(its)


class PseudoTerminal:
    """Made by `run`; a context manager that ends the program."""

    def __init__(self, child: int, terminal: int, width: int, height: int) -> None:
        self.child: Final = child
        self.terminal: Final = terminal
        self.screen = pyte.Screen(width, height)
        self.painted = b""
        """Everything that came since the last clearing."""
        self.status: int | None = None
        self._rows: dict[int, str] = {}
        self._stream = pyte.ByteStream(self.screen)
        self._came = asyncio.Event()
        self._reading = False
        self.read(True)

    @classmethod
    def run(
        cls, arguments: Sequence[str], environ: Mapping[str, str], width: int = 80, height: int = 24
    ) -> Self:
        """Run Python with these arguments, in such a terminal and environment."""
        return cls.run_program([sys.executable, "-P", *arguments], environ, width, height)

    @classmethod
    def run_program(
        cls, command: Sequence[str], environ: Mapping[str, str], width: int = 80, height: int = 24
    ) -> Self:
        child, terminal = start(command, environ, width, height)
        return cls(child, terminal, width, height)

    # The player ----------------------------------------------------------------------------------

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        set_size(self.terminal, width, height)

    def text(self) -> str:
        """What is seen; only rows that changed are read again, since pyte's own way is slow."""
        screen = self.screen
        for y in screen.dirty:
            row = "".join(screen.buffer[y][x].data for x in range(screen.columns))
            self._rows[y] = row.rstrip()
        screen.dirty.clear()
        return "\n".join(self._rows[y] for y in range(screen.lines))

    async def sees(self, *words: str) -> None:
        """Wait for these words. Raises AssertionError with the screen when they do not come, or the
        program has ended."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while not _all_in(self.text(), words):
                    if self.status is not None:
                        raise TimeoutError
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError:
            raise AssertionError(f"waited for {words} in vain:\n{self.text()}") from None

    async def says(self, sequence: bytes) -> None:
        """Wait for these bytes, painted or not."""
        async with asyncio.timeout(LIMIT_S):
            while sequence not in self.painted:
                self._came.clear()
                await self._came.wait()

    async def settles(self, quiet_s: float = QUIET_S) -> None:
        """Wait until nothing comes for a while, and nothing of the program is at work."""
        quiet_s += LATE.most_s
        async with asyncio.timeout(LIMIT_S):
            quiet = 0
            while quiet * _LOOK_S < quiet_s and self.status is None:
                self._came.clear()
                await asyncio.sleep(_LOOK_S)
                quiet = 0 if self._came.is_set() or self._wants_to_run() else quiet + 1

    async def cost(self, keys: str) -> int:
        """Bytes painted because of these keys."""
        self.painted = b""
        self.press(keys)
        await self.settles()
        return len(self.painted)

    def _wants_to_run(self) -> bool:
        with suppress(OSError):  # no such folder on other systems, or the thread has just ended
            for thread in Path(f"/proc/{self.child}/task").iterdir():
                if (thread / "stat").read_text().rpartition(")")[2].split()[0] in "RD":
                    return True
        return False

    # The terminal --------------------------------------------------------------------------------

    def read(self, wanted: bool) -> None:
        """Whether the terminal takes what the program paints."""
        loop = asyncio.get_running_loop()
        if wanted and not self._reading:
            loop.add_reader(self.terminal, self._receive)
        elif not wanted and self._reading:
            loop.remove_reader(self.terminal)
        self._reading = wanted

    def _receive(self) -> None:
        try:
            received = os.read(self.terminal, 1 << 16)
        except OSError:
            received = b""
        if not received:
            self.read(False)
            self._reap(0)
            self._came.set()
            return
        self.painted += received
        # pyte would print what only real terminals understand.
        self._stream.feed(received.replace(b"\x1b[>", b"\x1b[?").replace(b"\x1b[<", b"\x1b[?"))
        self._came.set()

    # The end -------------------------------------------------------------------------------------

    def hang_up(self) -> None:
        """Take the terminal away."""
        self.read(False)
        os.close(self.terminal)

    async def ends(self) -> int:
        """Wait for the end; returns the exit code, or minus the signal."""
        async with asyncio.timeout(LIMIT_S):
            while self.status is None:
                self._reap(os.WNOHANG)
                await asyncio.sleep(_LOOK_S)
        await asyncio.sleep(0)
        return self.status

    def attributes(self) -> list[Any]:
        """What the terminal does with keys by itself (`termios.tcgetattr`)."""
        return termios.tcgetattr(self.terminal)

    def _reap(self, options: int) -> None:
        if self.status is None:
            child, status = os.waitpid(self.child, options)
            if child:
                self.status = os.waitstatus_to_exitcode(status)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.status is None:
            os.kill(self.child, signal.SIGKILL)
            await self.ends()
        self.read(False)
        with suppress(OSError):
            os.close(self.terminal)


def _all_in(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def environment(home: str) -> dict[str, str]:
    """The environment of a terminal with all colours, and of a player with a home of their own."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": home,
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        # Bytes are counted as on a line that may be slow.
        "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
        # A motion would be counted with whatever comes next.
        "TEXTUAL_ANIMATIONS": "none",
        # The machine's real network is neither asked nor told anything.
        "CLOCKTOWERS_NEARBY": "no",
        "CLOCKTOWERS_ANNOUNCE": "false",
    }


def start(
    command: Sequence[str], environ: Mapping[str, str], width: int, height: int
) -> tuple[int, int]:
    """Run a program on a terminal of its own; returns its number and our end of the terminal."""
    child, terminal = pty.fork()
    if child == 0:
        try:
            set_size(0, width, height)
            os.execvpe(command[0], list(command), environ)
        finally:
            os._exit(127)
    return child, terminal


def set_size(terminal: int, width: int, height: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
