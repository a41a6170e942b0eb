"""The client's end of a connection without any I/O: bytes in, messages out, and back.

    connection.receive_bytes(data)
    while (message := connection.next_message()) is not None: ...
    transport.write(connection.send(message))

Laws: what comes out does not depend on how the bytes were cut; both ends go through the same
states; after an error of the server nothing more is read. A client whose `hello` asks for
`changes` is sent these in place of whole views, of which nobody learns outside of here. The
server's end is a session (`server.net.session`).
"""

from msgspec import Struct

from protocol.changes import Lengthening
from protocol.codec import MAX_FRAME_BYTES, FrameDecoder, encode_frame, from_server
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.from_client import Hello
from protocol.state import TRANSITIONS, Side, State


class Connection:
    """`state`: of the connection, the same at both ends."""

    def __init__(self) -> None:
        self.state = State.OPENING
        self._deaf = False
        self._lengthening: Lengthening | None = None
        self._frames = FrameDecoder(MAX_FRAME_BYTES)

    def receive_bytes(self, data: bytes) -> None:
        """Take bytes from the server; `next_message` returns the messages in them."""
        if self.state is not State.CLOSED and not self._deaf:
            self._frames.feed(data)

    def next_message(self) -> Struct | None:
        """The server's next message, or None until more bytes come.

        Raises RemoteProtocolError when the server broke the wire; the connection reads nothing from
        then on, and `send` can only say bye.
        """
        if self.state is State.CLOSED:
            self._frames.clear()
            return None
        try:
            payload = self._frames.next_frame()
            if payload is None:
                return None
            message = from_server(payload)
            after = TRANSITIONS[Side.SERVER][self.state].get(type(message))
            if after is None:
                raise RemoteProtocolError(*self._wrong(message))
            if self._lengthening is not None:
                message = self._lengthening.of(message)
        except RemoteProtocolError:
            self._deaf = True
            self._frames.clear()
            raise
        self.state = after
        return message

    def send(self, message: Struct) -> bytes:
        """The frame to write. Raises LocalProtocolError for what a client may not say now."""
        after = TRANSITIONS[Side.CLIENT][self.state].get(type(message))
        if after is None:
            raise LocalProtocolError(*self._wrong(message))
        self.state = after
        if isinstance(message, Hello):
            self._lengthening = Lengthening(asked=message.changes)
        return encode_frame(message)

    def _wrong(self, message: Struct) -> tuple[GoodbyeCode, str]:
        """Why a message is not allowed now: the arguments of its error."""
        opening = self.state is State.OPENING
        code = GoodbyeCode.NOT_HELLO if opening else GoodbyeCode.NOT_ALLOWED
        return code, f"{type(message).__name__} while {self.state.value}"
