"""One peer at the other end of a connection: its bytes become messages that handlers serve, and
messages become bytes.

A session is the protocol object of its transport and has no task, since a server holds thousands.
A peer that breaks the wire gets a goodbye and is closed; nobody else notices.
"""

import asyncio
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias, cast

import structlog
from msgspec import Struct

from protocol.connection import Connection
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Goodbye, Notice, NoticeCode, Ping
from protocol.ids import TableCode
from protocol.refusal import Param
from protocol.state import State
from server.logs.marks import identity_mark
from server.net.caller import Caller
from server.net.line import Line
from server.net.pace import Pace
from server.net.peers import Peers
from server.net.round_trips import RoundTrips
from server.net.silence import Silence
from server.net.unwelcome import Unwelcome
from server.store.invitations import Kept as Invitation
from server.tables.ports import Guest
from server.tables.table import Table

if TYPE_CHECKING:
    from server.nodes.crowds import Crowd

MESSAGES_A_TURN: Final = 8
"""Then others are served: a page of a thousand tables takes a millisecond."""
LINE_ENDED: Final = "the line ended"

Serve: TypeAlias = "Callable[[Session, Any], None]"
"""Serves one message of this peer. Raises RemoteProtocolError for what only a broken peer sends."""
Enter: TypeAlias = "Callable[[Session, TableCode], Crowd]"
"""Lets a session into the crowd of those who watch this table on the same line."""
Lane: TypeAlias = "Callable[[Session, Connection, Pace, bytes], bool]"
"""Serves bytes that came if they are a move as any other; returns whether it did."""
Leave: TypeAlias = "Callable[[Session], None]"
"""Frees what the session held: table, name, place in the lobby."""
TableOf: TypeAlias = Callable[[Guest], Table | None]
"""Finds the table where the session sits or watches."""

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
    """`server.tables.ports.Guest` over a connection. `name` is "" until the hello was accepted,
    `made_s`: when the caller came, on the loop's clock. `came_by`: the invitation by which they
    came, if it was one. `opened`: the table whose password they gave last."""

    __slots__ = (
        "_arrived_s",
        "_connection",
        "_enter",
        "_frame_since_s",
        "_here",
        "_lane",
        "_leave",
        "_line",
        "_pace",
        "_peers",
        "_round_trips",
        "_serve_message",
        "_silence",
        "_table_of",
        "caller",
        "came_by",
        "crowd",
        "identity",
        "loop",
        "made_s",
        "name",
        "opened",
        "origin",
        "table",
    )

    def __init__(
        self,
        peers: "Peers[Session]",
        lane: Lane,
        serve: Serve,
        leave: Leave,
        table_of: TableOf,
        connection: Connection,
        caller: Caller,
    ) -> None:
        self.loop: Final = asyncio.get_running_loop()
        self.name = ""
        self.identity = b""
        self.caller: Final = caller
        self.origin = peers.addresses.origin(caller.address)
        self.came_by: Invitation | None = None
        self.opened: TableCode | None = None
        self.table: TableCode | None = None
        self.crowd: Crowd | None = None
        self._enter: Enter | None = None
        self._here: bool | None = False
        """Whether the hello was accepted; None: the end is in the log."""
        self._peers: Final = peers
        self._lane: Final = lane
        self._serve_message: Final = serve
        self._leave: Final = leave
        self._table_of: Final = table_of
        self._connection: Final = connection
        self._line: Final = Line(peers, self)
        now_s = self.loop.time()
        self._pace = Pace(self._connection, peers.turns, peers.limits, now_s)
        self._round_trips: RoundTrips | None = None
        """From the first ping on."""
        self.made_s: Final = caller.since_s or now_s
        self._arrived_s = now_s
        self._silence = Silence(peers.limits, now_s)
        self._frame_since_s: float | None = None

    # From the transport -------------------------------------------------------------------------

    @_for_this_peer_only
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        self._line.stands(line)
        if (goodbye := self._peers.arrived(self, self.caller)) is not None:
            tell = partial(self.turn_away, goodbye)
            line.set_protocol(Unwelcome(tell, self.connection_lost))

    @_for_this_peer_only
    def data_received(self, data: bytes) -> None:
        if self._line.transport is None:
            return  # TLS hands out what it has read, though we have closed
        self._arrived_s = self.loop.time()
        self._heard(self._arrived_s)
        if self._lane(self, self._connection, self._pace, data):
            return
        self._connection.receive_bytes(data)
        self._serve()

    def _heard(self, now_s: float) -> None:
        self._silence.heard(now_s)
        if self._silence.told:
            self._silence.told = False
            if (table := self.at_table()) is not None:
                table.is_heard(self)

    def _serve(self) -> None:
        """Serve some of what has come. The rest is served in a later turn, since others wait, or
        when the pace allows; nothing is read until then, so the peer cannot send without end."""
        try:
            for _ in range(MESSAGES_A_TURN):
                message = self._pace.next_message(self, self.at_table(), self._silence.since_s)
                if message is None:
                    break
                # What lies in the buffer now belongs to another frame, whose time begins.
                self._frame_since_s = None
                self._serve_message(self, message)
            else:
                self._serve_later(self.loop.call_soon)
            if (wait_s := self._pace.wait_s) is not None:
                if wait_s:
                    self._peers.hits[self._pace.held_by] += 1
                self._serve_later(
                    partial(self.loop.call_later, wait_s) if wait_s else self._peers.turns.later
                )
        except RemoteProtocolError as error:
            self.broken(error)
        if self._pace.held_since_s is not None or not self._connection.frame_started:
            self._frame_since_s = None
        elif self._frame_since_s is None:
            self._frame_since_s = self._silence.since_s

    def _serve_later(self, when: Callable[[Callable[[], None]], object]) -> None:
        if self._line.transport is not None:
            self._line.transport.pause_reading()
            when(self._serve_rest)

    @_for_this_peer_only
    def _serve_rest(self) -> None:
        if self._line.transport is not None and not self._line.lent:
            # The peer may have spoken meanwhile: this server did not listen.
            self._heard(self.loop.time())
            self._line.transport.resume_reading()
            self._serve()

    def pause_writing(self) -> None:
        """The transport's buffer is full: the peer reads too slowly."""
        self._peers.hits["backlog_bytes"] += 1
        self._line.spectating.slow = True
        if self.crowd is not None:
            self.crowd.falls_behind(self)

    @_for_this_peer_only
    def resume_writing(self) -> None:
        table = self.at_table()
        match = table.match if table is not None and self in table.watchers else None
        self._line.spectating.drained("" if match is None else match.id)

    def cut(self) -> None:
        """End the line without a word: nothing more is served, and `connection_lost` follows."""
        self._connection.close()
        self._pace.forget()
        if self._line.transport is not None:
            self._line.transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._line.lost()
        self.close()

    # To the peer --------------------------------------------------------------------------------

    def send(self, message: Struct) -> None:
        """Queue a message; drop it when the peer is gone."""
        line = self._line
        if line.transport is not None and (whole := self._connection.send_if_allowed(message)):
            line.send(whole)

    def show(self, message: Struct) -> None:
        """Send what a match tells its watchers; on a slow line, only the newest state."""
        self._line.spectating.show(message)

    def share(self, enter: "Enter") -> None:
        """Other peers are on the same line. `enter`: for one who watches."""
        self._line.is_shared()
        self._enter = enter

    def watches(self, table: TableCode | None) -> None:
        if self.crowd is not None:
            self.crowd.leave(self)
        self.crowd = None
        if table is not None and self._enter is not None:
            self.crowd = self._enter(self, table)

    def whole_next(self) -> None:
        """The next view that is sent to this peer alone is a whole one."""
        self._connection.go_on(changes=self.changes)

    def pass_on(self, whole: bytes) -> None:
        """Send frames of another server, which serves the peer."""
        self._line.pass_on(whole)

    def serve_again(self, message: Struct) -> None:
        """Serve a message now, unless the peer is gone."""
        self.if_here(partial(self._serve_message, self, message))

    @_for_this_peer_only
    def if_here(self, what: Callable[[], None]) -> None:
        """Do this, unless the peer is gone: what it waited for has happened."""
        if self._line.transport is not None:
            what()

    # To another server and back -------------------------------------------------------------------

    def lend(self, to: asyncio.Protocol) -> tuple[asyncio.Transport, bytes]:
        """Serve this peer no more, who speaks to this protocol from now on; what is sent still
        goes to them. Returns the line, which is not read, and what they have said and nobody has
        served."""
        return self._line.lend(to), self._pace.rest()

    @_for_this_peer_only
    def take_back(self, said: bytes) -> None:
        """Serve the peer again, who has said this meanwhile."""
        if self._line.take_back():
            self._connection.receive_bytes(said)
            self._serve_rest()

    @property
    def changes(self) -> bool:
        """Whether the peer is sent the changes of views."""
        return self._connection.changes

    @property
    def slow(self) -> bool:
        """Whether the peer leaves unread what was written."""
        return self._line.spectating.slow

    def welcomed(self, *, changes: bool) -> None:
        """Another server has welcomed this peer, who has a name. To be called first."""
        self._connection.go_on(changes=changes)
        self.came()

    @property
    def address(self) -> str:
        """Where the caller is; "" = unknown."""
        return self.caller.address

    @property
    def connected(self) -> bool:
        """Whether the peer is not gone."""
        return self._line.transport is not None

    @property
    def counted(self) -> tuple[str, bytes]:
        """What tries of a password are counted for: a place, and an identity."""
        return self.origin or self.address, self.identity

    def at_table(self) -> Table | None:
        """Where this peer sits or watches."""
        return self._table_of(self)

    @property
    def dials_from_here(self) -> bool:
        """Whether a welcomed client runs on this machine."""
        return bool(self._here) and self.caller.here and self._line.transport is not None

    def measure(self) -> None:
        """Send a ping; its answer says how long the line takes."""
        now_s = self.loop.time()
        self._silence.pinged(now_s)
        if self._round_trips is None:
            self._round_trips = RoundTrips(self._peers.limits.lag_ms)
        self.send(Ping(self._round_trips.ask(now_s)))

    def answered(self, number: int) -> None:
        """A pong is served. It counts from when it arrived, however long it waited here."""
        if self._round_trips is not None:
            self._round_trips.answered(number, self._arrived_s)

    def lag_ms(self) -> int:
        return 0 if self._round_trips is None else self._round_trips.lag_ms()

    def broken(self, error: RemoteProtocolError) -> None:
        """The peer broke the wire: say how, and close."""
        structlog.get_logger().info("broken wire", code=error.code, why=error.why, **self.who())
        self.goodbye(error.code)

    def goodbye(self, code: GoodbyeCode, **params: Param) -> None:
        """Say why, and close."""
        self.turn_away(Goodbye(code, params))

    def turn_away(self, goodbye: Goodbye) -> None:
        """Say this, and close."""
        self._log_end(goodbye.code)
        self.send(goodbye)
        self.close()

    def came(self) -> None:
        """The hello was accepted."""
        self._here = True
        structlog.get_logger().info("came", **self.who())

    def who(self) -> dict[str, str]:
        """Who this is, for the log."""
        return {
            "name": self.name,
            "address": self.address,
            "identity": identity_mark(self.identity),
        }

    def dial_again(self) -> None:
        self.table = None
        self.goodbye(GoodbyeCode.SHUTDOWN)

    def replaced(self) -> None:
        self.table, self.name = None, ""
        self.goodbye(GoodbyeCode.TAKEN_OVER)

    def part(self) -> None:
        """Say that the server stops, and close. The seat is held: it is the table that goes."""
        self.table = None
        self.send(Notice(NoticeCode.SERVER_STOPS))
        self.goodbye(GoodbyeCode.SHUTDOWN)

    def close(self, why: str = LINE_ENDED) -> None:
        """Free what the session holds, and close the transport once its outbox is written."""
        self._log_end(why)
        transport = self._line.close()
        self._connection.close()
        self._pace.forget()
        name = self.name
        try:
            self._leave(self)
        except Exception:
            structlog.get_logger().exception("cannot leave", name=name)
        if transport is not None:
            self._line.end(transport)

    def _log_end(self, why: str) -> None:
        """The first reason to close is the one that counts. Who was not welcomed and went without a
        word, as a port scan does, is worth no line."""
        here, self._here, log = self._here, None, structlog.get_logger()
        if here:
            log.info("gone", why=why, stayed_s=round(self.loop.time() - self.made_s), **self.who())
        elif here is not None:
            (log.debug if why is LINE_ENDED else log.info)("refused", why=why, **self.who())

    # From the clock -----------------------------------------------------------------------------

    def check(self, now_s: float) -> None:
        """Called about once a second: say goodbye to a peer that is too slow, or silent for too
        long, and ping it when that is due."""
        limits = self._peers.limits
        if self._connection.state in (State.OPENING, State.GREETED):
            if now_s - self.made_s > limits.hello_s:
                self._too_slow("hello_s")
        elif (held_since_s := self._pace.held_since_s) is not None:
            # This server does not listen, so the peer is not silent; but it asks for too much.
            if now_s - held_since_s > limits.silence_s:
                self.goodbye(GoodbyeCode.FLOOD)
        elif self._frame_since_s is not None and now_s - self._frame_since_s > limits.frame_s:
            self._too_slow("frame_s")
        elif now_s - self._silence.since_s > limits.silence_s:
            self._peers.hits["silence_s"] += 1
            self.goodbye(GoodbyeCode.SILENT)
        else:
            self._ask_whether_there(now_s)

    def _too_slow(self, limit: str) -> None:
        self._peers.hits[limit] += 1
        self.goodbye(GoodbyeCode.TOO_SLOW)

    def _ask_whether_there(self, now_s: float) -> None:
        table, silence = self.at_table(), self._silence
        due = table is not None and table.waits_for(self)
        races = table is not None and table.measures(self)
        if table is not None and due and not silence.told and silence.keeps_others_waiting(now_s):
            silence.told = True
            table.falls_silent(self)
        if races or silence.wants_ping(now_s, due=due):
            self.measure()
