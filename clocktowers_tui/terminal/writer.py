"""Writes to the terminal in a thread: one that does not read holds up nothing but itself.

It takes one piece at a time. Whoever has more keeps it until the terminal has taken the last one,
and by then may well have less to say.
"""

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread


class Writer:
    """`ready` is called in the writer's own thread whenever a piece has gone out."""

    def __init__(self, fileno: int, ready: Callable[[], object]) -> None:
        self._fileno = fileno
        self._ready = ready
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self._idle = Event()
        self._idle.set()
        # Nothing can end a write that the terminal does not take; the program's end must.
        Thread(target=self._run, name="terminal-output", daemon=True).start()

    @property
    def busy(self) -> bool:
        return not self._idle.is_set()

    def send(self, piece: bytes) -> None:
        """Only while it is not busy."""
        self._idle.clear()
        self._pieces.put(piece)

    def wait(self, limit_s: float) -> bool:
        """Whether all that was sent has gone out, at the latest after so long."""
        return self._idle.wait(limit_s)

    def end(self) -> None:
        """After the last piece."""
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
            pass  # the terminal is gone; the keyboard says so too, to somebody who can act on it
