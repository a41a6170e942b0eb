"""The operator's door: a Unix socket that serves the account which the server runs as, and root.

Laws: nobody else is served, whatever the file's rights have become. No connection waits for
another, none is served for longer than its limits, and there are few at a time; those beyond wait
in the system, so a flood costs the server's loop one connection every `GAP_S`.
"""

import asyncio
import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

import structlog

from protocol.codec import framed
from protocol.errors import RemoteProtocolError
from protocol.framing import FrameDecoder
from server.operating import words
from server.operating.place import NAME, new_socket, reachable
from server.operating.words import Answer, Asked, CouldNot

AT_ONCE: Final = 4
"""Connections that are served at a time."""
WAITING: Final = 8
"""Connections that wait in the system; a connection beyond waits with its caller."""
GAP_S: Final = 0.05
ASKING_S: Final = 5.0
SERVING_S: Final = 60.0
ANSWERING_S: Final = 10.0
RIGHTS: Final = 0o600
_CREDENTIALS: Final = struct.Struct("3i")
"""What the system knows of the other end: process, user, group."""

Serve: TypeAlias = Callable[[Asked, int], Awaitable[Answer]]
"""Does what was asked by this user (the system's number). Raises CouldNot."""
Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]


class Door:
    """Of the server whose folder this is, which is locked for it."""

    def __init__(self, folder: Path, serve: Serve, spawn: Spawn) -> None:
        """Opens it. Raises OSError."""
        self._file: Final = folder / NAME
        self._serve: Final = serve
        self._spawn: Final = spawn
        self._places: Final = asyncio.Semaphore(AT_ONCE)
        self._listening: Final = _listen(folder, self._file)

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
                calling, _address = await loop.sock_accept(self._listening)
            except OSError as error:  # no file is free, say
                self._places.release()
                structlog.get_logger().warning("the operator cannot call", error=str(error))
                await asyncio.sleep(1)
                continue
            self._spawn(self._attend(calling))
            await asyncio.sleep(GAP_S)

    async def _attend(self, calling: socket.socket) -> None:
        try:
            with calling, suppress(OSError, TimeoutError):
                calling.setblocking(False)
                answer = await self._answer(calling)
                async with asyncio.timeout(ANSWERING_S):
                    whole = framed(answer)
                    await asyncio.get_running_loop().sock_sendall(calling, whole)
        finally:
            self._places.release()

    async def _answer(self, calling: socket.socket) -> Answer:
        """Raises OSError, of the socket alone."""
        try:
            user = user_of(calling)
            if user not in allowed():
                structlog.get_logger().warning("the operator's door is shut for others", user=user)
                raise CouldNot(f"only the account that this server runs as may ask: {os.geteuid()}")
            async with asyncio.timeout(ASKING_S):
                payload = await _payload(calling)
        except CouldNot as error:
            return error.answer()
        except TimeoutError:
            return Answer(done=False, said="it took too long")
        return await served(lambda: self._serve(words.asked(payload), user))


async def served(serve: Callable[[], Awaitable[Answer]]) -> Answer:
    """What this answers, or why it could not be done."""
    try:
        async with asyncio.timeout(SERVING_S):
            return await serve()
    except CouldNot as error:
        return error.answer()
    except TimeoutError:
        return Answer(done=False, said="it took too long")
    except Exception:
        structlog.get_logger().exception("the operator's request failed")
        return Answer(done=False, said="it failed; the server's log says how")


def allowed() -> frozenset[int]:
    """The users who may ask: the server's own, and root, who could become it."""
    return frozenset({0, os.geteuid()})


def user_of(calling: socket.socket) -> int:
    """Whose process is at the other end; where the system does not say it, the socket's rights let
    in our own user alone."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.geteuid()
    size = _CREDENTIALS.size
    known = calling.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    user: int = _CREDENTIALS.unpack(known)[1]
    return user


async def _payload(calling: socket.socket) -> bytes:
    """The first frame. Raises CouldNot."""
    loop, frames = asyncio.get_running_loop(), FrameDecoder(words.MAX_ASKED_BYTES)
    try:
        while (payload := frames.next_frame()) is None:
            if not (data := await loop.sock_recv(calling, words.MAX_ASKED_BYTES)):
                raise CouldNot("the request breaks off")
            frames.feed(data)
    except RemoteProtocolError as error:
        raise CouldNot(f"the request is too long: {error.why}") from None
    return payload


def _listen(folder: Path, file: Path) -> socket.socket:
    """The folder is locked for us, so a socket that is there was left behind by a crash."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(file.lstat().st_mode):
            file.unlink()
    listening = new_socket()
    try:
        with reachable(folder) as path:
            listening.bind(path)
        file.chmod(RIGHTS)  # before anybody can connect
        listening.listen(WAITING)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening
