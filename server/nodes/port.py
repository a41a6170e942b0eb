"""Nodes dial each other at a port of their own, and say what the line is for.

Laws: the cluster has an authority, and each node makes a key of its own when it starts and has the
authority vouch for it; only a node whose certificate it has signed gets a word in, and who dials
another speaks with that one alone, wherever its address leads. The first frame says what the line
is for; it is bounded in length, and in time until it is there.
"""

import asyncio
import socket
import ssl
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, cast

import msgspec
import structlog
from msgspec import Meta, Struct

from protocol.codec import HEADER, FrameDecoder, framed
from protocol.errors import RemoteProtocolError
from protocol.table import Filter
from server.doors.certificate import as_pem, certificate_of, new_key
from server.doors.entrance import accepting
from server.doors.tls import Encrypted, Handshakes
from server.net.callers import Places
from server.net.listener import SEND_BUFFER_BYTES
from server.nodes.directory import Node
from server.operating import words
from server.operating.words import Reply
from server.store.private import replace_file

if TYPE_CHECKING:
    from cryptography import x509

    from server.nodes.cluster import Cluster
    from server.server import Server

_OWN: Final = "node.pem"


def new_authority() -> bytes:
    """A key and its own certificate, as PEM."""
    from cryptography import x509

    key = new_key()
    ca = (x509.BasicConstraints(ca=True, path_length=0), True)
    return as_pem(key, certificate_of("clocktowers cluster", key, None, key, ca))


def certified_name(node: str) -> str:
    """What a node is called in its certificate; any text can be the name of a node."""
    return f"{sha256(node.encode()).hexdigest()[:40]}.node"


class Keys:
    """Of one node. `serving`: for those that dial it; `calling`: for those that it dials."""

    def __init__(self, authority: bytes, node: str, folder: Path) -> None:
        """`folder`: the node's own. Raises ValueError and OSError."""
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        signer: Any = load_pem_private_key(authority, None)
        root = x509.load_pem_x509_certificate(authority)
        key = new_key()
        its = (x509.SubjectAlternativeName([x509.DNSName(certified_name(node))]), False)
        own = folder / _OWN
        replace_file(own, as_pem(key, certificate_of(certified_name(node), key, root, signer, its)))
        try:
            self.serving: Final = _context(ssl.PROTOCOL_TLS_SERVER, own, root)
            self.calling: Final = _context(ssl.PROTOCOL_TLS_CLIENT, own, root)
        finally:
            own.unlink()  # the next start makes another


def _context(protocol: int, own: Path, root: "x509.Certificate") -> ssl.SSLContext:
    from cryptography.hazmat.primitives.serialization import Encoding

    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=root.public_bytes(Encoding.DER))
    context.load_cert_chain(own)
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
    return context


DIAL_S: Final = 3.0
ENTER_S: Final = 5.0
"""A node that dials here has said its first word by then."""
ENTERING: Final = 1000
"""So many may be about to; the one that is slowest makes room."""
MOST_FIRST_BYTES: Final = 10 * 1024
_KEEP_ALIVE: Final = (
    ("TCP_KEEPIDLE", 4),
    ("TCP_KEEPINTVL", 2),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", 10_000),
)
"""A machine that vanished without a word is given up after some ten seconds."""


class Welcomed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How another node has welcomed a caller: `name` to `opened` as in `Session`. `invitation`: the
    name of the one they came by. `lists`: of which tables they are told."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    identity: Annotated[bytes, Meta(max_length=32)] = b""
    changes: bool = False
    opened: str = ""
    invitation: str = ""
    lists: Filter | None = None


class Led(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="caller"):
    """A caller whom another node leads here, whose words follow. `address`, `secure`, `identity`,
    `led`: as in `Caller`. `welcomed`: None = the first of these words is their hello."""

    address: Annotated[str, Meta(max_length=64)]
    secure: bool = False
    identity: Annotated[bytes, Meta(max_length=32)] = b""
    led: int = 1
    welcomed: Welcomed | None = None


class Passed(Struct, frozen=True, tag="operator"):
    """`node`, `user`: where the operator asks, and as whom. `asked`: as through the door there."""

    node: str
    user: int
    asked: bytes


class Look(Struct, frozen=True, tag="look"):
    """Does this address take a call from there?"""

    address: str


class Reaches(Struct, frozen=True, tag="reaches"):
    """Is the database there? `number`: of the node that is meant; another one that has its address
    now says no."""

    number: int


class Waits(Struct, frozen=True, tag="waits"):
    """What `Sleeping.waiting` there says."""

    who: bytes
    matches: list[str]


Question: TypeAlias = Passed | Look | Reaches | Waits
FirstWord: TypeAlias = Led | Question


