"""The way in: for whom a proxy calls, and which door the first byte of a caller leads to.

00  plain: a hello has at most 1 KiB      16   a TLS handshake
    S   SSH, which begins with its name       A-Z  another word: HTTP

Who begins with any other byte is spoken to plainly, and told what is wrong with it.

Laws: not a byte of a caller is read here. A caller who says nothing is held no longer than
`hello_s`; where there are too many, `Places` says which of them goes. They go without a word: a
browser keeps lines ready, and would take the word for the answer to its next request. A bug of ours
hangs up on one caller and reaches nobody else.
"""

import asyncio
import errno
import socket
import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import partial
from ipaddress import ip_address, ip_network
from itertools import count
from string import ascii_uppercase
from typing import Any, Final, NamedTuple, TypeAlias

import structlog

from server.config import Config, Limits
from server.doors.certificate import Certificate
from server.doors.door import IN_CLEAR, NO_PAGES, NO_SSH, Door, Speak, answering, speaking
from server.doors.tls import Handshakes, inside_tls
from server.net.callers import Caller, Places, TakenPlace, without_mapping
from server.tasks import Tasks

# The PROXY protocol, versions 1 and 2: the line or block in front of a connection in which a proxy
# says for whom it calls. https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt
#
# Law: not a byte is read that belongs to the caller.


SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
SHORTEST_BYTES: Final = 15
"""`PROXY UNKNOWN` and its end of line; a block of version 2 has 16."""
LINE_BYTES: Final = 107
BLOCK_BYTES: Final = 4096
"""What a proxy may add (its certificates' names, say) seldom takes more than some hundred bytes."""

_BLOCK: Final = struct.Struct(">12sBBH")
_LOCAL, _PROXIED = 0x20, 0x21
_ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}
"""By family and transport: TCP over IPv4, TCP over IPv6."""
_PORTS_BYTES: Final = 4
_TLV: Final = struct.Struct(">BH")
_OVER_TLS: Final = 0x20
_CLIENT_USED_TLS: Final = 1


class NoProxyHeader(Exception):
    """What came is no header of the protocol."""


def missing(came: bytes) -> int:
    """How many more bytes belong to the header for certain; 0 = it is whole.
    Raises NoProxyHeader."""
    if len(came) < SHORTEST_BYTES:
        return SHORTEST_BYTES - len(came)
    if came.startswith(SIGNATURE):
        if len(came) < _BLOCK.size:
            return _BLOCK.size - len(came)
        length: int = _BLOCK.unpack_from(came)[3]
        if length > BLOCK_BYTES:
            raise NoProxyHeader
        return _BLOCK.size + length - len(came)
    if not came.startswith(b"PROXY ") or len(came) > LINE_BYTES:
        raise NoProxyHeader
    if came.endswith(b"\r\n"):
        return 0
    return 1 if came.endswith(b"\r") else 2


def caller_in(header: bytes) -> Caller | None:
    """Who calls, by a whole header; None: the proxy itself does, as to see whether we are there.
    Raises NoProxyHeader."""
    try:
        return _in_block(header) if header.startswith(SIGNATURE) else _in_line(header)
    except (ValueError, struct.error):
        raise NoProxyHeader from None


def _in_line(header: bytes) -> Caller | None:
    _proxy, kind, *rest = header.decode("ascii").split()
    if kind == "UNKNOWN":
        return None
    address, _ours, _port, _our_port = rest
    if kind not in ("TCP4", "TCP6"):
        raise NoProxyHeader
    return Caller(_plain(address), proxied=True)


def _in_block(header: bytes) -> Caller | None:
    _signature, command, kind, _length = _BLOCK.unpack_from(header)
    if command == _LOCAL:
        return None
    size = _ADDRESS_BYTES.get(kind)
    if command != _PROXIED:
        raise NoProxyHeader
    if size is None:
        return None
    start = _BLOCK.size
    more = start + 2 * size + _PORTS_BYTES
    if len(header) < more:
        raise NoProxyHeader
    address = _plain(header[start : start + size])
    return Caller(address, encrypted=_tells_of_tls(header[more:]), proxied=True)


def _plain(address: str | bytes) -> str:
    return str(without_mapping(ip_address(address)))


