"""What the server and the process of its doors hand each other, and where clients come in.

What the server and the process of its doors for guests tell each other, over a Unix socket:
frames, some with an open file.

Laws: a frame's file comes with its first byte, so files come in the order of their frames. Nothing
waits on this side: a process that takes no more frames is as good as dead.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

import msgspec
import structlog
from msgspec import Meta, Struct

from protocol.codec import FrameDecoder, frame
from protocol.errors import RemoteProtocolError
from protocol.guests import MAX_INTRODUCTION_BYTES, SOCKET_NAME, introduced
from server.config import Limits
from server.net.callers import Caller
from server.tasks import Timer

MAX_BYTES: Final = 16 * 1024
_READ_BYTES: Final = 64 * 1024
_FILES_AT_ONCE: Final = 16
_WAITING_BYTES: Final = 1 << 20
"""Linux makes of it what it allows, which is some 500 callers: for a process that is starting."""

Kind = Literal["ssh", "web"]
"""Which door is wanted."""


class Setup(Struct, frozen=True):
    """What the process is started with. `state`: the server's folder. `asks_password`: each guest
    has to say it."""

    state: str
    limits: Limits
    asks_password: bool = False


class Handed(Struct, frozen=True):
    """The server's only word: somebody calls at a door, and their connection comes with this.
    `address`: theirs. `secure`: they speak TLS, with the server or its proxy."""

    door: Kind
    address: Annotated[str, Meta(max_length=64)]
    secure: bool = False


class Note(Struct, frozen=True):
    """The only word of the doors: a line for the server's log."""

    level: Literal["debug", "info", "warning", "error"]
    event: str
    about: dict[str, str | int | float | bool | None] = {}


class Passing:
    """One end. `heard` is called with each payload and the files that have come, of which it takes
    the first for a payload that has one. `over` is called once: the other end is gone, or talks
    nonsense."""

    def __init__(
        self,
        end: socket.socket,
        heard: Callable[[bytes, deque[int]], None],
        over: Callable[[], None],
    ) -> None:
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WAITING_BYTES)
        self._end: Final = end
        self._heard: Final = heard
        self._over: Final = over
        self._frames: Final = FrameDecoder(MAX_BYTES)
        self._files: Final[deque[int]] = deque()
        self._loop: Final = asyncio.get_running_loop()
        self._loop.add_reader(end, self._read)

    def send(self, said: Handed | Note, file: int | None = None) -> None:
        """The caller may close the file at once. Raises OSError where nothing is taken any more."""
        data = frame(msgspec.msgpack.encode(said))
        if socket.send_fds(self._end, [data], [] if file is None else [file]) < len(data):
            self._end_all()  # what would come next could not be told from the rest

    def close(self) -> None:
        """Nothing is heard or sent any more."""
        if self._end.fileno() >= 0:
            self._loop.remove_reader(self._end)
            self._end.close()
            while self._files:
                os.close(self._files.popleft())

    def _read(self) -> None:
        try:
            data, files, _flags, _address = socket.recv_fds(self._end, _READ_BYTES, _FILES_AT_ONCE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, files = b"", []
        self._files.extend(files)
        self._frames.feed(data)
        try:
            while self._end.fileno() >= 0 and (payload := self._frames.next_frame()) is not None:
                self._heard(payload, self._files)
        except (RemoteProtocolError, msgspec.DecodeError, IndexError):
            data = b""
        if not data:
            self._end_all()

    def _end_all(self) -> None:
        if self._end.fileno() >= 0:
            self.close()
            self._over()


# The Unix socket at which the clients of guests come in; each first says who its guest is.
#
# Law: only the account that the server runs as comes in, and until a client has introduced its
# guest it is nobody: no session, no limit, no log.


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
