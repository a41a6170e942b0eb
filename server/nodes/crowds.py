"""One connection from another node, shared by all its callers who watch a table here.

Laws: what all watchers of a table are told is encoded once and said once on this line for those who
want whole views, and once for those who want changes; a watcher who does not read is told alone
until they do, and nobody waits for them. Each of them is a session of this node, as any other.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import Struct

from protocol.changes import News, Shortening
from protocol.codec import encode_frame
from protocol.from_server import Update
from protocol.ids import TableCode
from server.matches.fanout import Aside, Outbox
from server.net.session import Session
from server.net.spectating import Unshown
from server.nodes.homecoming import FarLine
from server.nodes.shared import NUMBER, SharedLine, Sort, Strand, unknown

if TYPE_CHECKING:
    from server.nodes.splicing import Splicing

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
        self._shortening: Final = Shortening() if changes else None
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
            self._line.say(Sort.ALL, self._table, self._frame(message))

    def _frame(self, message: Struct) -> bytes:
        if self._shortening is not None:
            return self._shortening.frame(message)
        return encode_frame(message.whole() if isinstance(message, News) else message)

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
        whole = self._frame(message)
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