def _tells_of_tls(told: bytes) -> bool:
    """Whether the caller speaks TLS with the proxy."""
    while told:
        kind, length = _TLV.unpack_from(told)
        value, told = told[_TLV.size : _TLV.size + length], told[_TLV.size + length :]
        if kind == _OVER_TLS:
            return bool(value) and bool(value[0] & _CLIENT_USED_TLS)
    return False


# Accepts connections on a listening socket.
#
# Law: when the system has no file or memory for one more, accepting rests; a socket that always has
# somebody waiting would keep the loop from everything else.


A_TURN: Final = 20
"""Connections accepted in one turn of the loop; then others are served."""
REST_S: Final = 1.0
SPENT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

Take: TypeAlias = Callable[[socket.socket, Any], None]
"""Owns the accepted socket from now on, which does not block; the other is its peer's address as
the system tells it."""


def accepting(listening: socket.socket, take: Take, tasks: Tasks) -> asyncio.Task[None]:
    """Accept until the task is cancelled, with which the socket is closed."""
    task = tasks.spawn(accept(listening, take))
    task.add_done_callback(lambda _: listening.close())
    return task


async def accept(listening: socket.socket, take: Take) -> None:
    """For ever."""
    loop, log = asyncio.get_running_loop(), structlog.get_logger()
    listening.setblocking(False)
    for number in count(1):
        try:
            take(*await loop.sock_accept(listening))
        except OSError as error:  # else this caller has gone meanwhile, or their network has
            if error.errno in SPENT:
                log.warning("accepting rests", why=error.strerror, for_s=REST_S)
                await asyncio.sleep(REST_S)
        except Exception:
            log.exception("accepting failed")
        if number % A_TURN == 0:
            await asyncio.sleep(0)


SSH_PATIENCE_S: Final = 2.0
"""Where no browser calls: then a caller who says nothing may wait for the server's version."""
_HANDSHAKE: Final = 0x16


class Doors(NamedTuple):
    """Of one server; by default, what is said where there is none. `plain`: how to speak with
    players; `pages`: with who speaks HTTP; `certificate`: for TLS, None = there is none."""

    plain: Speak = answering(IN_CLEAR)
    pages: Speak = answering(NO_PAGES)
    ssh: Door = speaking(answering(NO_SSH))
    certificate: Certificate | None = None


_NONE: Final = Doors()


class Port:
    """A port at which the doors of these names (`config.DOORS`) are open. `silent`: the door for a
    caller who says nothing for `patience_s`; None = there is none."""

    def __init__(self, doors: Doors, names: Collection[str], config: Config) -> None:
        hello_s = config.limits.hello_s
        self._in_clear: Final = config.password_in_clear
        self._plain: Final = doors.plain if "plain" in names else _NONE.plain
        self._pages: Final = doors.pages if "web" in names else _NONE.pages
        self._ssh: Final = doors.ssh if "ssh" in names else _NONE.ssh
        self.silent: Final = self._ssh if "ssh" in names and "web" not in names else None
        self.patience_s: Final = hello_s if self.silent is None else min(hello_s, SSH_PATIENCE_S)
        self._tls: Door | None = None
        if doors.certificate is not None and "tls" in names:
            inside, pace = partial(self._speech, doors.plain), Handshakes(config.limits)
            self._tls = inside_tls(doors.certificate, inside, hello_s, pace)

    def door(self, first: int, caller: Caller) -> Door:
        """For a caller whose first byte this is."""
        if first == _HANDSHAKE and self._tls is not None:
            return self._tls
        if first == ord("S"):
            return self._ssh
        plain = self._plain if self._in_clear or caller.secure else _NONE.plain
        return speaking(self._speech(plain, first))

    def _speech(self, plain: Speak, first: int) -> Speak:
        return self._pages if chr(first) in ascii_uppercase else plain


