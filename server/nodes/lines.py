"""What two nodes say to each other on a line, and how several callers share one.

What two nodes say to each other on the line of one caller: portions, each a frame whose first
byte says what the rest is.

front → home   INTRODUCTION, then DATA: what the caller says, in the portions in which it came
    home → front   DATA: whole frames for the caller; END: that was all, close
    home → front   MOVE: the caller wants something that is not here: bring them there
    front → home   STOP: from now on nothing of the caller comes on this line
    home → front   MOVED: where they go, and as whom; DATA: what they said and nobody served; END

The line that many callers share (`SharedLine`) begins with SHARES; what an operator asks at another
node (`operators`) is in OPERATOR.

Law: what is cut short between two nodes never reaches the caller in part.
"""

import asyncio
import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, Any, Final, Generic, TypeVar, cast

import msgspec
import structlog
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


# A line between two nodes that many callers share. Each has a strand of it, which is a line to
# those at its ends.
#
# What is said on it are frames: a byte that says what (`Sort`), a number of four bytes, and the
# rest.
#
# front → home   OPEN n; DATA n; SLOW n, FREE n: their own line takes nothing more, or again home
# → front   READY once; DATA n; HEARD n: so many bytes of theirs are served home → front   JOIN n,
# PART n: whether strand n hears a room; ALL r: said to all who hear room r both ways      CLOSE n
#
# Law: to each strand all that is said comes in the order in which it was said, to it alone or to a
# room.


HEAD: Final = struct.Struct(">BI")
NUMBER: Final = struct.Struct(">I")
WAITS_BYTES: Final = 256 * 1024
"""With more than this in its buffer, a shared line counts as slow."""


class Sort(IntEnum):
    READY = 0
    OPEN = 1
    DATA = 2
    HEARD = 3
    SLOW = 4
    FREE = 5
    CLOSE = 6
    JOIN = 7
    PART = 8
    ALL = 9


class Strand(asyncio.Transport):
    """The transport of one caller's protocol."""

    def __init__(self, shared: "SharedLine[Any]", number: int, inside: asyncio.Protocol) -> None:
        super().__init__()
        self._shared: Final = shared
        self._inside: Final = inside
        self._closing = False
        self.number: Final = number

    def write(self, data: Any) -> None:
        if not self._closing:
            for piece in in_pieces(data):
                self._shared.say(Sort.DATA, self.number, piece)

    def close(self) -> None:
        if not self._closing:
            self._shared.say(Sort.CLOSE, self.number)
            self.ends()

    abort = close

    def ends(self) -> None:
        """Nothing more comes on this strand, or goes."""
        if not self._closing:
            self._closing = True
            self._shared.forget(self)
            asyncio.get_running_loop().call_soon(self._inside.connection_lost, None)

    def is_closing(self) -> bool:
        return self._closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """What waits is counted by the ends."""

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._shared.get_extra_info(name, default)


S = TypeVar("S", bound=Strand)


class SharedLine(asyncio.Protocol, Generic[S]):
    """One end of the line. A subclass says what it hears: `_heard`."""

    def __init__(self) -> None:
        self._strands: Final[dict[int, S]] = {}
        self._frames: Final = FrameDecoder(MOST_BYTES)
        self._unsaid: Final[list[bytes]] = []
        self._line: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        self._line.set_write_buffer_limits(high=WAITS_BYTES)

    def say(self, sort: Sort, number: int, content: bytes = b"") -> None:
        """Goes at the end of this turn of the loop, with all else that is said in it."""
        if not self._unsaid:
            asyncio.get_running_loop().call_soon(self._write)
        self._unsaid.append(HEADER.pack(HEAD.size + len(content)) + HEAD.pack(sort, number))
        self._unsaid.append(content)

    def _write(self) -> None:
        whole = b"".join(self._unsaid)
        self._unsaid.clear()
        if self._line is not None and not self._line.is_closing():
            self._line.write(whole)

    def data_received(self, data: bytes) -> None:
        try:
            self._frames.feed(data)
            while self._line is not None and (said := self._frames.next_frame()) is not None:
                if len(said) < HEAD.size:
                    raise RemoteProtocolError(GoodbyeCode.MALFORMED, "too short")
                sort, number = HEAD.unpack_from(said)
                self._heard(sort, number, said[HEAD.size :])
        except RemoteProtocolError as error:
            structlog.get_logger().warning("another node talks nonsense", why=error.why)
            self.abort()

    def _heard(self, sort: int, number: int, content: bytes) -> None:
        """Raises RemoteProtocolError."""
        raise NotImplementedError

    def get_extra_info(self, name: str, default: Any) -> Any:
        return default if self._line is None else self._line.get_extra_info(name, default)

    def forget(self, strand: Strand) -> None:
        """It is closed."""
        self._strands.pop(strand.number, None)

    def abort(self) -> None:
        if self._line is not None:
            self._line.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._line = None
        for strand in list(self._strands.values()):
            strand.ends()


def number_in(content: bytes) -> int:
    """Raises RemoteProtocolError."""
    if len(content) != NUMBER.size:
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, "no number")
    number: int = NUMBER.unpack(content)[0]
    return number


def unknown(sort: int) -> RemoteProtocolError:
    return RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{sort} now")
