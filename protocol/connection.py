"""One end of a connection without any I/O: bytes in, messages out, and the other way round.

    connection.receive_bytes(data)
    while (message := connection.next_message()) is not None: ...
    transport.write(connection.send(message))

Laws: what comes out does not depend on how the bytes were cut; both ends go through the same
states; after an error of the peer nothing more is read.
"""

from typing import Final

from msgspec import Struct

from protocol.codec import Tags, decode, encode_frame, tags_of
from protocol.errors import GoodbyeCode, LocalProtocolError, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder
from protocol.from_client import FROM_CLIENT
from protocol.from_server import FROM_SERVER
from protocol.state import TRANSITIONS, Side, State

_TAGS: Final[dict[Side, Tags]] = {
    Side.CLIENT: tags_of(FROM_CLIENT),
    Side.SERVER: tags_of(FROM_SERVER),
}
_PEER: Final = {Side.CLIENT: Side.SERVER, Side.SERVER: Side.CLIENT}


class Connection:
    """The end that `side` holds."""

    def __init__(self, side: Side) -> None:
        self.side: Final = side
        self.state = State.OPENING
        self._deaf = False
        self._peer: Final = _PEER[side]
        self._frames = FrameDecoder(
            MAX_HELLO_BYTES if side is Side.SERVER else MAX_FRAME_BYTES,
        )

    @property
    def frame_started(self) -> bool:
        """Whether a frame has begun to come and its end is awaited."""
        return self._frames.started

    def receive_bytes(self, data: bytes) -> None:
        """Take what came from the peer; `next_message` gives it back as messages."""
        if self.state is not State.CLOSED and not self._deaf:
            self._frames.feed(data)

    def next_message(self) -> Struct | None:
        """The peer's next message, or None until more bytes come.

        Raises RemoteProtocolError when the peer broke the wire; the connection is deaf from then
        on, and the only thing left to `send` is a goodbye.
        """
        if self.state is State.CLOSED:
            self._frames.clear()
            return None
        try:
            payload = self._frames.next_frame()
            if payload is None:
                return None
            message = decode(payload, _TAGS[self._peer])
            self._move(self._peer, message)
        except RemoteProtocolError:
            self._deaf = True
            self._frames.clear()
            raise
        return message

    def send(self, message: Struct) -> bytes:
        """The frame to write. Raises LocalProtocolError for what this side may not say now."""
        self._move(self.side, message)
        return encode_frame(message)

    def may_send(self, message: type[Struct]) -> bool:
        """Whether `send` of such a message is allowed now."""
        return message in TRANSITIONS[self.side][self.state]

    def _move(self, speaker: Side, message: Struct) -> None:
        after = TRANSITIONS[speaker][self.state].get(type(message))
        if after is None:
            error = LocalProtocolError if speaker is self.side else RemoteProtocolError
            why = f"{type(message).__name__} from the {speaker.value} while {self.state.value}"
            code = GoodbyeCode.NOT_HELLO if self.state is State.OPENING else GoodbyeCode.NOT_ALLOWED
            raise error(code, why)
        if after is State.OPEN:
            self._frames.limit_bytes = MAX_FRAME_BYTES
        self.state = after
