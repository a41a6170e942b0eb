"""The door to all that is spoken inside TLS.

Laws: a handshake takes no longer than what is left of `hello_s`. What a player leaves unread is
counted inside TLS as outside: below the buffer at which limits look waits one write at most.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final, cast

from server.doors.certificate import Certificate
from server.doors.door import Door, Speak
from server.net.caller import Caller

CLOSING_S: Final = 5.0
"""How long a caller may take to answer that we close."""
READ_AHEAD_BYTES: Final = 32 * 1024
"""What may wait of a caller whose requests are held; asyncio's own limit is 256 KiB."""


def inside_tls(certificate: Certificate, choose: Callable[[int], Speak], limit_s: float) -> Door:
    """`choose`: how to speak with a caller whose first byte inside TLS this is. A caller who has
    said none `limit_s` after they came is spoken to as one who said 0."""

    async def let_in(sock: socket.socket, caller: Caller) -> None:
        loop = asyncio.get_running_loop()
        raw, _ = await loop.connect_accepted_socket(_Unread, sock)
        inside: asyncio.Transport | None = None
        first = _First()
        try:
            async with asyncio.timeout_at(caller.since_s + limit_s):
                inside = await loop.start_tls(
                    raw,
                    first,
                    certificate.context,
                    server_side=True,
                    ssl_shutdown_timeout=CLOSING_S,
                )
                await first.has_come(inside)
        except TimeoutError:
            pass
        except BaseException:
            raw.abort()
            raise
        if inside is None or inside.is_closing():
            raw.abort()
            return
        cast(Any, inside).set_read_buffer_limits(high=READ_AHEAD_BYTES)
        first.hand_on(inside, choose(first.byte)(caller._replace(encrypted=True)))

    return let_in


class _Unread(asyncio.Protocol):
    """Of a socket of which TLS is to read the first byte."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        raw = cast(asyncio.Transport, transport)
        raw.pause_reading()
        raw.set_write_buffer_limits(high=0)


class _First(asyncio.Protocol):
    """Keeps what comes until it is known who is to have it."""

    def __init__(self) -> None:
        self.came = b""
        self._something: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()

    @property
    def byte(self) -> int:
        return self.came[0] if self.came else 0

    def data_received(self, data: bytes) -> None:
        self.came += data
        self._stop_waiting()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if not self._something.done():
            self._something.set_result(None)

    async def has_come(self, inside: asyncio.Transport | None) -> None:
        """Wait for the first byte, or the end."""
        if inside is not None and not inside.is_closing():
            await self._something

    def hand_on(self, inside: asyncio.Transport, protocol: asyncio.Protocol) -> None:
        """Let this protocol have the connection, and what has come."""
        inside.set_protocol(protocol)
        protocol.connection_made(inside)
        if self.came:
            protocol.data_received(self.came)
