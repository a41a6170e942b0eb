"""Sends a newcomer what they missed and how things stand, then seats them.

Laws: a client that leaves while its history is loading is sent nothing. An update that is held back
from those who are there is held back from newcomers, too. When a match begins, every player is sent
the seat's token in the same turn of the loop, before anything else of the match.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from protocol.dealing import commitment
from protocol.from_server import Ended, History, SeatToken, Started, Update
from protocol.ids import Seat
from server.matches.inbox import Attach
from server.matches.parts import Parts
from server.matches.ports import Outbox
from server.matches.replay import Page, events_for, history


class Latecomers:
    """Lets people, bots and watchers in."""

    __slots__ = ("_parts", "started")

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        header = parts.header
        self.started: Final = Started(
            match=header.match, table=parts.table, game=header.game, sha256=commitment(header.seed)
        )

    def announce(self, newcomers: Sequence[Attach]) -> None:
        """The match has begun: tell all of them, and give every player the seat's token."""
        match, tokens = self._parts.header.match, self._parts.tokens.hand_out()
        for who in newcomers:
            who.outbox(self.started)
            if who.came_with is None or who.seat is None:
                continue  # a bot or a watcher
            if (token := tokens.get(who.seat)) is not None:
                who.outbox(SeatToken(match=match, seat=who.seat, token=token))

    def show(self, newcomers: Sequence[Attach]) -> None:
        """Send those who were told of the beginning what there is to see: the deal as it is, since
        to replay it for each of them takes as long as several moves. All who watch are sent the
        same."""
        course = self._parts.course
        opening = course.rules.opening(course.state)
        public: list[Struct] = []
        for who in newcomers:
            missed = public if who.seat is None else []
            if not missed:
                told = events_for(who.seat, opening) if who.since < 0 else []
                pages = [Page(course.version, told)] if told else []
                missed += self._missed(pages, who.seat, 0)
            self._parts.fanout.send(who.outbox, missed, 0, who.crowd)
            self._seat(who)

    async def let_in(self, who: Attach, ended: Ended | None) -> None:
        """Send the history as pages, then the view; from then on `who` gets every update. May
        raise JournalError."""
        parts = self._parts
        pages = await self._pages(who)
        token = await self._new_token(who, over=ended is not None)
        if parts.inbox.under_way is not who:
            return  # they left meanwhile
        hold_ms = 0 if ended is not None else parts.fanout.held_ms(who.seat)
        messages = [
            self.started,
            *(() if token is None else (token,)),
            *self._missed(pages, who.seat, hold_ms),
            *(() if ended is None else (ended,)),
        ]
        parts.fanout.send(who.outbox, messages, hold_ms, who.crowd)
        self._seat(who)

    async def _pages(self, who: Attach) -> Iterable[Page]:
        """The journal is not read for somebody who has seen all there is, as most have who come
        back: all players of a node that is gone do so at once."""
        parts = self._parts
        if who.since == parts.course.version:
            return ()
        _header, entries = await parts.journal.load(parts.header.match)
        return history(parts.course.rules, parts.header, entries, who.seat, who.since)

    def turn_away(self, outbox: Outbox, ended: Ended) -> None:
        """Tell a newcomer that the match was aborted."""
        outbox(self.started)
        outbox(ended)

    def _seat(self, who: Attach) -> None:
        fanout = self._parts.fanout
        if who.seat is None:
            fanout.watch(who.outbox, who.crowd)
        elif who.beside:
            fanout.sit_beside(who.seat, who.outbox)
        else:
            fanout.seat(who.seat, who.outbox, self._parts.course.version)

    async def _new_token(self, who: Attach, *, over: bool) -> SeatToken | None:
        """For a seat's owner, while there is something to come back to."""
        if who.seat is None or who.came_with is None or over:
            return None
        token = await self._parts.tokens.issue(who.seat, who.came_with)
        match = self._parts.header.match
        return None if token is None else SeatToken(match=match, seat=who.seat, token=token)

    def _missed(self, pages: Iterable[Page], seat: Seat | None, hold_ms: int) -> Iterator[Struct]:
        """The history, then the view as it is sent after `hold_ms`."""
        course = self._parts.course
        match, now_ms = course.header.match, self._parts.time.now_ms()
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
