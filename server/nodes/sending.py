"""Sends callers on to the node that has what they ask for: by a ticket, or through a pipe.

A client that follows is told where to dial, with a ticket by which that node knows them; nothing
that it asked since was served, so it asks again there. Any node to which it shows the ticket leads
it to that one: guests have a single way in, and so has a cluster behind one address. For a client
that does not follow, its node copies bytes both ways.

Law: a node that is gone or hangs costs those who came in through it a new dialling, and nobody else
anything.
"""

import asyncio
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Container
from hashlib import sha256
from secrets import token_bytes
from typing import TYPE_CHECKING, Final, cast

import msgspec
import structlog
from msgspec import Struct, structs

from protocol.codec import framed
from protocol.errors import GoodbyeCode, Refusal, RefusalCode
from protocol.from_client import CreateTable, Hello, Join, Request, Resume, Watch
from protocol.ids import MatchId, TableCode
from protocol.table import Filter
from protocol.text import clean
from server.doors.tls import Encrypted
from server.net.callers import Caller
from server.net.session import LAST_WORDS_S, Session
from server.nodes.directory import NOBODY, Directory, Node
from server.nodes.port import DIAL_S, Led, NodePort, Welcomed
from server.store.journal import JournalError
from server.tasks import Timer

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster
    from server.server import Server

PATIENCE_S: Final = 8.0
"""So long a seat's owner waits here for a node to take their match over: longer than a lease."""
AGAIN_S: Final = 0.15
MOST_LED: Final = 4
"""Through so many nodes a caller is led at most; then they dial again."""
BUFFER_BYTES: Final = 32 * 1024
"""What waits in a pipe, each way."""
STUCK_S: Final = 20.0
"""So long it may be that nobody reads it."""
_UNKNOWN: Final = (RefusalCode.NO_SUCH_TABLE, RefusalCode.NO_SUCH_MATCH)

# Tickets


GOOD_S: Final = 60
_DIGEST_BYTES: Final = 32


class Ticket(Struct, frozen=True, array_like=True):
    """`node`: the number of the one that it is for. `until_s`: by the database's clock; `once`:
    drawn, and used once."""

    node: int
    caller: Welcomed
    until_s: int
    once: bytes


class Tickets:
    """Of one node. `authority`: what all nodes know and nobody else."""

    def __init__(self, authority: bytes, directory: Directory) -> None:
        self._secret: Final = sha256(b"tickets\0" + authority).digest()
        self._directory: Final = directory
        self._used: dict[bytes, int] = {}
        """Until when each would be good."""

    def issue(self, session: Session, node: Node) -> str:
        until_s = int(self._directory.database_s) + GOOD_S
        ticket = Ticket(node.number, welcomed(session), until_s, token_bytes(8))
        packed = msgspec.msgpack.encode(ticket)
        return urlsafe_b64encode(self._digest(packed) + packed).decode()

    def read(self, shown: str) -> Ticket | None:
        """None: it is none of this cluster, or too old."""
        try:
            whole = urlsafe_b64decode(shown)
            packed = whole[_DIGEST_BYTES:]
            if not hmac.compare_digest(whole[:_DIGEST_BYTES], self._digest(packed)):
                return None
            ticket = msgspec.msgpack.decode(packed, type=Ticket)
        except (ValueError, msgspec.DecodeError):
            return None
        return ticket if self._directory.database_s < ticket.until_s else None

    def use(self, ticket: Ticket) -> bool:
        """Whether it is this node's and was not used before."""
        if ticket.node != self._directory.number or ticket.once in self._used:
            return False
        now_s = self._directory.database_s
        self._used = {once: until_s for once, until_s in self._used.items() if now_s < until_s}
        self._used[ticket.once] = ticket.until_s
        return True

    def _digest(self, packed: bytes) -> bytes:
        return hmac.digest(self._secret, packed, "sha256")


def welcomed(session: Session, lists: Filter | None = None) -> Welcomed:
    """How this node knows the caller."""
    return Welcomed(
        name=session.name,
        identity=session.identity,
        changes=session.changes,
        opened=session.opened or "",
        invitation="" if session.came_by is None else session.came_by.name,
        lists=lists,
    )


# Pipes


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


def _comes_back(request: Request) -> bool:
    """Whether a player wants their seat in a match, which may be about to change its node."""
    return isinstance(request, Resume) and bool(request.match)


