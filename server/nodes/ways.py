"""The lines of this node to others: for each caller one of their own, and one for all who watch."""

import asyncio
import socket
from contextlib import suppress
from functools import partial
from typing import Any, Final

from server.config import Limits
from server.doors.tls import Encrypted, Handshakes
from server.net.listener import SEND_BUFFER_BYTES
from server.nodes.front import Front, Home
from server.nodes.keys import Keys, named
from server.nodes.upstream import Upstream
from server.nodes.words import LedCaller

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
