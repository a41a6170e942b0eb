"""A server's tasks, work done a few items a turn, a timer that can be set again, a token bucket."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

import structlog

# One timer that can be set again and stopped: a seat has one, a table, a caller who waits.


class Timer:
    """Calls back once, unless it is stopped before."""

    __slots__ = ("_handle",)

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        return self._handle is not None

    @property
    def left_s(self) -> float:
        """The time until it calls back; 0 where it does not run."""
        if self._handle is None:
            return 0.0
        return max(0.0, self._handle.when() - asyncio.get_running_loop().time())

    def start(self, delay_s: float, over: Callable[[], None]) -> None:
        """Call `over` after the delay, instead of what this timer would have called."""

        def fire() -> None:
            self._handle = None
            over()

        self.stop()
        self._handle = asyncio.get_running_loop().call_later(delay_s, fire)

    def stop(self) -> None:
        """Call nothing."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


# A token bucket: limits how much somebody may do at once, and how fast in the long run.
#
# Law: in t seconds it gives at most `burst` + `rate_s` · t tokens, plus the debt of one request
# larger than the burst. Time is an argument.


K = TypeVar("K")
V = TypeVar("V")

_ROUNDING: Final = 1e-9
"""The part of a token by which the sum of many short times may fall short."""


class Bucket:
    """Holds `burst` tokens at first and at most; each second `rate_s` come back."""

    __slots__ = ("_at_s", "_burst", "_rate_s", "_tokens")

    def __init__(self, rate_s: float, burst: int, now_s: float) -> None:
        self._rate_s: Final = rate_s
        self._burst: Final = burst
        self._tokens: float = burst
        self._at_s = now_s

    def take(self, now_s: float, tokens: int = 1) -> bool:
        """Take so many tokens; False if there are not so many. Who takes more than the burst waits
        for a full bucket, and leaves a debt in it."""
        self._tokens = min(self._burst, self._tokens + (now_s - self._at_s) * self._rate_s)
        self._at_s = now_s
        if self._tokens < min(tokens, self._burst) - _ROUNDING:
            return False
        self._tokens -= tokens
        return True

    def put_back(self) -> None:
        """Undo a `take` of one token."""
        self._tokens = min(self._burst, self._tokens + 1)

    def wait_s(self, tokens: int = 1) -> float:
        """After a `take`: how long until there are so many tokens; 0 = they are there now."""
        return max(0.0, (min(tokens, self._burst) - self._tokens) / self._rate_s)


def latest(kept: dict[K, V], key: K, most: int, make: Callable[[], V]) -> V:
    """What is kept of this key, or made now. The key counts as the latest used; of more than `most`
    the one that was used longest ago is forgotten."""
    value = kept.pop(key) if key in kept else make()
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]
    return value


T = TypeVar("T")


class Tasks:
    """Tasks in one group. A bug in one is logged and ends that task; a bare group would end all."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self._group: Final = group
        self._running: Final[set[asyncio.Task[None]]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that does `work`."""
        task = self._group.create_task(_guarded(work))
        self._running.add(task)

        def over(task: asyncio.Task[None]) -> None:
            self._running.discard(task)
            work.close()  # else a task cancelled before its first step leaves it never awaited

        task.add_done_callback(over)
        return task

    def cancel(self) -> None:
        """Cancel those that still run."""
        for task in self._running:
            task.cancel()

    def __len__(self) -> int:
        """How many still run."""
        return len(self._running)


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        structlog.get_logger().exception("task failed")


async def few(items: Iterable[T], a_turn: int = 20) -> AsyncIterator[T]:
    """The items; the loop serves others after each `a_turn` of them."""
    for number, item in enumerate(list(items), 1):
        yield item
        if number % a_turn == 0:
            await asyncio.sleep(0)
