"""Pipes: a node copies the bytes of a caller to another node that serves them, and back.

Law: a node that is gone or hangs costs those whose pipe leads there, or who came in there, a new
dialling, and nobody else anything.
"""

import asyncio
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct

from protocol.codec import framed
from protocol.text import clean
from server.doors.tls import Encrypted
from server.net.callers import Caller
from server.net.session import LAST_WORDS_S, Session
from server.nodes.directory import Node
from server.nodes.port import Led, NodePort, Welcomed
from server.nodes.tickets import Tickets
from server.tasks import Timer

if TYPE_CHECKING:
    from server.server import Server

BUFFER_BYTES: Final = 32 * 1024
"""What waits in a pipe, each way."""
STUCK_S: Final = 20.0
"""So long it may be that nobody reads it."""


class _End(asyncio.Protocol):
    """One end of a pipe: what comes here goes out at the other."""

    def __init__(self, lost: Callable[[Exception | None], None] = lambda _: None) -> None:
        self._lost: Final = lost
        self._stuck: Final = Timer()
        self._other: _End | None = None
        self.line: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.line = cast(asyncio.Transport, transport)
        self.line.set_write_buffer_limits(high=BUFFER_BYTES)

    def join(self, other: "_End") -> None:
        self._other = other

    def data_received(self, data: bytes) -> None:
        if self._other is not None and self._other.line is not None:
            self._other.line.write(data)

    def pause_writing(self) -> None:
        assert self.line is not None
        self._stuck.start(STUCK_S, self.line.abort)  # the other end, which waits, hears of no end
        if self._other is not None and self._other.line is not None:
            self._other.line.pause_reading()

    def resume_writing(self) -> None:
        self._stuck.stop()
        if self._other is not None and self._other.line is not None:
            self._other.line.resume_reading()

    def close(self) -> None:
        """Once what waits is written; who does not read it is cut."""
        if self.line is not None:
            self.line.close()
            self._stuck.start(LAST_WORDS_S, self.line.abort)

    def connection_lost(self, error: Exception | None) -> None:
        self._stuck.stop()
        self.line = None
        if self._other is not None:
            self._other.close()
        self._lost(error)


class Pipes:
    """Those of one node's callers. `port`: to the other nodes."""

    def __init__(self, server: "Server", port: NodePort, tickets: Tickets) -> None:
        self._server: Final = server
        self._port: Final = port
        self._tickets: Final = tickets
        self._ends: Final[dict[_End, int]] = {}
        """The callers' ends, and the number of the node at the other."""

    def __len__(self) -> int:
        return len(self._ends)

    async def lead(
        self, session: Session, node: Node, caller: Welcomed | None, first: Struct
    ) -> None:
        """Let that node serve the caller, who says this first. Raises OSError."""
        known = session.caller
        led = Led(
            address=known.address,
            secure=known.secure,
            identity=known.identity,
            led=known.led + 1,
            welcomed=caller,
        )
        far = _End()
        await self._port.dial(node, far, led, known.address)
        if far.line is None or not session.connected:
            far.close()
            raise OSError("the line is over")

        def lost(error: Exception | None) -> None:
            self._ends.pop(near, None)
            session.connection_lost(error)

        near = _End(lost)
        near.join(far)
        far.join(near)
        line, rest = session.hand_over(near)
        near.connection_made(line)
        self._ends[near] = node.number
        far.line.write(framed(first) + rest)
        line.resume_reading()

    def welcome(self, line: Encrypted, led: Led, said: bytes) -> None:
        """Serve a caller whom another node leads here, who has said so much."""
        server, known, goodbye = self._server, led.welcomed, None
        caller = Caller(led.address, encrypted=led.secure, identity=led.identity, led=led.led)
        session = server.session(caller)
        if known is not None:
            if clean(known.name) != known.name:
                line.abort()
                return
            goodbye = self._tickets.know(session, known)
            session.welcomed(changes=known.changes)
        line.set_protocol(session)
        session.connection_made(line)
        if goodbye is not None:
            session.turn_away(goodbye)
            return
        session.data_received(said)

    def lost(self, alive: Container[int]) -> None:
        """Only these nodes live: callers of any other dial again."""
        for near, number in list(self._ends.items()):
            if number not in alive:
                near.close()

    def close(self) -> None:
        """This node stops: those whom others serve dial again."""
        for near in list(self._ends):
            near.close()
