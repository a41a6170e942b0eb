"""Leads a caller to another process: what they say goes into a socket, whose other end is there.

Law: a side that does not read keeps the other from sending; little waits in between.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

BUFFER_BYTES: Final = 32 * 1024
"""What waits in the socket for the other process, and for the caller."""


def relay(hand_over: Callable[[socket.socket], None]) -> asyncio.Protocol:
    """The caller's side, on a socket or inside TLS. `hand_over` sends a socket, which it owns, to
    the other process."""

    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            ours, theirs = socket.socketpair()
        except OSError:
            writer.transport.abort()
            return
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        hand_over(theirs)
        inner = await asyncio.open_connection(sock=ours, limit=BUFFER_BYTES)
        await asyncio.gather(_pump(reader, inner[1]), _pump(inner[0], writer))

    return asyncio.StreamReaderProtocol(asyncio.StreamReader(BUFFER_BYTES), lead)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until a side ends, and with it the other."""
    writer.transport.set_write_buffer_limits(high=BUFFER_BYTES)
    with suppress(OSError):
        while data := await reader.read(BUFFER_BYTES):
            writer.write(data)
            await writer.drain()
    writer.close()
