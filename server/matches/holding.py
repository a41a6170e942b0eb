"""Holds messages back for some milliseconds, so that all players see them at the same moment.

Law: nothing overtakes. What is sent to an outbox while a message is held back for it waits behind
that message.
"""

import asyncio
from collections import deque

from msgspec import Struct

from server.matches.ports import Outbox


class Holding:
    """The queues of all outboxes for which something is held back."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[Outbox, _Queue] = {}

    def __bool__(self) -> bool:
        """Whether anything is held back."""
        return bool(self._waiting)

    def send(self, outbox: Outbox, message: Struct, hold_ms: int = 0) -> None:
        """Pass the message on after `hold_ms`, and after everything sent to this outbox before."""
        queue = self._waiting.get(outbox) if self._waiting else None
        if queue is None:
            if not hold_ms:
                outbox(message)
                return
            queue = self._waiting[outbox] = _Queue()
        queue.put(message, hold_ms)
        if queue.timer is None:
            self._arm(outbox, queue)

    def _arm(self, outbox: Outbox, queue: "_Queue") -> None:
        loop = asyncio.get_running_loop()
        queue.timer = loop.call_at(queue.next_s, self._let_go, outbox, queue)

    def _let_go(self, outbox: Outbox, queue: "_Queue") -> None:
        """Pass on everything that is due."""
        queue.timer, due_s = None, queue.next_s
        while queue.held and queue.next_s <= due_s:
            outbox(queue.held.popleft()[1])
        if queue.held:
            self._arm(outbox, queue)
        elif self._waiting.get(outbox) is queue:
            del self._waiting[outbox]

    def forget(self, outbox: Outbox) -> None:
        """Drop what is held back for this outbox: it belongs to nobody any more."""
        if (queue := self._waiting.pop(outbox, None)) is not None:
            queue.drop()

    def release(self) -> None:
        """Pass everything on now: nobody can gain by seeing it first."""
        while self._waiting:
            outbox, queue = self._waiting.popitem()
            for message in queue.drop():
                outbox(message)


class _Queue:
    """One outbox: (due in the loop's seconds, message), in the order in which they go."""

    __slots__ = ("held", "timer")

    def __init__(self) -> None:
        self.held: deque[tuple[float, Struct]] = deque()
        self.timer: asyncio.TimerHandle | None = None

    @property
    def next_s(self) -> float:
        return self.held[0][0]

    def put(self, message: Struct, hold_ms: int) -> None:
        due_s = asyncio.get_running_loop().time() + hold_ms / 1000
        self.held.append((max(due_s, self.held[-1][0]) if self.held else due_s, message))

    def drop(self) -> list[Struct]:
        """Empty the queue. Returns what it held."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        messages = [message for _due_s, message in self.held]
        self.held.clear()
        return messages
