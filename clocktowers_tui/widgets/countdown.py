"""How much time is left: one line that repaints nothing but itself, and only while a clock runs."""

from collections.abc import Callable
from math import ceil
from time import monotonic

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from clocktowers_tui.clocks import time_left


class Countdown(Widget):
    """`now_s`: the clock on which deadlines are given, in seconds."""

    DEFAULT_CSS = "Countdown { width: 7; height: 1; }"

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="banner")
        self._now_s = now_s
        self._deadline_s: float | None = None
        self._shown = ""
        self._timer: Timer | None = None

    def aim(self, deadline_s: float | None) -> None:
        """Count down to this moment; None: no clock runs, and nothing is shown."""
        self._deadline_s = deadline_s
        self.tick()

    @property
    def left_s(self) -> float | None:
        """How much time is left."""
        return None if self._deadline_s is None else max(0.0, self._deadline_s - self._now_s())

    def tick(self) -> None:
        """Show what is left now, 0:00 only when nothing is, and come back when that changes."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        left_s = self.left_s
        shown = "" if left_s is None else time_left(ceil(left_s))
        if shown != self._shown:
            self._shown = shown
            self.refresh()
        if left_s:
            self._timer = self.set_timer(left_s - (ceil(left_s) - 1), self.tick)

    def render(self) -> Content:
        return Content.styled(f"{self._shown:>6} ", "bold")
