"""What both load generators share: the pairs that play, where they wait, what they note down."""

import asyncio
import os
import sys
import time
from array import array
from collections.abc import Callable, Coroutine
from typing import Any, Final

from msgspec import json

from bench.load.figures import LoadFigures, LoadPlan, percentiles
from bench.load.processes import cpu_s, rss_bytes
from server.server import run

HOST: Final = "127.0.0.1"
HEADER_BYTES: Final = 4
HOLD_MOVE: Final = 104
"""Near the end of a game of two players, which has 110 moves; memory is read there."""
NEVER: Final = -1
RECENT: Final = 4
"""A player may lag behind by a turn of two moves; so many moves' times are remembered."""
STUCK_S: Final = 120.0


class Interrupted(Exception):
    """The measured program does not do what it should; the text says what it did."""


class LoadStage:
    """All pairs of a plan. They stop before move `hold_at` until every pair has come there."""

    def __init__(self, plan: LoadPlan) -> None:
        self.plan: Final = plan
        self.hold_at = 0
        self.found: Final = LoadFigures(matches=plan.matches, idle_rss_bytes=rss_bytes(plan.pid))
        self.latencies_s: Final = array("d")
        self._waiting: list[Callable[[], None]] = []
        self._finished = 0
        self._until_s = 0.0
        loop = asyncio.get_running_loop()
        self._all_here = loop.create_future()
        self._all_done = loop.create_future()

    async def connect(self, client: asyncio.BaseProtocol) -> None:
        """Let a client connect to the measured program."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: client, HOST, self.plan.port)

    def wait(self, goes_on: Callable[[], None]) -> None:
        """Stop here until that is called; the last to come lets all go on."""
        self._waiting.append(goes_on)
        if len(self._waiting) == self.plan.matches and not self._all_here.done():
            self._all_here.set_result(None)

    def goes_on(self, games: int) -> bool:
        """Whether a pair that has played so many games plays another; if not, it is finished."""
        self.found.games += 1
        if games < self.plan.games or (not self.plan.games and time.monotonic() < self._until_s):
            return True
        self._finished += 1
        if self._finished == self.plan.matches and not self._all_done.done():
            self._all_done.set_result(None)
        return False

    def fail(self, why: str) -> None:
        """End the measurement: the measured program does not work."""
        for future in (self._all_here, self._all_done):
            if not future.done():
                future.set_exception(Interrupted(why))

    async def play(self) -> LoadFigures:
        """Measure from the moment that all pairs stand ready to the end of their last games."""
        await self._gathered()
        begun = self._spent_s()
        self._until_s = time.monotonic() + self.plan.seconds
        self._release(HOLD_MOVE)
        await self._gathered()
        self.found.held_rss_bytes = rss_bytes(self.plan.pid)
        self._release(NEVER)
        await self._all_done
        spent_s = [after - before for before, after in zip(begun, self._spent_s(), strict=True)]
        self.found.wall_s, self.found.cpu_s, self.found.load_cpu_s = spent_s
        times_ms = [latency_s * 1000 for latency_s in percentiles(self.latencies_s)]
        self.found.p50_ms, self.found.p99_ms = times_ms
        return self.found

    def _spent_s(self) -> tuple[float, float, float]:
        """Wall time, CPU of the measured process, CPU of this process."""
        return time.perf_counter(), cpu_s(self.plan.pid), time.process_time()

    async def _gathered(self) -> None:
        """Raises TimeoutError when nobody has moved for long."""
        moves = NEVER
        while not self._all_here.done():
            if self.found.moves == moves:
                raise TimeoutError
            moves = self.found.moves
            await asyncio.wait({self._all_here}, timeout=STUCK_S)
        self._all_here.result()

    def _release(self, hold_at: int) -> None:
        """Let all go on, to the next stop."""
        self.hold_at = hold_at
        self._all_here = asyncio.get_running_loop().create_future()
        waiting, self._waiting = self._waiting, []
        for goes_on in waiting:
            goes_on()


def report(argument: str, load: Callable[[LoadStage], Coroutine[Any, Any, None]]) -> None:
    """The main function of a load generator: a plan as JSON in, figures as JSON on stdout. `load`
    seats all pairs."""

    async def main() -> None:
        stage = LoadStage(json.decode(argument, type=LoadPlan))
        await load(stage)
        os.write(1, json.encode(await stage.play()) + b"\n")

    try:
        run(main())
    except TimeoutError:
        sys.exit(f"load generator: nothing has happened for {STUCK_S:g} s")
    except (Interrupted, OSError) as error:
        sys.exit(f"load generator: {error}")
