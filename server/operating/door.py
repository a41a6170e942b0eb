"""The operator's door, a Unix socket in the server's folder, and the operator's call at it. The
door serves the account which the server runs as, and root.

Laws: nobody else is served, whatever the file's rights have become. No connection waits for
another, none is served for longer than its limits, and there are few at a time; those beyond wait
in the system, so a flood costs the server's loop one connection every `GAP_S`.
"""

import asyncio
import errno
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from protocol.codec import FrameDecoder, framed
from protocol.errors import RemoteProtocolError
from protocol.guests import reachable
from server.net.listener import bind_unix
from server.operating import words
from server.operating.commands import asked
from server.operating.desk import Desk
from server.operating.words import Command, CouldNot, Reply
from server.tasks import Tasks

if TYPE_CHECKING:  # one node among several needs it
    from server.operating.everywhere import Everywhere

NAME: Final = "operator.sock"
AT_ONCE: Final = 4
"""Connections that are served at a time."""
WAITING: Final = 8
"""Connections that wait in the system; a connection beyond waits with its caller."""
GAP_S: Final = 0.05
ASKING_S: Final = 5.0
SERVING_S: Final = 60.0
ANSWERING_S: Final = 10.0
PATIENCE_S: Final = 90.0
"""Of a caller: longer than a server takes for anything."""
AGAIN_S: Final = 0.05
_NOBODY: Final = (errno.ENOENT, errno.ECONNREFUSED, errno.ENOTDIR)
_CREDENTIALS: Final = struct.Struct("3i")
"""What the system knows of the other end: process, user, group."""


class OperatorsDoor:
    """Of the server whose folder this is, which is locked for it."""

    def __init__(self, folder: Path, commands: "Desk | Everywhere", tasks: Tasks) -> None:
        """Opens it. Raises OSError."""
        self._file: Final = folder / NAME
        self._commands: Final = commands
        self._tasks: Final = tasks
        self._places: Final = asyncio.Semaphore(AT_ONCE)
        self._listening: Final = bind_unix(self._file, WAITING)
        self._listening.setblocking(False)

    def close(self) -> None:
        """Let nobody in any more, once `run` has ended."""
        self._listening.close()
        with suppress(OSError):
            self._file.unlink()

    async def run(self) -> None:
        """Serve each connection, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await self._places.acquire()
            try:
                line, _address = await loop.sock_accept(self._listening)
            except OSError as error:  # no file is free, say
                self._places.release()
                structlog.get_logger().warning("the operator cannot call", error=str(error))
                await asyncio.sleep(1)
                continue
            self._tasks.spawn(self._attend(line))
            await asyncio.sleep(GAP_S)

    async def _attend(self, line: socket.socket) -> None:
        try:
            with line, suppress(OSError):  # a time-out is one, too
                line.setblocking(False)
                reply = await answered(lambda: self._served(line))
                async with asyncio.timeout(ANSWERING_S):
                    await asyncio.get_running_loop().sock_sendall(line, framed(reply))
        finally:
            self._places.release()

    async def _served(self, line: socket.socket) -> Reply:
        """Raises CouldNot."""
        user = user_of(line)
        if user not in allowed():
            structlog.get_logger().warning("the operator's door is shut for others", user=user)
            raise CouldNot(f"only the account that this server runs as may ask: {os.geteuid()}")
        try:
            async with asyncio.timeout(ASKING_S):
                payload = await _payload(line, words.MAX_ASKED_BYTES)
        except (EOFError, ConnectionError):
            raise CouldNot("the request breaks off") from None
        except RemoteProtocolError as error:
            raise CouldNot(f"the request is too long: {error.why}") from None
        return await self._commands.do(asked(payload), user)


async def answered(do: Callable[[], Awaitable[Reply]]) -> Reply:
    """What this answers, or why it could not be done."""
    try:
        async with asyncio.timeout(SERVING_S):
            return await do()
    except CouldNot as error:
        return error.reply()
    except TimeoutError:
        return Reply(done=False, said="it took too long")
    except Exception:
        structlog.get_logger().exception("the operator's request failed")
        return Reply(done=False, said="it failed; the server's log says how")


async def call(folder: Path, command: Command) -> Reply:
    """What the server answers whose folder this is. Raises CouldNot."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.setblocking(False)
            await _connect(line, folder)
            async with asyncio.timeout(PATIENCE_S):
                with suppress(BrokenPipeError, ConnectionResetError):  # of one that only says no
                    await asyncio.get_running_loop().sock_sendall(line, framed(command))
                return words.reply_in(await _payload(line, words.MAX_ANSWER_BYTES))
    except TimeoutError:
        raise CouldNot(f"the server in {folder} does not answer") from None
    except EOFError:
        raise CouldNot("the server stopped before it answered") from None
    except OSError as error:
        raise CouldNot(_why(folder, error)) from None
    except (RemoteProtocolError, msgspec.DecodeError) as error:
        raise CouldNot(f"the server in {folder} answers nonsense: {error}") from None


async def _connect(line: socket.socket, folder: Path) -> None:
    """Where the queue is full the system does not wait for a place, so try again."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with suppress(BlockingIOError), reachable(folder / NAME) as path:
                    return line.connect(path)
                await asyncio.sleep(AGAIN_S)
    except TimeoutError:
        raise CouldNot("the server's operator's door is busy: try again") from None


async def _payload(line: socket.socket, most_bytes: int) -> bytes:
    """The first frame. Raises EOFError, OSError and RemoteProtocolError."""
    loop, frames = asyncio.get_running_loop(), FrameDecoder(most_bytes)
    while (payload := frames.next_frame()) is None:
        if not (data := await loop.sock_recv(line, 1 << 16)):
            raise EOFError
        frames.feed(data)
    return payload


def _why(folder: Path, error: OSError) -> str:
    if error.errno in _NOBODY:
        return f"no server runs in {folder}: start it, or name its folder with --state"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{folder} belongs to another account: run this as that account, or as root"
    return f"cannot reach the server in {folder}: {error.strerror or error}"


def allowed() -> frozenset[int]:
    """The users who may ask: the server's own, and root, who could become it."""
    return frozenset({0, os.geteuid()})


def user_of(line: socket.socket) -> int:
    """Whose process is at the other end; where the system does not say it, the socket's rights let
    in our own user alone."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.geteuid()
    known = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    user: int = _CREDENTIALS.unpack(known)[1]
    return user
