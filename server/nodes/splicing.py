"""Leads callers to the node that has what they ask for, and lets in those who are led here.

Laws: a caller cannot tell which node they are on; what is said on the way is served once and in
order. A node that is gone, hangs or talks nonsense costs its own callers a new dialling, and nobody
else anything.
"""

import asyncio
import socket
from collections.abc import Container
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from protocol.codec import framed
from protocol.errors import Refusal, RefusalCode
from protocol.from_client import CreateTable, Join, Request, Resume, Watch
from protocol.from_server import Refused
from protocol.ids import TableCode
from protocol.text import clean
from server.config import Limits
from server.doors.entrance import Accepting
from server.doors.tls import Encrypted, Handshakes
from server.net.callers import Caller, Places
from server.net.listener import SEND_BUFFER_BYTES
from server.net.session import Enter, Session
from server.nodes.callers import FarLine, Front, Home
from server.nodes.kept import Keys, named
from server.nodes.lines import LedCaller, Moved, PortionKind
from server.nodes.watching import Crowds, Upstream
from server.store.journal import JournalError

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster
    from server.nodes.operators import Operators
    from server.server import Server

# The lines of this node to others: for each caller one of their own, and one for all who watch.


DIAL_S: Final = 3.0
_KEEP_ALIVE: Final = (
    ("TCP_KEEPIDLE", 4),
    ("TCP_KEEPINTVL", 2),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", 10_000),
)
"""A machine that vanished without a word is given up after some ten seconds."""


class NodeLines:
    """Of one node, which has these `keys`."""

    def __init__(self, limits: Limits, keys: Keys) -> None:
        self.keys: Final = keys
        self._dialling: Final = Handshakes(limits)
        self._upstreams: Final[dict[str, Upstream]] = {}
        """By the name of the node."""

    async def lead(self, front: Front, home: Home, caller: LedCaller, *, watches: bool) -> None:
        """Let this node serve the caller from now on. `watches`: on the line that they have in
        common who watch, if the node knows of such lines. Raises OSError, also where nobody answers
        in time."""
        to_home = front.line_to(home, caller)
        async with asyncio.timeout(DIAL_S):
            if watches and (upstream := await self._upstream(home, caller.address)) is not None:
                upstream.open(to_home)
            else:
                await self.dial(home, caller.address, to_home)
        if not to_home.stood and not front.over:
            raise OSError(f"{home.name} does not let us in")

    async def _upstream(self, home: Home, address: str) -> Upstream | None:
        """The line for all; None where the node does not share one. Raises OSError."""
        upstream = self._upstreams.get(home.name)
        if upstream is None:
            upstream = self._upstreams[home.name] = Upstream(partial(self._forget, home.name))
            try:
                await self.dial(home, address, upstream)
            except BaseException:
                upstream.connection_lost(None)
                raise
        await asyncio.shield(upstream.ready)
        return None if upstream.over else upstream

    def _forget(self, node: str, upstream: Upstream) -> None:
        if self._upstreams.get(node) is upstream:
            del self._upstreams[node]

    async def dial(self, home: Home, address: str, to_home: asyncio.Protocol) -> None:
        """Have this protocol on a new line, for a caller from there. Raises OSError."""
        host, _, port = home.address.rpartition(":")
        if not host:
            raise OSError(f"there is no way to {home.name} yet")
        line = Encrypted(self.keys.calling, lambda _: to_home, named(home.name))
        try:
            await self._dialling.turn(address)
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: line, host.strip("[]"), int(port))
            set_options(line.get_extra_info("socket"))
            await line.entered
        except BaseException:
            line.abort()
            raise

    def lost(self, node: str) -> None:
        """It is gone: nothing more comes from there."""
        if (upstream := self._upstreams.get(node)) is not None:
            upstream.abort()


def set_options(sock: Any) -> None:
    """Of a line between nodes. Raises OSError where it has ended already."""
    if sock is None:
        raise ConnectionResetError
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SEND_BUFFER_BYTES)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE:
        if hasattr(socket, name):
            with suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


