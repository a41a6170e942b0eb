"""Decisions in worker processes, so that the server's loop never waits for a bot; who gets a worker
next.

Laws: a worker that dies costs a try, not the match: a new pool replaces the old. After the last try
the caller must do without (None). Addresses take turns, one decision each, and so do the tables of
an address; a table where a player waits goes first.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing.connection import wait
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import structlog

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Decided, Stop
from server.games.registry import GAMES

# What runs in a worker process: one decision from a view and the events since the deal.


THINKING_S: Final = 1.0
"""In live play only. Far above what a decision takes, unless the machine is very busy."""


def prepare() -> None:
    """Once in every worker: leave Ctrl-C to the server, and never outlive it.

    A worker holds both ends of its queue's pipe, so it would not notice that the server was
    killed; the sentinel of the parent process tells.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def time_is_up() -> Stop:
    """Whether a second has passed since now: a person does not wait longer for a bot's thoughts."""
    end_s = time.monotonic() + THINKING_S
    return lambda: time.monotonic() >= end_s


_encode: Final = msgspec.msgpack.Encoder().encode
HINT: Final = "hint"
"""Stands where a level does."""


def decide(
    game: str, level: str, view: bytes, events: bytes, seed: str, planned: Any = None
) -> bytes:
    """A `Decided`, all as msgpack; `seed` makes the dice. `planned`: by the last hint."""
    vocabulary, played = VOCABULARIES[game], GAMES[game]
    question = (
        msgspec.msgpack.decode(view, type=vocabulary.view),
        msgspec.msgpack.decode(events, type=list[vocabulary.event]),  # type: ignore[name-defined]
        Random(seed),
        time_is_up(),
    )
    if level == HINT:
        return _encode(played.hint(*question, planned))
    return _encode(Decided(played.bots[level](*question)))


# Who gets a worker next: addresses take turns, one decision each, and so do the tables of an
# address; a table where a player waits goes first.
#
# Law: however many tables an address has and however many decisions they ask for, the next decision
# of another address waits for at most one of each address before it that is as urgent.


class Asker(NamedTuple):
    """Whose decision it is. `urgent`: a player is there and waits, not just watchers. `address`:
    where all players of the table come from (`Session.origin`); "" = the table has its own turn."""

    match: str = ""
    urgent: bool = True
    address: str = ""


SOMEBODY: Final = Asker()

_Tables: TypeAlias = "OrderedDict[str, deque[asyncio.Future[None]]]"
"""By match; the first is next."""
_Turns: TypeAlias = "OrderedDict[str, _Tables]"
"""By address, or by match where that has its own turn."""


class Queue:
    """Lets `places` in at a time."""

    __slots__ = ("_free", "_others", "_urgent")

    def __init__(self, places: int) -> None:
        self._free = places
        self._urgent: Final[_Turns] = OrderedDict()
        self._others: Final[_Turns] = OrderedDict()

    @asynccontextmanager
    async def place(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for a place, and keep it until the block is left."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(asker)
        try:
            yield
        finally:
            self._pass_on()

    def __len__(self) -> int:
        """How many wait."""
        addresses = (*self._urgent.values(), *self._others.values())
        return sum(len(waiting) for tables in addresses for waiting in tables.values())

    async def _wait(self, asker: Asker) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns = self._urgent if asker.urgent else self._others
        tables = turns.setdefault(asker.address or asker.match, OrderedDict())
        tables.setdefault(asker.match, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()  # the place came together with the end of the wait
            raise

    def _pass_on(self) -> None:
        """Give the place to the table whose turn it is."""
        for turns in (self._urgent, self._others):
            while turns:
                turn = _next(turns)
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1


def _next(turns: _Turns) -> asyncio.Future[None]:
    """Take the next turn. Its address, and its table there, are behind all others then."""
    address, tables = turns.popitem(last=False)
    match, waiting = tables.popitem(last=False)
    turn = waiting.popleft()
    if waiting:
        tables[match] = waiting
    if tables:
        turns[address] = tables
    return turn


TRIES: Final = 3
DECISION_TIMEOUT_S: Final = 20.0
"""Far above what any level needs; a first decision also waits for the worker to start."""


class Brains:
    """A pool of workers, started with the first decision."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: Executor | None = None
        # Waiting for a worker is not deciding, and does not count as time for it.
        self._queue = Queue(workers)

    @property
    def waiting(self) -> int:
        """How many decisions wait for a worker."""
        return len(self._queue)

    def _executor(self) -> Executor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers,
                # spawn: a forked child of a threaded, looping process is not safe.
                mp_context=multiprocessing.get_context("spawn"),
                initializer=prepare,
            )
        return self._pool

    async def choose(
        self,
        game: str,
        level: str,
        view: Any,
        events: Sequence[Any],
        seed: str,
        asker: Asker = SOMEBODY,
        planned: Any = None,
    ) -> Decided | None:
        """The decision of a bot, or of a hint after one that has `planned` that action; None when
        no worker reached one."""
        packed = (_encode(view), _encode(list(events)))
        kind = VOCABULARIES[game].action | None
        async with self._queue.place(asker):
            for _ in range(TRIES):
                pool = self._executor()
                try:
                    reply = await self._ask(pool, game, level, *packed, seed, planned)
                    found = msgspec.msgpack.decode(reply, type=tuple[kind, kind])  # type: ignore[valid-type]
                    return Decided(*found)
                except (BrokenExecutor, TimeoutError) as error:
                    structlog.get_logger().warning("bot worker lost", error=repr(error))
                    self._drop(pool)
                except Exception:
                    structlog.get_logger().exception("bot failed", game=game, level=level)
                    return None
        return None

    async def _ask(self, pool: Executor, *question: Any) -> bytes:
        async with asyncio.timeout(DECISION_TIMEOUT_S):
            return await asyncio.get_running_loop().run_in_executor(pool, decide, *question)

    def _drop(self, pool: Executor) -> None:
        # Others may have made a new pool meanwhile; only the broken pool goes.
        if self._pool is pool:
            self._pool = None
        _end(pool)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            # A moment, since they are killed; and Python's end must not meet with the pool's.
            _end(self._pool, wait=True)
            self._pool = None


def _end(pool: Executor, *, wait: bool = False) -> None:
    """End a pool at once, also with a worker that hangs, for which Python would wait at its exit.

    Other callers are not cancelled: they hear that the pool is broken, and try another.
    """
    # Needed until Python 3.14, which has `kill_workers`.
    workers = dict(getattr(pool, "_processes", None) or {})
    for worker in workers.values():
        worker.kill()
    pool.shutdown(wait=wait)
