"""A bare relay: the least that a server could do, and so the floor that ours is compared with.

    python -m bench.load.relay LOOP ANSWER_BYTES UPDATE_BYTES

It pairs connections in the order they come; when both of a pair are there, each gets an update. It
does not look into a frame: an answer to the sender and an update to both follow, frames of the
sizes given.
"""

import asyncio
import sys
from typing import Final, cast

from bench.load.stage import HOST
from protocol.framing import frame
from server.net.listener import BACKLOG
from server.server import run

_HEADER_BYTES: Final = 4


class Relay:
    """What the connections share."""

    def __init__(self, answer_bytes: int, update_bytes: int) -> None:
        self.answer: Final = frame(bytes(answer_bytes - _HEADER_BYTES))
        self.update: Final = frame(bytes(update_bytes - _HEADER_BYTES))
        self.alone: Line | None = None


class Line(asyncio.Protocol):
    """A connection of a pair."""

    __slots__ = ("_relay", "_rest", "other", "transport")

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._rest = b""
        self.other = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if (first := self._relay.alone) is None:
            self._relay.alone = self
        else:
            self.other, first.other = first, self
            self._relay.alone = None
            self.transport.write(self._relay.update)
            first.transport.write(self._relay.update)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at = 0
        while len(data) - at >= _HEADER_BYTES:
            end = at + _HEADER_BYTES + int.from_bytes(data[at : at + _HEADER_BYTES], "big")
            if end > len(data):
                break
            at = end
            self._pass_on()
        self._rest = data[at:]

    def _pass_on(self) -> None:
        self.transport.write(self._relay.answer)
        self.transport.write(self._relay.update)
        self.other.transport.write(self._relay.update)


async def _serve(relay: Relay) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Line(relay), HOST, 0, backlog=BACKLOG)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main(loop: str, answer_bytes: str, update_bytes: str) -> None:
    """Relay until killed."""
    serving = _serve(Relay(int(answer_bytes), int(update_bytes)))
    if loop == "uvloop":
        run(serving)
    else:
        asyncio.run(serving)


if __name__ == "__main__":
    main(*sys.argv[1:])