class Entrance:
    """Of one server: listens on sockets until `close`. `hits`: as in `Peers`."""

    def __init__(
        self, limits: Limits, trusted_proxies: Iterable[str], hits: Counter[str], tasks: Tasks
    ) -> None:
        self._hello_s: Final = limits.hello_s
        self._proxies: Final = [ip_network(block, strict=False) for block in trusted_proxies]
        self._hits: Final = hits
        self._tasks: Final = tasks
        self._places: Final = Places(
            limits.arriving, limits.per_address, loopback_counts=limits.loopback_counts
        )
        self._accepting: Final[list[asyncio.Task[None]]] = []

    def __len__(self) -> int:
        """How many callers are on their way in."""
        return len(self._places)

    def listen(self, listening: socket.socket, port: Port) -> None:
        """Let in who calls there, from now on."""

        def take(sock: socket.socket, peer: Any) -> None:
            self._tasks.spawn(self._let_in(sock, _at_other_end(sock, peer), port))

        self._accepting.append(accepting(listening, take, self._tasks))

    def close(self) -> None:
        """Accept nobody more, and hang up on those who are on their way in."""
        for one in self._accepting:
            one.cancel()
        self._places.empty()

    async def _let_in(self, sock: socket.socket, caller: Caller, port: Port) -> None:
        """Owns the socket until a door does."""
        by_proxy = any(ip_address(caller.address) in block for block in self._proxies)
        place = self._place("" if by_proxy else caller.address)
        try:
            try:
                if by_proxy:
                    told = await _told_by_proxy(sock, caller.since_s + self._hello_s)
                    caller = (told or caller)._replace(since_s=caller.since_s)
                    place.give_back()
                    place = self._place(caller.address)
                door = await _door(sock, caller, port)
            except BaseException:
                sock.close()
                raise
            await door(sock, caller)
        except NoProxyHeader:
            log = structlog.get_logger()
            log.info("no PROXY header from a trusted proxy", address=caller.address)
        except TimeoutError:
            self._hits["hello_s"] += 1
        except OSError as error:
            structlog.get_logger().debug("refused", why=str(error), address=caller.address)
        finally:
            place.give_back()

    def _place(self, address: str) -> TakenPlace:
        """For this task, counted for that address, "" = none."""
        task = asyncio.current_task()
        assert task is not None
        if self._places.full_for(address):
            self._hits["per_address"] += 1
        elif self._places.full:
            self._hits["arriving"] += 1
        return self._places.take(address, task.cancel)


async def _told_by_proxy(sock: socket.socket, until_s: float) -> Caller | None:
    """Who calls, as a proxy says; None: the proxy itself does. Raises NoProxyHeader and OSError."""
    header = b""
    try:
        while more := missing(header):
            header += await _received(sock, more, until_s)
    except TimeoutError:
        raise NoProxyHeader from None
    return caller_in(header)


async def _door(sock: socket.socket, caller: Caller, port: Port) -> Door:
    """Which one do they want? Their first byte stays where it is: a door reads all. Raises
    TimeoutError for a caller who says nothing, and OSError for one who has gone."""
    try:
        first = await _received(sock, 1, caller.since_s + port.patience_s, socket.MSG_PEEK)
    except TimeoutError:
        if port.silent is None:
            raise
        return port.silent
    return port.door(first[0], caller)


async def _received(sock: socket.socket, most: int, until_s: float, flags: int = 0) -> bytes:
    """What has come, as soon as something has. Raises TimeoutError, and OSError for a caller who
    has gone."""
    while True:
        try:
            if came := sock.recv(most, flags):
                return came
            raise ConnectionResetError
        except (BlockingIOError, InterruptedError):
            await _readable(sock, until_s)


async def _readable(sock: socket.socket, until_s: float) -> None:
    """Returns when something has come. Raises TimeoutError."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sock, came.set)
    try:
        async with asyncio.timeout_at(until_s):
            await came.wait()
    finally:
        loop.remove_reader(sock)


def _at_other_end(sock: socket.socket, peer: Any) -> Caller:
    """The caller of a socket that they dialled themselves: they run here if both ends have one
    address, or theirs is one that only this machine has, or is none, as on a Unix socket."""
    now_s = asyncio.get_running_loop().time()
    if not isinstance(peer, tuple):
        return Caller(here=True, since_s=now_s)
    address, own = str(peer[0]), str(sock.getsockname()[0])
    here = address == own or ip_address(address).is_loopback
    return Caller(address, here, since_s=now_s)
