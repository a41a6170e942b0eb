"""Leads a caller to another process: what they say goes into a socket, whose other end is there.

Law: a side that does not read keeps the other from sending; little waits in between.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Final, cast

BUFFER_BYTES: Final = 32 * 1024
"""What waits in the socket for the other process, and for the caller."""

HandOver = Callable[[socket.socket], None]
"""Sends the socket to the other process. Owns it."""


class Relay(asyncio.Protocol):
    """The caller's side, on a socket or inside TLS."""

    def __init__(self, hand_over: HandOver) -> None:
        self._hand_over: Final = hand_over
        self._inner: Final = _Inner()
        self._first: list[bytes] = []
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._inner.caller = caller = cast(asyncio.Transport, transport)
        caller.set_write_buffer_limits(high=BUFFER_BYTES)
        caller.pause_reading()
        self._task = asyncio.get_running_loop().create_task(self._lead(caller))

    async def _lead(self, caller: asyncio.Transport) -> None:
        try:
            ours, theirs = socket.socketpair()
        except OSError:
            caller.abort()
            return
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
            end.setblocking(False)
        self._hand_over(theirs)
        inner, _ = await asyncio.get_running_loop().create_connection(
            lambda: self._inner, sock=ours
        )
        inner.set_write_buffer_limits(high=BUFFER_BYTES)
        for data in self._first:
            inner.write(data)
        caller.resume_reading()

    def data_received(self, data: bytes) -> None:
        if self._inner.transport is None:
            self._first.append(data)
        else:
            self._inner.transport.write(data)

    def pause_writing(self) -> None:
        if self._inner.transport is not None:
            self._inner.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._inner.transport is not None:
            self._inner.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self._inner.caller = None
        if self._inner.transport is not None:
            self._inner.transport.close()


class _Inner(asyncio.Protocol):
    """The other process's side."""

    def __init__(self) -> None:
        self.caller: asyncio.Transport | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self.caller is None:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.caller is not None:
            self.caller.write(data)

    def pause_writing(self) -> None:
        if self.caller is not None:
            self.caller.pause_reading()

    def resume_writing(self) -> None:
        if self.caller is not None:
            self.caller.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self.caller is not None:
            self.caller.close()
