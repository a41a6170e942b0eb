"""One peer at the other end of a connection: its bytes become messages that handlers serve, and
messages become bytes.

A session is the protocol object of its transport and has no task, since a server holds thousands.
Laws: what is served does not depend on how the bytes were cut. A peer that breaks the wire gets a
goodbye and is closed, and so does one whom a bug of ours has met; nobody else notices. What is
sent in a turn of the loop is written at its end, and who does not read is cut.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, cast

import structlog
from msgspec import Struct

from protocol.changes import OF_VIEWS, News, Shortening
from protocol.codec import (
    HEADER,
    MAX_FRAME_BYTES,
    MAX_HELLO_BYTES,
    UNREADABLE,
    Reader,
    encode_frame,
    framed,
)
from protocol.connection import TRANSITIONS, Side, State
from protocol.errors import GoodbyeCode, Param, Refusal, RefusalCode, RemoteProtocolError
from protocol.from_client import FROM_CLIENT, Act, Hello
from protocol.from_server import Goodbye, Notice, NoticeCode, Refused, ServerPing, Update
from protocol.ids import TableCode
from server.logs.marks import identity_mark
from server.logs.setup import LOG
from server.net.callers import Caller
from server.net.handlers import HANDLERS
from server.net.peers import SHORT_BYTES, Allowance
from server.net.spectating import Unshown
from server.store.journal import JournalError
from server.store.lists import Kept as Invitation
from server.tables.access import Impossible
from server.tables.table import Table
from server.tasks import Timer

if TYPE_CHECKING:
    from server.nodes.directory import Node
    from server.server import Server

MESSAGES_A_TURN: Final = 8
"""Then others are served: a page of a thousand tables takes a millisecond."""
WRITE_BYTES: Final = 32 * 1024
"""More than this does not wait for the end of the turn. So a peer that asks for a great many things
at once and reads none of the answers is found out before they fill the memory."""
LAST_WORDS_S: Final = 5.0
"""How long a peer may take to read its last messages before its connection is cut."""
UNWELCOME_S: Final = 1.0
"""How long a peer who may not come in has for its hello. What is written to a socket of which not
all was read may be lost."""
ROUND_TRIPS: Final = 20
"""The smallest of so many round trips counts: a busy line, loop or client makes a round trip
longer, and nothing makes it shorter than the line is. With one ping a second, a line that becomes
slower is believed after 20 s."""
LINE_ENDED: Final = "the line ended"

_HEADER_BYTES: Final = HEADER.size
_READER: Final = Reader(*FROM_CLIENT)
_READ: Final = _READER.decode
_SAID: Final = {
    state: {**said, News: said[Update]} if Update in said else said
    for state, said in TRANSITIONS[Side.SERVER].items()
}
_HEARD: Final = TRANSITIONS[Side.CLIENT]
# Names of the module: a member asked of its class is a call.
_OPENING: Final = State.OPENING
_OPEN: Final = State.OPEN
_CLOSED: Final = State.CLOSED

P = ParamSpec("P")


def _for_this_peer_only(
    callback: "Callable[Concatenate[Session, P], None]",
) -> "Callable[Concatenate[Session, P], None]":
    """A bug of ours in `callback` closes this peer's connection and reaches nobody else."""

    @wraps(callback)
    def guarded(session: "Session", /, *args: P.args, **more: P.kwargs) -> None:
        try:
            callback(session, *args, **more)
        except Exception:
            session.failed()

    return guarded