ENTER_S: Final = 5.0
"""A node that dials here has introduced its caller by then."""
ENTERING: Final = 1000
"""So many may do so at once; the one that is slowest makes room."""
PATIENCE_S: Final = 8.0
"""So long a seat's owner waits here for a node to take their match over: longer than a lease."""
AGAIN_S: Final = 0.15
_UNKNOWN: Final = (RefusalCode.NO_SUCH_TABLE, RefusalCode.NO_SUCH_MATCH)


class Splicing:
    """Of one node, which is called `node`. `ways`: to other nodes; `operators`: answers what those
    of other nodes ask here; `listening`: where other nodes dial this one."""

    def __init__(
        self,
        node: str,
        cluster: "Cluster",
        server: "Server",
        ways: NodeLines,
        operators: "Operators",
        listening: socket.socket,
    ) -> None:
        self._node: Final = node
        self._cluster: Final = cluster
        self._server: Final = server
        self._ways: Final = ways
        self._operators: Final = operators
        self._shaking: Final = Handshakes(server.lobby.limits)
        self._entering: Final = Places(ENTERING, ENTERING, loopback_counts=False)
        self._accepting: Final = Accepting(
            listening, lambda sock, peer: self._spawn(self._let_in(sock, str(peer[0])))
        )
        self.fronts: Final[set[Front]] = set()
        """Of all callers whom other nodes serve, or whose request looks for one."""

    # To other nodes -------------------------------------------------------------------------------

    def seek(self, session: Session, request: Request, refusal: Refusal) -> bool:
        """Look for what nobody here knows; returns whether it may be at another node."""
        if refusal.code not in _UNKNOWN:
            return False
        silence_s = self._server.lobby.limits.silence_s
        front = Front(session, framed(request), silence_s, self)
        self.fronts.add(front)
        self._spawn(self._lead(front, request, refusal))
        return True

    def _spawn(self, work: Any) -> None:
        self._server.tasks.spawn(work)

    async def _lead(self, front: Front, request: Request, refusal: Refusal) -> None:
        session, patience_s = front.session, PATIENCE_S if isinstance(request, Resume) else DIAL_S
        try:
            async with asyncio.timeout(patience_s):
                while not front.over:
                    try:
                        home = await self._home_of(request)
                        if home is None:
                            break
                        if session.table is not None:
                            table = session.table
                            refusal = Refusal(RefusalCode.ALREADY_AT_TABLE, {"table": table})
                            break
                        if home.name != self._node:
                            await self._bring(front, home, watches=watches(request))
                            return
                        if self._is_here(request):
                            front.give_back()
                            return
                        if not isinstance(request, Resume):
                            break
                    except (JournalError, OSError) as error:
                        structlog.get_logger().debug("no way to a node", why=str(error))
                    await asyncio.sleep(AGAIN_S)
        except TimeoutError:
            if isinstance(request, Resume):
                front.home_lost()  # the match waits for somebody to take it over
                return
            refusal = Refusal(RefusalCode.BUSY)
        if not front.over:
            session.send(Refused(id=request.id, code=refusal.code, params=refusal.params))
            front.give_back(served=len(framed(request)))

    async def _home_of(self, request: Request) -> Home | None:
        """None: what they ask for is nowhere. Raises JournalError or OSError where nobody knows it
        at the moment."""
        match request:
            case Resume():
                return await self._cluster.of_match(request.match)
            case Join() | Watch():
                return await self._cluster.of_table(request.table.upper())
            case CreateTable(duplicate=str(code)) if code:
                return await self._cluster.of_table(code.upper())
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

    async def _bring(self, front: Front, home: Home, *, watches: bool) -> None:
        """Raises OSError."""
        caller = self._introduction(front.session)
        if (far := front.far) is None:
            await self._dial(front, home, caller, watches=watches)
            return
        free = asyncio.Event()
        far.free(free.set)
        try:
            await free.wait()
        except BaseException:
            far.abort()
            raise
        far.move(Moved(home.name, home.address, caller, watches), front.take_said())
        front.connection_lost(None)

    def _introduction(self, session: Session) -> LedCaller:
        return LedCaller(
            node=self._node,
            address=session.address,
            secure=session.caller.secure,
            name=session.name,
            identity=session.identity,
            changes=session.changes,
            came_by=session.came_by,
            opened=session.opened,
            lists=self._server.lobby.list.readers.get(session),
        )

    async def _dial(self, front: Front, home: Home, caller: LedCaller, *, watches: bool) -> None:
        """Raises OSError, also where nobody answers in time."""
        await self._ways.lead(front, home, caller, watches=watches)
        self._server.lobby.list.unsubscribe(front.session)

    def lead_on(self, front: Front, to: Moved) -> None:
        """Lead a caller on to where the node that has served them says."""
        session, caller, names = front.session, to.caller, self._server.lobby.names
        names.take(caller.name)
        names.release(session.name)
        session.name, session.opened = caller.name, _code(caller.opened)
        if to.home == self._node:
            if caller.lists is not None:
                self._server.lobby.list.subscribe(session, caller.lists)
            front.give_back()
        else:
            self._spawn(self._go_on(front, to))

    async def _go_on(self, front: Front, to: Moved) -> None:
        try:
            home = Home(to.home, to.address)
            await self._dial(front, home, to.caller, watches=to.watches)
        except OSError:
            front.home_lost()

    def lost(self, alive: Container[str]) -> None:
        """Only these nodes live: callers of any other dial again."""
        for front in list(self.fronts):
            if front.home is not None and front.home.name not in alive:
                self._ways.lost(front.home.name)
                front.home_lost()

    # From other nodes -----------------------------------------------------------------------------

    async def _let_in(self, sock: socket.socket, address: str) -> None:
        far = FarLine(self)
        line = Encrypted(self._ways.keys.serving, lambda _first: far)
        place = self._entering.take("", line.abort)
        try:
            set_options(sock)
            async with asyncio.timeout(ENTER_S):
                await self._may_shake(sock, address)
                await asyncio.get_running_loop().connect_accepted_socket(lambda: line, sock)
                await line.entered
                if not line.is_closing():
                    await far.entered
        except BaseException as error:
            line.abort()
            if not isinstance(error, OSError):  # a time-out is one, too
                raise
        finally:
            place.give_back()

    async def _may_shake(self, sock: socket.socket, address: str) -> None:
        """Owns the socket until then."""
        try:
            if not self._cluster.knows(address):
                await self._shaking.turn(address)
        except BaseException:
            sock.close()
            raise

    def other_line(self, word: PortionKind, content: bytes) -> asyncio.Protocol | None:
        """The protocol of a line that begins with this word; None: it is a caller's. Raises
        RemoteProtocolError."""
        match word:
            case PortionKind.SHARES:
                return Crowds(self, self._server.lobby.limits.outbox_bytes)
            case PortionKind.OPERATOR:
                return self._operators.answering(content)
        return None

    def welcome(self, caller: LedCaller, line: FarLine, enter: "Enter | None") -> None:
        """Serve a caller whom another node leads here, on this line."""
        if clean(caller.name) != caller.name:
            line.abort()
            return
        session = self._server.session(Caller(caller.address, encrypted=caller.secure, led=True))
        session.name, session.identity = caller.name, caller.identity
        session.came_by, session.opened = caller.came_by, _code(caller.opened)
        lobby = self._server.lobby
        lobby.names.take(session.name)
        session.welcomed(changes=caller.changes)
        if enter is not None:
            session.share(enter)
        line.set_protocol(session)
        session.connection_made(line)
        if (goodbye := self._server.refuses(session.identity)) is not None:
            session.turn_away(goodbye)
        elif caller.lists is not None:
            lobby.list.subscribe(session, caller.lists)

    def close(self) -> None:
        """Let nobody more in, and tell all whom other nodes serve that this one stops."""
        self._accepting.close()
        for front in list(self.fronts):
            front.part()


def watches(request: Request) -> bool:
    """Whether this caller has the line to the other node in common with others."""
    return isinstance(request, Watch)


def _code(code: str | None) -> TableCode | None:
    return None if code is None else TableCode(code)
