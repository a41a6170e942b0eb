"""A slow machine, with `--late MS`: waits end late, dials take longer, bots think and threads begin
late, each by a random time of at most so many milliseconds.

Only time that passes by itself is stretched: a clock that a test moves stays exact.
"""

import asyncio
import threading
import time
from asyncio import base_events, unix_events
from collections.abc import Callable, Coroutine
from random import Random
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
        self._dice = Random(0)

    def begin(self, seed: str) -> None:
        self._dice = Random(f"late {seed}")

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


LATE: Final = Late()


def make_late(most_ms: float, seed: str, put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Let dials and threads of this process be late from now on. `put`: how to replace what Python
    does."""
    put(LATE, "most_s", most_ms / 1000)
    LATE.begin(seed)
    if not most_ms:
        return
    loop, unix = base_events.BaseEventLoop, unix_events._UnixSelectorEventLoop
    put(loop, "create_connection", _late(loop.create_connection))
    put(loop, "sock_connect", _late(loop.sock_connect))
    put(unix, "create_unix_connection", _late(unix.create_unix_connection))
    put(loop, "run_in_executor", _in_a_late_thread(loop.run_in_executor))
    put(threading.Thread, "run", _begins_late(threading.Thread.run))


def _begins_late(runs: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    def run(thread: threading.Thread) -> None:
        time.sleep(LATE.after_s())
        runs(thread)

    return run


def _late(does: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    async def late(*given: P.args, **named: P.kwargs) -> T:
        await LATE.wait()
        return await does(*given, **named)

    return late


def _in_a_late_thread(runs: Callable[..., Any]) -> Callable[..., Any]:
    def run(loop: Any, executor: Any, does: Callable[..., Any], *given: Any) -> Any:
        if executor is None:
            return runs(loop, executor, _sleeps, does, *given)
        return runs(loop, executor, does, *given)

    return run


def _sleeps(does: Callable[..., Any], *given: Any) -> Any:
    time.sleep(LATE.after_s(SELDOM))
    return does(*given)