class Session(asyncio.Protocol):
    """Of a person, as tables and handlers know them.

    `name`: "" until the hello was accepted. `identity`: the SHA-256 of what the client showed in
    its `hello`, or b""; it is never sent or logged. `origin`: the address or block of addresses
    that limits count the peer for, "" = none. `table`: where they sit or watch; the table keeps it.
    `came_by`: the invitation by which they came, if it was one. `opened`: the table whose password
    they gave last. `seen_at`: the address at which the server saw them that has sent them here, ""
    = none has. `follows`: whether their client goes where a `goodbye` leads.
    `made_s`: when the caller came, on the loop's clock. `transport`: None before the line stands,
    and when it is over. `slow`: whether the peer leaves unread what was written.
    """

    __slots__ = (
        "_arrived_s",
        "_asked_s",
        "_at",
        "_came",
        "_frame_since_s",
        "_heard",
        "_heard_s",
        "_here",
        "_late",
        "_may_act",
        "_number",
        "_pinged_s",
        "_pings",
        "_postponed",
        "_postponed_since_s",
        "_said",
        "_shortening",
        "_state",
        "_took_s",
        "_unshown",
        "_unwelcome",
        "_unwritten",
        "_waits",
        "allowance",
        "answering",
        "caller",
        "came_by",
        "follows",
        "identity",
        "loop",
        "made_s",
        "name",
        "opened",
        "origin",
        "seen_at",
        "server",
        "slow",
        "table",
        "transport",
    )

    def __init__(self, server: "Server", caller: Caller) -> None:
        self.server: Final = server
        self.loop: Final = asyncio.get_running_loop()
        now_s = self.loop.time()
        # Who it is
        self.name = ""
        self.identity = b""
        self.caller: Final = caller
        self.origin = server.peers.addresses.origin(caller.address)
        self.came_by: Invitation | None = None
        self.opened: TableCode | None = None
        self.seen_at = ""
        self.table: TableCode | None = None
        self.follows = False
        self.made_s: Final = caller.since_s or now_s
        self._here: bool | None = False
        """Whether the hello was accepted; None: the end is in the log."""
        self._unwelcome: Goodbye | None = None
        """Why the peer may not come in; it is told so when it has spoken."""
        # What it says
        self.allowance: Final = Allowance(server.peers, now_s)
        self._may_act = True
        """Whether the peer has not acted since it was sent an update."""
        self._came = b""
        """As it came, served up to `_at`: as a rule one whole frame."""
        self._at = 0
        self._frame_since_s: float | None = None
        self._postponed: Struct | None = None
        """The message that must wait: what came is more than is allowed."""
        self._postponed_since_s: float | None = None
        """Since when something waits without a break."""
        self._arrived_s = self._heard_s = self._pinged_s = now_s
        """`_heard_s`: until when it was not silent, as far as this server has listened."""
        self._asked_s: float | None = None
        """Since when a ping is unanswered."""
        self._number = 0
        """Of the newest ping."""
        self._pings: tuple[tuple[int, float], ...] = ()
        """Of the newest each that is not answered: its number, and when it was sent."""
        self._took_s: tuple[float, ...] = ()
        """The newest round trips; none before the first ping."""
        # What it is told
        self.transport: asyncio.Transport | None = None
        self._unwritten = b""
        self._shortening = Shortening()
        self.slow = False
        self._unshown: Unshown | None = None
        self._late: Final = Timer()
        self.answering = 0
        """How many requests wait for their answers."""
        self._waits = False
        """Whether another server is looked for that may serve it."""
        self._move_to(_OPENING)

    def _move_to(self, state: State) -> None:
        self._state = state
        self._said, self._heard = _SAID[state], _HEARD[state]

    # What it says ---------------------------------------------------------------------------------

    @_for_this_peer_only
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peers, line = self.server.peers, cast(asyncio.Transport, transport)
        limits = peers.limits
        line.set_write_buffer_limits(high=min(limits.backlog_bytes, limits.outbox_bytes))
        self.transport = line
        self._unwelcome = peers.arrived(self)
        if self._unwelcome is not None:
            self._late.start(UNWELCOME_S, partial(self.turn_away, self._unwelcome))

    def data_received(self, data: bytes) -> None:
        """A measured hot path."""
        if self._state is _CLOSED:
            return  # TLS hands out what it has read, though we have closed
        try:
            if self._unwelcome is not None:
                self.turn_away(self._unwelcome)
                return
            self._arrived_s = self._heard_s = self.loop.time()
            if self._asked_s is not None:
                self._is_heard()
            if self._came:
                self._came, self._at = self._came[self._at :] + data, 0
            else:
                self._came = data
            if not self._waits:
                self._serve()
        except Exception:
            self.failed()

    def _is_heard(self) -> None:
        self._asked_s = None
        if (table := self.at_table()) is not None:
            table.presence.is_heard(self)

    def _serve(self) -> None:
        """Serve some of what has come. The rest is served in a later turn, since others wait, or
        when the allowance says so; nothing is read until then, so the peer cannot send without end.
        A measured hot path."""
        try:
            for _ in range(MESSAGES_A_TURN):
                if (message := self._postponed) is None:
                    if not self._came:
                        self._postponed_since_s = None
                        return
                    if (message := self._next()) is None:
                        return
                if type(message) is Act and self._may_act:
                    self._may_act = False
                elif (wait_s := self.allowance.wait_to_serve(self._heard_s)) is not None:
                    self._postponed = message
                    self._postpone(wait_s)
                    return
                self._postponed = None
                self.serve(message)
                if self._waits:
                    return
            self._serve_later(self.loop.call_soon)
        except RemoteProtocolError as error:
            self.broken(error)

    def _next(self) -> Struct | None:
        """The next message; None: the next is not whole, or its bytes must wait. Raises
        RemoteProtocolError when the peer broke the wire."""
        came, start = self._came, self._at + _HEADER_BYTES
        if len(came) >= start:
            (length,) = HEADER.unpack_from(came, self._at)
            if length > SHORT_BYTES:
                self._need_short(length)
            if len(came) >= (end := start + length):
                if length > SHORT_BYTES:
                    wait_s = self.allowance.wait_to_unpack(length, self._heard_s)
                    if wait_s is not None:
                        self._postpone(wait_s)
                        return None
                self._at = end
                if end == len(came):
                    self._came, self._at = b"", 0
                # What lies in the buffer now belongs to another frame, whose time begins.
                self._frame_since_s = None
                payload = came[start:end]
                try:
                    message = _READ(payload)
                except UNREADABLE as error:
                    raise _READER.wrong(payload, error) from None
                if (after := self._heard.get(type(message))) is not self._state:
                    self._moves_on(after, message)
                if (traffic := self.server.peers.traffic) is not None:
                    traffic.heard(message, _HEADER_BYTES + length)
                return message
        self._postponed_since_s = None
        if self._frame_since_s is None:
            self._frame_since_s = self._heard_s
        return None

    def _need_short(self, length: int) -> None:
        """Raises RemoteProtocolError for a frame that is longer than any message."""
        most = MAX_FRAME_BYTES if self._state is _OPEN else MAX_HELLO_BYTES
        if length > most:
            why = f"{length} bytes announced, {most} allowed"
            raise RemoteProtocolError(GoodbyeCode.FRAME_TOO_LONG, why)

    def _moves_on(self, after: State | None, message: Struct) -> None:
        """To what the peer's message leads to; None: it may not say that now."""
        if after is None:
            code = GoodbyeCode.NOT_HELLO if self._state is _OPENING else GoodbyeCode.NOT_ALLOWED
            why = f"{type(message).__name__} while {self._state.value}"
            raise RemoteProtocolError(code, why)
        if isinstance(message, Hello):
            self._shortening, self.follows = Shortening(asked=message.changes), message.follows
            # The hash is enough to know it again, and nobody can show the hash in its place.
            shown = b"" if message.identity is None else sha256(message.identity).digest()
            self.identity = self.caller.identity or shown
        self._move_to(after)

    def serve(self, message: Any) -> None:
        """Serve one message. Raises RemoteProtocolError for what only a broken peer sends."""
        if LOG.debug:
            self._note("asked", message)
        try:
            answer = HANDLERS[type(message)](self, message)
        except Impossible as impossible:
            self.is_impossible(message, impossible.refusal)
        else:
            if isinstance(answer, Struct):
                self.send(answer)
            elif answer is not None:
                self.answering += 1
                waiting = self.server.tasks.spawn(self._answer_later(message, answer))
                waiting.add_done_callback(lambda _: answer.close())  # it may never have begun

    async def _answer_later(self, request: Any, answer: Coroutine[Any, Any, Struct | None]) -> None:
        try:
            if (found := await answer) is not None:
                self.send(found)
        except Impossible as impossible:
            self.is_impossible(request, impossible.refusal)
        except JournalError as error:
            structlog.get_logger().error("journal failed", error=str(error))
            self.refuse(request.id, Refusal(RefusalCode.BUSY))
        except Exception:
            self.failed()
        finally:
            self.answering -= 1

    def is_impossible(self, request: Any, refusal: Refusal) -> None:
        """Refuse a request, unless another node has what nobody here knows."""
        cluster = self.server.cluster
        if cluster is None or not cluster.sending.seek(self, request, refusal):
            if LOG.debug:
                self._note("answered no", request, code=refusal.code)
            self.refuse(request.id, refusal)

    def refuse(self, request: int, refusal: Refusal) -> None:
        self.send(Refused(id=request, code=refusal.code, params=refusal.params))

    def _note(self, event: str, message: Struct, **more: Any) -> None:
        """What was asked is named by its type alone: it may hold a token, a password or a card."""
        what = message.__struct_config__.tag
        structlog.get_logger().debug(event, what=what, table=self.table, **more, **self.who())

    def _postpone(self, wait_s: float) -> None:
        """What has come must wait for so long, 0 = for a later turn of the loop."""
        if self._postponed_since_s is None:
            self._postponed_since_s = self._heard_s
        later = partial(self.loop.call_later, wait_s) if wait_s else self.server.peers.later
        self._serve_later(later)

    def _serve_later(self, when: Callable[[Callable[[], None]], object]) -> None:
        if self.transport is not None:
            self.transport.pause_reading()
            when(self._serve_rest)

    @_for_this_peer_only
    def _serve_rest(self) -> None:
        if self.transport is not None and not self._waits:
            # The peer may have spoken meanwhile: this server did not listen.
            self._heard_s = self.loop.time()
            self._is_heard()
            self.transport.resume_reading()
            self._serve()

    @_for_this_peer_only
    def serve_again(self, message: Struct) -> None:
        """Serve a message now, unless the peer is gone."""
        if self.transport is not None:
            self.serve(message)

    def connection_lost(self, error: Exception | None) -> None:
        self.server.peers.gone(self)
        self._late.stop()
        self.transport = None
        self.close()

    def failed(self) -> None:
        """A bug of ours was met while this peer was looked after: called where it is caught."""
        structlog.get_logger().exception("session failed", name=self.name)
        self.close()

    # What it is told ------------------------------------------------------------------------------

    def send(self, message: Struct) -> None:
        """Queue a message; drop it when the peer is gone, or may not be told that now. Never
        blocks, never raises. A measured hot path."""
        kind = type(message)
        if (after := self._said.get(kind)) is not self._state:
            if after is None:
                return
            self._move_to(after)
        if kind in OF_VIEWS:
            self._may_act = True
            whole = self._shortening.frame(message)
        else:
            whole = encode_frame(message)
        peers, unwritten = self.server.peers, self._unwritten
        if peers.traffic is not None:
            peers.traffic.told(message.update if type(message) is News else message, len(whole))
        if not unwritten:
            if not peers.unwritten:
                self.loop.call_soon(peers.write_all)
            peers.unwritten.append(self)
        self._unwritten = unwritten = unwritten + whole
        if len(unwritten) > WRITE_BYTES:
            self.write()

    def show(self, message: Struct) -> None:
        """Send what a match tells its watchers; on a slow line, only the newest state."""
        if not self.slow:
            self.send(message)
        else:
            if self._unshown is None:
                self._unshown = Unshown()
            self._unshown.add(message)

    def write(self) -> None:
        """Hand over what is queued: an answer and the update that follows it are one write. Never
        raises."""
        unwritten, self._unwritten = self._unwritten, b""
        if self.transport is None or not unwritten:
            return
        try:
            self.transport.write(unwritten)
            if self.slow:
                self._cut_if_full()
        except Exception:
            # Not closed here: a match may be sending to all who sit there just now.
            structlog.get_logger().exception("write failed", name=self.name)
            self.cut()

    def pause_writing(self) -> None:
        """The transport's buffer is full: the peer reads too slowly."""
        self.server.peers.hits["backlog_bytes"] += 1
        self.slow = True

    @_for_this_peer_only
    def resume_writing(self) -> None:
        table = self.at_table()
        match = table.match if table is not None and self in table.watchers else None
        self.slow = False
        if self._unshown is not None:
            unshown, self._unshown = self._unshown, None
            for message in unshown.take("" if match is None else match.id):
                self.send(message)

    def _cut_if_full(self) -> None:
        """Cut a peer that does not read, when its outbox is full."""
        peers = self.server.peers
        assert self.transport is not None
        if self.transport.get_write_buffer_size() <= peers.limits.outbox_bytes:
            return
        peers.hits["outbox_bytes"] += 1
        structlog.get_logger().info("cut: does not read", **self.who())
        self.cut()

    # Who it is ------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """Where the caller is; "" = unknown."""
        return self.caller.address

    @property
    def connected(self) -> bool:
        """Whether the peer is not gone."""
        return self.transport is not None

    @property
    def counted(self) -> tuple[str, bytes]:
        """What tries of a password are counted for: a place, and an identity."""
        return self.place, self.identity

    @property
    def place(self) -> str:
        """What their tries are counted for, where they show no identity."""
        return self.origin or self.address

    @property
    def dials_from_here(self) -> bool:
        """Whether a welcomed client runs on this machine."""
        return bool(self._here) and self.caller.here and self.transport is not None

    def at_table(self) -> Table | None:
        """Where this peer sits or watches."""
        return None if self.table is None else self.server.lobby.tables.get(self.table)

    def need_table(self) -> Table:
        """As `at_table`. Raises Impossible where that is nowhere."""
        if self.table is None or (table := self.server.lobby.tables.get(self.table)) is None:
            raise Impossible(RefusalCode.NOT_AT_TABLE)
        return table

    def who(self) -> dict[str, str]:
        """Who this is, for the log."""
        return {
            "name": self.name,
            "address": self.address,
            "identity": identity_mark(self.identity),
        }

    def came(self, name: str) -> None:
        """The hello was accepted, and they have this name."""
        self.name, self._here = name, True
        structlog.get_logger().info("came", **self.who())

    # How long its line takes ----------------------------------------------------------------------

    def measure(self) -> None:
        """Send a ping; its answer says how long the line takes. The oldest unanswered pings are
        forgotten."""
        self._pinged_s = now_s = self.loop.time()
        if self._asked_s is None:
            self._asked_s = now_s
        number = self._number = self._number + 1
        self._pings = (*self._pings, (number, now_s))[-ROUND_TRIPS:]
        self.send(ServerPing(number))

    def answered(self, number: int) -> None:
        """A pong is served. It counts from when it arrived, however long it waited here. It is
        ignored unless it answers a ping, and also if it arrived before that ping was sent: then
        the peer guessed the number."""
        for asked, sent_s in self._pings:
            if asked == number and sent_s <= self._arrived_s:
                self._took_s = (*self._took_s, self._arrived_s - sent_s)[-ROUND_TRIPS:]
        self._pings = tuple([one for one in self._pings if one[0] != number])

    def lag_ms(self) -> int:
        """The delay one way: half the smallest round trip; 0 before the first."""
        most_ms = self.server.peers.limits.lag_ms
        return min(most_ms, int(min(self._took_s, default=0.0) * 500))

    # Its end --------------------------------------------------------------------------------------

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

    def dial_again(self, home: "Node | None" = None) -> None:
        """The match goes on elsewhere: let the client go there, or dial again, and close. `home`:
        of the match, None = unknown."""
        if not self._moves(home):
            self.goodbye(GoodbyeCode.SHUTDOWN)

    def _moves(self, home: "Node | None" = None) -> bool:
        """Whether the client is told to go to another machine of this server."""
        self.table, cluster = None, self.server.cluster
        return cluster is not None and cluster.sending.move(self, home)

    def replaced(self) -> None:
        """A newer connection has the seat and the name: tell the client and close."""
        self.table, self.name = None, ""
        self.goodbye(GoodbyeCode.TAKEN_OVER)

    def part(self) -> None:
        """Let the client go where its match goes on, or say that the server stops, and close. The
        seat is held: it is the table that goes."""
        if not self._moves():
            self.send(Notice(NoticeCode.SERVER_STOPS))
            self.goodbye(GoodbyeCode.SHUTDOWN)

    def cut(self) -> None:
        """End the line without a word: nothing more is served, and `connection_lost` follows."""
        self._end()
        if self.transport is not None:
            self.transport.abort()

    def close(self, why: str = LINE_ENDED) -> None:
        """Free what the session holds, and close the transport once its outbox is written. Never
        raises."""
        self._log_end(why)
        self.write()
        transport, self.transport = self.transport, None
        self.server.peers.admitted.discard(self)
        self._end()
        name = self.name
        try:
            self._leave()
        except Exception:
            structlog.get_logger().exception("cannot leave", name=name)
        if transport is not None:
            transport.close()
            self._late.start(LAST_WORDS_S, transport.abort)

    def _end(self) -> None:
        """Nothing more is served, and nothing more is said."""
        self._move_to(_CLOSED)
        self._drop_said()

    def _drop_said(self) -> None:
        self._came, self._at, self._frame_since_s = b"", 0, None
        self._postponed = self._postponed_since_s = None

    def _leave(self) -> None:
        """Free the table, the name and the place in the lobby, however the connection ended."""
        lobby = self.server.lobby
        try:
            lobby.list.unsubscribe(self)
            if (table := self.at_table()) is not None:
                table.drop(self)
        finally:
            self.table = None
            if self.name:
                lobby.names.release(self.name)
                self.name = ""

    def _log_end(self, why: str) -> None:
        """The first reason to close is the one that counts. Who was not welcomed and went without a
        word, as a port scan does, is worth no line."""
        here, self._here, log = self._here, None, structlog.get_logger()
        if here:
            log.info("gone", why=why, stayed_s=round(self.loop.time() - self.made_s), **self.who())
        elif here is not None:
            (log.debug if why is LINE_ENDED else log.info)("refused", why=why, **self.who())

    def check(self, now_s: float) -> None:
        """Called about once a second: say goodbye to a peer that is too slow, or silent for too
        long, and ping it when that is due."""
        limits, silent_s = self.server.peers.limits, now_s - self._heard_s
        if self._state is _OPENING:
            if now_s - self.made_s > limits.hello_s:
                self._too_slow("hello_s")
        elif self._postponed_since_s is not None:
            # This server does not listen, so the peer is not silent; but it asks for too much.
            if now_s - self._postponed_since_s > limits.silence_s:
                self.goodbye(GoodbyeCode.FLOOD)
        elif self._frame_since_s is not None and now_s - self._frame_since_s > limits.frame_s:
            self._too_slow("frame_s")
        elif silent_s > limits.silence_s:
            self.server.peers.hits["silence_s"] += 1
            self.goodbye(GoodbyeCode.SILENT)
        else:
            self._ask_whether_there(now_s, silent_s)

    def _too_slow(self, limit: str) -> None:
        self.server.peers.hits[limit] += 1
        self.goodbye(GoodbyeCode.TOO_SLOW)

    def _ask_whether_there(self, now_s: float, silent_s: float) -> None:
        """A line may be quiet because nobody has asked; only what is not answered tells that it is
        dead. Where others wait for the peer's action, it is asked sooner, and they are told that it
        is silent once it has left a question unanswered."""
        table, limits = self.at_table(), self.server.peers.limits
        every_s = limits.ping_s
        if table is not None and table.waits_for(self):
            every_s = min(every_s, limits.ping_due_s)
            asked_s = now_s if self._asked_s is None else self._asked_s
            if now_s - asked_s >= limits.ping_due_s and silent_s > limits.quiet_s:
                table.presence.falls_silent(self)
        races = table is not None and table.measures(self)
        if races or now_s - max(self._heard_s, self._pinged_s) > every_s:
            self.measure()

    # Several servers: another one may serve the peer ----------------------------------------------

    def wait(self) -> None:
        """Serve nothing more of what the peer says until `go_on`, or for good."""
        self._waits = True
        if self.transport is not None:
            self.transport.pause_reading()

    @_for_this_peer_only
    def go_on(self, request: Struct | None = None) -> None:
        """Serve the peer again, this request first."""
        if self.transport is not None:
            self._waits = False
            if request is not None:
                self.serve(request)
            self._serve_rest()

    def hand_over(self, to: asyncio.Protocol) -> tuple[asyncio.Transport, bytes]:
        """Let this protocol have the line, which is not read. Returns it, and what the peer has
        said and nobody has served. The peer counts here until their line ends."""
        assert self.transport is not None
        self.wait()
        self.server.peers.admitted.discard(self)
        self.server.lobby.list.unsubscribe(self)
        postponed, rest = self._postponed, self._came[self._at :]
        self._drop_said()
        self.transport.set_protocol(to)
        return self.transport, rest if postponed is None else framed(postponed) + rest

    @property
    def changes(self) -> bool:
        """Whether the peer is sent the changes of views."""
        return self._shortening.asked

    def know(
        self,
        name: str,
        identity: bytes,
        came_by: Invitation | None,
        opened: TableCode | None,
        seen_at: str = "",
    ) -> None:
        """As another server did."""
        self.name, self.identity, self.seen_at = name, identity, seen_at
        self.came_by, self.opened = came_by, opened

    def welcomed(self, *, changes: bool) -> None:
        """Another server has welcomed this peer, who is known. To be called first."""
        self._shortening = Shortening(asked=changes)
        self._move_to(_OPEN)
        self.came(self.name)
