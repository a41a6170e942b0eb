"""When the current phase ends by itself, in games whose views have such deadlines."""

from collections.abc import Callable
from time import monotonic

from clocktowers_tui.widgets.countdown import Countdown


class DueClock(Countdown):
    """Takes no room when nothing is due."""

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(now_s, id=id)
        self._due_s: float | None = None
        self.display = False

    def follow(self, due_s: float | None) -> None:
        """`due_s`: on this machine's clock. The same value again changes nothing."""
        if due_s != self._due_s:
            self._due_s = due_s
            self.display = due_s is not None
            self.aim(due_s)
