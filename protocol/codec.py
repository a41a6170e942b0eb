"""Message ↔ payload; the only place where codec errors are caught.

Coming in: msgpack with every limit set, then msgspec into the typed Struct. Going out: msgspec
writes the Struct at once. The open fields of the envelope (`action`, `view`, `options` …) are
plain values after the first step; `read_as` is the second, to the type that the game names, and
`read_whole` the server's, which reads over nothing.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

import msgpack
import msgspec

from protocol.elements import more_than
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import HEADER, MAX_FRAME_BYTES

T = TypeVar("T")

Tags: TypeAlias = Mapping[str, type[msgspec.Struct]]

_encode: Final = msgspec.msgpack.Encoder().encode

# Without it msgspec would take base64 text for bytes.
_BUILTIN: Final = (bytes,)

# A key or a string longer than a frame cannot come; what bounds memory is the frame itself. The
# number of elements is bounded because msgpack makes room for what an array's header announces,
# and headers can be nested a thousand deep: with this limit 8 MB at worst, and only for a moment.
MAX_ELEMENTS: Final = 1024

MAX_CLIENT_ELEMENTS: Final = 2048
"""In a whole message of a client; the longest that makes sense has some hundred. A server reads
messages of strangers beside matches, and building so many elements takes it half a millisecond."""


def tags_of(messages: Iterable[type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    """The `"type"` of each message → the message."""
    return {str(message.__struct_config__.tag): message for message in messages}


def encode(message: msgspec.Struct) -> bytes:
    """The payload of one message."""
    return _encode(message)


def framed(message: msgspec.Struct) -> bytes:
    """One whole frame. A measured hot path: what `encode` and `frame` do, in one call."""
    payload = _encode(message)
    return HEADER.pack(len(payload)) + payload


class Newest:
    """The newest message that was encoded, and its frame: what is told to many is encoded once."""

    __slots__ = ("_message", "_whole")

    def __init__(self) -> None:
        self._message: msgspec.Struct | None = None
        self._whole = b""

    def frame(self, message: msgspec.Struct) -> bytes:
        """One whole frame. Messages never change, so the same one gives the same bytes."""
        if message is not self._message:
            self._whole = framed(message)
            self._message = message
        return self._whole


encode_frame: Final = Newest().frame
"""One whole frame, as `Newest` says."""


def decode(payload: bytes, tags: Tags, most_elements: int | None = None) -> msgspec.Struct:
    """The message in a payload; `most_elements`: how many it may have in all.

    Raises RemoteProtocolError: UNKNOWN_TYPE for a well-formed map of a type not in `tags`,
    MALFORMED for everything else.
    """
    if most_elements is not None and more_than(payload, most_elements):
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, f"more than {most_elements} elements")
    value = _unpack(payload)
    if not isinstance(value, dict) or not isinstance(tag := value.get("type"), str):
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, "no map with a type")
    if (message := tags.get(tag)) is None:
        raise RemoteProtocolError(GoodbyeCode.UNKNOWN_TYPE, f"no message of type {tag[:40]!r}")
    return read_as(value, message)


def read_as(value: Any, kind: type[T]) -> T:
    """The second step: a plain value as `kind` (a type or a union). Raises RemoteProtocolError."""
    try:
        if isinstance(kind, type):
            return msgspec.convert(value, kind, builtin_types=_BUILTIN)
        whole: T = msgspec.convert((value,), _boxed(kind), builtin_types=_BUILTIN).value
        return whole
    except (msgspec.ValidationError, RecursionError) as error:
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, str(error)) from None


def read_whole(value: Any, kind: type[T]) -> T:
    """As `read_as`, but anything that `kind` has no place for, at any depth, is malformed. A game's
    words cannot forbid it themselves: a client reads the same words from a newer server."""
    read = read_as(value, kind)
    whole = msgspec.to_builtins(read, builtin_types=_BUILTIN)
    if value != whole and _has_more(value, whole):
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, "more than there is a place for")
    return read


def _has_more(value: Any, read: Any) -> bool:
    """Whether the reader skipped something; `read` has all its fields, also those that were left
    out."""
    if isinstance(value, dict):
        return any(name not in read or _has_more(value[name], read[name]) for name in value)
    if isinstance(value, list | tuple):
        return len(value) > len(read) or any(map(_has_more, value, read))
    return False


@cache
def _boxed(union: Any) -> Any:
    """A Struct of one field: msgspec remembers what it found out about a Struct, and works out a
    bare union again each time, which takes five times as long as the conversion."""
    return msgspec.defstruct("Boxed", [("value", union)], array_like=True)


def _unpack(payload: bytes) -> Any:
    most = min(MAX_ELEMENTS, len(payload))
    try:
        return msgpack.unpackb(
            payload,
            raw=False,
            strict_map_key=True,
            max_str_len=MAX_FRAME_BYTES,
            max_bin_len=MAX_FRAME_BYTES,
            max_array_len=most,
            max_map_len=most,
            max_ext_len=0,
            ext_hook=_no_extensions,
        )
    # ValueError is the base of all of msgpack's own errors but StackError's, and of
    # UnicodeDecodeError; TypeError comes from keys that cannot be hashed.
    except (ValueError, TypeError, RecursionError, msgpack.StackError) as error:
        raise RemoteProtocolError(GoodbyeCode.MALFORMED, str(error)) from None


def _no_extensions(code: int, content: bytes) -> None:
    """An extension of no bytes is within the limit of 0."""
    raise ValueError(f"extension type {code}")
