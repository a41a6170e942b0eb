"""What two nodes say to each other on the line of one caller: portions, each a frame whose first
byte says what the rest is.

    front → home   INTRODUCTION, then DATA: what the caller says, in the portions in which it came
    home → front   DATA: whole frames for the caller; END: that was all, close
    home → front   MOVE: the caller wants something that is not here: bring them there
    front → home   STOP: from now on nothing of the caller comes on this line
    home → front   MOVED: where they go, and as whom; DATA: what they said and nobody served; END

The line that many callers share (`shared`) begins with SHARES; what an operator asks at another
node (`operators`) is in OPERATOR.

Law: what is cut short between two nodes never reaches the caller in part.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from protocol.codec import HEADER, FrameDecoder
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.table import Filter
from server.store.lists import Kept

VERSION: Final = 1
"""Of these words. A node of a newer version speaks the older one, too."""
MOST_BYTES: Final = 256 * 1024
"""Of a portion; a session writes 96 KiB at once, at most."""
PIECE_BYTES: Final = 64 * 1024
MOST_FIRST_BYTES: Final = 10 * 1024
"""Of an introduction, and of what an operator asks: before it a peer is worth no more memory."""
T = TypeVar("T")


class PortionKind(IntEnum):
    DATA = 0
    INTRODUCTION = 1
    MOVE = 2
    STOP = 3
    MOVED = 4
    END = 5
    SHARES = 6
    OPERATOR = 7


class LedCaller(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who calls, as the front node knows them. `node`: its name. `address`, `secure`: as in
    `Caller`; `name`, `identity`, `came_by`, `opened`: as in `Session`. `changes`: what the hello
    asked for. `lists`: of which tables they are told."""

    node: str
    address: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    secure: bool = False
    identity: Annotated[bytes, Meta(max_length=32)] = b""
    changes: bool = False
    came_by: Kept | None = None
    opened: str | None = None
    lists: Filter | None = None
    version: int = VERSION


class Moved(Struct, frozen=True):
    """`home`: the name of the node, `address`: where it is found. `watches`: on the line of all who
    watch there."""

    home: str
    address: str
    caller: LedCaller
    watches: bool = False


def portion(word: PortionKind, content: bytes = b"") -> bytes:
    return HEADER.pack(len(content) + 1) + bytes((word,)) + content


def in_pieces(said: bytes) -> Iterator[bytes]:
    """What a caller has said, in the length of portions."""
    for start in range(0, len(said), PIECE_BYTES):
        yield said[start : start + PIECE_BYTES]


def read(content: bytes, kind: type[T]) -> T:
    """Raises RemoteProtocolError."""
    try:
        return msgspec.msgpack.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, str(error)) from None


def write(value: Any) -> bytes:
    return msgspec.msgpack.encode(value)


class Portions:
    """Cuts what comes from another node into portions."""

    def __init__(self, limit_bytes: int = MOST_BYTES) -> None:
        self._frames: Final = FrameDecoder(limit_bytes)

    def allow(self, limit_bytes: int) -> None:
        """Take portions of this length from now on."""
        self._frames.limit_bytes = limit_bytes

    def rest(self) -> bytes:
        """What has come and is no portion yet; it is forgotten here."""
        return self._frames.rest()

    def of(self, data: bytes) -> Iterator[tuple[PortionKind, bytes]]:
        """Those that are whole now. Raises RemoteProtocolError."""
        self._frames.feed(data)
        while (payload := self._frames.next_frame()) is not None:
            try:
                yield PortionKind(payload[0]), payload[1:]
            except (IndexError, ValueError):
                raise RemoteProtocolError(GoodbyeCode.UNKNOWN_TYPE, "no such word") from None
