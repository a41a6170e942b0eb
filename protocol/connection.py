"""One end of a connection without any I/O: bytes in, messages out, and the other way round.

    connection.receive_bytes(data)
    while (message := connection.next_message()) is not None: ...
    transport.write(connection.send(message))

Laws: what comes out does not depend on how the bytes were cut; both ends go through the same
states; after an error of the peer nothing more is read. A client whose `hello` asks for `changes`
is sent these in place of whole views, of which nobody learns outside of here.
"""

from typing import Final

from msgspec import Struct

from protocol.changes import Lengthening, Shortening
from protocol.codec import Reader, decode, encode_frame, tags_of
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder
from protocol.from_client import FROM_CLIENT, Hello
from protocol.from_server import FROM_SERVER
from protocol.state import TRANSITIONS, Side, State

_FROM_SERVER: Final = tags_of(FROM_SERVER)


def from_server(payload: bytes) -> Struct:
    """What a server says. Raises RemoteProtocolError."""
    return decode(payload, _FROM_SERVER)


from_client: Final = Reader(*FROM_CLIENT).read
"""What a client says. Raises RemoteProtocolError."""

_PEER: Final = {Side.CLIENT: Side.SERVER, Side.SERVER: Side.CLIENT}

# Names of the module: a member asked of its class is a call.
_OPENING: Final = State.OPENING
_OPEN: Final = State.OPEN
_CLOSED: Final = State.CLOSED


class Connection:
    """The end that `side` holds. A measured hot path: tables are looked up when the state changes,
    not with every message."""

    __slots__ = (
        "_deaf",
        "_frames",
        "_heard",
        "_lengthening",
        "_peer",
        "_read",
        "_said",
        "_shortening",
        "_state",
        "side",
    )

    def __init__(self, side: Side) -> None:
        self.side: Final = side
        self._deaf = False
        self._lengthening: Lengthening | None = None
        self._shortening: Shortening | None = None
        self._peer: Final = _PEER[side]
        self._read: Final = from_client if side is Side.SERVER else from_server
        self._frames = FrameDecoder(
            MAX_HELLO_BYTES if side is Side.SERVER else MAX_FRAME_BYTES,
        )
        self._enter(_OPENING)

    @property
    def state(self) -> State:
        """The state of the connection; both ends go through the same states."""
        return self._state

    @property
    def changes(self) -> bool:
        """Whether the client's `hello` asked for the changes of views."""
        return self._shortening is not None

    def go_on(self, *, changes: bool) -> None:
        """Be open at once, for a client whom another server has welcomed."""
        self._shortening = Shortening() if changes else None
        self._enter(_OPEN)

    def rest(self) -> bytes:
        """What the peer has said and nobody has read; it is forgotten here."""
        return self._frames.rest()

    def close(self) -> None:
        """End it, whatever was said: nothing more is sent or read."""
        self._enter(_CLOSED)

    @property
    def frame_bytes(self) -> int:
        """The length of the next payload; 0 until all of it has come. `next_message`
        tells of a frame that is too long."""
        return self._frames.next_bytes

    @property
    def frame_started(self) -> bool:
        """Whether a frame has begun to come and its end is missing."""
        return self._frames.started

    def receive_bytes(self, data: bytes) -> None:
        """Take bytes from the peer; `next_message` returns the messages in them."""
        if self._state is not _CLOSED and not self._deaf:
            self._frames.feed(data)

    def next_message(self) -> Struct | None:
        """The peer's next message, or None until more bytes come.

        Raises RemoteProtocolError when the peer broke the wire; the connection reads nothing from
        then on, and `send` can only say goodbye.
        """
        if self._state is _CLOSED:
            self._frames.clear()
            return None
        try:
            payload = self._frames.next_frame()
            if payload is None:
                return None
            message = self._read(payload)
            after = self._heard.get(type(message))
            if after is None:
                raise RemoteProtocolError(*self._wrong(self._peer, message))
            if self._lengthening is not None:
                message = self._lengthening.of(message)
        except RemoteProtocolError:
            self._deaf = True
            self._frames.clear()
            raise
        if after is not self._state:
            self._enter(after)
            if isinstance(message, Hello) and message.changes:
                self._shortening = Shortening()
        return message

    def send(self, message: Struct) -> bytes:
        """The frame to write. Raises LocalProtocolError for what this side may not say now."""
        if not (whole := self.send_if_allowed(message)):
            raise LocalProtocolError(*self._wrong(self.side, message))
        return whole

    def send_if_allowed(self, message: Struct) -> bytes:
        """The frame to write, or b"" for what this side may not say now."""
        after = self._said.get(type(message))
        if after is None:
            return b""
        if after is not self._state:
            self._enter(after)
            if isinstance(message, Hello):
                self._lengthening = Lengthening(asked=message.changes)
        if self._shortening is not None:
            return self._shortening.frame(message)
        return encode_frame(message)

    def _enter(self, state: State) -> None:
        self._state = state
        self._said = TRANSITIONS[self.side][state]
        self._heard = TRANSITIONS[self._peer][state]
        if state is _OPEN:
            self._frames.limit_bytes = MAX_FRAME_BYTES

    def _wrong(self, speaker: Side, message: Struct) -> tuple[GoodbyeCode, str]:
        """Why a message is not allowed now: the arguments of its error."""
        why = f"{type(message).__name__} from the {speaker.value} while {self._state.value}"
        code = GoodbyeCode.NOT_HELLO if self._state is _OPENING else GoodbyeCode.NOT_ALLOWED
        return code, why
