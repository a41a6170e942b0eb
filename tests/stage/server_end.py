"""The server's end of a connection, without any I/O, for servers that a test makes up. A real
server's end is its session."""

from typing import Final

from msgspec import Struct

from protocol.changes import Shortening
from protocol.codec import Reader, encode_frame
from protocol.framing import MAX_FRAME_BYTES, FrameDecoder
from protocol.from_client import FROM_CLIENT, Hello

from_client: Final = Reader(*FROM_CLIENT).read


class ServerEnd:
    """It says what it is told to say, whenever that is."""

    def __init__(self) -> None:
        self._frames = FrameDecoder(MAX_FRAME_BYTES)
        self._shortening: Shortening | None = None

    def receive_bytes(self, data: bytes) -> None:
        """Take bytes from the client; `next_message` returns the messages in them."""
        self._frames.feed(data)

    def next_message(self) -> Struct | None:
        """The client's next message, or None until more bytes come. Raises RemoteProtocolError."""
        if (payload := self._frames.next_frame()) is None:
            return None
        message = from_client(payload)
        if isinstance(message, Hello) and message.changes:
            self._shortening = Shortening()
        return message

    def send(self, message: Struct) -> bytes:
        """The frame to write."""
        return self._shortening.frame(message) if self._shortening else encode_frame(message)