class Sending:
    """Of one node. `port`: to the others."""

    def __init__(
        self, cluster: "Cluster", server: "Server", tickets: Tickets, port: NodePort
    ) -> None:
        self._cluster: Final = cluster
        self._server: Final = server
        self._port: Final = port
        self._pipes: Final[dict[_End, int]] = {}
        """The callers' ends, and the number of the node at the other."""
        self.tickets: Final = tickets

    # What is asked here and may be elsewhere ------------------------------------------------------

    def seek(self, session: Session, request: Request, refusal: Refusal) -> bool:
        """Look for what nobody here knows; returns whether it may be at another node."""
        if refusal.code not in _UNKNOWN:
            return False
        session.wait()
        self._server.tasks.spawn(self._seek(session, request, refusal))
        return True

    async def _seek(self, session: Session, request: Request, refusal: Refusal) -> None:
        began_s = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(began_s + DIAL_S) as limit:
                while session.connected:
                    try:
                        request = await self._named(session, request)
                        if _comes_back(request):
                            limit.reschedule(began_s + PATIENCE_S)
                        if (home := await self._home_of(request)) is None:
                            break
                        if session.table is not None:
                            at = {"table": session.table}
                            refusal = Refusal(RefusalCode.ALREADY_AT_TABLE, {**at})
                            break
                        if home.number == self._cluster.directory.number:
                            if not self._is_here(request):
                                break
                            session.go_on(request)
                            return
                        if home != NOBODY:
                            await self._send_on(session, home, request)
                            return
                    except (JournalError, OSError) as error:
                        structlog.get_logger().debug("no way to a node", why=str(error))
                    await asyncio.sleep(AGAIN_S)
        except TimeoutError:
            if _comes_back(request):
                session.goodbye(GoodbyeCode.SILENT)  # nobody takes the match over yet
                return
            refusal = Refusal(RefusalCode.BUSY)
        session.refuse(request.id, refusal)
        session.go_on()

    async def _named(self, session: Session, request: Request) -> Request:
        """The same; a guest who names no match comes back to a seat of theirs, which the folder of
        another node knows. Raises JournalError."""
        if not isinstance(request, Resume) or request.match:
            return request
        match = await self._cluster.directory.match_of(session.caller.identity)
        return structs.replace(request, match=match)

    async def _home_of(self, request: Request) -> Node | None:
        """As in `Directory`; a match that nobody plays is brought here. Raises JournalError."""
        cluster = self._cluster
        match request:
            case Resume() if request.match:
                return await cluster.claiming.bring(MatchId(request.match))
            case Join() | Watch():
                return await cluster.directory.home_of_table(request.table.upper())
            case CreateTable(duplicate=str(code)) if code:
                return await cluster.directory.home_of_table(code.upper())
        return None

    def _is_here(self, request: Request) -> bool:
        """Whether it has come here meanwhile."""
        lobby = self._server.lobby
        match request:
            case Resume(match=wanted):
                return lobby.has_match(wanted)
            case Join() | Watch():
                return TableCode(request.table.upper()) in lobby.tables
        return False

    async def _send_on(self, session: Session, home: Node, request: Request) -> None:
        """Raises OSError."""
        if session.follows:
            ticket = self.tickets.issue(session, home)
            session.goodbye(GoodbyeCode.MOVED, at=home.players, ticket=ticket)
        elif session.caller.led >= MOST_LED:
            session.goodbye(GoodbyeCode.SILENT)
        else:
            lists = self._server.lobby.list.readers.get(session)
            await self._pipe(session, home, welcomed(session, lists), request)

    # Pipes ----------------------------------------------------------------------------------------

    def lead(self, session: Session, hello: Hello, ticket: Ticket) -> bool:
        """Lead a caller to the node of their ticket; returns whether it lives."""
        node = self._cluster.directory.living.get(ticket.node)
        ours = ticket.node == self._cluster.directory.number
        if node is None or ours or session.caller.led >= MOST_LED:
            return False
        self._server.tasks.spawn(self._lead(session, node, hello))
        return True

    async def _lead(self, session: Session, node: Node, hello: Hello) -> None:
        try:
            await self._pipe(session, node, None, hello)
        except OSError:
            session.goodbye(GoodbyeCode.SILENT)

    async def _pipe(
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
            self._pipes.pop(near, None)
            session.connection_lost(error)

        near = _End(lost)
        near.join(far)
        far.join(near)
        line, rest = session.hand_over(near)
        near.connection_made(line)
        self._pipes[near] = node.number
        far.line.write(framed(first) + rest)
        line.resume_reading()

    def welcome(self, line: Encrypted, led: Led, said: bytes) -> None:
        """Serve a caller whom another node leads here, who has said so much."""
        server, known = self._server, led.welcomed
        caller = Caller(led.address, encrypted=led.secure, identity=led.identity, led=led.led)
        session = server.session(caller)
        if known is not None:
            if clean(known.name) != known.name:
                line.abort()
                return
            self.know(session, known)
            session.welcomed(changes=known.changes)
        line.set_protocol(session)
        session.connection_made(line)
        if known is not None and (goodbye := server.refuses(session.identity)) is not None:
            session.turn_away(goodbye)
            return
        if known is not None and known.lists is not None:
            server.lobby.list.subscribe(session, known.lists)
        session.data_received(said)

    def know(self, session: Session, caller: Welcomed) -> None:
        """As another node has known them, whose name they keep."""
        self._server.names.take(caller.name)
        came_by = self._server.admission.invitations.of_name(caller.invitation)
        opened = TableCode(caller.opened) if caller.opened else None
        session.know(caller.name, caller.identity, came_by, opened)

    def lost(self, alive: Container[int]) -> None:
        """Only these nodes live: callers of any other dial again."""
        for near, number in list(self._pipes.items()):
            if number not in alive:
                near.close()

    def close(self) -> None:
        """This node stops: callers of others who came in here dial again."""
        self._port.close()
        for near in list(self._pipes):
            near.close()
