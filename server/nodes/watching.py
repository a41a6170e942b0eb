"""All our watchers of a table on another node share a connection: its end here, its end there.

Laws: what the other node says to all of a room is written to some of them in a turn of the loop, so
that nobody else here waits for a crowd; who does not read holds up nobody.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import structlog
from msgspec import Struct

from protocol.changes import News, Shortening
from protocol.from_server import Update
from protocol.ids import TableCode
from server.matches.fanout import Aside, Outbox
from server.net.session import Session
from server.net.spectating import Unshown
from server.nodes.callers import BUFFER_BYTES, FarLine, ToHome
from server.nodes.lines import (
    NUMBER,
    PortionKind,
    SharedLine,
    Sort,
    Strand,
    number_in,
    portion,
    unknown,
)

if TYPE_CHECKING:
    from server.nodes.splicing import Splicing

AT_A_TURN: Final = 64
"""So many are written to: a write takes some 10 us."""
WAITING: Final = 256
"""So much that the other node has said may wait to be written; then it is not read."""


class UpStrand(Strand):
    """Of one caller. `rooms`: that they hear; `queued`: so much of what is said to them waits."""

    def __init__(self, upstream: "Upstream", number: int, inside: ToHome) -> None:
        super().__init__(upstream, number, inside)
        self._to_home: Final = inside
        self.rooms: Final[set[int]] = set()
        self.queued = 0
        self._unheard_bytes = 0
        self._slow = False

    def write(self, data: Any) -> None:
        super().write(data)
        before, self._unheard_bytes = self._unheard_bytes, self._unheard_bytes + len(data)
        if before <= BUFFER_BYTES < self._unheard_bytes:
            self._to_home.pause_writing()

    def heard(self, served_bytes: int) -> None:
        """The home has served so much of what was written."""
        before, self._unheard_bytes = self._unheard_bytes, self._unheard_bytes - served_bytes
        if before > BUFFER_BYTES >= self._unheard_bytes:
            self._to_home.resume_writing()

    def pause_reading(self) -> None:
        """The caller does not read: the home is told, and sends less."""
        if not self._slow and not self._closing:
            self._slow = True
            self._shared.say(Sort.SLOW, self.number)

    def resume_reading(self) -> None:
        if self._slow and not self._closing:
            self._slow = False
            self._shared.say(Sort.FREE, self.number)

    def comes(self, content: bytes) -> None:
        if not self._closing:
            self._to_home.data_received(content)
            if self._slow:
                self._to_home.tell(b"")  # who does not read is cut, as at their home

    def tell(self, frames: bytes) -> None:
        """Something that was said to a room."""
        if not self._closing:
            self._to_home.tell(frames)


class Upstream(SharedLine[UpStrand]):
    """`ready`: done when the other node shares the line, or the line has ended (`over`). `gone`:
    told when it has."""

    def __init__(self, gone: "Callable[[Upstream], None]") -> None:
        super().__init__()
        self._gone: Final = gone
        self._rooms: Final[dict[int, dict[UpStrand, None]]] = {}
        self._queue: Final[deque[Iterator[None]]] = deque()
        self._turn_comes = False
        self._numbers = 0
        self.ready: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self.over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert self._line is not None
        self._line.write(portion(PortionKind.SHARES))

    def open(self, to_home: ToHome) -> None:
        """Have this protocol of a caller on a strand of its own."""
        self._numbers += 1
        strand = UpStrand(self, self._numbers, to_home)
        self._strands[strand.number] = strand
        self.say(Sort.OPEN, strand.number)
        to_home.connection_made(strand)

    def forget(self, strand: Strand) -> None:
        super().forget(strand)
        for listeners in self._rooms.values():
            listeners.pop(strand, None)  # type: ignore[call-overload]
        if not self._strands and self._line is not None:
            asyncio.get_running_loop().call_soon(self._close_if_idle)

    def _close_if_idle(self) -> None:
        if not self._strands and self._line is not None:
            self.over = True
            self._gone(self)
            self._line.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.over = True
        self._gone(self)
        if not self.ready.done():
            self.ready.set_result(None)
        super().connection_lost(error)

    # From the other node --------------------------------------------------------------------------

    def _heard(self, sort: int, number: int, content: bytes) -> None:
        if sort == Sort.READY:
            if not self.ready.done():
                self.ready.set_result(None)
        elif sort == Sort.ALL:
            self._soon(self._told(number, content))
        elif sort in (Sort.DATA, Sort.HEARD, Sort.JOIN, Sort.PART, Sort.CLOSE):
            if (strand := self._strands.get(number)) is not None:
                self._to_one(strand, sort, content)
        else:
            raise unknown(sort)

    def _to_one(self, strand: UpStrand, sort: int, content: bytes) -> None:
        if sort == Sort.HEARD:
            strand.heard(number_in(content))
        elif sort == Sort.DATA and not (strand.rooms or strand.queued):
            strand.comes(content)
        else:
            room = number_in(content) if sort in (Sort.JOIN, Sort.PART) else 0
            strand.queued += 1
            self._soon(self._in_order(strand, sort, content, room))

    def _in_order(self, strand: UpStrand, sort: int, content: bytes, room: int) -> Iterator[None]:
        """What comes to one strand, behind what was said to its rooms before."""
        strand.queued -= 1
        match sort:
            case Sort.DATA:
                strand.comes(content)
            case Sort.JOIN:
                if strand.number in self._strands:
                    strand.rooms.add(room)
                    self._rooms.setdefault(room, {})[strand] = None
            case Sort.PART:
                strand.rooms.discard(room)
                listeners = self._rooms.get(room, {})
                listeners.pop(strand, None)
                if not listeners:
                    self._rooms.pop(room, None)
            case Sort.CLOSE:
                strand.ends()
        yield

    def _told(self, room: int, content: bytes) -> Iterator[None]:
        for strand in tuple(self._rooms.get(room, ())):
            strand.tell(content)
            yield

    # In turns -------------------------------------------------------------------------------------

    def _soon(self, work: Iterator[None]) -> None:
        self._queue.append(work)
        if len(self._queue) == WAITING and self._line is not None:
            self._line.pause_reading()
        if not self._turn_comes:
            self._work()

    def _work(self) -> None:
        self._turn_comes = False
        most = AT_A_TURN
        while self._queue and most:
            try:
                next(self._queue[0])
                most -= 1
            except StopIteration:
                self._queue.popleft()
        if self._queue:
            self._turn_comes = True
            asyncio.get_running_loop().call_soon(self._work)
        if len(self._queue) < WAITING and self._line is not None:
            self._line.resume_reading()


# One connection from another node, shared by all its callers who watch a table here.
#
# Laws: what all watchers of a table are told is encoded once and said once on this line for those
# who want whole views, and once for those who want changes; a watcher who does not read is told
# alone until they do, and nobody waits for them. Each of them is a session of this node, as any
# other.


HEARD_BYTES: Final = 8 * 1024
"""So much of what a caller says is served before their front is told."""


class DownStrand(Strand):
    """Of one caller."""

    def __init__(self, crowds: "Crowds", number: int, inside: FarLine) -> None:
        super().__init__(crowds, number, inside)
        self._paused = False
        self._kept: Final = bytearray()
        self._heard_bytes = 0

    def comes(self, content: bytes) -> None:
        self._kept.extend(content)
        self._serve()

    def _serve(self) -> None:
        if self._kept and not self._paused and not self._closing:
            content = bytes(self._kept)
            self._kept.clear()
            self._heard_bytes += len(content)
            self._inside.data_received(content)
        if self._heard_bytes > HEARD_BYTES and not self._closing:
            self._shared.say(Sort.HEARD, self.number, NUMBER.pack(self._heard_bytes))
            self._heard_bytes = 0

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            asyncio.get_running_loop().call_soon(self._serve)

    def reads(self, *, on: bool) -> None:
        """Whether the caller reads what is said to them."""
        if on:
            self._inside.resume_writing()
        else:
            self._inside.pause_writing()


class Crowds(SharedLine[DownStrand]):
    """`most_bytes`: what may wait on the line for each caller."""

    def __init__(self, splicing: "Splicing", most_bytes: int) -> None:
        super().__init__()
        self._splicing: Final = splicing
        self._most_bytes: Final = most_bytes
        self._of: Final[dict[tuple[TableCode, bool], Crowd]] = {}
        self._rooms: Final = count(1)
        self.slow = False
        """Whether the other node does not read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.say(Sort.READY, 0)

    def _heard(self, sort: int, number: int, content: bytes) -> None:
        strand = self._strands.get(number)
        match sort:
            case Sort.OPEN if strand is None:
                far = FarLine(self._splicing, partial(self.entered, number))
                self._strands[number] = opened = DownStrand(self, number, far)
                far.connection_made(opened)
            case Sort.DATA | Sort.CLOSE | Sort.SLOW | Sort.FREE if strand is None:
                pass  # it was closed here meanwhile
            case Sort.DATA if strand is not None:
                strand.comes(content)
            case Sort.CLOSE if strand is not None:
                strand.ends()
            case Sort.SLOW | Sort.FREE if strand is not None:
                strand.reads(on=sort == Sort.FREE)
            case _:
                raise unknown(sort)

    def new_room(self) -> int:
        return next(self._rooms)

    def entered(self, number: int, session: Session, table: TableCode) -> "Crowd":
        """The crowd that the session on this strand is in from now on."""
        key = table, session.changes
        if (crowd := self._of.get(key)) is None:
            crowd = self._of[key] = Crowd(self, session.changes, partial(self._of.pop, key, None))
        crowd.enter(session, number)
        return crowd

    # The whole line -------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        self.slow = True
        for crowd in self._of.values():
            crowd.line_is_slow()

    def resume_writing(self) -> None:
        self.slow = False
        for crowd in list(self._of.values()):
            crowd.line_drained()

    def _write(self) -> None:
        super()._write()
        most_bytes = self._most_bytes * (1 + len(self._strands))
        if self.slow and self._line and self._line.get_write_buffer_size() > most_bytes:
            structlog.get_logger().info("cut: a node does not read", callers=len(self._strands))
            self.abort()


