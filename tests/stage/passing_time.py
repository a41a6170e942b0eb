"""Time that passes when a test says so, for whatever asks to be called later."""

import asyncio
from collections.abc import Callable

import pytest


def passes(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """So much time passes in this loop at once, and nowhere else."""
    loop = asyncio.get_running_loop()
    before = loop.time
    monkeypatch.setattr(loop, "time", lambda: before() + seconds)


class _Timer:
    def __init__(self, due: list["_Timer"], at_s: float, call: Callable[[], None]) -> None:
        self.at_s = at_s
        self.call = call
        self._due = due
        due.append(self)

    def stop(self) -> None:
        if self in self._due:
            self._due.remove(self)


class PassingTime:
    """`due`: what is still to be called."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.due: list[_Timer] = []

    def later(self, after_s: float, call: Callable[[], None]) -> _Timer:
        return _Timer(self.due, self.now_s + after_s, call)

    def pass_s(self, seconds: float) -> None:
        """Call everything that is due by then, each at its time."""
        until_s = self.now_s + seconds
        while ready := [timer for timer in self.due if timer.at_s <= until_s]:
            timer = min(ready, key=lambda timer: timer.at_s)
            timer.stop()
            self.now_s = timer.at_s
            timer.call()
        self.now_s = until_s
