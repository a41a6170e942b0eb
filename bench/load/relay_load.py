"""The load on a bare relay: the same frames in the same rhythm as in a match, with nothing in them.

Two of four moves are the first player's and two the second's, as when a player plays a card and
draws one.
"""

import asyncio
import sys
import time
from typing import Final, cast

from bench.load.figures import LoadFigures, Plan
from bench.load.processes import rss_bytes
from bench.load.stage import RECENT, Stage, connect, report
from protocol.framing import frame

GAME_MOVES: Final = 110
_HEADER_BYTES: Final = 4


class Pair:
    """Two ends that move in turn."""

    def __init__(self, stage: Stage) -> None:
        self.stage: Final = stage
        self.ends: Final = (End(self), End(self))
        self._action: Final = frame(bytes(stage.plan.action_bytes - _HEADER_BYTES))
        self._version = 0
        self._sent_at_s = [0.0] * RECENT

    async def sit_down(self) -> None:
        """Both connect, the first of them first."""
        for end in self.ends:
            await connect(end, self.stage.plan)

    def mover(self, version: int) -> "End":
        """Which end makes the move after `version` moves."""
        return self.ends[version // 2 % 2]

    def due_bytes(self, end: "End", version: int) -> int:
        """What an end gets for the move after `version` moves; for -1, when both are there."""
        plan = self.stage.plan
        moves = version >= 0 and end is self.mover(version)
        return plan.update_bytes + (plan.answer_bytes if moves else 0)

    def move(self) -> None:
        """Send a frame; everything else follows when an answer comes."""
        stage, plan = self.stage, self.stage.plan
        stage.moves += 1
        stage.action_bytes += plan.action_bytes
        stage.answer_bytes += plan.answer_bytes
        stage.move_bytes += plan.answer_bytes + 2 * plan.update_bytes
        end = self.mover(self._version)
        self._version += 1
        self._sent_at_s[self._version % RECENT] = time.perf_counter()
        end.transport.write(self._action)

    def told(self, end: "End", version: int) -> None:
        """An end has everything that is due to it for the first `version` moves."""
        if version and end is not self.mover(version - 1):
            sent_at_s = self._sent_at_s[version % RECENT]
            self.stage.latencies_s.append(time.perf_counter() - sent_at_s)
        if end is not self.mover(version):
            return
        if version and version % GAME_MOVES == 0 and not self.stage.goes_on(version // GAME_MOVES):
            return
        if version == self.stage.hold_at:
            self.stage.wait(self)
        else:
            self.move()


class End(asyncio.Protocol):
    """A client. It counts what it gets and does not look into it."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self._version = -1
        self._unused_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._pair.stage.fail(f"the relay closed a connection: {error}")

    def data_received(self, data: bytes) -> None:
        self._unused_bytes += len(data)
        while self._unused_bytes >= (due := self._pair.due_bytes(self, self._version)):
            self._unused_bytes -= due
            self._version += 1
            self._pair.told(self, self._version)


async def load(plan: Plan) -> LoadFigures:
    """Play the plan."""
    idle_rss_bytes = rss_bytes(plan.pid)
    stage = Stage(plan)
    for _ in range(plan.matches):
        await Pair(stage).sit_down()
    return await stage.play(idle_rss_bytes)


if __name__ == "__main__":
    report(sys.argv[1], load)
