"""The tasks of plain mode: the program ends with its own work, when it is told to, or at the first
bug; then none of them runs on."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks:
    """Each is named after its group."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._ending: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> asyncio.Task[None]:
        if exclusive:
            self.cancel(group)
        task = asyncio.create_task(work, name=group)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def cancel(self, group: str) -> None:
        for task in self._running:
            if task.get_name() == group:
                task.cancel()

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """A bug: it ends the program."""
        if not self._ending.done():
            self._ending.set_exception(error)

    def end(self, status: int) -> None:
        """End the program with this exit code, whatever it is doing."""
        if not self._ending.done():
            self._ending.set_result(status)

    async def while_sound(self, work: Coroutine[Any, Any, int]) -> int:
        """The exit code of this work, unless something else ends the program before."""
        doing = asyncio.ensure_future(work)
        try:
            await asyncio.wait([doing, self._ending], return_when=asyncio.FIRST_COMPLETED)
            return await (self._ending if self._ending.done() else doing)
        finally:
            doing.cancel()
            await asyncio.wait([doing])  # it parts with the server, for which its tasks run on
            for task in (running := [*self._running]):
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            if not self._ending.done():
                self._ending.cancel()
