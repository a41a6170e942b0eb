"""A guest's client, as a door has it: bytes and sizes go in, bytes come out.

It runs on a pseudo-terminal. For a caller without a terminal it runs on a socket, in plain mode,
and hears there when no more is typed. Where a process can be forked safely, one that has imported
the client forks all of them; elsewhere each starts for itself, which takes longer and more memory.

Laws: no client's end is another's. What the caller does not take waits in the client, not here; of
what a client does not read, `TYPED_BYTES` wait here, and the rest is dropped where the door cannot
let the caller wait. When the caller has gone the client has a moment to end, then it is killed; one
that is killed does not give its terminal back, so this does.
"""

import asyncio
import fcntl
import gc
import multiprocessing
import os
import pty
import signal
import socket
import struct
import sys
import termios
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final, NamedTuple, Protocol

from protocol.guests import GIVEN_BACK, House

CLIENT: Final = "clocktowers_tui.guest.closed"
"""The client's module, whose `run` gets the `House`: the server knows no more of it."""
PRELOADED: Final = (__name__, "clocktowers_tui.guest.everything")
"""What the process that forks clients has imported."""
FORKS: Final = sys.platform == "linux"
"""Elsewhere, above all on macOS, a forked process may not use the system's libraries."""
_PROCESSES: Final = (
    multiprocessing.get_context("forkserver") if FORKS else multiprocessing.get_context("spawn")
)
_UNKNOWN: Final = 255
"""The exit code of a client whose forking process has gone, as when it could not fork one; the
client goes on."""
_MOST_FILES: Final = 4096

READ_BYTES: Final = 64 * 1024
TYPED_BYTES: Final = 16 * 1024
"""What a client may leave unread."""
LAST_WORDS_S: Final = 2.0
"""How long the end of a client and the end of its terminal may lie apart."""
PARTING_S: Final = 5.0
"""How long a client may take to end once its caller has gone."""
STOPPED: Final = 128 + signal.SIGTERM
"""The exit code of a client that was ended because the server stops."""
COLUMNS: Final = 500
ROWS: Final = 200
"""A terminal larger than this is shown as one of this size: its screen would take too much."""


class CannotStart(Exception):
    """No client can be started now."""


class Size(NamedTuple):
    """In cells; 0 = unknown."""

    columns: int = 0
    rows: int = 0


class Screen(Protocol):
    """The caller's end, as a door has it."""

    def show(self, output: bytes) -> None:
        """What the client paints. The door calls `Guest.pause` when too much of it waits."""

    def over(self, status: int) -> None:
        """The client has ended, and what it painted has been shown; called once. `status`: its
        exit code, or minus the signal; 0 where nobody knows."""

    def take_on(self) -> None:
        """The client has read everything that its guest typed."""


