"""Frames: uint32 big-endian length, then that many bytes of payload.

Law: the frames that come out do not depend on how the bytes were cut up on the way in.
"""

import struct
from typing import Final

from protocol.errors import GoodbyeCode, RemoteProtocolError

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
