"""Message ↔ payload ↔ frame.

Each side reads what strangers say: typed from the first byte (`Reader`), so that nothing is built
for which a message has no place. For a server the words of a game stay bytes until it is known
which game (`read_whole`); for a client they are plain values until then (`read_as`). Going out,
msgspec writes the Struct at once.
"""

import struct
from collections.abc import Callable, Iterable
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Raw, to_builtins

from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import FROM_SERVER

# Frames: uint32 big-endian length, then that many bytes of payload.
#
# Law: the frames that come out do not depend on how the bytes were cut up on the way in.


MAX_FRAME_BYTES: Final = 64 * 1024
"""A full page of the lobby is 45 kB as a rule and 62 kB at worst, the longest view 2 kB."""

MAX_HELLO_BYTES: Final = 1024
"""Before login a peer is worth no more memory than a hello takes (about 150 bytes)."""

HEADER: Final = struct.Struct(">I")
"""The length of the payload that follows."""


def frame(payload: bytes) -> bytes:
    """`payload` with its length in front."""
    return HEADER.pack(len(payload)) + payload


class FrameDecoder:
    """Cuts a stream of bytes into payloads. `limit_bytes` may be raised while it runs.

    A measured hot path: bytes are kept as they came, as a rule one whole frame.
    """

    __slots__ = ("_at", "_came", "limit_bytes")

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._came = b""
        self._at = 0

    def feed(self, data: bytes) -> None:
        """Take bytes as they came from the peer, in any portion."""
        self._came = self._came[self._at :] + data
        self._at = 0

    def rest(self) -> bytes:
        """What has come and is not cut yet; it is forgotten here."""
        rest = self._came[self._at :]
        self.clear()
        return rest

    def clear(self) -> None:
        """Forget everything; for a connection that is over."""
        self._came = b""
        self._at = 0

    def next_frame(self) -> bytes | None:
        """The next whole payload, or None until more bytes come.

        Raises RemoteProtocolError as soon as the announced length is over the limit.
        """
        came = self._came
        start = self._at + HEADER.size
        if len(came) < start:
            return None
        (length,) = HEADER.unpack_from(came, self._at)
        if length > self.limit_bytes:
            raise RemoteProtocolError(
                GoodbyeCode.FRAME_TOO_LONG, f"{length} bytes announced, {self.limit_bytes} allowed"
            )
        end: int = start + length
        if len(came) < end:
            return None
        if end == len(came):
            self.clear()
        else:
            self._at = end
        return came[start:end]


T = TypeVar("T")
M = TypeVar("M", bound=msgspec.Struct)

encode: Final = msgspec.msgpack.Encoder().encode
"""The payload of one message, or a game's words."""

# Without it msgspec would take base64 text for bytes.
_BUILTIN: Final = (bytes,)

MAX_WORDS_BYTES: Final = 2048
"""Of an action or an option; the longest that makes sense has some sixty."""
MAX_WHY: Final = 200
"""So many characters of a payload are logged."""