class Guest:
    """Made by `Guests.open`. `gone` is called, and `ended` set, when its process has ended; where
    nobody hears of the end of one that was killed it counts as ended."""

    def __init__(
        self,
        house: House,
        environ: Mapping[str, str],
        size: Size | None,
        screen: Screen,
        gone: Callable[[], None],
    ) -> None:
        """`size`: None where the caller has no terminal. Raises CannotStart."""
        self._loop: Final = asyncio.get_running_loop()
        self._screen: Final = screen
        self._gone: Final = gone
        self.ended: Final = asyncio.Event()
        self.code: Final = house.code
        self._status = 0
        self._has_terminal: Final = size is not None
        self._open = True
        self._left = False
        self._happened: Final = asyncio.Event()
        self._typed = b""
        self._typed_all = False
        try:
            self._terminal, its = pty.openpty() if self._has_terminal else _line()
        except OSError:
            raise CannotStart from None
        try:
            if size is not None:
                self.resize(size)
            self._process: Final = _started(house, environ, its)
        except (OSError, EOFError):
            os.close(self._terminal)
            raise CannotStart from None
        self._pid: Final = self._process.pid or 0
        os.set_blocking(self._terminal, False)
        self._loop.add_reader(self._terminal, self._read)
        self._loop.add_reader(self._process.sentinel, self._client_ends)
        self._ending: Final = self._loop.create_task(self._end_in_order())

    # From the caller ----------------------------------------------------------------------------

    def type(self, typed: bytes) -> None:
        """What the caller has typed."""
        if self._open:
            self._typed = (self._typed + typed)[:TYPED_BYTES]
            self._write()

    def end_typing(self) -> None:
        """The caller types no more, but may still look."""
        self._typed_all = not self._has_terminal
        if self._open:
            self._write()

    @property
    def unread(self) -> bool:
        """Whether the client has yet to take what was typed."""
        return bool(self._typed)

    def resize(self, size: Size) -> None:
        """The caller's terminal has this size."""
        if self._open and self._has_terminal:
            columns, rows = min(max(size.columns, 0), COLUMNS), min(max(size.rows, 0), ROWS)
            with suppress(OSError):
                packed = struct.pack("HHHH", rows, columns, 0, 0)
                fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, packed)

    def pause(self) -> None:
        """The caller takes no more for now."""
        if self._open:
            self._loop.remove_reader(self._terminal)

    def resume(self) -> None:
        """The caller takes more."""
        if self._open:
            self._loop.add_reader(self._terminal, self._read)

    def hang_up(self) -> None:
        """The caller has gone: their seat is held. `over` is not called any more."""
        self._left = True
        self._close_terminal()

    def end(self) -> None:
        """Let the client give the terminal back and end; `over` is called then."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._signal(signal.SIGKILL)

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
            if self._typed_all:
                _end_line(self._terminal)
            self._screen.take_on()

    def _close_terminal(self) -> None:
        self._happened.set()
        if self._open:
            self._open = False
            self._loop.remove_reader(self._terminal)
            self._loop.remove_writer(self._terminal)
            os.close(self._terminal)

    # The end ------------------------------------------------------------------------------------

    def _signal(self, number: signal.Signals) -> None:
        if not self.ended.is_set():
            with suppress(OSError):
                os.kill(self._pid, number)

    def _client_ends(self) -> None:
        if (status := self._process.exitcode) is None:
            return  # its files are closed, and it is about to end
        self._loop.remove_reader(self._process.sentinel)
        self._process.close()
        if status != _UNKNOWN:
            self._has_ended(status)
            return
        try:
            process = os.pidfd_open(self._pid)
        except OSError:  # it has ended as well
            self._has_ended(0)
        else:
            self._loop.add_reader(process, self._orphan_ends, process)

    def _orphan_ends(self, process: int) -> None:
        self._loop.remove_reader(process)
        os.close(process)
        self._has_ended(0)

    def _has_ended(self, status: int) -> None:
        if not self.ended.is_set():
            self._status = status
            self.ended.set()
            self._happened.set()
            self._gone()

    async def _end_in_order(self) -> None:
        """Three things end, in any order: the process, its terminal, and the caller's line."""
        ended = self.ended.is_set
        await self._until(lambda: ended() or not self._open)
        await self._until(lambda: self._left or (ended() and not self._open), LAST_WORDS_S)
        self._close_terminal()
        if self._left and not ended():
            if not self._has_terminal:  # it hears nothing of a terminal's end
                self.end()
            await self._until(ended, PARTING_S)
        if not ended():
            self.kill()
            await self._until(ended, LAST_WORDS_S)
        self._has_ended(-signal.SIGKILL)
        if self._left:
            return
        if self._has_terminal and self._status < 0:
            self._screen.show(GIVEN_BACK)
        self._screen.over(self._status)

    async def _until(self, true: Callable[[], bool], limit_s: float | None = None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while not true():
                    self._happened.clear()
                    await self._happened.wait()


def make_ready() -> None:
    """Returns when the process that forks clients has imported them: from then on each takes some
    milliseconds of the loop."""
    if FORKS:
        _PROCESSES.set_forkserver_preload([*PRELOADED])
        nobody = _PROCESSES.Process()
        nobody.start()
        nobody.join()


def _started(house: House, environ: Mapping[str, str], terminal: int) -> BaseProcess:
    """A new client, which is there in 6 ms where it is forked. Takes the terminal. Raises OSError
    and EOFError."""
    with Connection(terminal) as passed:  # the way in which multiprocessing hands over a descriptor
        process = _PROCESSES.Process(
            target=_become, args=(CLIENT, house, dict(environ), passed), daemon=True
        )
        process.start()
    return process


def _become(client: str, house: House, environ: Mapping[str, str], terminal: Connection) -> None:
    """In the new process: be a guest's client, from here to its end."""
    status = 1
    try:
        gc.freeze()  # what all clients share is not looked through, and stays shared
        if os.isatty(terminal.fileno()):
            os.login_tty(terminal.fileno())
        else:
            os.setsid()
            for number in range(3):
                os.dup2(terminal.fileno(), number)
        if forkserver.get_inherited_fds() is not None:
            os.closerange(3, _MOST_FILES)  # such as ways to the process that has forked this
        sys.stdin = os.fdopen(0, closefd=False)  # multiprocessing has closed it
        setattr(sys, "__stdin__", sys.stdin)  # noqa: B010
        os.chdir("/")
        os.environ.clear()
        os.environ.update(environ)
        status = import_module(client).run(house)
    finally:
        os._exit(status)


def _line() -> tuple[int, int]:
    """Both ends of what a caller without a terminal has in its place."""
    ours, its = socket.socketpair()
    return ours.detach(), its.detach()


def _end_line(ours: int) -> None:
    """Nothing more comes from this end."""
    with socket.socket(fileno=os.dup(ours)) as end, suppress(OSError):
        end.shutdown(socket.SHUT_WR)
