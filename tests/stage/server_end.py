"""The server's end of a connection, without any I/O, for servers that a test makes up. A real
server's end is its session."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.changes import News, Shortening, changed_fields
from protocol.codec import MAX_FRAME_BYTES, FrameDecoder, Reader
from protocol.from_client import FROM_CLIENT, Hello
from protocol.from_server import Update

from_client: Final = Reader(*FROM_CLIENT).read


class ServerEnd:
    """It says what it is told to say, whenever that is."""

    def __init__(self) -> None:
        self._frames = FrameDecoder(MAX_FRAME_BYTES)
        self._shortening = Shortening()
        self._newest: Update | None = None

    def receive_bytes(self, data: bytes) -> None:
        """Take bytes from the client; `next_message` returns the messages in them."""
        self._frames.feed(data)

    def next_message(self) -> Struct | None:
        """The client's next message, or None until more bytes come. Raises RemoteProtocolError."""
        if (payload := self._frames.next_frame()) is None:
            return None
        message = from_client(payload)
        if isinstance(message, Hello):
            self._shortening = Shortening(asked=message.changes)
        return message

    def send(self, message: Struct) -> bytes:
        """The frame to write."""
        if isinstance(message, Update) and isinstance(message.view, Struct):
            before, self._newest = self._newest, message
            if before is not None and not (message.skipped or message.taken_back):
                changed = changed_fields(before.view, message.view)
                update = replace(message, view=None, changed=changed)
                message = News(update, before.version, message.view, {})
        return self._shortening.frame(message)
