"""Limits how much of each turn of the loop goes to requests that no match waits for.

Law: after that share the matches are served again, however much is asked at once. Requests that had
to wait come first in the next turn, in the order in which they came.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

SHARE_S: Final = 0.001
"""A move takes four or five turns, from its arrival to the words written to the others."""


class Turns:
    """The turns of a loop."""

    __slots__ = ("_ends_s", "_waiting")

    def __init__(self) -> None:
        self._ends_s: float | None = None
        self._waiting: deque[Callable[[], None]] = deque()

    def spent(self) -> bool:
        """Whether the share of this turn is spent. The first call in a turn starts its time."""
        now_s = time.perf_counter()
        if self._ends_s is None:
            self._ends_s = now_s + SHARE_S
            asyncio.get_running_loop().call_soon(self._next)
        return now_s >= self._ends_s

    def later(self, serve: Callable[[], None]) -> None:
        """Call `serve`, which never raises, in a later turn."""
        self._waiting.append(serve)

    def _next(self) -> None:
        self._ends_s = None
        while self._waiting and not self.spent():
            self._waiting.popleft()()
