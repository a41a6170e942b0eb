"""What both load generators share: the pairs that play, and what they note down."""

import asyncio
import os
import sys
import time
from array import array
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from msgspec import json

from bench.load.figures import LoadFigures, LoadPlan, percentiles
from bench.processes import cpu_s, rss_bytes
from server.server import run

HOST: Final = "127.0.0.1"
HEADER_BYTES: Final = 4
LATE_MOVE: Final = 104
"""Near the end of a game of two players, which has 110 moves; memory is read when pairs come there,
as many as they are."""
RECENT: Final = 4
"""A player may lag behind by a turn of two moves; so many moves' times are remembered."""
STUCK_S: Final = 60.0
Load: TypeAlias = "Callable[[LoadStage], Awaitable[None]]"
"""Seats all pairs."""


class LoadStage:
    """All pairs of a plan. None moves before every pair is there."""

    def __init__(self, plan: LoadPlan) -> None:
        self.plan: Final = plan
        self.found: Final = LoadFigures(matches=plan.matches, idle_rss_bytes=rss_bytes(plan.pid))
        self.latencies_s: Final = array("d")
        self._ready: list[Callable[[], None]] = []
        self._finished = 0
        self._until_s = 0.0
        self._failed: ConnectionError | None = None
        self._phase = asyncio.get_running_loop().create_future()
        """Done when all pairs are there; then another, when all have finished."""

    async def connect(self, client: asyncio.BaseProtocol) -> None:
        """Let a client connect to the measured program."""
        await asyncio.get_running_loop().create_connection(lambda: client, HOST, self.plan.port)

    def ready(self, move: Callable[[], None]) -> None:
        """A pair is there; its first move is made once all are."""
        if self._until_s:
            move()
            return
        self._ready.append(move)
        if len(self._ready) == self.plan.matches:
            self._phase.set_result(None)

    def moved(self) -> None:
        """Count a move."""
        found = self.found
        found.moves += 1
        if found.moves == LATE_MOVE * self.plan.matches:
            found.held_rss_bytes = rss_bytes(self.plan.pid)

    def goes_on(self) -> bool:
        """Whether a pair that has played a game plays another; if not, it is finished."""
        self.found.games += 1
        if time.monotonic() < self._until_s:
            return True
        self._finished += 1
        if self._finished == self.plan.matches and not self._phase.done():
            self._phase.set_result(None)
        return False

    def fail(self, why: str) -> None:
        """End the measurement: the measured program does not work."""
        self._failed = self._failed or ConnectionError(why)
        if not self._phase.done():
            self._phase.set_exception(self._failed)

    async def play(self, load: Load) -> LoadFigures:
        """Measure from the moment that all pairs stand ready to the end of their last games. Raises
        OSError, with a sentence, when the measured program does not do what it should."""
        playing = asyncio.ensure_future(self._play(load))
        before = -1
        while not playing.done():
            if (now := len(self._ready) + self.found.moves) == before:
                raise TimeoutError(f"nothing has happened for {STUCK_S:g} s")
            before = now
            await asyncio.wait((playing,), timeout=STUCK_S)
        return playing.result()

    async def _play(self, load: Load) -> LoadFigures:
        await asyncio.gather(load(self), self._phase)
        if self._failed is not None:  # after the last pair was there
            raise self._failed
        self._phase = asyncio.get_running_loop().create_future()
        begun_s, spent_s = time.perf_counter(), cpu_s(self.plan.pid)
        self._until_s = time.monotonic() + self.plan.seconds
        for move in self._ready:
            move()
        await self._phase
        self.found.wall_s = time.perf_counter() - begun_s
        self.found.cpu_s = cpu_s(self.plan.pid) - spent_s
        times_ms = [latency_s * 1000 for latency_s in percentiles(self.latencies_s)]
        self.found.p50_ms, self.found.p99_ms = times_ms
        return self.found


def report(argument: str, load: Load) -> None:
    """The main function of a load generator: a plan as JSON in, figures as JSON on stdout."""

    async def main() -> None:
        stage = LoadStage(json.decode(argument, type=LoadPlan))
        os.write(1, json.encode(await stage.play(load)) + b"\n")

    try:
        run(main())
    except OSError as error:
        sys.exit(f"load generator: {error}")
