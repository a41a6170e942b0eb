"""Writes to the terminal in a thread, so that a terminal that does not read delays nothing else.

It takes one piece at a time. A caller with more to write keeps it until the terminal has taken the
last piece, and by then may have less to say.
"""

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread


class Writer:
    """The writer's thread calls `ready` whenever a piece has gone out."""

    def __init__(self, fileno: int, ready: Callable[[], object]) -> None:
        self._fileno = fileno
        self._ready = ready
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self._idle = Event()
        self._idle.set()
        # A write that the terminal does not take cannot be ended; the program's end must still
        # come.
        Thread(target=self._run, name="terminal-output", daemon=True).start()

    @property
    def busy(self) -> bool:
        return not self._idle.is_set()

    def send(self, piece: bytes) -> None:
        """Write a piece; only while the writer is not busy."""
        self._idle.clear()
        self._pieces.put(piece)

    def wait(self, limit_s: float) -> bool:
        """Wait until everything has gone out, at most this long; returns whether it has."""
        return self._idle.wait(limit_s)

    def end(self) -> None:
        """End after the last piece."""
        self._pieces.put(None)

    def _run(self) -> None:
        while (piece := self._pieces.get()) is not None:
            self._write(piece)
            self._idle.set()
            self._ready()

    def _write(self, piece: bytes) -> None:
        try:
            while piece:
                piece = piece[os.write(self._fileno, piece) :]
        except OSError:
            pass  # the terminal is gone; the keyboard says so too, to code that can act on it
