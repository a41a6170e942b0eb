"""Where a server listens and is found: its sockets, open files, networks, and its addresses."""

import errno
import os
import socket
from collections.abc import Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from server.config import Config

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
