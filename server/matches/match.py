"""One playing of a game: a task with an inbox, the sole owner of the state.

The order is refuse → commit → apply → acknowledge → broadcast, never another: nobody is told of
an action that the journal might not have, and no state changes before its entry is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from protocol.clock import Clock
from protocol.from_server import Ended
from protocol.ids import Key, Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.matches.course import Change, Course
from server.matches.deadlines import Deadlines
from server.matches.fanout import Fanout, Outbox
from server.matches.inbox import Accepted, Answer, Attach, Denied, GiveUp, Inbox, Wish
from server.matches.latecomers import Latecomers
from server.matches.match_time import MatchTime
from server.matches.patience import Patience
from server.matches.replay import AnyRules
from server.matches.tokens import Tokens
from server.store.journal import Doubled, Entry, Header, Journal, JournalError

_encode: Final = msgspec.msgpack.Encoder().encode


class Match:
    """Create, let `run` be a task, `submit` wishes. `on_end` is called once, with the outcome;
    `on_take_back` when everybody has been sent what stands no more; `on_time_out` when the time of
    the seat to act is up, and says whether somebody else plays it now (`stand_in`); `on_disk` when
    the journal has failed for long (True), and when it works again."""

    def __init__(
        self,
        header: Header,
        rules: AnyRules,
        journal: Journal,
        *,
        table: str,
        time: MatchTime,
        clock: Clock | None = None,
        on_end: Callable[[Any], None] = lambda outcome: None,
        on_take_back: Callable[[Seat], None] = lambda seat: None,
        on_time_out: Callable[[Seat], bool] = lambda seat: False,
        on_disk: Callable[[bool], None] = lambda fails: None,
    ) -> None:
        self.id: Final = header.match
        self.header: Final = header
        self._course = Course(rules, header, clock)
        self._deadlines = Deadlines(self._course, time, on_time_out)
        self._journal = journal
        self._patience = Patience(header.match, journal, on_disk)
        self._time = time
        self._on_end = on_end
        self._on_take_back = on_take_back
        self._tokens = Tokens(header.match, journal)
        self._fanout = Fanout(header.seats)
        self._inbox = Inbox(header.seats)
        self._latecomers = Latecomers(
            self._course, journal, self._tokens, self._inbox, self._fanout, time, table
        )
        self._ended: Ended | None = None

    def restore(self, entries: Sequence[Entry], tokens: Mapping[Seat, Sequence[bytes]]) -> None:
        """Before `run`: go on from what the journal has. `on_end` is not called for what was over
        already."""
        self._course.restore(entries)
        self._tokens.restore(tokens)
        if (outcome := self._course.rules.outcome(self._course.state)) is not None:
            self._ended = self._result(outcome)

    # What others call, at any time; never blocks ----------------------------------------------

    @property
    def version(self) -> Version:
        """Entries in the journal so far."""
        return self._course.version

    @property
    def ply(self) -> int:
        """Actions that stand so far."""
        return self._course.ply

    @property
    def over(self) -> bool:
        """Whether the match has ended, by its rules or aborted."""
        return self._ended is not None

    @property
    def settled(self) -> bool:
        """Whether all that it was asked is done."""
        aborted = self._ended is not None and self._ended.aborted
        return aborted or (not self._inbox and self._inbox.under_way is None)

    def submit(self, wish: Wish) -> None:
        """Put a wish in the inbox; refused at once when the seat has too many there."""
        if self._ended is not None and self._ended.aborted:
            wish.answer(Denied(Refusal(RefusalCode.MATCH_ABORTED), self.version))
        elif self._inbox.crowded(wish.seat):
            wish.answer(Denied(Refusal(RefusalCode.BUSY), self.version))
        else:
            self._inbox.put(replace(wish, at_ms=self._time.now_ms()))

    def attach(
        self,
        seat: Seat | None,
        outbox: Outbox,
        since: int = -1,
        *,
        came_with: bytes | None = None,
    ) -> None:
        """`outbox` gets what happened since that version and the view, then every update: a seat's
        or, None, a watcher's. A seat's former outbox gets nothing from this moment on.

        `came_with`: the token of the seat's owner, b"" for the first time; a new one is sent.
        """
        if seat is not None:
            self._fanout.seat(seat, None)
            self._inbox.forget(lambda item: item.seat == seat)
            if came_with is not None:
                self._deadlines.put_up()
            if came_with:  # what a stand-in wished is not its owner's wish
                self._refuse_waiting(RefusalCode.NOT_SEATED, seat)
        if self._ended is not None and self._ended.aborted:
            outbox(self._latecomers.started)
            outbox(self._ended)
        else:
            self._inbox.put(Attach(seat, outbox, since, came_with))

    def stand_in(self, seat: Seat, outbox: Outbox) -> None:
        """`outbox` plays this seat from now on, whose owner was too slow and goes on watching."""
        self._refuse_waiting(RefusalCode.TIME_UP, seat)
        self._inbox.put(Attach(seat, outbox, beside=True))

    def stand_down(self, seat: Seat, outbox: Outbox) -> None:
        """Undo `stand_in`."""
        self.detach(seat, outbox)
        self._refuse_waiting(RefusalCode.NOT_SEATED, seat)
        self._deadlines.put_up()
        self._inbox.poke()

    def time_is_up(self, seat: Seat) -> bool:
        """Whether this seat is to act and has no time left."""
        return self._deadlines.time_is_up(seat)

    def detach(self, seat: Seat | None, outbox: Outbox) -> None:
        """Send nothing more to a watcher, or (with `seat`) to whom that seat was."""
        self._inbox.forget(lambda item: item.outbox == outbox)
        if seat is None:
            self._fanout.unwatch(outbox)
        else:
            self._fanout.unseat(seat, outbox)

    def detach_all(self) -> None:
        """Send nothing more to anybody, but answer what has been asked."""
        self._refuse_waiting(RefusalCode.MATCH_OVER if self.over else RefusalCode.NO_MATCH)
        self._fanout.clear()

    def seat_of(self, token: bytes) -> Seat | None:
        """The seat that is its bearer's."""
        return self._tokens.seat_of(token)

    def give_up(self, seat: Seat) -> None:
        """The seat's owner has left it for good."""
        self._tokens.revoke(seat)
        self._inbox.put(GiveUp(seat))

    def stand_still(self) -> None:
        """No time goes by, so no deadline passes, until `go_on`."""
        self._time.stand_still()
        self._inbox.poke()

    def go_on(self) -> None:
        """Time goes by again."""
        self._time.go_on()
        self._inbox.poke()

    def _refuse_waiting(self, code: RefusalCode, seat: Seat | None = None) -> None:
        """All that was asked, or that one seat did and is not under way."""
        for item in self._inbox.drain() if seat is None else self._inbox.withdraw(seat):
            if isinstance(item, Wish):
                item.answer(Denied(Refusal(code), self.version))

    def say(self, message: Struct) -> None:
        """A public message to everybody at this match."""
        self._fanout.say(message)

    def to_act(self) -> Sequence[Seat]:
        """The seats that may act now; none before the deal and after the end."""
        if self._course.state is None or self._ended is not None:
            return ()
        return self._course.rules.to_act(self._course.state)

    def any_legal(self, seat: Seat) -> Any:
        """Some legal action of a seat that is to act, for a bot that cannot make up its mind."""
        return self._course.rules.legal_actions(self._course.state, seat)[0]

    # The task -----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until the game is over, then answer latecomers until cancelled.

        An error of ours ends this match as aborted and is logged; nothing else is touched.
        """
        try:
            await self._begin()
            while True:
                try:
                    await self._step()
                except JournalError as error:
                    await self._reload(error)
        except Exception:
            structlog.get_logger().exception("match aborted", match=self.id)
            await self._abort()

    async def _begin(self) -> None:
        if self._course.state is None:
            await self._patience.begin(self.header)
            self._course.deal()
            self._fanout.say(self._latecomers.started)
        elif self._ended is not None:  # the server fell before this was written down
            await self._finish(_encode(self._ended.outcome))

    async def _step(self) -> None:
        if not await self._inbox.wait(None if self.over else self._deadlines.in_s()):
            await self._pass_time(self._time.now_ms())
        while self._inbox:
            item = self._inbox.take()
            match item:
                case Wish():
                    await self._serve(item)
                case Attach():
                    await self._latecomers.let_in(item, self._ended)
                case GiveUp(seat=seat):
                    await self._tokens.forget(seat)
            self._inbox.settle()

    # The one order of things --------------------------------------------------------------------

    async def _serve(self, wish: Wish) -> None:
        late = await self._pass_time(wish.at_ms)
        refusal = self._course.refuse(wish, over=self.over)
        if refusal is None and wish.seat == late:
            refusal = Refusal(RefusalCode.TIME_UP)
        if refusal is None:
            await (self._take_back(wish) if wish.action is None else self._play(wish))
            return
        # A retry is impossible by now as a rule; it is answered with what came of it before.
        first = await self._journal.find(self.id, wish.seat, wish.key)
        self._answer(wish, Denied(refusal, self.version) if first is None else Accepted(first))

    async def _play(self, wish: Wish) -> None:
        entry = Entry(wish.seat, wish.key, wish.at_ms, _encode(wish.action))
        if not await self._keep_wish(wish, entry):
            return
        change = self._course.play(entry, wish.seat, wish.action)
        self._answer(wish, Accepted(self.version))
        await self._broadcast(change, actor=wish.seat)

    async def _take_back(self, wish: Wish) -> None:
        entry = Entry(wish.seat, wish.key, wish.at_ms, b"")
        if not await self._keep_wish(wish, entry):
            return
        _header, entries = await self._journal.load(self.id)
        change = self._course.take_back(entry, entries)
        self._answer(wish, Accepted(self.version))
        await self._broadcast(change, actor=wish.seat)
        self._on_take_back(wish.seat)

    async def _keep_wish(self, wish: Wish, entry: Entry) -> bool:
        """Whether it is new; a retry is answered with what came of the first try."""
        try:
            await self._keep(entry)
        except Doubled as doubled:
            self._answer(wish, Accepted(doubled.version))
            return False
        return True

    async def _pass_time(self, now_ms: int) -> Seat | None:
        """All that the clocks do up to now, each at its deadline however late the task wakes. The
        seat, if any, that somebody else plays since."""
        late = None
        while not self.over and (due_ms := self._deadlines.due_ms()) is not None:
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

    async def _keep(self, entry: Entry) -> None:
        await self._journal.append(self.id, Version(self.version + 1), entry)
        self._patience.renew()

    def _answer(self, wish: Wish, answer: Answer) -> None:
        if self._inbox.under_way is wish:  # else it was answered when everybody was sent away
            self._inbox.settle()
            wish.answer(answer)

    async def _broadcast(
        self, change: Change, *, actor: Seat | None = None, anew: bool = False
    ) -> None:
        course = self._course
        self._fanout.update(
            course.rules,
            course.state,
            change.events,
            self.id,
            self.version,
            self.ply,
            # Where actions are simultaneous, a version that rises tells that somebody acted.
            to_all=anew or course.rules.refuses_stale,
            actor=actor,
            undone=change.undone,
            revocable=course.revocable,
            clock=course.clocks.running(self._time.now_ms()),
        )
        if (outcome := course.rules.outcome(course.state)) is not None:
            await self._end(outcome)

    async def _end(self, outcome: Any) -> None:
        await self._finish(_encode(outcome))
        self._ended = self._result(outcome)
        self._fanout.say(self._ended)
        self._on_end(outcome)

    def _result(self, outcome: Any) -> Ended:
        return Ended(match=self.id, outcome=outcome, seed=self.header.seed.hex())

    async def _finish(self, outcome: bytes) -> None:
        try:
            await self._journal.finish(self.id, outcome)
            if not outcome:  # nobody was told of anything to come back to
                await self._journal.forget(self.id)
        except JournalError as error:
            # The entries are kept, and the outcome follows from them.
            structlog.get_logger().error("journal failed", match=self.id, error=str(error))

    async def _abort(self) -> None:
        if self._ended is not None:
            return
        self._ended = Ended(match=self.id, aborted=True)
        for item in self._inbox:
            if isinstance(item, Attach):
                item.outbox(self._latecomers.started)
                item.outbox(self._ended)
        self._refuse_waiting(RefusalCode.MATCH_ABORTED)
        self._fanout.say(self._ended)
        self._on_end(None)
        await self._finish(b"")

    async def _reload(self, error: JournalError) -> None:
        """Whether the last entry was kept is for the journal to say; until then for nobody.

        What was under way is tried again, and finds its first result if there is one.
        """
        self._inbox.put_back()
        await self._patience.pause(error)
        if self.over:
            return
        known = self.version
        _header, entries = await self._patience.load()
        change = self._course.reload(entries)
        await self._answer_if_kept()
        if self.version > known:
            await self._broadcast(change, anew=True)
            for entry in entries[known:]:
                if entry.seat is not None and entry.takes_back:
                    self._on_take_back(entry.seat)

    async def _answer_if_kept(self) -> None:
        """Acknowledge comes before broadcast, also for what the journal kept and did not say."""
        wish = self._inbox.first
        if not isinstance(wish, Wish):
            return
        with suppress(JournalError):  # then it is answered when it is served
            if (kept := await self._journal.find(self.id, wish.seat, wish.key)) is not None:
                self._inbox.take()
                self._answer(wish, Accepted(kept))
