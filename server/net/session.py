"""One peer: bytes to messages to the router, and messages back.

The protocol object of its transport, without a task of its own, since a server holds thousands.
A peer that breaks the wire gets a goodbye and is closed; nobody else notices.
"""

import asyncio
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, cast

import structlog
from msgspec import Struct

from protocol.connection import Connection
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Goodbye, Ping
from protocol.refusal import Param
from protocol.state import Side, State
from server.context import Context
from server.net.pace import Pace
from server.net.round_trips import RoundTrips
from server.net.router import dispatch
from server.net.spectating import Spectating
from server.tables.racing import races

if TYPE_CHECKING:
    from server.tables.table import Table

MESSAGES_A_TURN: Final = 8
"""A page of a thousand tables takes a millisecond: others are served again after eight."""
WRITE_BYTES: Final = 32 * 1024
"""More than this is not queued until the end of the turn: so a peer that asks for a great many
things at once is found not to read before memory is full of the answers."""
LAST_WORDS_S: Final = 5.0
"""How long a peer may take to read what was written before its connection was closed."""

P = ParamSpec("P")


def _for_this_peer_only(
    callback: "Callable[Concatenate[Session, P], None]",
) -> "Callable[Concatenate[Session, P], None]":
    """A bug of ours in `callback` closes this peer's connection and reaches nobody else."""

    @wraps(callback)
    def guarded(session: "Session", /, *args: P.args, **named: P.kwargs) -> None:
        try:
            callback(session, *args, **named)
        except Exception:
            structlog.get_logger().exception("session failed", name=session.name)
            session.close()

    return guarded


