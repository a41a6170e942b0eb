"""Serves wishes: refuse → commit → apply → acknowledge → broadcast.

Law: never in another order. Nobody is told of an action that the journal might not have, and no
state changes before its entry was kept.
"""

from contextlib import suppress
from typing import Any, Final

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
        self._inbox: Final = parts.inbox
        self._deadlines: Final = parts.deadlines

    async def serve(self, wish: Wish) -> None:
        """Carry a wish out, or refuse it; answer it either way."""
        at_ms, over = wish.at.at_ms, self._ending.said is not None
        late = None
        if not self._deadlines.never and self._deadlines.passed(at_ms):
            late = await self.pass_time(at_ms)
        refusal = self._course.refuse(wish, over=over)
        if refusal is None and not self._course.rules.refuses_stale:
            refusal = self._refuse_old_line(wish)
        if refusal is None and wish.seat == late:
            refusal = Refusal(RefusalCode.TIME_UP)
        if refusal is None:
            await self._carry_out(wish)
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

    async def _carry_out(self, wish: Wish) -> None:
        """Keep it, then do it, then tell of it. A retry is answered with its first result. A
        measured hot path, so it asks no other coroutine but the journal's."""
        course, action, at = self._course, wish.action, wish.at
        acted = b"" if action is None else _encode(action)
        entry = Entry(wish.seat, wish.key, at.at_ms, acted, at.lags_ms)
        try:
            await self._journal.append(self._match, Version(course.version + 1), entry)
        except Doubled as doubled:
            self._answer(wish, Accepted(doubled.version))
            return
        self._parts.patience.renew()
        if action is None:
            _header, entries = await self._journal.load(self._match)
            change = course.take_back(entry, entries)
        else:
            change = course.play(entry, wish.seat, action)
        self._answer(wish, Accepted(course.version))
        if (outcome := self._broadcast(change, actor=wish.seat)) is not None:
            await self._ending.reach(outcome)
        if action is None:
            self._parts.attendant.took_back(wish.seat)

    async def pass_time(self, now_ms: int) -> Seat | None:
        """Let the clocks do everything that was due by now, each at its own deadline however late
        the task wakes. Returns the seat, if any, that a bot took over."""
        late = None
        while self._ending.said is None and (due_ms := self._deadlines.due_ms()) is not None:
            if due_ms > now_ms:
                break
            if due_ms == self._deadlines.rules_ms():
                await self._tick(due_ms)
            else:
                late = self._deadlines.fall()
        return late

    async def _tick(self, due_ms: int) -> None:
        entry = Entry(None, Key(b""), due_ms, b"")
        await self._journal.append(self._match, Version(self._course.version + 1), entry)
        self._parts.patience.renew()
        if (outcome := self._broadcast(self._course.tick(entry))) is not None:
            await self._ending.reach(outcome)

    async def recover(self, error: JournalError) -> None:
        """Ask the journal whether the last entry was kept, since nobody else can know.

        The item under way is tried again, and finds its first result if there is one.
        """
        self._inbox.put_back()
        await self._parts.patience.pause(error)
        if self._ending.said is not None:
            return
        known = self._course.version
        _header, entries = await self._parts.patience.load()
        change = self._course.reload(entries)
        await self._answer_if_kept()
        if self._course.version > known:
            self._parts.patience.renew()  # what seemed to fail was kept
            if (outcome := self._broadcast(change, reloaded=True)) is not None:
                await self._ending.reach(outcome)
            for entry in entries[known:]:
                if entry.seat is not None and entry.takes_back:
                    self._parts.attendant.took_back(entry.seat)

    async def _answer_if_kept(self) -> None:
        """Acknowledge before broadcast, also an action that the journal kept without saying so."""
        wish = self._inbox.first
        if not isinstance(wish, Wish):
            return
        with suppress(JournalError):  # it is answered when it is served again
            if (kept := await self._journal.find(self._match, wish.seat, wish.key)) is not None:
                self._inbox.take()
                self._answer(wish, Accepted(kept))

    # The steps ----------------------------------------------------------------------------------

    def _answer(self, wish: Wish, answer: Answer) -> None:
        if self._inbox.under_way is wish:  # else `detach_all` has answered it
            self._inbox.settle()
            wish.answer(answer)

    def _broadcast(
        self, change: Change, *, actor: Seat | None = None, reloaded: bool = False
    ) -> Any:
        """Tell everybody. Returns the outcome, if that was the end, for `Ending.reach`."""
        course = self._course
        # Only a clock and a race show the time.
        now_ms = 0 if self._deadlines.never else self._parts.time.now_ms()
        self._fanout.update(course, change, now_ms, actor=actor, to_all=reloaded)
        return course.rules.outcome(course.state)
