"""A caller who has dialled one node while another serves them: their two ends.

A caller at the node that they have dialled, while another node serves them: bytes are copied
both ways.

Laws: a side that does not read keeps the other from sending; little waits in between. The caller
hears whole frames only, so whatever happens to the line, they can be told so.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import structlog

from protocol.errors import GoodbyeCode, RemoteProtocolError
from server.doors.tls import Within
from server.net.session import Session
from server.nodes.lines import (
    MOST_BYTES,
    MOST_FIRST_BYTES,
    LedCaller,
    Moved,
    PortionKind,
    Portions,
    in_pieces,
    portion,
    read,
    write,
)
from server.tasks import Timer

if TYPE_CHECKING:
    from server.net.session import Enter
    from server.nodes.splicing import Splicing

BUFFER_BYTES: Final = 32 * 1024
"""What waits here for the other node."""


class Home(NamedTuple):
    """A node that serves a caller. `name`: as in its certificate; `address`: HOST:PORT."""

    name: str
    address: str


class Front(asyncio.Protocol):
    """The protocol of the caller's line, from now on. `said`: what they have said and no node has
    served. `most_s`: how long they may read nothing."""

    def __init__(self, session: Session, said: bytes, most_s: float, splicing: "Splicing") -> None:
        self.session: Final = session
        self.home: Home | None = None
        self._most_s: Final = most_s
        self._full: Final = Timer()
        self._splicing: Final = splicing
        self._line, rest = session.lend(self)
        self._said = bytearray(said + rest)
        self._to_home: ToHome | None = None
        self.over = False
        """Whether this is the caller's protocol no more."""

    @property
    def far(self) -> "FarLine | None":
        """The line to the caller's own front, if another node is that."""
        return self._line if isinstance(self._line, FarLine) else None

    # From the caller ------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._to_home is None:
            self._said += data
        else:
            self._to_home.say(PortionKind.DATA, data)

    def pause_writing(self) -> None:
        self.session.pause_writing()
        self._full.start(self._most_s, self._line.abort)  # the home hears nothing of it meanwhile
        if self._to_home is not None:
            self._to_home.listen(False)

    def resume_writing(self) -> None:
        self.session.resume_writing()
        self._full.stop()
        if self._to_home is not None:
            self._to_home.listen(True)

    def connection_lost(self, error: Exception | None) -> None:
        self._end()
        self.session.connection_lost(error)

    # To the home ----------------------------------------------------------------------------------

    def line_to(self, home: Home, caller: LedCaller) -> "ToHome":
        """The protocol of a line to this node, which takes the caller over when it stands."""

        def stands() -> None:
            self.home, self._to_home = home, line
            line.say(PortionKind.INTRODUCTION, write(caller))
            self._pass_on(line)
            line.listen(not self.session.slow)
            self._line.resume_reading()

        line = ToHome(self, stands)
        return line

    def _pass_on(self, line: "ToHome") -> None:
        for piece in in_pieces(self.take_said()):
            line.say(PortionKind.DATA, piece)

    def take_said(self) -> bytes:
        said, self._said = bytes(self._said), bytearray()
        return said

    def give_back(self, *, served: int = 0) -> None:
        """Let this node serve the caller again. `served`: so many bytes of what they said need
        nothing more."""
        if not self.over:
            self._end()
            self.session.take_back(self.take_said()[served:])

    def _end(self) -> None:
        if not self.over:
            self.over = True
            self._full.stop()
            self._leave_home()
            self._splicing.fronts.discard(self)

    def _leave_home(self) -> None:
        line, self._to_home, self.home = self._to_home, None, None
        if line is not None:
            line.close()

    def part(self) -> None:
        """Tell the caller that this node stops, and close."""
        self._end()
        self.session.part()

    def listen(self, *, on: bool) -> None:
        """Whether the caller may go on, for the line to the home has room."""
        if not self.over:
            if on:
                self._line.resume_reading()
            else:
                self._line.pause_reading()

    # From the home --------------------------------------------------------------------------------

    def tell(self, frames: bytes) -> None:
        """Something that others are told, too."""
        if not self.over:
            self.session.pass_on(frames)

    def heard(self, word: PortionKind, content: bytes) -> None:
        """Raises RemoteProtocolError."""
        match word:
            case PortionKind.DATA:
                self._line.write(content)
            case PortionKind.END:
                self._end()
                self._line.close()
            case PortionKind.MOVE:
                self._line.pause_reading()
                assert self._to_home is not None
                self._to_home.say(PortionKind.STOP)
                self._to_home.begin_moving()
            case _:
                raise RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{word.name} now")

    def moved(self, to: Moved, said: bytes) -> None:
        """The home has let go of the caller, who had said this there."""
        self._leave_home()
        self._said = bytearray(said) + self._said
        self._splicing.lead_on(self, to)

    def home_lost(self) -> None:
        """Nothing more comes from there, and the home did not want it so: the caller dials again,
        also one who only watches."""
        if not self.over:
            self._end()
            self.session.goodbye(GoodbyeCode.SILENT)


