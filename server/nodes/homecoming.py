"""A caller who came by another node, at the node where their table is.

Laws: only a node of the cluster gets this far. What it says is bounded in length, and in time until
the caller is introduced; what it says wrongly ends this caller's line and no other.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import structlog

from protocol.errors import GoodbyeCode, RemoteProtocolError
from server.doors.tls import Within
from server.nodes.words import (
    MOST_BYTES,
    MOST_FIRST_BYTES,
    LedCaller,
    Moved,
    PortionKind,
    Portions,
    in_pieces,
    portion,
    read,
    write,
)

if TYPE_CHECKING:
    from server.net.session import Enter
    from server.nodes.splicing import Splicing

_MOST_SAID_BYTES: Final = 1 << 20
"""What may come from a caller who is on the way to another node; an honest one says little."""


class FarLine(Within):
    """On the line to the caller's front node; inside is their session."""

    def __init__(self, splicing: "Splicing", enter: "Enter | None" = None) -> None:
        """`enter`: of a caller who shares the line between the nodes with others. Any other line
        may turn out to be something else than a caller's."""
        super().__init__()
        self._splicing: Final = splicing
        self._enter: Final = enter
        self._portions: Final = Portions(MOST_FIRST_BYTES)
        self._when_free: Callable[[], None] | None = None

    # From the front -----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        try:
            for word, content in self._portions.of(data):
                if self._closing:
                    return
                if self._inside is None and self._enter is None:
                    other = self._splicing.other_line(word, content)
                    if other is not None:
                        self._give_way(other)
                        return
                self._heard(word, content)
        except RemoteProtocolError as error:
            structlog.get_logger().warning("another node talks nonsense", why=error.why)
            self.abort()

    def _give_way(self, to: asyncio.Protocol) -> None:
        assert self._outer is not None
        self._outer.set_protocol(to)
        to.connection_made(self._outer)
        self._end_waiting()
        if rest := self._portions.rest():
            to.data_received(rest)

    def _heard(self, word: PortionKind, content: bytes) -> None:
        if self._inside is None:
            if word is not PortionKind.INTRODUCTION:
                raise RemoteProtocolError(GoodbyeCode.NOT_HELLO, "nobody was introduced")
            introduction = read(content, LedCaller)
            self._portions.allow(MOST_BYTES)
            self._splicing.welcome(introduction, self, self._enter)
            self._end_waiting()
        elif word is PortionKind.DATA:
            self._inside.data_received(content)
        elif word is PortionKind.STOP and self._when_free is not None:
            self._when_free()
        else:
            raise RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{word.name} now")

    # From the session -----------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        if not self._closing and self._outer is not None:
            self._outer.write(portion(PortionKind.DATA, data))

    def close(self) -> None:
        if not self._closing and self._outer is not None:
            self._closing = True
            self._outer.write(portion(PortionKind.END))
            self._outer.close()

    def pause_reading(self) -> None:
        if self._outer is not None:
            self._outer.pause_reading()

    def resume_reading(self) -> None:
        if self._outer is not None and not self._closing:
            self._outer.resume_reading()

    # On the way to another node -------------------------------------------------------------------

    def free(self, then: Callable[[], None]) -> None:
        """Ask the front to say nothing more of this caller; call `then` when it says nothing."""
        if self._outer is not None and not self._closing:
            self._when_free = then
            self._outer.write(portion(PortionKind.MOVE))
            self._outer.resume_reading()

    def move(self, to: Moved, said: bytes) -> None:
        """Have the front lead the caller there, who has said this; the last word here."""
        if self._outer is None or self._closing or len(said) > _MOST_SAID_BYTES:
            self.abort()
            return
        self._outer.write(portion(PortionKind.MOVED, write(to)))
        for piece in in_pieces(said):
            self._outer.write(portion(PortionKind.DATA, piece))
        self.close()
