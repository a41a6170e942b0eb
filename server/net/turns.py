"""How much of a turn of the loop is spent on what no match waits for.

Law: after that share the matches are served again, however many ask for however much at once; who
had to wait comes first in the next turn, in the order in which they came.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

SHARE_S: Final = 0.001
"""A move takes four or five turns, from its arrival to the words written to the others."""


class Turns:
    """Of one loop."""

    __slots__ = ("_ends_s", "_waiting")

    def __init__(self) -> None:
        self._ends_s: float | None = None
        self._waiting: deque[Callable[[], None]] = deque()

    def spent(self) -> bool:
        """Whether the share of this turn is spent; the first who asks begins it."""
        now_s = time.perf_counter()
        if self._ends_s is None:
            self._ends_s = now_s + SHARE_S
            asyncio.get_running_loop().call_soon(self._next)
        return now_s >= self._ends_s

    def later(self, serve: Callable[[], None]) -> None:
        """Call it in a later turn: this one's share is spent."""
        self._waiting.append(serve)

    def _next(self) -> None:
        self._ends_s = None
        while self._waiting and not self.spent():
            self._waiting.popleft()()
