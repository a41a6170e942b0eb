"""A slow machine, with `--late MS`: waits, dials and bots take longer, threads and programs begin
late, each by a random time of at most so many milliseconds.

It reaches asyncio's loop and uvloop, and every program that a test or one of its programs starts.
Only time that passes by itself is stretched: a clock that a test moves stays exact.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from random import SystemRandom
from typing import Any, Final, ParamSpec, TypeVar

from tests.stage.jumping_clock import JumpingLoop

P = ParamSpec("P")
T = TypeVar("T")

SELDOM: Final = 0.1
"""How many of the frequent things are late: all of them would take hours."""


class Late:
    """How late things come in this process. `most_s`: 0 for a machine that is as quick as it is."""

    def __init__(self) -> None:
        self.most_s = 0.0
        self._dice: Final = SystemRandom()  # which `tests.stage.chance` seeds

    def after_s(self, share: float = 1.0) -> float:
        """How late the next thing is; `share`: of those that are late at all."""
        if not self.most_s or self._dice.random() >= share:
            return 0.0
        return self._dice.uniform(0, self.most_s)

    async def wait(self, share: float = 1.0) -> None:
        """Come late, where time passes by itself."""
        late_s = self.after_s(share)
        if late_s and not isinstance(asyncio.get_running_loop(), JumpingLoop):
            await asyncio.sleep(late_s)

    def begin(self) -> None:
        """Begin late, as a program does."""
        time.sleep(self.after_s())


LATE: Final = Late()


def make_late(most_ms: float, put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Let dials, threads, bots and programs of this process be late from now on. `put`: how to
    replace what Python does."""
    put(LATE, "most_s", most_ms / 1000)
    if not most_ms:
        return
    for loop in _loops():
        for dial in ("create_connection", "create_unix_connection", "sock_connect"):
            put(loop, dial, _late(getattr(loop, dial)))
        put(loop, "run_in_executor", _works_late(loop.run_in_executor))
    put(threading.Thread, "run", _begins_late(threading.Thread.run))


def _loops() -> Iterator[Any]:
    yield asyncio.SelectorEventLoop
    with suppress(ImportError):
        import uvloop

        yield uvloop.Loop


def _begins_late(runs: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    def run(thread: threading.Thread) -> None:
        LATE.begin()
        runs(thread)

    return run


def _late(does: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    async def late(*given: P.args, **named: P.kwargs) -> T:
        await LATE.wait()
        return await does(*given, **named)

    return late


def _works_late(runs: Callable[..., Any]) -> Callable[..., Any]:
    """In another thread, or in another process, where bots think."""

    def run(loop: Any, executor: Any, does: Callable[..., Any], *given: Any) -> Any:
        if executor is not None and not isinstance(
            executor, ThreadPoolExecutor | ProcessPoolExecutor
        ):
            return runs(loop, executor, does, *given)
        late_s = LATE.after_s(1.0 if isinstance(executor, ProcessPoolExecutor) else SELDOM)
        return runs(loop, executor, _sleeps, late_s, does, *given)

    return run


def _sleeps(late_s: float, does: Callable[..., Any], *given: Any) -> Any:
    time.sleep(late_s)
    return does(*given)
