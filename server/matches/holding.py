"""What is held back on its way to an outbox, so that all see it at the same moment.

Law: nothing overtakes. Whatever is sent to an outbox for which something is held back waits behind
it, and goes in the order in which it was sent.
"""

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from server.matches.fanout import Outbox


class Holding:
    """Of one match. Where nothing is held back, it is not noticed."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[Outbox, _Queue] = {}

    def send(self, outbox: "Outbox", message: Struct, hold_ms: int = 0) -> None:
        """Hand it over after so many milliseconds, or as soon as what was sent before has gone."""
        queue = self._waiting.get(outbox) if self._waiting else None
        if queue is None:
            if not hold_ms:
                outbox(message)
                return
            queue = self._waiting[outbox] = _Queue()
        queue.put(message, hold_ms)
        if queue.timer is None:
            self._arm(outbox, queue)

    def _arm(self, outbox: "Outbox", queue: "_Queue") -> None:
        loop = asyncio.get_running_loop()
        queue.timer = loop.call_at(queue.next_s, self._let_go, outbox, queue)

    def _let_go(self, outbox: "Outbox", queue: "_Queue") -> None:
        """All that is due with the first."""
        queue.timer, due_s = None, queue.next_s
        while queue.held and queue.next_s <= due_s:
            outbox(queue.held.popleft()[1])
        if queue.held:
            self._arm(outbox, queue)
        elif self._waiting.get(outbox) is queue:
            del self._waiting[outbox]

    def forget(self, outbox: "Outbox") -> None:
        """It is nobody's any more: it gets nothing of what was held back."""
        if (queue := self._waiting.pop(outbox, None)) is not None:
            queue.drop()

    def release(self) -> None:
        """Everything goes now: there is nothing left to be fair about."""
        while self._waiting:
            outbox, queue = self._waiting.popitem()
            for message in queue.drop():
                outbox(message)


class _Queue:
    """Of one outbox: (when, in the loop's seconds, and what), each no earlier than the last."""

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
        """All that it held, and it holds nothing any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        messages = [message for _due_s, message in self.held]
        self.held.clear()
        return messages