class NodePort:
    """Of one node of the `cluster`."""

    def __init__(self, cluster: "Cluster", server: "Server", keys: Keys) -> None:
        limits = server.config.limits
        self._cluster: Final = cluster
        self._keys: Final = keys
        self._dialling: Final = Handshakes(limits)
        self._shaking: Final = Handshakes(limits)
        self._entering: Final = Places(ENTERING, ENTERING, loopback_counts=False)
        self._tasks: Final = server.tasks
        self._accepting: asyncio.Task[None] | None = None

    def listen(self, sock: socket.socket) -> None:
        """Let others in by this socket, until `close`."""

        def take(its: socket.socket, peer: Any) -> None:
            self._tasks.spawn(self._let_in(its, str(peer[0])))

        self._accepting = accepting(sock, take, self._tasks)

    def close(self) -> None:
        """Let nobody more in."""
        if self._accepting is not None:
            self._accepting.cancel()

    # To other nodes -------------------------------------------------------------------------------

    async def dial(
        self, node: Node, inside: asyncio.Protocol, word: FirstWord, address: str = ""
    ) -> Encrypted:
        """Have this protocol on a new line, which is for this. `address`: of the caller whom it is
        for. Raises OSError, also where nobody answers in time."""
        host, _, port = node.address.rpartition(":")
        if not host:
            raise OSError(f"there is no way to {node.id} yet")
        line = Encrypted(self._keys.calling, lambda _: inside, certified_name(node.id))
        try:
            async with asyncio.timeout(DIAL_S):
                if not isinstance(word, Reaches):  # it has to be known now
                    await self._dialling.turn(address)
                loop = asyncio.get_running_loop()
                await loop.create_connection(lambda: line, host.strip("[]"), int(port))
                set_options(line.get_extra_info("socket"))
                await line.entered
            if line.is_closing():
                raise OSError(f"{node.id} does not let us in")
        except BaseException:
            line.abort()
            raise
        line.write(framed(word))
        return line

    async def ask(self, node: Node, question: Question, address: str = "") -> Reply:
        """What that node answers. `address`: as in `dial`. Raises OSError; the caller sets the
        limit."""
        reader = asyncio.StreamReader()
        line = await self.dial(node, asyncio.StreamReaderProtocol(reader), question, address)
        try:
            (length,) = HEADER.unpack(await reader.readexactly(HEADER.size))
            if length > words.MAX_ANSWER_BYTES:
                raise OSError(f"{node.id} talks nonsense")
            return words.reply_in(await reader.readexactly(length))
        except (asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            raise OSError(f"{node.id} has not answered: {error}") from None
        finally:
            line.close()

    # From other nodes -----------------------------------------------------------------------------

    async def _let_in(self, sock: socket.socket, address: str) -> None:
        arriving = _Arriving()
        line = Encrypted(self._keys.serving, lambda _: arriving)
        place = self._entering.take("", line.abort)
        try:
            set_options(sock)
            async with asyncio.timeout(ENTER_S):
                await self._may_shake(sock, address)
                await asyncio.get_running_loop().connect_accepted_socket(lambda: line, sock)
                await line.entered
                word = None if line.is_closing() else await arriving.said
            place.give_back()
            if isinstance(word, Led):
                self._cluster.pipes.welcome(line, word, arriving.rest())
            elif word is not None:
                line.write(framed(await self._cluster.operators.answer(word)))
                line.close()
        except BaseException as error:
            line.abort()
            if not isinstance(error, OSError):  # a time-out is one, too
                raise
        finally:
            place.give_back()

    async def _may_shake(self, sock: socket.socket, address: str) -> None:
        """Owns the socket until then. Where no node is, they wait for their turn."""
        try:
            if not self._cluster.directory.knows(address):
                await self._shaking.turn(address)
        except BaseException:
            sock.close()
            raise


class _Arriving(asyncio.Protocol):
    """`said`: the first word; None = the line has ended before."""

    def __init__(self) -> None:
        self._frames: Final = FrameDecoder(MOST_FIRST_BYTES)
        self._line: asyncio.Transport | None = None
        self.said: Final[asyncio.Future[FirstWord | None]] = (
            asyncio.get_running_loop().create_future()
        )

    def rest(self) -> bytes:
        """What has come behind it."""
        return self._frames.rest()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._frames.feed(data)
        if self.said.done():
            return
        try:
            if (payload := self._frames.next_frame()) is not None:
                word: FirstWord = msgspec.msgpack.decode(payload, type=FirstWord)
                self.said.set_result(word)
        except (RemoteProtocolError, msgspec.DecodeError, UnicodeDecodeError) as error:
            structlog.get_logger().warning("another node talks nonsense", why=str(error))
            assert self._line is not None
            self._line.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.said.done():
            self.said.set_result(None)


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
