"""The tasks of matches and bots, owned by the server; and work that is done a few items a turn."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from typing import Any, Final, TypeVar

import structlog

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
