"""A bare relay, the least that a server could do, and the load on it: the floor that ours is
compared with. Both run on the server's own event loop.

    python -m bench.load.relay serve
    python -m bench.load.relay load PLAN

It pairs connections in the order they come; when both of a pair are there, each gets an update. It
does not look into a frame: an answer to the sender and an update to both follow. The load sends
frames in the same rhythm as in a match: two of four moves are the first player's and two the
second's, as when a player plays a card and draws one.
"""

import asyncio
import sys
import time
from functools import partial
from typing import Final, cast

from bench.load.stage import HEADER_BYTES, HOST, RECENT, LoadStage, report
from protocol.codec import frame
from server.net.listener import BACKLOG
from server.server import run

GAME_MOVES: Final = 110
_ACTION, _ANSWER, _UPDATE = (frame(bytes(size - HEADER_BYTES)) for size in (57, 29, 175))
"""Of the mean sizes that these have in a match of Clocktowers."""
_alone: "list[Half]" = []
"""The half without another, if there is one."""


class Half(asyncio.Protocol):
    """A connection of a pair."""

    __slots__ = ("_rest", "other", "transport")

    def __init__(self) -> None:
        self._rest = b""
        self.other = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if not _alone:
            _alone.append(self)
            return
        self.other = _alone.pop()
        self.other.other = self
        self.transport.write(_UPDATE)
        self.other.transport.write(_UPDATE)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at = 0
        while len(data) - at >= HEADER_BYTES:
            end = at + HEADER_BYTES + int.from_bytes(data[at : at + HEADER_BYTES], "big")
            if end > len(data):
                break
            at = end
            self.transport.write(_ANSWER)
            self.transport.write(_UPDATE)
            self.other.transport.write(_UPDATE)
        self._rest = data[at:]


class RelayPair:
    """Two ends that move in turn."""

    def __init__(self, stage: LoadStage) -> None:
        self.stage: Final = stage
        self.ends: Final = (RelayEnd(self), RelayEnd(self))
        self._sent_at_s = [0.0] * RECENT

    def mover(self, version: int) -> "RelayEnd":
        """Which end makes the move after `version` moves."""
        return self.ends[version // 2 % 2]

    def due_bytes(self, end: "RelayEnd", version: int) -> int:
        """What an end gets for the move after `version` moves; for -1, when both are there."""
        moves = version >= 0 and end is self.mover(version)
        return len(_UPDATE) + (len(_ANSWER) if moves else 0)

    def told(self, end: "RelayEnd", version: int) -> None:
        """An end has everything that is due to it for the first `version` moves."""
        if version and end is not self.mover(version - 1):
            sent_at_s = self._sent_at_s[version % RECENT]
            self.stage.latencies_s.append(time.perf_counter() - sent_at_s)
        if end is self.mover(version):
            if not version:
                self.stage.ready(partial(self.move, 0))
            elif version % GAME_MOVES or self.stage.goes_on():
                self.move(version)

    def move(self, version: int) -> None:
        """Send a frame; everything else follows when an answer comes."""
        self.stage.moved()
        self.stage.found.move_bytes += len(_ANSWER) + 2 * len(_UPDATE)
        self._sent_at_s[(version + 1) % RECENT] = time.perf_counter()
        self.mover(version).transport.write(_ACTION)


class RelayEnd(asyncio.Protocol):
    """A client. It counts what it gets and does not look into it."""

    def __init__(self, pair: RelayPair) -> None:
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


async def load(stage: LoadStage) -> None:
    for _ in range(stage.plan.matches):
        for end in RelayPair(stage).ends:
            await stage.connect(end)


async def serve() -> None:
    """Relay until killed."""
    server = await asyncio.get_running_loop().create_server(Half, HOST, 0, backlog=BACKLOG)
    print(f"listening on {HOST}:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        run(serve())
    else:
        report(sys.argv[2], load)
