"""The Unix socket at which the clients of guests come in; each first says who its guest is.

Law: only the account that the server runs as comes in, and until a client has introduced its guest
it is nobody: no session, no limit, no log.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias, cast

import structlog

from protocol.errors import RemoteProtocolError
from protocol.framing import FrameDecoder
from protocol.guests import MAX_INTRODUCTION_BYTES, SOCKET_NAME, introduced
from server.net.caller import Caller
from server.timer import Timer

RIGHTS: Final = 0o600
WAITING: Final = 128
INTRODUCING_S: Final = 5.0

NewSession: TypeAlias = Callable[[Caller], asyncio.Protocol]


class _Introduction(asyncio.Protocol):
    """Reads the first frame, then makes way for the session."""

    def __init__(self, session: NewSession) -> None:
        self._session: Final = session
        self._frames: Final = FrameDecoder(MAX_INTRODUCTION_BYTES)
        self._came = b""
        self._late: Final = Timer()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._late.start(INTRODUCING_S, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        self._came += data
        self._frames.feed(data)
        try:
            payload = self._frames.next_frame()
            if payload is None:
                return
            guest = introduced(payload)
        except RemoteProtocolError as error:
            structlog.get_logger().warning("a guest's client talks nonsense", why=error.why)
            self._transport.abort()
            return
        self._late.stop()
        identity = sha256(guest.identity).digest()
        session = self._session(Caller(guest.address, encrypted=True, identity=identity))
        self._transport.set_protocol(session)
        session.connection_made(self._transport)
        if rest := self._came[len(payload) + 4 :]:
            # The session may have left its place to another.
            cast(asyncio.Protocol, self._transport.get_protocol()).data_received(rest)

    def connection_lost(self, error: Exception | None) -> None:
        self._late.stop()


async def inside(folder: Path, session: NewSession) -> None:
    """Let clients of guests in, for ever. `folder`: the server's, locked for us."""
    path, before = folder / SOCKET_NAME, os.umask(0o777 & ~RIGHTS)
    try:
        serving = await asyncio.get_running_loop().create_unix_server(
            lambda: _Introduction(session), str(path), backlog=WAITING, start_serving=False
        )  # which waits for nothing, so no other file is made meanwhile
    except OSError as error:
        why = error.strerror or str(error)
        structlog.get_logger().warning("guests cannot come in", why=why)
        return
    finally:
        os.umask(before)
    try:
        await serving.start_serving()
        await asyncio.Event().wait()
    finally:
        serving.close()
        with suppress(OSError):
            path.unlink()
