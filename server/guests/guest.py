"""A guest's client on a pseudo-terminal, as a door has it: bytes and sizes go in, bytes come out.

Laws: what the caller does not take waits in the client, not here; a client that does not read keeps
the caller from sending. When the caller has gone the client is given a moment, then killed.
"""

import asyncio
import fcntl
import os
import pty
import struct
import termios
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from server.guests.clients import CannotStart, Clients

READ_BYTES: Final = 64 * 1024
TYPED_BYTES: Final = 16 * 1024
"""What a client may leave unread. Nobody types or pastes more; what comes beyond is dropped."""
LAST_WORDS_S: Final = 2.0
"""How long the end of a client and the end of its terminal may lie apart."""
PARTING_S: Final = 5.0
"""How long a client may take to end once its caller has gone."""
COLUMNS: Final = 500
ROWS: Final = 200
"""A terminal larger than this is shown as one of this size: its screen would take too much."""


class Size(NamedTuple):
    """In cells; 0 = unknown."""

    columns: int = 0
    rows: int = 0


class Screen(Protocol):
    """The caller's end, as a door has it."""

    def show(self, output: bytes) -> None:
        """What the client paints. The door calls `Guest.pause` when too much of it waits."""

    def over(self, status: int | None) -> None:
        """The client has ended, and all that it painted has been shown; called once. `status`: its
        exit code, or minus the signal; None: unknown."""


class Guest:
    """Made by `Guests.open`. `gone` is called, and `ended` set, when its process has ended."""

    def __init__(
        self,
        clients: Clients,
        environ: Mapping[str, str],
        size: Size,
        screen: Screen,
        gone: Callable[[], None],
    ) -> None:
        """Raises CannotStart."""
        self._loop: Final = asyncio.get_running_loop()
        self._screen: Final = screen
        self._gone: Final = gone
        self.ended: Final = asyncio.Event()
        self._typed = b""
        self._paused = self._parted = False
        self._status: int | None = None
        self._last: asyncio.TimerHandle | None = None
        try:
            self._terminal, its = pty.openpty()
        except OSError:
            raise CannotStart from None
        self._painting = True
        try:
            self.resize(size)
            self._end: Final = clients.begin(environ, its, self._client_ended)
        except BaseException:
            os.close(self._terminal)
            raise
        finally:
            os.close(its)
        os.set_blocking(self._terminal, False)
        self._loop.add_reader(self._terminal, self._read)

    # From the caller ----------------------------------------------------------------------------

    def type(self, typed: bytes) -> None:
        """What the caller has typed."""
        if self._painting:
            self._typed = (self._typed + typed)[:TYPED_BYTES]
            self._write()

    def resize(self, size: Size) -> None:
        """The caller's terminal has this size."""
        if self._painting:
            columns, rows = min(max(size.columns, 0), COLUMNS), min(max(size.rows, 0), ROWS)
            with suppress(OSError):
                packed = struct.pack("HHHH", rows, columns, 0, 0)
                fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, packed)

    def pause(self) -> None:
        """The caller takes no more for now."""
        if self._painting and not self._paused:
            self._loop.remove_reader(self._terminal)
        self._paused = True

    def resume(self) -> None:
        """The caller takes more."""
        if self._painting and self._paused:
            self._loop.add_reader(self._terminal, self._read)
        self._paused = False

    def hang_up(self) -> None:
        """The caller has gone: their seat is held. `over` is not called any more."""
        if not self._parted:
            self._parted = True
            self._close_terminal()
            if not self.ended.is_set():
                self._last = self._loop.call_later(PARTING_S, self._kill_it)

    def end(self) -> None:
        """Let the client give the terminal back and end; `over` is called then."""
        if not self.ended.is_set():
            self._end(False)

    # The terminal -------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            painted = os.read(self._terminal, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # nobody has the other end any more
            painted = b""
        if painted:
            self._screen.show(painted)
        else:
            self._close_terminal()
            self._finish_soon()

    def _write(self) -> None:
        try:
            while self._typed:
                self._typed = self._typed[os.write(self._terminal, self._typed) :]
        except BlockingIOError:
            self._loop.add_writer(self._terminal, self._write)
        except OSError:
            self._typed = b""
        else:
            self._loop.remove_writer(self._terminal)

    def _close_terminal(self) -> None:
        if self._painting:
            self._painting = False
            self._loop.remove_reader(self._terminal)
            self._loop.remove_writer(self._terminal)
            os.close(self._terminal)

    # The end ------------------------------------------------------------------------------------

    def _client_ended(self, status: int | None) -> None:
        self._status = status
        self._count_as_ended()
        if self._last is not None:
            self._last.cancel()
        if not self._parted:
            self._finish_soon()

    def _finish_soon(self) -> None:
        """Once the client has ended and its terminal is read to its end; or soon after one of both,
        for a caller that takes nothing, and a client of which nobody hears."""
        if self._last is not None:
            self._last.cancel()
        if self.ended.is_set() and not self._painting:
            self._finish()
        else:
            self._last = self._loop.call_later(LAST_WORDS_S, self._finish)

    def _finish(self) -> None:
        self._close_terminal()
        if not self._parted:
            self._parted = True
            self._screen.over(self._status)
        self._kill_it()

    def _kill_it(self) -> None:
        if not self.ended.is_set():
            self._end(True)
            # Where nobody hears of its end it counts as ended: its terminal is closed.
            self._last = self._loop.call_later(LAST_WORDS_S, self._count_as_ended)

    def _count_as_ended(self) -> None:
        if not self.ended.is_set():
            self.ended.set()
            self._gone()
