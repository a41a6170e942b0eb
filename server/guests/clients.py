"""Starts the closed client for each guest, by the name of its module: the server does not know it.

Where a process can be forked safely, one that has imported the client forks all of them; elsewhere
each starts for itself, which takes longer and more memory.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final, Protocol, TypeAlias

import msgspec

from protocol import guests as words
from protocol.guests import Began, Ended, Order
from server.guests.passing import Full, Passing, TakeFile

FORKS: Final = sys.platform == "linux"
"""Elsewhere, above all on macOS, a forked process may not use the system's libraries."""
_FORKING: Final = (sys.executable, "-P", "-m", "clocktowers_tui.guest")
_ALONE: Final = (sys.executable, "-P", "-m", "clocktowers_tui", "guest")
_READ: Final = msgspec.msgpack.Decoder(Began | Ended)

End: TypeAlias = Callable[[bool], None]
"""Ends a client: in good order, or at once where that is True."""
Over: TypeAlias = Callable[[int | None], None]
"""Called once with the exit code, or minus the signal; None: nobody knows."""


class CannotStart(Exception):
    """No client can be started now."""


class Clients(Protocol):
    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        """Start a client on this terminal, which the caller may close at once. Returns what ends
        it. Raises CannotStart."""

    def close(self) -> None:
        """End all."""


def clients() -> Clients:
    return Forked() if FORKS else Spawned()


class Forked:
    """A process forks them. When it is gone another is started; its clients go on."""

    def __init__(self) -> None:
        self._forking = Forking()

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        if self._forking.gone:
            self._forking = Forking()
        return self._forking.begin(environ, terminal, over)

    def close(self) -> None:
        self._forking.close()


class Forking:
    """One such process, and its clients. Raises CannotStart."""

    def __init__(self) -> None:
        self._over: Final[dict[int, Over]] = {}
        self._pids: Final[dict[int, int]] = {}
        self._numbers: Final = count()
        ours, its = socket.socketpair()
        try:
            self._process: Final = subprocess.Popen(
                [*_FORKING, str(its.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                env=_bare_environment(),
                cwd="/",
            )
        except OSError:
            ours.close()
            raise CannotStart from None
        finally:
            its.close()
        self._passing: Passing | None = Passing(ours, self._heard, self._ended)

    @property
    def gone(self) -> bool:
        return self._passing is None

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        assert self._passing is not None
        number = next(self._numbers)
        order = msgspec.msgpack.encode(Order(number, dict(environ)))
        try:
            self._passing.send(order, terminal)
        except (Full, OSError):
            raise CannotStart from None
        self._over[number] = over
        return partial(self._end, number)

    def close(self) -> None:
        if self._passing is not None:
            self._passing.close()
        self._process.wait()

    def _heard(self, payload: bytes, _take: TakeFile) -> None:
        match _READ.decode(payload):
            case Began(number=number, pid=pid):
                self._pids[number] = pid
            case Ended(number=number, status=status):
                self._pids.pop(number, None)
                if (over := self._over.pop(number, None)) is not None:
                    over(status)

    def _ended(self) -> None:
        """Of clients that go on nobody hears when they end; that their terminal closes says it."""
        self._passing = None
        self._process.kill()
        self._process.wait()
        for number in [number for number in self._over if number not in self._pids]:
            self._over.pop(number)(None)

    def _end(self, number: int, at_once: bool) -> None:
        if number not in self._over:
            return
        if self._passing is not None:
            with suppress(Full):
                self._passing.send(msgspec.msgpack.encode(words.End(number, at_once)))
        elif (pid := self._pids.pop(number, 0)) > 0:
            self._over.pop(number)
            with suppress(OSError):
                os.kill(pid, 9)


class Spawned:
    """Each starts for itself."""

    def __init__(self) -> None:
        self._running: Final[set[subprocess.Popen[bytes]]] = set()

    def begin(self, environ: Mapping[str, str], terminal: int, over: Over) -> End:
        try:
            process = subprocess.Popen(
                _ALONE,
                stdin=terminal,
                stdout=terminal,
                stderr=terminal,
                env={**_bare_environment(), **environ},
                cwd="/",
                start_new_session=True,
            )
        except OSError:
            raise CannotStart from None
        self._running.add(process)
        waiting = asyncio.ensure_future(asyncio.to_thread(process.wait))
        waiting.add_done_callback(lambda done: self._ended(process, over))
        return lambda at_once: process.kill() if at_once else process.terminate()

    def close(self) -> None:
        for process in self._running:
            process.kill()

    def _ended(self, process: "subprocess.Popen[bytes]", over: Over) -> None:
        self._running.discard(process)
        over(process.returncode)


def _bare_environment() -> dict[str, str]:
    """What Python needs, and nothing of the operator's."""
    kept = (
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPYCACHEPREFIX",
        "TERMINFO_DIRS",
    )
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
        "HOME": "/",
    }
