"""One timer that can be set again and stopped: a seat has one, a table, a caller who waits."""

import asyncio
from collections.abc import Callable


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
