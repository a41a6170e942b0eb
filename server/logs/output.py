"""Where log lines go: a thread writes them, so that no match waits for a terminal or a full disk.

Laws: `write` neither waits nor raises. A line that cannot be written is lost and counted, and the
first line that can be written again is preceded by the count.
"""

import os
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Final, Protocol, TypeAlias

MOST_WAITING: Final = 2000
"""Lines; a reader who does not read makes the server lose lines, not memory."""
CLOSING_S: Final = 1.0
"""How long the last lines may take when the server ends."""
LOOK_S: Final = 3600.0
"""How often a sink without lines is looked after."""

TellLost: TypeAlias = Callable[[int], str]
"""The line that says how many are lost."""


class Sink(Protocol):
    """What takes whole lines in the end. Each method may wait, and may raise OSError."""

    def write(self, line: bytes) -> None: ...

    def look_after(self) -> None:
        """Called now and then, also when nothing is written."""


class Descriptor:
    """A `Sink` on an open file of the system: stderr."""

    def __init__(self, number: int) -> None:
        self._number: Final = number
        self._torn = False
        """Whether the last line broke off, so that the next one begins with a line's end."""

    def write(self, line: bytes) -> None:
        rest = memoryview(b"\n" + line if self._torn else line)
        while rest:
            try:
                written = os.write(self._number, rest)
            except BlockingIOError:  # somebody else has made the terminal non-blocking
                select.select([], [self._number], [], CLOSING_S)
                continue
            self._torn = written < len(rest)
            rest = rest[written:]

    def look_after(self) -> None:
        pass


class Output:
    """A text stream to log into."""

    def __init__(self, sink: Sink, tell_lost: TellLost) -> None:
        self._sink: Final = sink
        self._tell_lost: Final = tell_lost
        self._waiting: Final[Queue[str | None]] = Queue(MOST_WAITING)
        self._lost = 0
        self._lock: Final = threading.Lock()
        self._thread: Final = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Have a line written soon."""
        try:
            self._waiting.put_nowait(line)
        except Full:
            self.lose()

    def flush(self) -> None:
        """Nothing waits in here for a flush; loggers call it after every line."""

    def lose(self) -> None:
        """Count a line that was not written."""
        with self._lock:
            self._lost += 1

    def close(self) -> None:
        """Write what waits, or give up after a second or two. Lines that come later are lost."""
        with suppress(Full):
            self._waiting.put(None, timeout=CLOSING_S)
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        while True:
            try:
                line = self._waiting.get(timeout=LOOK_S)
            except Empty:
                with suppress(Exception):
                    self._sink.look_after()
                continue
            if line is None:
                break
            try:
                self._tell()
                self._sink.write(_bytes(line))
            except Exception:  # of whichever kind: there is nowhere to write it down
                self.lose()

    def _tell(self) -> None:
        """Say how many lines are lost, if any are."""
        if lost := self._lost:
            self._sink.write(_bytes(self._tell_lost(lost)))
            with self._lock:
                self._lost -= lost


def _bytes(line: str) -> bytes:
    return line.encode("utf-8", "backslashreplace")