def tags_of(messages: Iterable[type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    """The `"type"` of each message → the message."""
    return {str(message.__struct_config__.tag): message for message in messages}


def framed(message: msgspec.Struct) -> bytes:
    """One whole frame. A measured hot path: what `encode` and `frame` do, in one call."""
    payload = encode(message)
    return HEADER.pack(len(payload)) + payload


class Newest:
    """The newest message that was encoded, and its frame: what is told to many is encoded once. A
    measured hot path."""

    __slots__ = ("_message", "_whole")

    def __init__(self) -> None:
        self._message: msgspec.Struct | None = None
        self._whole = b""

    def frame(self, message: msgspec.Struct) -> bytes:
        """One whole frame. Messages never change, so the same one gives the same bytes."""
        if message is not self._message:
            payload = encode(message)
            self._whole = HEADER.pack(len(payload)) + payload
            self._message = message
        return self._whole


encode_frame: Final = Newest().frame
"""One whole frame, as `Newest` says."""


class Reader(Generic[M]):
    """Of payloads that are one of these messages each. A measured hot path may call `decode`, and
    raise what `wrong` makes of an error that is UNREADABLE."""

    def __init__(self, *messages: type[M]) -> None:
        self._tags: Final = tags_of(messages)
        self.decode: Final = msgspec.msgpack.Decoder(reduce(or_, messages)).decode

    def read(self, payload: bytes) -> M:
        """The message in a payload. Raises RemoteProtocolError: UNKNOWN_TYPE for a map of another
        type than these, MALFORMED for everything else."""
        try:
            return self.decode(payload)
        except UNREADABLE as error:
            raise self.wrong(payload, error) from None

    def wrong(self, payload: bytes, error: Exception) -> RemoteProtocolError:
        """Why this payload, which `decode` met with that error, is none of the messages."""
        try:
            tag = _tag_of(payload).type
        except UNREADABLE:
            tag = None
        if tag is None or tag in self._tags:
            return RemoteProtocolError(GoodbyeCode.MALFORMED, str(error)[:MAX_WHY])
        return RemoteProtocolError(GoodbyeCode.UNKNOWN_TYPE, f"no message of type {tag[:40]!r}")


class _Tagged(msgspec.Struct):
    type: str


_tag_of: Final = msgspec.msgpack.Decoder(_Tagged).decode
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


from_server: Final[Callable[[bytes], msgspec.Struct]] = Reader(*FROM_SERVER).read
"""The message of a server in a payload, with open fields as plain values; raises as `Reader`."""


def read_as(value: Any, kind: type[T]) -> T:
    """A plain value as `kind` (a type or a union). Raises RemoteProtocolError."""
    try:
        if isinstance(kind, type):
            return msgspec.convert(value, kind, builtin_types=_BUILTIN)
        whole: T = msgspec.convert((value,), _boxed(kind), builtin_types=_BUILTIN).value
        return whole
    except (msgspec.ValidationError, RecursionError) as error:
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, str(error)) from None


def read_whole(words: Raw | bytes, kind: Any) -> Any:
    """The words of a game, as `kind` (a type or a union); anything that it has no place for, at any
    depth, is malformed. A game's words cannot forbid it themselves: a client reads the same words
    from a newer server. Raises RemoteProtocolError."""
    came = bytes(words)
    if len(came) > MAX_WORDS_BYTES:
        need_short(came)
    try:
        read = _decoder(kind)(came)
        if encode(read) == came:  # so our own client writes it: nothing was read over
            return read
        if not _has_more(msgspec.msgpack.decode(came), to_builtins(read, builtin_types=_BUILTIN)):
            return read
        why = "more than there is a place for"
    except UNREADABLE as error:
        why = str(error)[:MAX_WHY]
    raise RemoteProtocolError(GoodbyeCode.MALFORMED, why)


def need_short(*words: Raw | bytes) -> None:
    """Raises RemoteProtocolError for more than a game has words for."""
    if any(len(one) > MAX_WORDS_BYTES for one in words):
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, f"more than {MAX_WORDS_BYTES} bytes")


def _has_more(value: Any, read: Any) -> bool:
    """Whether the reader skipped something; `read` has all its fields, also those that were left
    out."""
    if isinstance(value, dict):
        return any(name not in read or _has_more(value[name], read[name]) for name in value)
    if isinstance(value, list | tuple):
        return len(value) > len(read) or any(map(_has_more, value, read))
    return False


@cache
def _decoder(kind: Any) -> Any:
    return msgspec.msgpack.Decoder(kind).decode


@cache
def _boxed(union: Any) -> Any:
    """A Struct of one field: msgspec remembers what it found out about a Struct, and works out a
    bare union again each time, which takes five times as long as the conversion."""
    return msgspec.defstruct("Boxed", [("value", union)], array_like=True)
