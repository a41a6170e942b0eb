"""Work of a match that begins in the turn of the loop in which it was asked for, without its task.

Law: while it runs, the task does nothing but wait; an error of it is raised in the task.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any


class AtOnce:
    """Runs one coroutine at a time, which must not ask for the task that it runs in. The task waits
    for `ended` before it does anything."""

    __slots__ = ("_error", "_waiter", "_work")

    def __init__(self) -> None:
        self._work: Coroutine[Any, Any, None] | None = None
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    @property
    def runs(self) -> bool:
        """Whether there is work that has not ended, or whose error nobody has seen."""
        return self._work is not None or self._error is not None

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin, and go as far as it goes without waiting; often that is all of it."""
        self._work = work
        self._go_on()

    def _go_on(self, _happened: object = None) -> None:
        if (work := self._work) is None:
            return  # it was dropped
        try:
            waits_for = work.send(None)
        except StopIteration:
            self._end()
        except Exception as error:
            self._error = error
            self._end()
        else:
            if waits_for is None:  # for the next turn
                asyncio.get_running_loop().call_soon(self._go_on)
            else:
                # As a task does: it tells the future that its wish to wait was understood.
                waits_for._asyncio_future_blocking = False
                waits_for.add_done_callback(self._go_on)

    def _end(self) -> None:
        self._work = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def ended(self) -> None:
        """Wait for its end. Raises its error."""
        if self._work is not None:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        if (error := self._error) is not None:
            self._error = None
            raise error

    def drop(self) -> None:
        """Go on no more: the match is let go."""
        if (work := self._work) is not None:
            self._work = None
            work.close()
