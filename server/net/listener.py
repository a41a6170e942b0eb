"""Where a server listens and is found: its sockets, open files and addresses."""

import errno
import os
import resource
import socket
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from protocol.guests import reachable
from protocol.ids import DEFAULT_PORT
from protocol.invitation import MOST_ADDRESSES, Place
from protocol.networks import lan_addresses
from server.config import Config
from server.settings import ConfigError

BACKLOG: Final = 512
"""Connections that may wait to be accepted: a whole club coming back after a restart."""
SEND_BUFFER_BYTES: Final = 64 * 1024
"""What the system may take for a peer that does not read, before our outbox fills: left to itself
it takes megabytes."""
UNSENT_BYTES: Final = 8 * 1024
"""Of that, what may wait there to be sent; without this limit a watcher on a slow line would be
shown an old state."""


class Address(NamedTuple):
    """A bound socket; `host` as bound, so possibly 0.0.0.0 or ::"""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class CannotListen(Exception):
    """The address cannot be bound; the text is a sentence that says what to do."""


class PortTaken(CannotListen):
    """Somebody else listens there."""


class Bound(NamedTuple):
    """A socket that listens, its address, and the names of the doors that are open there."""

    sock: socket.socket
    address: Address
    doors: frozenset[str]


def bind(config: Config) -> list[Bound]:
    """The sockets of all addresses in the settings, those of the server's own port first. Raises
    CannotListen.

    Port 0 means any free one, but the same for every address.
    """
    bound: list[Bound] = []
    try:
        for own, doors in _by_port(config.doors).items():
            for sock in _bind_all(config.host, int(own or config.port)):
                bound.append(Bound(sock, Address(*sock.getsockname()[:2]), frozenset(doors)))
    except CannotListen:
        for other in bound:
            other.sock.close()
        raise
    return bound


def _by_port(doors: Sequence[str]) -> dict[str, list[str]]:
    """The names of the doors by their own port; those without have "", which is first."""
    found: dict[str, list[str]] = {}
    for name, _, own in sorted((door.partition("=") for door in doors), key=itemgetter(2)):
        found.setdefault(own, []).append(name)
    return found


def _bind_all(hosts: Sequence[str], port: int) -> list[socket.socket]:
    bound: list[socket.socket] = []
    for host in hosts:
        try:
            bound.append(_bind_one(host, port))
        except (OSError, UnicodeError) as error:  # the latter: no host can have such a name
            if bound and host in ("::1", "::"):
                continue  # a machine without IPv6; the IPv4 address before it does
            for other in bound:
                other.close()
            taken = getattr(error, "errno", None) == errno.EADDRINUSE
            raise (PortTaken if taken else CannotListen)(_why(host, port, error)) from None
        port = bound[0].getsockname()[1]
    return bound


def _bind_one(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _type, _proto, _name, address = found[0]
    # An IPv6 socket takes IPv6 only, so that 0.0.0.0 and :: can stand beside each other.
    listening = socket.create_server(
        address[:2],
        family=family,
        backlog=BACKLOG,
        dualstack_ipv6=False,
    )
    # Accepted sockets inherit it. asyncio would set it only on those made with a protocol number,
    # and without it every answer waits for the peer's delayed acknowledgement, some 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
    return listening


def _why(host: str, port: int, error: OSError | UnicodeError) -> str:
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return (
            f"cannot listen on {host}: no address is known for that name; "
            "give --host an address of this machine."
        )
    cannot = f"cannot listen on {Address(host, port)}"
    match error.errno:
        case errno.EADDRINUSE:
            return f"{cannot}: another server is running there; choose another --port or --host."
        case errno.EACCES | errno.EPERM:
            return f"{cannot}: that port needs special rights; choose a --port from 1024 up."
        case errno.EADDRNOTAVAIL:
            return f"{cannot}: this machine does not have that address; choose another --host."
    # A socket's own words name the address once more.
    reason = os.strerror(error.errno) if error.errno else error
    return f"{cannot}: {reason}; choose another --port or --host."


RIGHTS: Final = 0o600


def bind_unix(file: Path, waiting: int) -> socket.socket:
    """A Unix socket in a folder that is locked for us, so one that is there was left behind by a
    crash. It listens, for our account alone; so many connections may wait. Raises OSError."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(file.lstat().st_mode):
            file.unlink()
    listening = socket.socket(socket.AF_UNIX)
    try:
        with reachable(file) as path:
            listening.bind(path)
        file.chmod(RIGHTS)  # before anybody can connect
        listening.listen(waiting)
    except BaseException:
        listening.close()
        raise
    return listening


# How many files this process may have open: on Unix each connection is a file.


SPARE_FILES: Final = 700
"""What a process has open beside its connections: those that have not begun to talk, of which there
are 500 (`arriving`), and generously what else it needs."""


def connections_allowed() -> int:
    """Raise the limit as far as this process may, and return how many connections it then allows.

    Where few files are allowed altogether, half of them are kept for the rest.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems name a hard limit that they do not grant.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(soft - SPARE_FILES, soft // 2)


def bearable(config: Config) -> Config:
    """The settings, with no more connections than files allow: accepting would fail."""
    wished, allowed = config.limits.connections, connections_allowed()
    if wished <= allowed:
        return config
    structlog.get_logger().warning(
        "fewer connections than wished, as so few files may be open; raise that limit (ulimit -Hn)",
        wished=wished,
        connections=allowed,
    )
    return replace(config, limits=replace(config.limits, connections=allowed))


# Where others find this server: the addresses that they dial.


LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
ANYWHERE: Final = ("0.0.0.0", "::")


def dialled(listening: Sequence[tuple[str, int]]) -> list[str]:
    """The addresses that others on the network can dial, of a server that is bound to these."""
    hosts = [host for host, _port in listening]
    if any(host in ANYWHERE for host in hosts):
        return lan_addresses()
    return [host for host in hosts if host not in LOOPBACK]


def places(public: str, listening: Sequence[tuple[str, int]]) -> tuple[Place, ...]:
    """What an invitation names: the `public` setting, and what can be dialled on the network, or
    else on this machine. Raises ConfigError."""
    host, port = listening[0]
    near = [Place(one, port) for one in dialled(listening) or [host]]
    return tuple(dict.fromkeys([*places_in(public, port), *near]))[:MOST_ADDRESSES]


MOST_HOST: Final = 253
"""No name of a machine is longer."""


def places_in(public: str, port: int = DEFAULT_PORT) -> list[Place]:
    """The places that are written there; where none has a port, this. Raises ConfigError."""
    return [_place(one.strip(), port) for one in public.split(",") if one.strip()]


def _place(text: str, port: int) -> Place:
    try:
        return Place(str(ip_address(text.strip("[]"))), port)
    except ValueError:
        host, _colon, digits = text.rpartition(":") if ":" in text else (text, "", str(port))
    host = host[1:-1] if host.startswith("[") else host
    right = digits.isascii() and digits.isdigit() and 0 < int(digits[:6]) < 65536
    right = right and len(host) <= MOST_HOST and host.isascii() and host.isprintable()
    if not right or set(host) & set("[]/@ ,"):
        raise ConfigError(f"{text!a} is no address such as games.example or 203.0.113.5:7777")
    return Place(host, int(digits))
