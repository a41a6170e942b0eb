"""How a match serves a wish: refuse → commit → apply → acknowledge → broadcast.

Law: never in another order. Nobody is told of an action that the journal might not have, and no
state changes before its entry is kept.
"""

from contextlib import suppress
from typing import Final

import msgspec

from protocol.ids import Key, Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.matches.attendant import Attendant
from server.matches.course import Change, Course
from server.matches.deadlines import Deadlines
from server.matches.ending import Ending
from server.matches.fanout import Fanout
from server.matches.inbox import Accepted, Answer, Denied, Inbox, Wish
from server.matches.match_time import MatchTime
from server.matches.patience import Patience
from server.store.journal import Doubled, Entry, Journal, JournalError

_encode: Final = msgspec.msgpack.Encoder().encode


class Serving:
    """Of one match, for its task alone. Every method that waits may raise JournalError; `recover`
    follows, except where that was what failed."""

    def __init__(
        self,
        course: Course,
        deadlines: Deadlines,
        inbox: Inbox,
        fanout: Fanout,
        ending: Ending,
        journal: Journal,
        patience: Patience,
        time: MatchTime,
        attendant: Attendant,
    ) -> None:
        self._match: Final = course.header.match
        self._course: Final = course
        self._deadlines: Final = deadlines
        self._inbox: Final = inbox
        self._fanout: Final = fanout
        self._ending: Final = ending
        self._journal: Final = journal
        self._patience: Final = patience
        self._time: Final = time
        self._attendant: Final = attendant

    async def serve(self, wish: Wish) -> None:
        """Answer it, and do what it asks if that is possible."""
        late = await self.pass_time(wish.at.at_ms)
        refusal = self._course.refuse(wish, over=self._over) or self._refuse_old_line(wish)
        if refusal is None and wish.seat == late:
            refusal = Refusal(RefusalCode.TIME_UP)
        if refusal is None:
            await (self._take_back(wish) if wish.action is None else self._play(wish))
            return
        # A retry is impossible by now as a rule; it is answered with what came of it before.
        first = await self._journal.find(self._match, wish.seat, wish.key)
        denied = Denied(refusal, self._fanout.told(wish.seat))
        self._answer(wish, denied if first is None else Accepted(first))

    def _refuse_old_line(self, wish: Wish) -> Refusal | None:
        """What was asked on a line that broke was meant for that moment: in a race, a shot that is
        sent again would go off in another one."""
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
        self._attendant.took_back(wish.seat)

    async def _keep_wish(self, wish: Wish, entry: Entry) -> bool:
        """Whether it is new; a retry is answered with what came of the first try."""
        try:
            await self._keep(entry)
        except Doubled as doubled:
            self._answer(wish, Accepted(doubled.version))
            return False
        return True

    async def pass_time(self, now_ms: int) -> Seat | None:
        """All that the clocks do up to now, each at its deadline however late the task wakes. The
        seat, if any, that somebody else plays since."""
        late = None
        while not self._over and (due_ms := self._deadlines.due_ms()) is not None:
            if due_ms > now_ms:
                break
            if due_ms == self._deadlines.rules_ms():
                await self._tick(due_ms)
            else:
                late = self._deadlines.fall()
        return late

    async def _tick(self, due_ms: int) -> None:
        entry = Entry(None, Key(b""), due_ms, b"")
        await self._keep(entry)
        await self._broadcast(self._course.tick(entry))

    async def recover(self, error: JournalError) -> None:
        """Whether the last entry was kept is for the journal to say; until then for nobody.

        What was under way is tried again, and finds its first result if there is one.
        """
        self._inbox.put_back()
        await self._patience.pause(error)
        if self._over:
            return
        known = self._course.version
        _header, entries = await self._patience.load()
        change = self._course.reload(entries)
        await self._answer_if_kept()
        if self._course.version > known:
            await self._broadcast(change, anew=True)
            for entry in entries[known:]:
                if entry.seat is not None and entry.takes_back:
                    self._attendant.took_back(entry.seat)

    async def _answer_if_kept(self) -> None:
        """Acknowledge comes before broadcast, also for what the journal kept and did not say."""
        wish = self._inbox.first
        if not isinstance(wish, Wish):
            return
        with suppress(JournalError):  # then it is answered when it is served
            if (kept := await self._journal.find(self._match, wish.seat, wish.key)) is not None:
                self._inbox.take()
                self._answer(wish, Accepted(kept))

    # The steps ----------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        return self._ending.said is not None

    async def _keep(self, entry: Entry) -> None:
        await self._journal.append(self._match, Version(self._course.version + 1), entry)
        self._patience.renew()

    def _answer(self, wish: Wish, answer: Answer) -> None:
        if self._inbox.under_way is wish:  # else it was answered when everybody was sent away
            self._inbox.settle()
            wish.answer(answer)

    async def _broadcast(
        self, change: Change, *, actor: Seat | None = None, anew: bool = False
    ) -> None:
        course, now_ms = self._course, self._time.now_ms()
        self._fanout.update(
            course.rules,
            course.state,
            change.events,
            self._match,
            course.version,
            course.ply,
            # Where actions are simultaneous, a version that rises tells that somebody acted.
            to_all=anew or course.rules.refuses_stale,
            actor=actor,
            undone=change.undone,
            revocable=course.revocable,
            clock=course.clocks.running(now_ms),
            at_ms=now_ms if course.rules.races else None,
            holds=course.rules.holds(course.state),
        )
        if (outcome := course.rules.outcome(course.state)) is not None:
            await self._ending.reach(outcome)