class ToHome(asyncio.Protocol):
    """The line to the node that serves the caller."""

    def __init__(self, front: Front, stands: Callable[[], None]) -> None:
        self._front: Final = front
        self._stands: Final = stands
        self._portions: Final = Portions()
        self._line: asyncio.Transport | None = None
        self._moving = self._closed = False
        self._moved: Moved | None = None
        self._said = bytearray()
        self.stood = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        self._line.set_write_buffer_limits(high=BUFFER_BYTES)
        if self._front.over:
            self.close()
        else:
            self.stood = True
            self._stands()

    def say(self, word: PortionKind, content: bytes = b"") -> None:
        if self._line is not None and not self._closed:
            self._line.write(portion(word, content))

    def listen(self, on: bool) -> None:
        if self._line is not None and not self._closed:
            if on:
                self._line.resume_reading()
            else:
                self._line.pause_reading()

    def begin_moving(self) -> None:
        """What comes from now on is not for the caller, once the home has said where they go."""
        self._moving = True

    def close(self) -> None:
        self._closed = True
        if self._line is not None:
            self._line.close()

    def data_received(self, data: bytes) -> None:
        try:
            for word, content in self._portions.of(data):
                if self._closed:
                    return
                self._heard(word, content)
        except RemoteProtocolError as error:
            structlog.get_logger().warning("another node talks nonsense", why=error.why)
            self._lost()

    def tell(self, frames: bytes) -> None:
        """What the home tells all of a crowd."""
        self._front.tell(frames)

    def _heard(self, word: PortionKind, content: bytes) -> None:
        if self._moving and word is PortionKind.MOVED and self._moved is None:
            self._moved = read(content, Moved)
        elif self._moved is None:
            self._front.heard(word, content)
        elif word is PortionKind.DATA:
            self._said += content
        elif word is PortionKind.END:
            self._front.moved(self._moved, bytes(self._said))
        else:
            raise RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{word.name} now")

    def pause_writing(self) -> None:
        self._front.listen(on=False)

    def resume_writing(self) -> None:
        if not self._moving:
            self._front.listen(on=True)

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()

    def _lost(self) -> None:
        if not self._closed:
            self.close()
            if self.stood:
                self._front.home_lost()


# A caller who came by another node, at the node where their table is.
#
# Laws: only a node of the cluster gets this far. What it says is bounded in length, and in time
# until the caller is introduced; what it says wrongly ends this caller's line and no other.


_MOST_SAID_BYTES: Final = 1 << 20
"""What may come from a caller who is on the way to another node; an honest one says little."""


class FarLine(Within):
    """On the line to the caller's front node; inside is their session."""

    def __init__(self, splicing: "Splicing", enter: "Enter | None" = None) -> None:
        """`enter`: of a caller who shares the line between the nodes with others. Any other line
        may turn out to be something else than a caller's."""
        super().__init__()
        self._splicing: Final = splicing
        self._enter: Final = enter
        self._portions: Final = Portions(MOST_FIRST_BYTES)
        self._when_free: Callable[[], None] | None = None

    # From the front -----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        try:
            for word, content in self._portions.of(data):
                if self._closing:
                    return
                if self._inside is None and self._enter is None:
                    other = self._splicing.other_line(word, content)
                    if other is not None:
                        self._give_way(other)
                        return
                self._heard(word, content)
        except RemoteProtocolError as error:
            structlog.get_logger().warning("another node talks nonsense", why=error.why)
            self.abort()

    def _give_way(self, to: asyncio.Protocol) -> None:
        assert self._outer is not None
        self._outer.set_protocol(to)
        to.connection_made(self._outer)
        self._end_waiting()
        if rest := self._portions.rest():
            to.data_received(rest)

    def _heard(self, word: PortionKind, content: bytes) -> None:
        if self._inside is None:
            if word is not PortionKind.INTRODUCTION:
                raise RemoteProtocolError(GoodbyeCode.NOT_HELLO, "nobody was introduced")
            introduction = read(content, LedCaller)
            self._portions.allow(MOST_BYTES)
            self._splicing.welcome(introduction, self, self._enter)
            self._end_waiting()
        elif word is PortionKind.DATA:
            self._inside.data_received(content)
        elif word is PortionKind.STOP and self._when_free is not None:
            self._when_free()
        else:
            raise RemoteProtocolError(GoodbyeCode.NOT_ALLOWED, f"{word.name} now")

    # From the session -----------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        if not self._closing and self._outer is not None:
            self._outer.write(portion(PortionKind.DATA, data))

    def close(self) -> None:
        if not self._closing and self._outer is not None:
            self._closing = True
            self._outer.write(portion(PortionKind.END))
            self._outer.close()

    def pause_reading(self) -> None:
        if self._outer is not None:
            self._outer.pause_reading()

    def resume_reading(self) -> None:
        if self._outer is not None and not self._closing:
            self._outer.resume_reading()

    # On the way to another node -------------------------------------------------------------------

    def free(self, then: Callable[[], None]) -> None:
        """Ask the front to say nothing more of this caller; call `then` when it says nothing."""
        if self._outer is not None and not self._closing:
            self._when_free = then
            self._outer.write(portion(PortionKind.MOVE))
            self._outer.resume_reading()

    def move(self, to: Moved, said: bytes) -> None:
        """Have the front lead the caller there, who has said this; the last word here."""
        if self._outer is None or self._closing or len(said) > _MOST_SAID_BYTES:
            self.abort()
            return
        self._outer.write(portion(PortionKind.MOVED, write(to)))
        for piece in in_pieces(said):
            self._outer.write(portion(PortionKind.DATA, piece))
        self.close()