class Session(asyncio.Protocol):
    """`server.tables.guest.Guest` over a connection. `name` is "" until the hello was accepted."""

    __slots__ = (
        "_admitted",
        "_arrived_s",
        "_connection",
        "_frame_since_s",
        "_heard_s",
        "_last_words",
        "_made_s",
        "_pace",
        "_pinged_s",
        "_round_trips",
        "_spectating",
        "_transport",
        "_unwritten",
        "context",
        "identity",
        "loop",
        "name",
        "peer",
        "table",
    )

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self.context: Final = context
        self.loop: Final = loop
        self.name = ""
        self.identity = b""
        self.peer = ""
        self.table: Table | None = None
        self._connection = Connection(Side.SERVER)
        self._transport: asyncio.Transport | None = None
        self._unwritten = b""
        self._admitted = False
        self._pace = Pace(self._connection, context.turns, context.config.limits, loop.time())
        self._spectating = Spectating(self.send)
        self._round_trips = RoundTrips(context.config.limits.lag_ms)
        self._made_s = self._heard_s = self._arrived_s = self._pinged_s = loop.time()
        self._frame_since_s: float | None = None
        self._last_words: asyncio.TimerHandle | None = None

    # From the transport -------------------------------------------------------------------------

    @_for_this_peer_only
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        limits = self.context.config.limits
        self._transport.set_write_buffer_limits(high=min(limits.backlog_bytes, limits.outbox_bytes))
        self.context.connected.add(self)
        address = transport.get_extra_info("peername")
        self.peer = str(address[0]) if address else ""
        if len(self.context.connected) > limits.connections:
            self.goodbye(GoodbyeCode.FULL)
        elif not self.context.addresses.admit(self.peer):
            self.goodbye(GoodbyeCode.ADDRESS_FULL, limit=limits.per_address)
        else:
            self._admitted = True
            self.context.sessions.add(self)

    @_for_this_peer_only
    def data_received(self, data: bytes) -> None:
        self._heard_s = self._arrived_s = self.loop.time()
        self._connection.receive_bytes(data)
        self._serve()

    def _serve(self) -> None:
        """Some of what has come; the rest in a later turn, since others wait meanwhile, or when
        the pace allows. Till then nothing is read, and the peer cannot send without end."""
        try:
            for _ in range(MESSAGES_A_TURN):
                if (message := self._pace.next_message(self, self._heard_s)) is None:
                    break
                # What lies in the buffer now belongs to another frame, whose time begins.
                self._frame_since_s = None
                dispatch(self, message)
            else:
                self._serve_later(self.loop.call_soon)
            if (wait_s := self._pace.wait_s) is not None:
                self._serve_later(
                    partial(self.loop.call_later, wait_s) if wait_s else self.context.turns.later
                )
        except RemoteProtocolError as error:
            self.broken(error)
        if self._pace.held_since_s is not None or not self._connection.frame_started:
            self._frame_since_s = None
        elif self._frame_since_s is None:
            self._frame_since_s = self._heard_s

    def _serve_later(self, when: Callable[[Callable[[], None]], object]) -> None:
        if self._transport is not None:
            self._transport.pause_reading()
            when(self._serve_rest)

    @_for_this_peer_only
    def _serve_rest(self) -> None:
        if self._transport is not None:
            # What it has said meanwhile was not heard, which is no silence of the peer's.
            self._heard_s = self.loop.time()
            self._transport.resume_reading()
            self._serve()

    def pause_writing(self) -> None:
        """The peer reads more slowly than it is sent to."""
        self._spectating.slow = True

    @_for_this_peer_only
    def resume_writing(self) -> None:
        match = self.table.match if self.table is not None else None
        self._spectating.drained(match.id if match is not None else "")

    def _cut_if_full(self) -> None:
        """A full outbox says that the peer does not read, and nobody waits for it."""
        assert self._transport is not None
        limits = self.context.config.limits
        if self._transport.get_write_buffer_size() <= limits.outbox_bytes:
            return
        structlog.get_logger().info("cut: does not read", name=self.name, peer=self.peer)
        self._cut()

    def _cut(self) -> None:
        """End the line without a word: nothing more is served, and `connection_lost` follows."""
        self._connection.close()
        self._pace.forget()
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self.context.connected.discard(self)
        if self._admitted:
            self._admitted = False
            self.context.addresses.release(self.peer)
        if self._last_words is not None:
            self._last_words.cancel()
        self._transport = None
        self.close()

    # To the peer --------------------------------------------------------------------------------

    def send(self, message: Struct) -> None:
        """Queue a message; one to a peer that is gone is dropped."""
        if self._transport is None or not (whole := self._connection.send_if_allowed(message)):
            return
        if not self._unwritten:
            unwritten = self.context.unwritten
            if not unwritten:
                self.loop.call_soon(_write_all, unwritten)
            unwritten.append(self)
        self._unwritten += whole
        if len(self._unwritten) > WRITE_BYTES:
            self.write()

    def show(self, message: Struct) -> None:
        """Send something of a match that is only watched; on a slow line the newest will do."""
        self._spectating.show(message)

    def write(self) -> None:
        """Hand over what was queued: an answer and the update that follows it are one write."""
        unwritten, self._unwritten = self._unwritten, b""
        if self._transport is None or not unwritten:
            return
        try:
            self._transport.write(unwritten)
            if self._spectating.slow:
                self._cut_if_full()
        except Exception:
            # Not closed here: a match may be sending to all who sit there just now.
            structlog.get_logger().exception("write failed", name=self.name)
            self._cut()

    def measure(self) -> None:
        self._pinged_s = self.loop.time()
        self.send(Ping(self._round_trips.ask(self._pinged_s)))

    def answered(self, number: int) -> None:
        """A pong was served; it counts when it arrived, however long it had to wait here."""
        self._round_trips.answered(number, self._arrived_s)

    def lag_ms(self) -> int:
        return self._round_trips.lag_ms()

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

    def replaced(self) -> None:
        self.table, self.name = None, ""
        self.goodbye(GoodbyeCode.TAKEN_OVER)

    def close(self) -> None:
        """Leave everything and close the transport when its outbox has been written."""
        self.write()
        transport, self._transport = self._transport, None
        self._connection.close()
        self._pace.forget()
        self.context.sessions.discard(self)
        try:
            self.context.lobby.unsubscribe(self)
            if self.table is not None:
                self.table.drop(self)
        except Exception:
            structlog.get_logger().exception("cannot leave", name=self.name)
            self.table = None
        if self.name:
            self.context.names.release(self.name)
            self.name = ""
        if transport is not None:
            transport.close()
            self._last_words = self.loop.call_later(LAST_WORDS_S, transport.abort)

    # From the clock -----------------------------------------------------------------------------

    def check(self, now_s: float) -> None:
        """Once a second or so: has this peer been too slow, or silent for too long?"""
        limits = self.context.config.limits
        if self._connection.state in (State.OPENING, State.GREETED):
            if now_s - self._made_s > limits.hello_s:
                self.goodbye(GoodbyeCode.TOO_SLOW)
        elif (held_since_s := self._pace.held_since_s) is not None:
            # Its silence is ours. But who asked for more than a minute's worth goes.
            if now_s - held_since_s > limits.silence_s:
                self.goodbye(GoodbyeCode.FLOOD)
        elif self._frame_since_s is not None and now_s - self._frame_since_s > limits.frame_s:
            self.goodbye(GoodbyeCode.TOO_SLOW)
        elif now_s - self._heard_s > limits.silence_s:
            self.goodbye(GoodbyeCode.SILENT)
        elif races(self) or now_s - max(self._heard_s, self._pinged_s) > limits.ping_s:
            self.measure()


def _write_all(sessions: list[Session]) -> None:
    """At the end of a turn of the loop, for all sessions that queued something in it."""
    queued = sessions.copy()
    sessions.clear()
    for session in queued:
        session.write()
