"""One playing of a game: a task with an inbox, the sole owner of the state.

Here is what others may ask of it at any time, and the task; how it serves them is in `serving`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import structlog
from msgspec import Struct
from msgspec.structs import replace

from protocol.clock import Clock
from protocol.ids import Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.games.contract import Moment
from server.matches.attendant import Attendant
from server.matches.course import Course
from server.matches.deadlines import Deadlines
from server.matches.ending import Ending
from server.matches.fanout import Fanout, Outbox
from server.matches.inbox import Attach, Denied, GiveUp, Inbox, Wish
from server.matches.latecomers import Latecomers
from server.matches.lines import Line, Lines
from server.matches.match_time import MatchTime
from server.matches.patience import Patience
from server.matches.replay import AnyRules
from server.matches.serving import Serving
from server.matches.tokens import Tokens
from server.store.journal import Entry, Header, Journal, JournalError


class Match:
    """Create, let `run` be a task, `submit` wishes. `table`: the code that players know it by."""

    def __init__(
        self,
        header: Header,
        rules: AnyRules,
        journal: Journal,
        attendant: Attendant,
        *,
        table: str,
        time: MatchTime,
        clock: Clock | None = None,
    ) -> None:
        self.id: Final = header.match
        self.header: Final = header
        self._time: Final = time
        self._course = Course(rules, header, clock)
        self._inbox = Inbox(header.seats)
        self._fanout = Fanout(header.seats)
        self._lines = Lines(header.seats)
        self._tokens = Tokens(header.match, journal)
        self._deadlines = Deadlines(self._course, time, attendant.timed_out)
        self._patience = Patience(header.match, journal, attendant.disk_fails)
        self._ending = Ending(header, journal, self._fanout, attendant)
        self._latecomers = Latecomers(
            self._course, journal, self._tokens, self._inbox, self._fanout, time, table
        )
        self._serving = Serving(
            self._course,
            self._deadlines,
            self._inbox,
            self._fanout,
            self._ending,
            journal,
            self._patience,
            time,
            attendant,
        )

    def restore(self, entries: Sequence[Entry], tokens: Mapping[Seat, Sequence[bytes]]) -> None:
        """Before `run`: go on from what the journal has."""
        self._course.restore(entries)
        self._tokens.restore(tokens)
        if (outcome := self._course.rules.outcome(self._course.state)) is not None:
            self._ending.restore(outcome)

    # What others call, at any time; never blocks ----------------------------------------------

    @property
    def rules(self) -> AnyRules:
        """Those of its game."""
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
    def settled(self) -> bool:
        """Whether all that it was asked is done."""
        return self._ending.aborted or (not self._inbox and self._inbox.under_way is None)

    def submit(self, wish: Wish) -> None:
        """Put a wish in the inbox; refused at once when the seat has too many there."""
        if self._ending.aborted:
            self._deny(wish, RefusalCode.MATCH_ABORTED)
        elif self._inbox.crowded(wish.seat):
            self._deny(wish, RefusalCode.BUSY)
        else:
            self._inbox.put(replace(wish, at=Moment(self._time.now_ms(), self._lines.lags_ms())))

    def attach(
        self,
        seat: Seat | None,
        outbox: Outbox,
        since: int = -1,
        *,
        came_with: bytes | None = None,
        line: Line | None = None,
    ) -> None:
        """`outbox` gets what happened since that version and the view, then every update: a seat's
        or, None, a watcher's. A seat's former outbox gets nothing from this moment on.

        `came_with`: the token of the seat's owner, b"" for the first time; a new one is sent.
        `line`: how long theirs takes, in a race; without one no time at all.
        """
        if seat is not None:
            self._fanout.seat(seat, None)
            self._lines.seat(seat, outbox, line)
            self._inbox.forget(lambda item: item.seat == seat)
            if came_with is not None:
                self._deadlines.put_up()
            if came_with:  # what a stand-in wished is not its owner's wish
                self._refuse_waiting(RefusalCode.NOT_SEATED, seat)
        if (ended := self._ending.said) is not None and ended.aborted:
            self._latecomers.turn_away(outbox, ended)
        else:
            self._inbox.put(Attach(seat, outbox, since, came_with))

    def stand_in(self, seat: Seat, outbox: Outbox) -> None:
        """`outbox` plays this seat from now on, whose owner was too slow and goes on watching."""
        self._refuse_waiting(RefusalCode.TIME_UP, seat)
        self._lines.stand_in(seat, outbox)
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
            self._lines.unseat(seat, outbox)

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
                self._deny(item, code)

    def _deny(self, wish: Wish, code: RefusalCode) -> None:
        wish.answer(Denied(Refusal(code), self._fanout.told(wish.seat)))

    def say(self, message: Struct) -> None:
        """A public message to everybody at this match."""
        self._fanout.say(message)

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

        An error of ours ends this match as aborted and is logged; nothing else is touched.
        """
        try:
            await self._begin()
            while True:
                try:
                    await self._step()
                except JournalError as error:
                    await self._serving.recover(error)
        except Exception:
            structlog.get_logger().exception("match aborted", match=self.id)
            await self._abort()

    async def _begin(self) -> None:
        if self._course.state is None:
            await self._patience.begin(self.header, self._tokens.deal(self._inbox.owners()))
            self._course.deal()
            self._fanout.say(self._latecomers.started)
        elif self.over:
            await self._ending.write_down()

    async def _step(self) -> None:
        if not await self._inbox.wait(None if self.over else self._deadlines.in_s()):
            await self._serving.pass_time(self._time.now_ms())
        while self._inbox:
            item = self._inbox.take()
            match item:
                case Wish():
                    await self._serving.serve(item)
                case Attach():
                    await self._latecomers.let_in(item, self._ending.said)
                case GiveUp(seat=seat):
                    await self._tokens.forget(seat)
            self._inbox.settle()

    async def _abort(self) -> None:
        if self.over:
            return
        ended = self._ending.abort()
        for item in self._inbox:
            if isinstance(item, Attach):
                self._latecomers.turn_away(item.outbox, ended)
        self._refuse_waiting(RefusalCode.MATCH_ABORTED)
        await self._ending.tell_of_abort()
