"""A guest's client, as a door has it: bytes and sizes go in, bytes come out.

It runs on a pseudo-terminal. For a caller without a terminal it runs on a socket, in plain mode,
and hears there when no more is typed.

Three things end, in any order: the client's process, its terminal, and the caller's line.

    RUNS --read out--> CLOSED --late--> KILLED --ends | late--> OVER
    RUNS | CLOSED --hangs up--> LEFT --late--> KILLED
    RUNS --ends--> ENDED --hangs up | read out | late--> OVER
    CLOSED | LEFT --ends--> OVER

Laws: what the caller does not take waits in the client, not here; of what a client does not read,
`TYPED_BYTES` wait here, and the rest is dropped where the door cannot let the caller wait. When the
caller has gone the client has a moment to end, then it is killed.
"""

import asyncio
import fcntl
import os
import pty
import signal
import socket
import struct
import termios
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Final, NamedTuple, Protocol

from server.guests.clients import CannotStart, Clients
from server.timer import Timer

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


class State(Enum):
    RUNS = "runs"
    CLOSED = "closed"
    """Its terminal is read to its end; its process may go on."""
    ENDED = "ended"
    """Its process is; what it painted last may still be read."""
    LEFT = "left"
    """The caller has gone, and it is given a moment to end."""
    KILLED = "killed"
    OVER = "over"


class Event(Enum):
    HANGS_UP = "hangs up"
    READ_OUT = "read out"
    ENDS = "ends"
    LATE = "late"
    """The time of this state is over."""


S, E = State, Event

TRANSITIONS: Final[Mapping[State, Mapping[Event, State]]] = {
    S.RUNS: {E.HANGS_UP: S.LEFT, E.READ_OUT: S.CLOSED, E.ENDS: S.ENDED},
    S.CLOSED: {E.HANGS_UP: S.LEFT, E.ENDS: S.OVER, E.LATE: S.KILLED},
    S.ENDED: {E.HANGS_UP: S.OVER, E.READ_OUT: S.OVER, E.LATE: S.OVER},
    S.LEFT: {E.ENDS: S.OVER, E.LATE: S.KILLED},
    S.KILLED: {E.ENDS: S.OVER, E.LATE: S.OVER},
    S.OVER: {},
}
"""State before → what happens → state after. What is not listed changes nothing."""

PAINTS: Final = {S.RUNS, S.ENDED}
"""Its terminal is open."""
HEARD: Final = {S.RUNS, S.CLOSED, S.ENDED}
"""The caller is there, and has not been told of the end."""
COUNTS: Final = {S.RUNS, S.CLOSED, S.LEFT, S.KILLED}
"""Its process may run. Where nobody hears of the end of one that was killed it counts as ended."""


class Size(NamedTuple):
    """In cells; 0 = unknown."""

    columns: int = 0
    rows: int = 0


class Screen(Protocol):
    """The caller's end, as a door has it."""

    def show(self, output: bytes) -> None:
        """What the client paints. The door calls `Guest.pause` when too much of it waits."""

    def over(self, status: int | None) -> None:
        """The client has ended, and what it painted has been shown; called once. `status`: its
        exit code, or minus the signal; None: unknown."""

    def take_on(self) -> None:
        """The client has read everything that its guest typed."""


class Guest:
    """Made by `Guests.open`. `gone` is called, and `ended` set, when its process has ended."""

    def __init__(
        self,
        clients: Clients,
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
        self._has_terminal: Final = size is not None
        self._typed = b""
        self._typed_all = False
        self._state = State.RUNS
        self._status: int | None = None
        self._timer: Final = Timer()
        try:
            self._terminal, its = pty.openpty() if self._has_terminal else _line()
        except OSError:
            raise CannotStart from None
        try:
            if size is not None:
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
        if self._state in PAINTS:
            self._typed = (self._typed + typed)[:TYPED_BYTES]
            self._write()

    def end_typing(self) -> None:
        """The caller types no more, but may still look."""
        self._typed_all = not self._has_terminal
        if self._state in PAINTS:
            self._write()

    @property
    def unread(self) -> bool:
        """Whether the client has yet to take what was typed."""
        return bool(self._typed)

    def resize(self, size: Size) -> None:
        """The caller's terminal has this size."""
        if self._state in PAINTS and self._has_terminal:
            columns, rows = min(max(size.columns, 0), COLUMNS), min(max(size.rows, 0), ROWS)
            with suppress(OSError):
                packed = struct.pack("HHHH", rows, columns, 0, 0)
                fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, packed)

    def pause(self) -> None:
        """The caller takes no more for now."""
        if self._state in PAINTS:
            self._loop.remove_reader(self._terminal)

    def resume(self) -> None:
        """The caller takes more."""
        if self._state in PAINTS:
            self._loop.add_reader(self._terminal, self._read)

    def hang_up(self) -> None:
        """The caller has gone: their seat is held. `over` is not called any more."""
        self._happens(Event.HANGS_UP)

    def end(self) -> None:
        """Let the client give the terminal back and end; `over` is called then."""
        if self._state in COUNTS:
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
            self._happens(Event.READ_OUT)

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
        self._loop.remove_reader(self._terminal)
        self._loop.remove_writer(self._terminal)
        os.close(self._terminal)

    # The end ------------------------------------------------------------------------------------

    def _client_ended(self, status: int | None) -> None:
        self._status = status
        self._happens(Event.ENDS)

    def _happens(self, event: Event) -> None:
        before, after = self._state, TRANSITIONS[self._state].get(event)
        if after is None:
            return
        self._state = after
        self._timer.stop()
        if after is not State.OVER:
            limit_s = PARTING_S if after is State.LEFT else LAST_WORDS_S
            self._timer.start(limit_s, partial(self._happens, Event.LATE))
        if before in PAINTS and after not in PAINTS:
            self._close_terminal()
        if after is State.KILLED:
            self._end(True)
        elif after is State.LEFT and not self._has_terminal:  # it hears nothing of a terminal's end
            self._end(False)
        if before in COUNTS and after not in COUNTS:
            self.ended.set()
            self._gone()
        if before in HEARD and after not in HEARD and event is not Event.HANGS_UP:
            self._screen.over(self._status)


def _line() -> tuple[int, int]:
    """Both ends of what a caller without a terminal has in its place."""
    ours, its = socket.socketpair()
    return ours.detach(), its.detach()


def _end_line(ours: int) -> None:
    """Nothing more comes from this end."""
    with socket.socket(fileno=os.dup(ours)) as end, suppress(OSError):
        end.shutdown(socket.SHUT_WR)