class Crowd:
    """Those on this line who watch one table and want the same of
    views. Two rooms: of all, and of those who are shown the match together."""

    def __init__(self, line: Crowds, changes: bool, gone: Callable[[], object]) -> None:
        self._line: Final = line
        self._gone: Final = gone
        self._table, self._shown = line.new_room(), line.new_room()
        self._shortening: Final = Shortening(asked=changes)
        self._slow = line.slow
        self._unshown: Final = Unshown()
        self._match = ""
        self._here: Final[dict[Outbox, tuple[Session, int]]] = {}
        """With the numbers of their strands."""
        self._alone: Final[dict[Outbox, Session]] = {}
        """Who is shown the match, each alone, until the next update: all get that."""
        self._together: Final[set[Outbox]] = set()

    # Who is in it ---------------------------------------------------------------------------------

    def enter(self, guest: Session, number: int) -> None:
        """They watch the table: they are told what everybody there is told."""
        self._here[guest.show] = guest, number
        self._line.say(Sort.JOIN, number, NUMBER.pack(self._table))

    def leave(self, guest: Session) -> None:
        _guest, number = self._here.pop(guest.show)
        self._alone.pop(guest.show, None)
        self._line.say(Sort.PART, number, NUMBER.pack(self._table))
        self._part(guest.show, number)
        if not self._here:
            self._gone()

    def gather(self) -> None:
        for outbox, (guest, _number) in self._here.items():
            if guest.slow:
                self._alone[outbox] = guest
            elif outbox not in self._together:
                self._alone.pop(outbox, None)
                self._join(outbox)

    def hide(self, outbox: Outbox) -> None:
        self._alone.pop(outbox, None)
        if outbox in self._together:
            self._part(outbox, self._here[outbox][1])

    @property
    def empty(self) -> bool:
        return not self._here

    def _join(self, outbox: Outbox) -> None:
        """They have just been sent the same update as those who are told together, or a match
        begins, of which nobody has a view."""
        guest, number = self._here[outbox]
        guest.whole_next()
        self._together.add(outbox)
        self._line.say(Sort.JOIN, number, NUMBER.pack(self._shown))

    def _part(self, outbox: Outbox, number: int) -> None:
        if outbox in self._together:
            self._together.discard(outbox)
            self._line.say(Sort.PART, number, NUMBER.pack(self._shown))

    def falls_behind(self, guest: Session) -> None:
        _guest, number = self._here[guest.show]
        if guest.show in self._together:
            self._part(guest.show, number)
            self._alone[guest.show] = guest

    # What they are told ---------------------------------------------------------------------------

    def send(self, message: Struct) -> None:
        if self._here:
            self._line.say(Sort.ALL, self._table, self._shortening.frame(message))

    def show(self, message: Struct) -> None:
        if isinstance(message, Aside):
            self._aside(message)
        else:
            update = message.update if isinstance(message, News) else message
            self._match = getattr(update, "match", "")
            if self._slow:
                self._unshown.add(message)
            else:
                self._tell(message)

    def _aside(self, aside: Aside) -> None:
        if aside.outbox not in self._here:
            return  # they have left meanwhile
        if aside.message is not None:
            aside.outbox(aside.message)
        elif aside.outbox not in self._together:
            self._alone[aside.outbox] = self._here[aside.outbox][0]

    def _tell(self, message: Struct) -> None:
        """A measured hot path: every move."""
        whole = self._shortening.frame(message)
        if self._together:
            self._line.say(Sort.ALL, self._shown, whole)
        if self._alone:
            for outbox in list(self._alone):
                outbox(message)
            if isinstance(message, Update | News):
                for outbox, guest in list(self._alone.items()):
                    if not guest.slow:
                        del self._alone[outbox]
                        self._join(outbox)

    def line_is_slow(self) -> None:
        self._slow = True

    def line_drained(self) -> None:
        self._slow = False
        for message in self._unshown.take(self._match):
            self._tell(message)
