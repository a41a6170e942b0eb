"""What the server and the process of its doors hand each other, and where clients come in.

They have a Unix socket. The server hands callers over: each is one word of `HANDED_BYTES`, with the
caller's open socket, so the system gives out each word whole and with its file. The doors answer
nothing; what they have for the log they write as JSON, a line each.

Law: nothing waits on either side: a process that takes no more is as good as dead.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

import msgspec
import structlog
from msgspec import Meta, Struct

from protocol.codec import FrameDecoder
from protocol.errors import RemoteProtocolError
from protocol.guests import MAX_INTRODUCTION_BYTES, SOCKET_NAME, introduced
from server.config import Limits
from server.net.callers import Caller
from server.net.listener import bind_unix
from server.tasks import Timer

HANDED_BYTES: Final = 512

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
    `address`: theirs. `secure`: they speak TLS, with the server or its proxy. `elsewhere`: where
    they find another machine of the server, "" = nowhere."""

    door: Kind
    address: Annotated[str, Meta(max_length=64)]
    secure: bool = False
    elsewhere: Annotated[str, Meta(max_length=262)] = ""


class Note(Struct, frozen=True):
    """The only word of the doors: a line for the server's log."""

    level: Literal["debug", "info", "warning", "error"]
    event: str
    about: dict[str, str | int | float | bool | None] = {}


def hand_over(line: socket.socket, handed: Handed, caller: int) -> None:
    """`caller`: their open socket, which may be closed at once. Raises OSError where no more is
    taken."""
    socket.send_fds(line, [msgspec.json.encode(handed).ljust(HANDED_BYTES)], [caller])


def take_over(line: socket.socket) -> tuple[Handed, socket.socket]:
    """Raises BlockingIOError where nobody has come; OSError and ValueError where the other end has
    gone, or talks nonsense."""
    said, files, _flags, _address = socket.recv_fds(line, HANDED_BYTES, 1)
    (caller,) = files
    return msgspec.json.decode(said, type=Handed), socket.socket(fileno=caller)


# The Unix socket at which the clients of guests come in; each first says who its guest is.
#
# Law: only the account that the server runs as comes in, and until a client has introduced its
# guest it is nobody: no session, no limit, no log.


WAITING: Final = 128
INTRODUCING_S: Final = 5.0
LEAVING_S: Final = 10.0
"""For what a side has not read when the other has ended."""

NewSession: TypeAlias = Callable[[Caller], asyncio.Protocol]


class _Introduction(asyncio.Protocol):
    """Reads the first frame, then makes way for the session."""

    _transport: asyncio.Transport

    def __init__(self, session: NewSession) -> None:
        self._session: Final = session
        self._frames: Final = FrameDecoder(MAX_INTRODUCTION_BYTES)
        self._late: Final = Timer()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._late.start(INTRODUCING_S, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        self._frames.feed(data)
        try:
            if (payload := self._frames.next_frame()) is None:
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
        if rest := self._frames.rest():
            # The session may have left its place to another.
            cast(asyncio.Protocol, self._transport.get_protocol()).data_received(rest)

    def connection_lost(self, error: Exception | None) -> None:
        self._late.stop()


async def inside(folder: Path, session: NewSession) -> None:
    """Let clients of guests in, for ever. `folder`: the server's, locked for us."""
    file = folder / SOCKET_NAME
    try:
        listening = bind_unix(file, WAITING)
    except OSError as error:
        why = error.strerror or str(error)
        structlog.get_logger().warning("guests cannot come in", why=why)
        return
    serving = await asyncio.get_running_loop().create_unix_server(
        lambda: _Introduction(session), sock=listening, backlog=WAITING
    )
    try:
        await asyncio.Event().wait()
    finally:
        serving.close()
        with suppress(OSError):
            file.unlink()
