"""What is typed, line by line: from a terminal, a pipe or a file.

Laws: the loop never waits for the keyboard; a line is cleaned before anybody reads it; of a line
that is too long the rest is dropped.
"""

import asyncio
import os
import termios
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from protocol.text import clean

MAX_CHARACTERS: Final = 1000
_BLOCK_BYTES: Final = 4096
_AHEAD: Final = 64
"""Lines that are read before they are obeyed."""


@contextmanager
def hidden(descriptor: int) -> Iterator[None]:
    """This terminal does not show what is typed meanwhile."""
    try:
        before, modes = termios.tcgetattr(descriptor), termios.tcgetattr(descriptor)
    except termios.error:  # no terminal
        yield
        return
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class Lines:
    """`descriptor`: of stdin. A thread reads it, as no loop can wait for a file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._room = threading.Semaphore(_AHEAD)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.ended = False
        """All lines have been handed out."""
        self._back: str | None = None
        # Not of a pool: a program that ends does not wait for a line that nobody types.
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    async def next(self) -> str | None:
        """None at the end."""
        if self._back is not None:
            back, self._back = self._back, None
            return back
        if self.ended:
            return None
        line = await self._lines.get()
        self._room.release()
        self.ended = line is None
        return line

    def put_back(self, line: str | None) -> None:
        """Hand this one out again, next."""
        self._back = line

    def hidden(self) -> AbstractContextManager[None]:
        """The terminal does not show what is typed meanwhile."""
        return hidden(self._descriptor)

    def _read(self) -> None:
        rest = b""
        while block := self._block():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                self._put(_text(line))
            rest = rest[: 4 * MAX_CHARACTERS]
        if rest:
            self._put(_text(rest))
        self._put(None)

    def _block(self) -> bytes:
        try:
            return os.read(self._descriptor, _BLOCK_BYTES)
        except OSError:  # the terminal is gone
            return b""

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:  # the program has ended meanwhile
            self._room.release()


def _text(line: bytes) -> str:
    return clean(line[: 4 * MAX_CHARACTERS].decode("utf-8", "replace"))[:MAX_CHARACTERS]
