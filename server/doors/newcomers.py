"""Callers on their way in: how long one may take to say which door they want, and how many there
may be.

Laws: not a byte of a caller is read here. A caller who says nothing is held no longer than
`hello_s`; where there are too many, `Places` says which of them goes.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, NamedTuple, TypeAlias

import structlog

from server.config import Limits
from server.doors import proxy
from server.doors.door import Door
from server.net.caller import Caller
from server.net.places import Places, TakenPlace

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]


class Ways(NamedTuple):
    """The ways in from a port. `choose`: the door for a caller whose first byte this is; `silent`:
    for a caller who has said nothing for `patience_s`."""

    choose: Callable[[int, Caller], Door]
    silent: Callable[[Caller], Door]
    patience_s: float


class Newcomers:
    """All of one server. `hits`: as in `Peers`."""

    def __init__(self, limits: Limits, hits: Counter[str], spawn: Spawn) -> None:
        self.limits: Final = limits
        self.spawn: Final = spawn
        self._hits: Final = hits
        self._places: Final = Places(
            limits.arriving, limits.per_address, loopback_counts=limits.loopback_counts
        )

    def __len__(self) -> int:
        return len(self._places)

    def admit(self, newcomer: "Newcomer", address: str) -> TakenPlace:
        """A place for this one, counted for that address, "" = none."""
        if self._places.full_for(address):
            self._hits["per_address"] += 1
        elif self._places.full:
            self._hits["arriving"] += 1
        return self._places.take(address, newcomer.end)

    def end(self) -> None:
        """Hang up on all."""
        self._places.empty()


def _for_this_caller_only(
    callback: "Callable[[Newcomer], None]",
) -> "Callable[[Newcomer], None]":
    """A bug of ours in `callback` hangs up on this caller and reaches nobody else."""

    @wraps(callback)
    def guarded(newcomer: "Newcomer") -> None:
        try:
            callback(newcomer)
        except Exception:
            structlog.get_logger().exception("newcomer failed")
            newcomer.end()

    return guarded


class Newcomer:
    """One of them, from now on. `sock` does not block; `caller`: who is at its other end; `ways`:
    of the port where they came."""

    __slots__ = (
        "_all",
        "_caller",
        "_header",
        "_loop",
        "_place",
        "_sock",
        "_task",
        "_timer",
        "_ways",
    )

    def __init__(self, among: Newcomers, sock: socket.socket, caller: Caller, ways: Ways) -> None:
        self._all: Final = among
        self._loop: Final = asyncio.get_running_loop()
        self._sock: socket.socket | None = sock
        """Until a door has it."""
        self._caller = caller
        self._ways: Final = ways
        self._header = b""
        self._place: TakenPlace | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @_for_this_caller_only
    def come(self) -> None:
        """Let the caller in as soon as they have said how they speak."""
        self._take_place(self._caller.address)
        self._look()

    @_for_this_caller_only
    def come_through_proxy(self) -> None:
        """The same when the proxy has said who calls."""
        self._take_place("")
        self._read_header()

    def _take_place(self, address: str) -> None:
        """For a caller from there, instead of the one that they had."""
        self._give_back()
        self._place = self._all.admit(self, address)

    def _give_back(self) -> None:
        if self._place is not None:
            self._place.give_back()

    def end(self) -> None:
        """Hang up."""
        self._stop_waiting()
        self._give_back()
        if self._task is not None:
            self._task.cancel()
        if self._sock is not None:
            self._sock.close()

    @_for_this_caller_only
    def _read_header(self) -> None:
        assert self._sock is not None
        try:
            while more := proxy.missing(self._header):
                if not (came := self._sock.recv(more)):
                    self.end()
                    return
                self._header += came
            told = proxy.caller_in(self._header)
        except (BlockingIOError, InterruptedError):
            self._wait(self._read_header, self._all.limits.hello_s, self._say_no_header)
        except proxy.NoHeader:
            self._say_no_header()
        except OSError:
            self.end()
        else:
            self._stop_waiting()
            self._caller = (told or self._caller)._replace(since_s=self._caller.since_s)
            self.come()

    def _say_no_header(self) -> None:
        address = self._caller.address
        structlog.get_logger().info("no PROXY header from a trusted proxy", address=address)
        self.end()

    @_for_this_caller_only
    def _look(self) -> None:
        """Which door do they want? The byte stays where it is: a door reads all."""
        assert self._sock is not None
        try:
            first = self._sock.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            self._wait(self._look, self._ways.patience_s, self._say_nothing)
        except OSError:
            self.end()
        else:
            if first:
                self._enter(self._ways.choose(first[0], self._caller))
            else:
                self.end()

    def _say_nothing(self) -> None:
        self._enter(self._ways.silent(self._caller))

    def _wait(self, then: Callable[[], None], most_s: float, at_last: Callable[[], None]) -> None:
        """Call `then` when something has come, again and again; or `at_last`, `most_s` after the
        caller came."""
        if self._timer is not None:
            return
        assert self._sock is not None
        self._loop.add_reader(self._sock, then)
        self._timer = self._loop.call_at(self._caller.since_s + most_s, at_last)

    def _stop_waiting(self) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        self._timer = None
        assert self._sock is not None
        self._loop.remove_reader(self._sock)

    def _enter(self, door: Door) -> None:
        self._stop_waiting()
        self._task = self._all.spawn(self._through(door))

    async def _through(self, door: Door) -> None:
        assert self._sock is not None
        sock, self._sock = self._sock, None
        try:
            await door(sock, self._caller)
        except OSError as error:
            structlog.get_logger().debug("refused", why=str(error), address=self._caller.address)
        finally:
            self._give_back()
