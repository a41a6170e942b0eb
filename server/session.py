"""One peer: bytes to messages to the router, and messages back.

The protocol object of its transport, without a task of its own, since a server holds thousands.
A peer that breaks the wire gets a goodbye and is closed; nobody else notices.
"""

import asyncio
from typing import TYPE_CHECKING, Final, cast

import structlog
from msgspec import Struct

from protocol.connection import Connection
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Goodbye, Ping
from protocol.refusal import Param
from protocol.state import Side, State
from server.context import Context
from server.router import dispatch

if TYPE_CHECKING:
    from server.table import Table


class Session(asyncio.Protocol):
    """`server.guest.Guest` over a connection. `name` is "" until the hello was accepted."""

    __slots__ = (
        "_connection",
        "_frame_since_s",
        "_heard_s",
        "_made_s",
        "_pinged_s",
        "_transport",
        "context",
        "loop",
        "name",
        "peer",
        "table",
    )

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self.context: Final = context
        self.loop: Final = loop
        self.name = ""
        self.peer = ""
        self.table: Table | None = None
        self._connection = Connection(Side.SERVER)
        self._transport: asyncio.Transport | None = None
        self._made_s = self._heard_s = self._pinged_s = loop.time()
        self._frame_since_s: float | None = None

    # From the transport -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=self.context.config.limits.outbox_bytes)
        self.context.connected.add(self)
        address = transport.get_extra_info("peername")
        self.peer = str(address[0]) if address else ""
        if len(self.context.sessions) >= self.context.config.limits.connections:
            self.goodbye(GoodbyeCode.FULL)
            return
        self.context.sessions.add(self)

    def data_received(self, data: bytes) -> None:
        self._heard_s = self.loop.time()
        self._connection.receive_bytes(data)
        try:
            while (message := self._connection.next_message()) is not None:
                dispatch(self, message)
        except RemoteProtocolError as error:
            self.broken(error)
        except Exception:
            # A bug of ours: this peer's request is lost, and so is this peer; nobody else.
            structlog.get_logger().exception("request failed", name=self.name)
            self.close()
        if not self._connection.frame_started:
            self._frame_since_s = None
        elif self._frame_since_s is None:
            self._frame_since_s = self._heard_s

    def pause_writing(self) -> None:
        """The outbox is full: the peer does not read, and nobody waits for it."""
        structlog.get_logger().info("cut: does not read", name=self.name, peer=self.peer)
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self.context.connected.discard(self)
        self._transport = None
        self.close()

    # To the peer --------------------------------------------------------------------------------

    def send(self, message: Struct) -> None:
        """Queue a message; one to a peer that is gone is dropped."""
        transport = self._transport
        if transport is not None and self._connection.may_send(type(message)):
            transport.write(self._connection.send(message))

    def broken(self, error: RemoteProtocolError) -> None:
        """The peer broke the wire: say how, and close."""
        structlog.get_logger().info(
            "broken wire", name=self.name, peer=self.peer, code=error.code, why=error.why
        )
        self.goodbye(error.code)

    def goodbye(self, code: GoodbyeCode, **params: Param) -> None:
        """Say why, and close."""
        self.send(Goodbye(code, params))
        self.close()

    def close(self) -> None:
        """Leave everything and close the transport when its outbox has been written."""
        transport, self._transport = self._transport, None
        self._connection.state = State.CLOSED
        self.context.sessions.discard(self)
        self.context.lobby.unsubscribe(self)
        if self.table is not None:
            self.table.leave(self, dropped=True)
        if self.name:
            self.context.names.release(self.name)
            self.name = ""
        if transport is not None:
            transport.close()

    # From the clock -----------------------------------------------------------------------------

    def check(self, now_s: float) -> None:
        """Once a second or so: has this peer been too slow, or silent for too long?"""
        limits = self.context.config.limits
        if self._connection.state in (State.OPENING, State.GREETED):
            if now_s - self._made_s > limits.hello_s:
                self.goodbye(GoodbyeCode.TOO_SLOW)
        elif self._frame_since_s is not None and now_s - self._frame_since_s > limits.frame_s:
            self.goodbye(GoodbyeCode.TOO_SLOW)
        elif now_s - self._heard_s > limits.silence_s:
            self.goodbye(GoodbyeCode.SILENT)
        elif now_s - max(self._heard_s, self._pinged_s) > limits.ping_s:
            self._pinged_s = now_s
            self.send(Ping())
