"""What somebody is sent who comes to a match: what was missed, and how things are.

Laws: whoever goes while the journal is at it is sent nothing; what is held back from those who are
there is not seen by coming anew.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from protocol.dealing import commitment
from protocol.from_server import Ended, History, SeatToken, Started, Update
from protocol.ids import Seat
from server.matches.course import Course
from server.matches.fanout import Fanout, Outbox
from server.matches.inbox import Attach, Inbox
from server.matches.match_time import MatchTime
from server.matches.replay import history
from server.matches.tokens import Tokens
from server.store.journal import Entry, Journal


class Latecomers:
    """Those of one match. Everybody is one, even when it begins."""

    __slots__ = ("_course", "_fanout", "_inbox", "_journal", "_time", "_tokens", "started")

    def __init__(
        self,
        course: Course,
        journal: Journal,
        tokens: Tokens,
        inbox: Inbox,
        fanout: Fanout,
        time: MatchTime,
        table: str,
    ) -> None:
        self._course: Final = course
        self._journal: Final = journal
        self._tokens: Final = tokens
        self._inbox: Final = inbox
        self._fanout: Final = fanout
        self._time: Final = time
        header = course.header
        self.started: Final = Started(
            match=header.match, table=table, game=header.game, sha256=commitment(header.seed)
        )

    async def let_in(self, who: Attach, ended: Ended | None) -> None:
        """The history as pages, the last of them with the view; then whatever comes. May raise
        JournalError."""
        _header, entries = await self._journal.load(self._course.header.match)
        token = await self._new_token(who, over=ended is not None)
        if self._inbox.under_way is not who:
            return  # gone while the journal was at it
        hold_ms = 0 if ended is not None else self._fanout.held_ms(who.seat)
        messages = [
            self.started,
            *(() if token is None else (token,)),
            *self._missed(entries, who.seat, who.since, hold_ms),
            *(() if ended is None else (ended,)),
        ]
        self._fanout.send(who.outbox, messages, hold_ms)
        self._seat(who)

    def turn_away(self, outbox: Outbox, ended: Ended) -> None:
        """There is nothing left to see, of a match that was aborted."""
        outbox(self.started)
        outbox(ended)

    def _seat(self, who: Attach) -> None:
        if who.seat is None:
            self._fanout.watch(who.outbox)
        elif who.beside:
            self._fanout.sit_beside(who.seat, who.outbox)
        else:
            self._fanout.seat(who.seat, who.outbox, self._course.version)

    async def _new_token(self, who: Attach, *, over: bool) -> SeatToken | None:
        """For a seat's owner, while there is something to come back to."""
        if who.seat is None or who.came_with is None or over:
            return None
        token = await self._tokens.issue(who.seat, who.came_with)
        match = self._course.header.match
        return None if token is None else SeatToken(match=match, seat=who.seat, token=token)

    def _missed(
        self, entries: Sequence[Entry], seat: Seat | None, since: int, hold_ms: int
    ) -> Iterator[Struct]:
        """The history since that version as pages, then the view, sent after so long."""
        course = self._course
        match, now_ms = course.header.match, self._time.now_ms()
        pages = history(course.rules, course.header, entries, seat, since)
        for version, events, taken_back in pages:
            yield History(match=match, version=version, events=events, taken_back=taken_back)
        yield Update(
            match=match,
            version=course.version,
            ply=course.ply,
            view=course.rules.view(course.state, seat),
            events=[],
            revocable=course.revocable,
            clock=course.clocks.running(now_ms),
            at_ms=now_ms + hold_ms if course.rules.races else 0,
        )
