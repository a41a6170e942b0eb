"""A caller who came by another node, at the node where their table is.

Laws: only a node of the cluster gets this far. What it says is bounded in length, and in time until
the caller is introduced; what it says wrongly ends this caller's line and no other.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import structlog

from protocol.errors import GoodbyeCode, RemoteProtocolError
from server.nodes.words import (
    MOST_BYTES,
    MOST_FIRST_BYTES,
    Introduction,
    Moved,
    Portions,
    Word,
    portion,
    read,
    write,
)

PIECE_BYTES: Final = 64 * 1024
_MOST_SAID_BYTES: Final = 1 << 20
"""What may come from a caller who is on the way to another node; an honest one says little."""

Welcome: TypeAlias = "Callable[[Introduction, FarLine], None]"
"""Serves the caller, on this line."""


class FarLine(asyncio.Protocol, asyncio.Transport):
    """The protocol of the line to the caller's front node, and the transport of their session.
    `introduced`: done when it has one, or the line has ended."""

    def __init__(self, welcome: Welcome) -> None:
        super().__init__()
        self.introduced: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self._welcome: Final = welcome
        self._portions: Final = Portions(MOST_FIRST_BYTES)
        self._line: asyncio.Transport | None = None
        self._inside: asyncio.Protocol | None = None
        self._closing = False
        self._when_free: Callable[[], None] | None = None

    # From the front -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        try:
            for word, content in self._portions.of(data):
                if self._closing:
                    return
                self._heard(word, content)
        except RemoteProtocolError as error:
            structlog.get_logger().warning("another node talks nonsense", why=error.why)
            self.abort()

    def _heard(self, word: Word, content: bytes) -> None:
        if self._inside is None:
            if word is not Word.INTRODUCTION:
                raise RemoteProtocolError(GoodbyeCode.NOT_HELLO, "nobody was introduced")
            introduction = read(content, Introduction)
            self._portions.allow(MOST_BYTES)
            self._welcome(introduction, self)
            self._end_waiting()
        elif word is Word.DATA:
            self._inside.data_received(content)
        elif word is Word.STOP and self._when_free is not None:
            self._when_free()
        else:
            raise RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{word.name} now")

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        self._end_waiting()
        if self._inside is not None:
            self._inside.connection_lost(error)

    def _end_waiting(self) -> None:
        if not self.introduced.done():
            self.introduced.set_result(None)

    def pause_writing(self) -> None:
        if self._inside is not None:
            self._inside.pause_writing()

    def resume_writing(self) -> None:
        if self._inside is not None:
            self._inside.resume_writing()

    # From the session -----------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._inside = cast(asyncio.Protocol, protocol)

    def write(self, data: Any) -> None:
        if not self._closing and self._line is not None:
            self._line.write(portion(Word.DATA, data))

    def close(self) -> None:
        if not self._closing and self._line is not None:
            self._closing = True
            self._line.write(portion(Word.END))
            self._line.close()

    def abort(self) -> None:
        self._closing = True
        if self._line is not None:
            self._line.abort()

    def is_closing(self) -> bool:
        return self._closing

    def pause_reading(self) -> None:
        if self._line is not None:
            self._line.pause_reading()

    def resume_reading(self) -> None:
        if self._line is not None and not self._closing:
            self._line.resume_reading()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        if self._line is not None:
            self._line.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        return 0 if self._line is None else self._line.get_write_buffer_size()

    # On the way to another node -------------------------------------------------------------------

    def free(self, then: Callable[[], None]) -> None:
        """Ask the front to say nothing more of this caller; call `then` when it says nothing."""
        if self._line is not None and not self._closing:
            self._when_free = then
            self._line.write(portion(Word.MOVE))
            self._line.resume_reading()

    def move(self, to: Moved, said: bytes) -> None:
        """Have the front lead the caller there, who has said this; the last word here."""
        if self._line is None or self._closing or len(said) > _MOST_SAID_BYTES:
            self.abort()
            return
        self._line.write(portion(Word.MOVED, write(to)))
        for start in range(0, len(said), PIECE_BYTES):
            self._line.write(portion(Word.DATA, said[start : start + PIECE_BYTES]))
        self.close()
