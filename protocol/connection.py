"""Which message a state of a connection allows, and the client's end of one, without I/O.

connection.receive_bytes(data)
    while (message := connection.next_message()) is not None: ...
    transport.write(connection.send(message))

Laws: what comes out does not depend on how the bytes were cut; both ends go through the same
states; after an error of the server nothing more is read. A client whose `hello` asks for
`changes` is sent these in place of whole views, of which nobody learns outside of here. The
server's end is a session (`server.net.session`).
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.changes import Lengthening
from protocol.codec import MAX_FRAME_BYTES, FrameDecoder, encode_frame, from_server
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.from_client import Hello

# Which message is allowed in which state of a connection, as data.
#
#     OPENING --hello--> GREETED --welcome--> OPEN --bye | goodbye--> CLOSED
#
# What is impossible only because the world moved on meanwhile (acting at a table that has just
# been closed, say) is no error of the wire: the server refuses it. So lobby and table are no
# states here.


class Side(Enum):
    CLIENT = "client"
    SERVER = "server"


class State(Enum):
    OPENING = "opening"
    GREETED = "greeted"
    OPEN = "open"
    CLOSED = "closed"


Moves: TypeAlias = Mapping[State, Mapping[type[Struct], State]]

_CLIENT_WHEN_OPEN: Final[dict[type[Struct], State]] = {
    message: State.OPEN
    for message in client.FROM_CLIENT
    if message not in (client.Hello, client.Bye)
}
_SERVER_WHEN_OPEN: Final[dict[type[Struct], State]] = {
    message: State.OPEN
    for message in server.FROM_SERVER
    if message not in (server.Welcome, server.Goodbye)
}

TRANSITIONS: Final[Mapping[Side, Moves]] = {
    Side.CLIENT: {
        State.OPENING: {client.Hello: State.GREETED, client.Bye: State.CLOSED},
        State.GREETED: {client.Bye: State.CLOSED},
        State.OPEN: {**_CLIENT_WHEN_OPEN, client.Bye: State.CLOSED},
        State.CLOSED: {},
    },
    Side.SERVER: {
        State.OPENING: {server.Goodbye: State.CLOSED},
        State.GREETED: {server.Welcome: State.OPEN, server.Goodbye: State.CLOSED},
        State.OPEN: {**_SERVER_WHEN_OPEN, server.Goodbye: State.CLOSED},
        State.CLOSED: {},
    },
}
"""Who speaks → state before → message → state after; what is not listed is not allowed."""


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
