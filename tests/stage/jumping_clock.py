"""An event loop whose clock jumps to the next timer instead of waiting for it: for tests without
threads and processes, as what happens outside takes no time here. And, in any loop, time that
passes when a test says so."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    import pytest  # programs that are made late do without

P = ParamSpec("P")
T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Moves the clock where a selector would wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise AssertionError("everybody waits for something that will not come")
        if not ready and timeout is not None:
            self.now_s += max(0.0, timeout)
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def run(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`; hours pass in no time."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)


def on_jumping_clock(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that `run` runs."""

    @wraps(test)
    def run_it(*args: P.args, **more: P.kwargs) -> None:
        run(test(*args, **more))

    return run_it


def passes(seconds: float, monkeypatch: "pytest.MonkeyPatch") -> None:
    """So much time passes in this loop at once, and nowhere else."""
    loop = asyncio.get_running_loop()
    before = loop.time
    monkeypatch.setattr(loop, "time", lambda: before() + seconds)
