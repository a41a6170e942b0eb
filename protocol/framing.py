"""Frames: uint32 big-endian length, then that many bytes of payload.

Law: the frames that come out do not depend on how the bytes were cut up on the way in.
"""

import struct
from typing import Final

from protocol.errors import GoodbyeCode, RemoteProtocolError

MAX_FRAME_BYTES: Final = 64 * 1024
"""A full page of the lobby is 30 kB, the longest view 2 kB; twice that is generous."""

MAX_HELLO_BYTES: Final = 1024
"""Before login nobody is worth more memory than a hello takes (about 150 bytes)."""

_HEADER: Final = struct.Struct(">I")


def frame(payload: bytes) -> bytes:
    """`payload` with its length in front."""
    return _HEADER.pack(len(payload)) + payload


class FrameDecoder:
    """Cuts a stream of bytes into payloads. `limit_bytes` may be raised while it runs."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._buffer = bytearray()

    @property
    def started(self) -> bool:
        """Whether part of a frame has come and the rest is awaited."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take bytes as they came from the peer, in any portion."""
        self._buffer += data

    def clear(self) -> None:
        """Forget everything; for a connection that is over."""
        self._buffer.clear()

    def next_frame(self) -> bytes | None:
        """The next whole payload, or None until more bytes come.

        Raises RemoteProtocolError as soon as the announced length is over the limit.
        """
        buffer = self._buffer
        if len(buffer) < _HEADER.size:
            return None
        (length,) = _HEADER.unpack_from(buffer)
        if length > self.limit_bytes:
            raise RemoteProtocolError(
                GoodbyeCode.FRAME_TOO_LONG, f"{length} bytes announced, {self.limit_bytes} allowed"
            )
        end = _HEADER.size + length
        if len(buffer) < end:
            return None
        payload = bytes(buffer[_HEADER.size : end])
        del buffer[:end]
        return payload
