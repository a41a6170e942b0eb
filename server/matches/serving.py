"""Serves wishes: refuse → commit → apply → acknowledge → broadcast.

Law: never in another order. Nobody is told of an action that the journal might not have, and no
state changes before its entry was kept.
"""

from contextlib import suppress
from typing import Final

import msgspec

from protocol.ids import Key, Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.matches.course import Change
from server.matches.ending import Ending
from server.matches.inbox import Accepted, Answer, Denied, Wish
from server.matches.parts import Parts
from server.store.journal import Doubled, Entry, JournalError

_encode: Final = msgspec.msgpack.Encoder().encode


class Serving:
    """For the match's task alone. Every method that waits may raise JournalError; the task then
    calls `recover`, except when `recover` itself raised it."""

    def __init__(self, parts: Parts, ending: Ending) -> None:
        self._parts: Final = parts
        self._ending: Final = ending
        # Asked several times with every move.
        self._match: Final = parts.header.match
        self._course: Final = parts.course
        self._fanout: Final = parts.fanout
        self._journal: Final = parts.journal

    async def serve(self, wish: Wish) -> None:
        """Carry a wish out, or refuse it; answer it either way."""
        at_ms = wish.at.at_ms
        late = await self.pass_time(at_ms) if self._parts.deadlines.passed(at_ms) else None
        refusal = self._course.refuse(wish, over=self._over) or self._refuse_old_line(wish)
        if refusal is None and wish.seat == late:
            refusal = Refusal(RefusalCode.TIME_UP)
        if refusal is None:
            await (self._take_back(wish) if wish.action is None else self._play(wish))
            return
        # A retry is mostly impossible by now. Answer it with the result of the first try.
        first = await self._journal.find(self._match, wish.seat, wish.key)
        denied = Denied(refusal, self._fanout.told(wish.seat))
        self._answer(wish, denied if first is None else Accepted(first))

    def _refuse_old_line(self, wish: Wish) -> Refusal | None:
        """Refuse a wish that was made on a line that broke: in a race it was meant for that moment,
        and a shot that is sent again would go off at another."""
        if wish.version >= self._fanout.since(wish.seat):
            return None
        return Refusal(RefusalCode.STALE, {"version": self._fanout.told(wish.seat)})

    async def _play(self, wish: Wish) -> None:
        entry = Entry(wish.seat, wish.key, wish.at.at_ms, _encode(wish.action), wish.at.lags_ms)
        if not await self._keep_wish(wish, entry):
            return
        change = self._course.play(entry, wish.seat, wish.action)
        self._answer(wish, Accepted(self._course.version))
        await self._broadcast(change, actor=wish.seat)

    async def _take_back(self, wish: Wish) -> None:
        entry = Entry(wish.seat, wish.key, wish.at.at_ms, b"")
        if not await self._keep_wish(wish, entry):
            return
        _header, entries = await self._journal.load(self._match)
        change = self._course.take_back(entry, entries)
        self._answer(wish, Accepted(self._course.version))
        await self._broadcast(change, actor=wish.seat)
        self._parts.attendant.took_back(wish.seat)

    async def _keep_wish(self, wish: Wish, entry: Entry) -> bool:
        """Keep the entry. Returns False for a retry, which is answered with its first result."""
        try:
            await self._journal.append(self._match, Version(self._course.version + 1), entry)
        except Doubled as doubled:
            self._answer(wish, Accepted(doubled.version))
            return False
        self._parts.patience.renew()
        return True

    async def pass_time(self, now_ms: int) -> Seat | None:
        """Let the clocks do everything that was due by now, each at its own deadline however late
        the task wakes. Returns the seat, if any, that a bot took over."""
        late = None
        while not self._over and (due_ms := self._parts.deadlines.due_ms()) is not None:
            if due_ms > now_ms:
                break
            if due_ms == self._parts.deadlines.rules_ms():
                await self._tick(due_ms)
            else:
                late = self._parts.deadlines.fall()
        return late

    async def _tick(self, due_ms: int) -> None:
        entry = Entry(None, Key(b""), due_ms, b"")
        await self._journal.append(self._match, Version(self._course.version + 1), entry)
        self._parts.patience.renew()
        await self._broadcast(self._course.tick(entry))

    async def recover(self, error: JournalError) -> None:
        """Ask the journal whether the last entry was kept, since nobody else can know.

        The item under way is tried again, and finds its first result if there is one.
        """
        self._parts.inbox.put_back()
        await self._parts.patience.pause(error)
        if self._over:
            return
        known = self._course.version
        _header, entries = await self._parts.patience.load()
        change = self._course.reload(entries)
        await self._answer_if_kept()
        if self._course.version > known:
            self._parts.patience.renew()  # what seemed to fail was kept
            await self._broadcast(change, reloaded=True)
            for entry in entries[known:]:
                if entry.seat is not None and entry.takes_back:
                    self._parts.attendant.took_back(entry.seat)

    async def _answer_if_kept(self) -> None:
        """Acknowledge before broadcast, also an action that the journal kept without saying so."""
        wish = self._parts.inbox.first
        if not isinstance(wish, Wish):
            return
        with suppress(JournalError):  # it is answered when it is served again
            if (kept := await self._journal.find(self._match, wish.seat, wish.key)) is not None:
                self._parts.inbox.take()
                self._answer(wish, Accepted(kept))

    # The steps ----------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        return self._ending.said is not None

    def _answer(self, wish: Wish, answer: Answer) -> None:
        if self._parts.inbox.under_way is wish:  # else `detach_all` has answered it
            self._parts.inbox.settle()
            wish.answer(answer)

    async def _broadcast(
        self, change: Change, *, actor: Seat | None = None, reloaded: bool = False
    ) -> None:
        course, now_ms = self._course, self._parts.time.now_ms()
        self._fanout.update(course, change, now_ms, actor=actor, to_all=reloaded)
        if (outcome := course.rules.outcome(course.state)) is not None:
            await self._ending.reach(outcome)
