"""One connection to another node, shared by all our callers who watch a table there.

Laws: what the other node says to all of a room is written to some of them in a turn of the loop, so
that nobody else here waits for a crowd; who does not read holds up nobody.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from server.nodes.front import BUFFER_BYTES, ToHome
from server.nodes.shared import SharedLine, Sort, Strand, number_in, unknown
from server.nodes.words import PortionKind, portion

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
