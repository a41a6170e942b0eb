"""Decisions in worker processes, so that the server's loop never waits for a bot; who gets a worker
next.

Laws: a worker that dies costs a try, not the match: a new pool replaces the old. After the last try
the caller must do without (None). Addresses take turns, one decision each, and so do the tables of
an address; a table where a player waits goes first.
"""

import asyncio
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from typing import Any, Final, NamedTuple

import msgspec
import structlog

from protocol.games.registry import GAMES as VOCABULARIES
from server.bots.queueing import SOMEBODY, Asker, Queue
from server.bots.worker import decide, prepare

TRIES: Final = 3
DECISION_TIMEOUT_S: Final = 20.0
"""Far above what any level needs; a first decision also waits for the worker to start."""

_encode: Final = msgspec.msgpack.Encoder().encode


class Decided(NamedTuple):
    """The bot's decision: an action of the game, or None to let others, or the clock, go on."""

    action: Any | None


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
    ) -> Decided | None:
        """The bot's decision, or None when no worker reached one."""
        packed = (_encode(view), _encode(list(events)))
        kind = VOCABULARIES[game].action
        async with self._queue.place(asker):
            for _ in range(TRIES):
                pool = self._executor()
                try:
                    reply = await self._ask(pool, game, level, *packed, seed)
                    return Decided(msgspec.msgpack.decode(reply, type=kind | None))
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
