"""A match: a task with an inbox, and the sole owner of its state.

This file has what others may ask of a match at any time, and the task. `serving` has the steps by
which it carries a wish out, `latecomers` what newcomers are sent.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import structlog

from protocol.ids import Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.games.contract import Moment
from server.matches.at_once import AtOnce
from server.matches.ending import Ending
from server.matches.inbox import Attach, Denied, GiveUp, Look, Wish
from server.matches.latecomers import Latecomers
from server.matches.lines import Line
from server.matches.parts import Parts
from server.matches.ports import Crowd, Outbox, WhenKept, nobody_waits
from server.matches.replay import AnyRules
from server.matches.serving import Serving
from server.matches.sights import Sight, sight_of
from server.store.journal import Claimed, Entry, Header, JournalError


class Match:
    """Make it of `parts_of`, `attach` everybody at the table, start a task of `run`, then `submit`
    wishes."""

    __slots__ = (
        "_at_once",
        "_broken",
        "_course",
        "_ending",
        "_inbox",
        "_latecomers",
        "_leavers",
        "_parts",
        "_serving",
        "_start_answers",
        "id",
    )

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        self._course: Final = parts.course
        self._inbox: Final = parts.inbox
        self._ending: Final = Ending(parts)
        self._latecomers: Final = Latecomers(parts)
        self._serving: Final = Serving(parts, self._ending)
        self._at_once: Final = AtOnce()
        self._start_answers: Final[list[WhenKept]] = []
        self._broken = False
        """Whether an error of ours ended the task, or another node has the match."""
        self._leavers: Final[list[WhenKept]] = []
        self.id: Final = parts.header.match

    def restore(self, entries: Sequence[Entry], tokens: Mapping[Seat, Sequence[bytes]]) -> None:
        """Before `run`: take the match over from the journal."""
        self._course.restore(entries)
        self._parts.tokens.restore(tokens)
        if (outcome := self._course.rules.outcome(self._course.state)) is not None:
            self._ending.restore(outcome)

    def call_off(self) -> None:
        """After `restore`, before `run`: the match has ended as aborted, and all who come back are
        told so."""
        self._ending.call_off()

    def when_begun(self, answer: WhenKept) -> None:
        """Before `run`: call `answer` when the journal has the match and every player was sent a
        token, or when it is clear that the match never begins."""
        self._start_answers.append(answer)

    # What others call, at any time; never blocks ----------------------------------------------

    @property
    def header(self) -> Header:
        """What the match was begun with."""
        return self._parts.header

    @property
    def rules(self) -> AnyRules:
        """The rules of its game."""
        return self._course.rules

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
        return self._ending.said is not None

    @property
    def aborted(self) -> bool:
        """Whether it ended without an outcome."""
        return self._ending.aborted

    @property
    def outcome(self) -> Any:
        """The game's own, of a match that has ended by its rules; else None."""
        return self._ending.said.outcome if self._ending.said is not None else None

    @property
    def begun(self) -> bool:
        """Whether the journal has it."""
        return self._course.state is not None

    @property
    def settled(self) -> bool:
        """Whether everything that it was asked is done."""
        return self._broken or not (
            self._inbox or self._inbox.under_way is not None or self._at_once.runs
        )

    def submit(self, wish: Wish) -> None:
        """Serve a wish at once, where nothing else waits or is under way; else put it in the inbox,
        or refuse it when the seat has too many there."""
        if self._ending.aborted:
            self._deny(wish, RefusalCode.MATCH_ABORTED)
            return
        wish.at = Moment(self._parts.time.now_ms(), self._parts.lines.lags_ms())
        if self._inbox.idle and not self._at_once.runs:
            self._inbox.under_way = wish
            self._at_once.begin(self._serve_at_once(wish))
        elif self._inbox.crowded(wish.seat):
            self._deny(wish, RefusalCode.BUSY)
        else:
            self._inbox.put(wish)

    async def _serve_at_once(self, wish: Wish) -> None:
        """Its error is raised in the task, which may have to wake sooner than it knew, too."""
        try:
            await self._serving.serve(wish)
            self._inbox.settle()
        except Exception:
            self._inbox.poke()
            raise
        if not self._parts.deadlines.never and (in_s := self._in_s()) is not None:
            self._inbox.wake_in(in_s)

    def _in_s(self) -> float | None:
        """Seconds until the match has to do something by itself."""
        return None if self._ending.said is not None else self._parts.deadlines.in_s()

    def attach(
        self,
        seat: Seat | None,
        outbox: Outbox,
        since: int = -1,
        *,
        came_with: bytes | None = None,
        line: Line | None = None,
        crowd: Crowd | None = None,
    ) -> None:
        """Give a seat to `outbox` (None: let it watch). It is sent what happened since version
        `since`, the view, then every update. A seat's former outbox is sent nothing from now on.

        `came_with`: the token of the seat's owner, b"" if they have none; they are sent a new one.
        `line`: tells how long their line takes, in a race; None counts as no time at all. `crowd`:
        the one that a watcher is in.
        """
        if seat is not None:
            self._parts.fanout.seat(seat, None)
            self._parts.lines.seat(seat, outbox, line)
            self._inbox.forget(lambda item: item.seat == seat)
            if came_with is not None:
                self._parts.deadlines.put_up()
                if self._course.state is None:
                    self._parts.tokens.deal(seat)
                # A stand-in wished what waits, not the owner.
                self._refuse_waiting(RefusalCode.NOT_SEATED, seat)
        if (ended := self._ending.said) is not None and ended.aborted:
            self._latecomers.turn_away(outbox, ended)
        else:
            self._inbox.put(Attach(seat, outbox, since, came_with, crowd=crowd))

    def stand_in(self, seat: Seat, outbox: Outbox, *, late: bool) -> None:
        """Let the bot `outbox` play a seat whose owner stays to watch. `late`: the owner was too
        slow, and what they wished last is refused."""
        if late:
            self._refuse_waiting(RefusalCode.TIME_UP, seat)
        self._parts.lines.stand_in(seat, outbox)
        self._inbox.put(Attach(seat, outbox, beside=True))

    def stand_down(self, seat: Seat, outbox: Outbox) -> None:
        """Undo `stand_in`."""
        self.detach(seat, outbox)
        self._refuse_waiting(RefusalCode.NOT_SEATED, seat)
        self._parts.deadlines.put_up()
        self._inbox.poke()

    def time_is_up(self, seat: Seat) -> bool:
        """Whether this seat is to act and has no time left."""
        return self._parts.deadlines.time_is_up(seat)

    def detach(self, seat: Seat | None, outbox: Outbox) -> None:
        """Send nothing more to this outbox, a seat's or (None) a watcher's."""
        self._inbox.forget(lambda item: item.outbox == outbox)
        if seat is None:
            self._parts.fanout.unwatch(outbox)
        else:
            self._parts.fanout.unseat(seat, outbox)
            self._parts.lines.unseat(seat, outbox)

    def detach_all(self) -> None:
        """Answer everything that was asked, and send nothing more to anybody."""
        self._answer(self._start_answers)
        self._refuse_waiting(RefusalCode.MATCH_OVER if self.over else RefusalCode.NO_MATCH)
        self._parts.fanout.clear()

    def seat_of(self, token: bytes) -> Seat | None:
        """The seat that this token opens."""
        return self._parts.tokens.seat_of(token)

    def token_unused(self, seat: Seat) -> bool:
        """Whether no token ever opened the seat, so that its owner may not have heard any."""
        return self._parts.tokens.unused(seat)

    def give_up(self, seat: Seat, kept: WhenKept = nobody_waits) -> None:
        """The seat's owner has left for good: no token opens it any more. `kept` is called when
        that is so after a crash, too."""
        self._parts.tokens.revoke(seat)
        if self._broken:
            kept()
        else:
            self._inbox.put(GiveUp(seat, kept))

    def look(self, seat: Seat, show: Callable[[Sight | None], None]) -> None:
        """Call `show` with what this seat has been sent; with None if the match ends first by
        an error, or is let go."""
        if self._broken:
            show(None)
        else:
            self._inbox.put(Look(seat, show))

    def stand_still(self) -> None:
        """Stop the match's time, so that no deadline passes, until `go_on`."""
        self._parts.time.stand_still()
        self._inbox.poke()

    def go_on(self) -> None:
        """Let time go by again."""
        self._parts.time.go_on()
        self._inbox.poke()

    async def forget(self) -> None:
        """After `detach_all` and the end of `run`: let go of the match in the journal, and answer
        those who left meanwhile."""
        journal = self._parts.journal
        if self._course.state is not None and not self.over:
            await self._insist(lambda: journal.finish(self.id, b""))
        await self._insist(lambda: journal.forget(self.id))
        self._answer(self._leavers)

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await self._parts.patience.insist(work)
            self._parts.patience.renew()
        except Claimed:
            pass  # the other node lets go of it
        except JournalError as error:
            structlog.get_logger().error("journal failed", match=self.id, error=str(error))

    def _refuse_waiting(self, code: RefusalCode, seat: Seat | None = None) -> None:
        """Refuse every wish; with `seat`, the wishes of that seat that are not under way."""
        for item in self._inbox.drain() if seat is None else self._inbox.withdraw(seat):
            if isinstance(item, Wish):
                self._deny(item, code)
            elif isinstance(item, Look):
                item.show(None)
            elif isinstance(item, GiveUp):
                self._leavers.append(item.kept)

    def _answer(self, waiting: list[WhenKept]) -> None:
        while waiting:
            answer = waiting.pop(0)
            answer()

    def _deny(self, wish: Wish, code: RefusalCode) -> None:
        wish.answer(Denied(Refusal(code), self._parts.fanout.told(wish.seat)))

    def to_act(self) -> Sequence[Seat]:
        """The seats that may act now; none before the deal and after the end."""
        if self._course.state is None or self.over:
            return ()
        return self._course.rules.to_act(self._course.state)

    def any_legal(self, seat: Seat) -> Any:
        """Some legal action of a seat that is to act, for a bot that cannot make up its mind."""
        return self._course.rules.legal_actions(self._course.state, seat)[0]

    # The task -----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until the game is over, then answer latecomers until cancelled.

        An error of ours ends this match as aborted and is logged; nothing else is touched. A match
        that another node has claimed ends here without a word.
        """
        try:
            await self._begin()
            while True:
                try:
                    # Waits here and not a level deeper: a coroutine that waits takes 240 bytes.
                    in_time = await self._inbox.wait(self._in_s())
                    await self._step(in_time=in_time)
                except Claimed:
                    raise
                except JournalError as error:
                    await self._serving.recover(error)
        except Claimed:
            structlog.get_logger().info("another node plays the match", match=self.id)
            self._broken = True
            self._parts.attendant.claimed()
        except Exception:
            structlog.get_logger().exception("match aborted", match=self.id)
            await self._abort()
        finally:
            self._at_once.drop()

    async def _begin(self) -> None:
        if self._course.state is None:
            await self._parts.patience.begin(self.header, self._parts.tokens.first_hashes)
            self._course.deal()
            newcomers = self._inbox.take_newcomers()
            self._latecomers.announce(newcomers)
            self._answer(self._start_answers)
            self._latecomers.show(newcomers)
        elif self.over:
            await self._ending.write_down()

    async def _step(self, *, in_time: bool) -> None:
        await self._at_once.ended()
        if not in_time:
            await self._serving.pass_time(self._parts.time.now_ms())
        while self._inbox:
            item = self._inbox.take()
            match item:
                case Wish():
                    await self._serving.serve(item)
                case Attach():
                    await self._latecomers.let_in(item, self._ending.said)
                case Look(seat=seat, show=show):
                    sight = await sight_of(self._parts, seat)
                    if self._inbox.under_way is item:  # else `detach_all` has answered it
                        show(sight)
                case GiveUp(seat=seat, kept=kept):
                    await self._parts.tokens.forget(seat)
                    if self._inbox.under_way is item:  # else `forget` answers
                        kept()
            self._inbox.settle()

    async def _abort(self) -> None:
        self._broken = True
        ended = self._ending.abort()
        self._answer(self._start_answers)
        for item in self._inbox:
            if isinstance(item, Attach):
                self._latecomers.turn_away(item.outbox, ended)
        self._refuse_waiting(RefusalCode.MATCH_ABORTED)
        await self._ending.tell_of_abort()
        self._answer(self._leavers)
