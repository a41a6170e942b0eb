"""A match: a plain object that owns its state, and all that others may ask of it.

A wish is refused, or its entry goes to the journal at once. When the journal has it, one call
applies it, answers, and tells everybody. While the journal is at it, all else waits in one queue.
What is rarer than a move (to begin, to give a token, to end, to wait for a journal that fails) is
done by a task that ends with it; a match has no task of its own.

Laws: refuse → commit → apply → acknowledge → broadcast, never in another order. Nobody is told of
an action that the journal might not have, and no state changes before its entry was kept. What was
asked is never lost, whatever fails meanwhile. An error of ours ends this match as aborted and is
logged; nothing else is touched.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog
from msgspec import Struct

from protocol.codec import encode
from protocol.dealing import commitment
from protocol.errors import Refusal, RefusalCode
from protocol.from_server import Ended, SeatToken, Started
from protocol.ids import Key, Seat, Version
from protocol.table import Clock
from server.games.contract import AnyRules
from server.matches.clocks import MatchTime, Paused, never_paused
from server.matches.fanout import Fanout
from server.matches.match_journal import MatchJournal
from server.matches.replay import Course
from server.matches.tokens import Tokens
from server.matches.wishes import (
    Accepted,
    Answered,
    Attach,
    Denied,
    GiveUp,
    Item,
    Outbox,
    Sight,
    TellAnswer,
    WhenKept,
    Wish,
    nobody_waits,
)
from server.store.in_database import Journal
from server.store.journal import (
    GONE,
    STILL,
    Claimed,
    Doubled,
    Entry,
    Header,
    JournalError,
    TokenHashes,
)
from server.tasks import Tasks, Timer

if TYPE_CHECKING:
    from server.tables.playing import Playing

MAX_WAITING_WISHES: Final = 8
"""Per seat; any more are refused as `busy`. An honest client waits for each answer."""
STILL_MS: Final = 1000
"""A race that stands still loses no more of its time than that when the server starts again."""


class Match:
    """`attach` everybody at the table, `start` it, then `submit` wishes. `table`: the code that
    players know the match's table by. `time`: its own. `paused`: of its clocks. `secret`: its end
    reveals no seed, because others may still play the same deal."""

    def __init__(
        self,
        header: Header,
        rules: AnyRules,
        *,
        journal: Journal,
        tasks: Tasks,
        playing: "Playing",
        table: str,
        time: MatchTime | None = None,
        clock: Clock | None = None,
        paused: Paused = never_paused,
        secret: bool = False,
    ) -> None:
        self.header: Final = header
        self.id: Final = header.match
        self.rules: Final = rules
        self._append: Final = journal.append
        self._journal: Final = MatchJournal(self.id, journal, playing)
        self._tasks: Final = tasks
        self._playing: Final = playing
        self._table: Final = table
        self._secret: Final = secret
        self._course = Course(rules, header, clock, paused)
        self._time: Final = time or MatchTime()
        timed = clock is not None or rules.races
        self._timer: Final = Timer() if timed else None
        """Of the next deadline: that of the rules, or of the clock of the seat to act. Like a chess
        clock, that has a flag: it falls once in a turn, when the seat has run out of time."""
        self._fallen: int | None = None
        """The turn in which the flag has fallen."""
        self._fanout: Final = Fanout(header.seats)
        self.tokens: Final = Tokens(self._journal)
        self._busy = True
        """Whether what is asked waits: it has not begun, or something is being served, or the
        journal is at it; or the match is gone."""
        self._gone = False
        """Whether it was let go or aborted, or another node plays it: whatever comes is ignored."""
        self._queue: list[Item] = []
        """What waits, in the order in which it came."""
        self._unanswered: Item | None = None
        """What is being served and has not been answered."""
        self._out_of_time: Seat | None = None
        """The seat whose time ran out before what is being served came."""
        self._owed: tuple[WhenKept, ...] = ()
        """What is called once the journal has begun the match, or has let go of it."""
        self._how_ended: Ended | None = None
        """As everybody is told; None: it has not ended."""
        self._task: asyncio.Task[None] | None = None

    def restore(
        self, entries: Sequence[Entry], tokens: TokenHashes, *, called_off: bool = False
    ) -> None:
        """Before `start`: take the match over from the journal. It may have been over when the
        server fell, perhaps before the journal was told. `called_off`: it has ended as aborted, and
        all who come back are told so."""
        self._course = self._course.dealt(entries)
        self.tokens.restore(tokens)
        outcome = None if called_off else self.rules.outcome(self._course.state)
        if called_off or outcome is not None:
            self._how_ended = self._result(outcome)

    def start(self, begun: WhenKept = nobody_waits) -> None:
        """Begin, or go on with what was restored. `begun` is called when the journal has the match
        and every player was sent a token, or when it has let go of a match that never begins."""
        if not self.begun:
            self._owed = (begun,)
            self._meanwhile(self._begin)
        elif self._how_ended is not None:
            self._meanwhile(partial(self._journal.finish, self._how_ended))
        else:
            self._free()

    # What others ask ----------------------------------------------------------------------------

    @property
    def version(self) -> Version:
        """Entries in the journal so far."""
        return self._course.version

    @property
    def begun(self) -> bool:
        """Whether the journal has it."""
        return self._course.state is not None

    @property
    def over(self) -> bool:
        """Whether the match has ended, by its rules or aborted."""
        return self._how_ended is not None

    @property
    def aborted(self) -> bool:
        """Whether it ended without an outcome."""
        return self._how_ended is not None and self._how_ended.aborted

    @property
    def outcome(self) -> Any:
        """The game's own, of a match that has ended by its rules; else None."""
        return self._how_ended.outcome if self._how_ended is not None else None

    @property
    def idle(self) -> bool:
        """Whether everything that it was asked is done."""
        return self._gone or not self._busy

    def to_act(self) -> Sequence[Seat]:
        """The seats that may act now; none before the deal and after the end."""
        state = self._course.state
        return () if state is None or self._how_ended is not None else self.rules.to_act(state)

    def any_legal(self, seat: Seat) -> Any:
        """Some legal action of a seat that is to act, for a bot that cannot make up its mind."""
        return self.rules.legal_actions(self._course.state, seat)[0]

    def time_is_up(self, seat: Seat) -> bool:
        """Whether this seat is to act and has no time left."""
        clocks = self._course.clocks
        return clocks is not None and clocks.ran_out(seat, self._time.now_ms())

    def entries(self) -> Sequence[Entry]:
        """All that the journal has of it."""
        return tuple(self._course.entries)

    @property
    def plies(self) -> int:
        """How many actions stand: so many its record has."""
        return self._course.ply

    def look(self, seat: Seat) -> Sight:
        """What this seat has been sent, of a match that has begun."""
        course, fanout = self._course, self._fanout
        events = [event for page in course.history(seat, -1) for event in page.events]
        view = self.rules.view(course.state, seat)
        return Sight(view, events, fanout.told(seat), fanout.delay_left_ms(seat))

    # What others want ---------------------------------------------------------------------------

    def submit(
        self, seat: Seat, version: int, key: Key, action: Any | None, answer: TellAnswer
    ) -> None:
        """A seat that was told this version wants to act, or (`action` None) to take its newest
        action back. The wish waits where anything else is under way; where too many of the seat
        do, it is refused. `answer` is called exactly once, unless the server ends first."""
        lags_ms = self._fanout.lags_ms() if self.rules.races else ()
        acted = b"" if action is None else encode(action)
        entry = Entry(seat, key, self._time.now_ms(), acted, lags_ms)
        wish = Wish(seat, version, action, entry, answer)
        if self._how_ended is not None and self._how_ended.aborted:
            self._deny(wish, RefusalCode.MATCH_ABORTED)
        elif not self._busy:
            self._serve(wish)
        elif len(self._wishes_of(seat)) >= MAX_WAITING_WISHES:
            self._deny(wish, RefusalCode.BUSY)
        else:
            self._put(wish)

    def answer_now(self, seat: Seat, version: int, key: Key, action: Any | None) -> Answered | None:
        """What this wish would be answered without the journal: it is impossible, or was kept
        before. None: the journal would be asked to keep it, or the match has not begun."""
        if not self.begun:
            return None
        refusal = self._refuse(seat, version, action, self._time.now_ms())
        return None if refusal is None else self._instead(seat, key, refusal)

    def _wishes_of(self, seat: Seat) -> list[Wish]:
        return [one for one in self._queue if isinstance(one, Wish) and one.seat == seat]

    def attach(self, who: Attach) -> None:
        """Let them in. A seat's former outbox is sent nothing from now on."""
        if (seat := who.seat) is not None:
            self._fanout.vacate(seat)
            self._keep_out(lambda other: other.seat == seat)
            if who.came_with is not None:
                if not self.begun:
                    self.tokens.deal(seat)
                self._owner_plays(seat)
        if self.aborted:
            self._turn_away(who)
        else:
            self._put(who)

    def stand_in(self, seat: Seat, outbox: Outbox, *, late: bool) -> None:
        """Let the bot `outbox` play a seat whose owner stays to watch. `late`: the owner was too
        slow, and what they wished last is refused."""
        if late:
            self._withdraw(RefusalCode.TIME_UP, seat)
        self._put(Attach(seat, outbox, beside=True))

    def stand_down(self, seat: Seat, outbox: Outbox) -> None:
        """Undo `stand_in`."""
        self.detach(seat, outbox)
        self._owner_plays(seat)

    def _owner_plays(self, seat: Seat) -> None:
        """What waits was wished by a stand-in, and the owner may run out of time again."""
        self._withdraw(RefusalCode.NOT_SEATED, seat)
        self._fallen = None
        self._wait_for_deadline()

    def detach(self, seat: Seat | None, outbox: Outbox) -> None:
        """Send nothing more to this outbox, a seat's or (None) a watcher's."""
        self._keep_out(lambda who: who.outbox == outbox)
        self._fanout.unseat(seat, outbox)

    def give_up(self, seat: Seat, kept: WhenKept = nobody_waits, *, loses: bool = False) -> None:
        """The seat's owner has left for good: no token opens it any more and, if it `loses`, the
        match is over. `kept` is called when that is so after a crash, too."""
        self.tokens.revoke(seat)
        if self._gone or self.aborted:
            kept()
        else:
            self._put(GiveUp(seat, kept, loses))

    def stand_still(self) -> None:
        """Stop the match's time, so that no deadline passes, until `go_on`. The journal keeps how
        far a race has come, since a server that starts again goes on from there: once in
        `STILL_MS` at most, since players may go and come as often as they like."""
        self._time.stand_still()
        self._wait_for_deadline()
        now_ms, due_ms = self._time.now_ms(), None if self._busy else self.due_ms()
        if self.rules.races and due_ms is not None and now_ms < due_ms:
            kept_ms = max((entry.at_ms for entry in self.entries()), default=0)
            if now_ms - kept_ms >= STILL_MS:
                self._busy = True
                self._commit(Entry(None, STILL, now_ms, b""))

    def go_on(self) -> None:
        """Let time go by again."""
        self._time.go_on()
        self._wait_for_deadline()

    def journal_is_quiet(self) -> None:
        """The journal has not answered for long: say so where it has an entry."""
        if self._busy and self._task is None and not self._gone:
            self._journal.is_quiet()

    def stop(self) -> None:
        """Do nothing more, whatever the journal says, and without a word to anybody."""
        self._busy = self._gone = True
        self._wait_for_deadline()
        if self._task is not None:
            self._task.cancel()

    def detach_all(self) -> None:
        """Refuse every wish, send nothing more to anybody, and stop."""
        self._withdraw_all(RefusalCode.MATCH_OVER if self.over else RefusalCode.NO_MATCH)
        self._fanout.clear()
        self.stop()

    def rest(self) -> None:
        """As `detach_all`, of a match that goes on from the journal. Who waits until it has begun
        is answered; who leaves is not, since no token was removed."""
        self._answer_owed()
        self.detach_all()

    async def forget(self) -> None:
        """After `detach_all`: let go of the match in the journal, and answer those who wait for
        that."""
        unsaid = None
        if self._how_ended is None and self.begun:
            # There is an outcome where all went as the end was kept.
            unsaid = self._result(self.rules.outcome(self._course.state))
        await self._let_go(unsaid)

    async def _let_go(self, unsaid: Ended | None) -> None:
        try:
            await self._journal.let_go(unsaid)
        except Exception:
            structlog.get_logger().exception("letting go failed", match=self.id)
        self._answer_owed()

    # What waits ---------------------------------------------------------------------------------

    def _put(self, item: Item) -> None:
        self._queue.append(item)
        if not self._busy:
            self._free()

    def _free(self) -> None:
        """What was under way is done: serve what waits, or wait for the next deadline."""
        if self._gone:
            return
        self._unanswered = self._out_of_time = None
        self._busy = bool(self._queue)
        if self._busy:
            asyncio.get_running_loop().call_soon(self._serve_next)
        else:
            self._wait_for_deadline()

    def _serve_next(self) -> None:
        if self._gone:
            return
        if self._queue:
            self._serve(self._queue.pop(0))
        else:  # all who waited have gone
            self._free()

    def _keep_out(self, whom: Callable[[Attach], bool]) -> None:
        """Drop these people who wait to be let in, also if their token is just being kept."""
        self._queue = [one for one in self._queue if not (isinstance(one, Attach) and whom(one))]
        if isinstance(self._unanswered, Attach) and whom(self._unanswered):
            self._unanswered = None

    def _withdraw(self, code: RefusalCode, seat: Seat) -> None:
        """Refuse the wishes of this seat that wait, but not the one that is under way."""
        theirs = self._wishes_of(seat)
        self._queue = [one for one in self._queue if one not in theirs]
        for wish in theirs:
            self._deny(wish, code)

    def _withdraw_all(self, code: RefusalCode) -> None:
        """Refuse every wish; who leaves is answered later."""
        items, self._queue = [self._unanswered, *self._queue], []
        self._unanswered = None
        for item in items:
            if isinstance(item, Wish):
                self._deny(item, code)
            elif isinstance(item, GiveUp):
                self._owed += (item.kept,)

    def _deny(self, wish: Wish, code: RefusalCode) -> None:
        wish.answer(Denied(Refusal(code), self._fanout.told(wish.seat)))

    def _answer_owed(self) -> None:
        owed, self._owed = self._owed, ()
        for answer in owed:
            answer()

    # Refuse, commit, apply, acknowledge, broadcast ----------------------------------------------

    def _serve(self, item: Item | None) -> None:
        """Begin with this; None: with what the clocks do."""
        self._busy, self._unanswered = True, item
        try:
            if type(item) is Wish:
                self._try(item)
            elif isinstance(item, Attach):
                if item.seat is not None and item.came_with is not None and not self.over:
                    give = partial(self._let_in_with_token, item, item.seat, item.came_with)
                    self._meanwhile(give)
                else:
                    self._let_in(item, self._started())
                    self._free()
            elif isinstance(item, GiveUp):
                self._give_up(item)
            elif not self._pass_time(self._time.now_ms()):
                self._free()
        except Exception:
            self._abort()

    def _try(self, wish: Wish) -> None:
        """Refuse a wish, or ask the journal to keep it. A measured hot path."""
        seat, entry = wish.seat, wish.entry
        if self._timer is not None and self._pass_time(entry.at_ms):
            return  # what the clock does comes first
        if (refusal := self._refuse(seat, wish.version, wish.action, entry.at_ms)) is None:
            self._commit(entry)
        else:
            wish.answer(self._instead(seat, entry.key, refusal))
            self._free()

    def _instead(self, seat: Seat, key: Key, refusal: Refusal) -> Answered:
        """The answer to a wish that is impossible by now. A retry mostly is: it has the result of
        the first try."""
        first = self._course.entries.find(seat, key)
        if first is not None:
            return Accepted(first, again=True)
        return Denied(refusal, self._fanout.told(seat))

    def _refuse(self, seat: Seat, version: int, action: Any, at_ms: int) -> Refusal | None:
        """Why such a wish, which arrived then, is impossible now, or None."""
        course, rules, over = self._course, self.rules, self._how_ended is not None
        if version != course.version and rules.refuses_stale and not over:
            return Refusal(RefusalCode.STALE, {"version": course.version})
        if action is not None:
            refusal = rules.refuse(course.state, seat, action)
        elif over:
            refusal = Refusal(RefusalCode.MATCH_OVER)
        else:
            refusal = course.refuse_take_back(seat, at_ms)
        if refusal is not None:
            return refusal
        if not rules.refuses_stale and version < self._fanout.since(seat):
            # It was made on a line that broke: in a race it was meant for that moment, and a shot
            # that is sent again would go off at another.
            return Refusal(RefusalCode.STALE, {"version": self._fanout.told(seat)})
        return Refusal(RefusalCode.TIME_UP) if self._out_of_time == seat else None

    def _commit(self, entry: Entry) -> None:
        kept = self._append(self.id, Version(self._course.version + 1), entry)
        kept.add_done_callback(partial(self._journal_answered, entry))

    def _journal_answered(self, entry: Entry, kept: "asyncio.Future[None]") -> None:
        """The journal has kept this entry, or says why not."""
        # Where nobody waits for the answer any more, the journal may have it all the same.
        error = JournalError("it was cancelled") if kept.cancelled() else kept.exception()
        if self._gone:
            return
        try:
            if error is None:
                self._apply(entry)
            elif isinstance(error, Doubled) and error.version <= self._course.version:
                wish = self._unanswered
                assert isinstance(wish, Wish)
                wish.answer(Accepted(error.version, again=True))
                self._free()
            elif isinstance(error, JournalError | Doubled):
                self._meanwhile(partial(self._recover, error))
            else:
                raise error
        except Exception:
            self._abort()

    def _apply(self, entry: Entry) -> None:
        """The entry is kept: do it, acknowledge it, tell of it. A measured hot path."""
        course, item = self._course, self._unanswered
        if self._journal.failures:
            self._journal.works()
        if (seat := entry.seat) is None:
            change = course.apply(entry)
        else:
            assert isinstance(item, Wish)
            change = course.apply(entry, item.action)
            self._unanswered = None
            item.answer(Accepted(course.version))
        # Only a clock and a race show the time.
        now_ms = 0 if self._timer is None else self._time.now_ms()
        self._fanout.update(course, change, now_ms, actor=seat)
        if self._gone:
            return  # somebody went while they were told, and the table with them
        if (outcome := self.rules.outcome(course.state)) is not None:
            self._meanwhile(partial(self._end, outcome))
        elif seat is None:
            self._serve(self._unanswered)
        else:
            if not entry.action:
                self._playing.took_back(seat)
            if self._queue or self._timer is not None:
                self._free()
            else:
                self._busy = False

    # Time ---------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """The next deadline, in match time."""
        if self._timer is None or self._how_ended is not None:
            return None
        rules_ms, clocks = self.rules.deadline(self._course.state), self._course.clocks
        flag_ms = None
        if clocks is not None and clocks.now.turn != self._fallen:
            flag_ms = clocks.due_ms()
        return min([ms for ms in (rules_ms, flag_ms) if ms is not None], default=None)

    def _wait_for_deadline(self) -> None:
        """While the match is free, and its time goes by."""
        if self._timer is None:
            return
        due_ms = None if self._busy or not self._time.goes_by else self.due_ms()
        if due_ms is None:
            self._timer.stop()
        else:
            self._timer.start(self._time.until_s(due_ms), self._strike)

    def _strike(self) -> None:
        """A deadline may have come. Where something is under way, that is seen after it."""
        if not self._busy:
            self._serve(None)

    def _pass_time(self, until_ms: int) -> bool:
        """Let the clocks do what was due by then, each at its own deadline however late we are.
        Returns whether the journal was asked to keep what they do: after that there may be
        more."""
        while (due_ms := self.due_ms()) is not None and due_ms <= until_ms:
            clocks = self._course.clocks
            if due_ms == self.rules.deadline(self._course.state):
                self._commit(Entry(None, Key(b""), due_ms, b""))
                return True
            assert clocks is not None
            seat = clocks.now.seat
            if seat is not None and self._playing.loses_by_time(seat):
                self._commit(Entry(None, Key(b""), due_ms, b""))
                return True
            self._fallen = clocks.now.turn
            if seat is not None and self._playing.timed_out(seat):
                self._out_of_time = seat
        return False

    # Who comes ----------------------------------------------------------------------------------

    def _started(self) -> Started:
        header = self.header
        return Started(
            match=self.id, table=self._table, game=header.game, sha256=commitment(header.seed)
        )

    def _turn_away(self, who: Attach) -> None:
        """Tell a newcomer that the match was aborted."""
        who.outbox(self._started())
        who.outbox(self._result(None))

    def _let_in(self, who: Attach, *first: Struct) -> None:
        now_ms = self._time.now_ms()
        self._fanout.let_in(self._course, who, *first, ended=self._how_ended, now_ms=now_ms)

    # Rarer than a move: each is done by a task, and all else waits ------------------------------

    def _meanwhile(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = self._tasks.spawn(self._alone(work))

    async def _alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do this, and then what is still unanswered: a wish that the clock came before, or one
        that the journal failed at."""
        try:
            await work()
            self._task = None
            if self._unanswered is None or self._gone:
                self._free()
            else:
                self._serve(self._unanswered)
        except Claimed:
            structlog.get_logger().info("another node plays the match", match=self.id)
            self._busy = self._gone = True
            self._playing.claimed()
        except Exception:
            self._abort()

    async def _begin(self) -> None:
        """Keep the match; then, in one turn of the loop, give every player the seat's token before
        anything else of the match."""
        tokens, started = await self.tokens.begin(self.header), self._started()
        self._course = self._course.dealt()
        newcomers = [one for one in self._queue if isinstance(one, Attach)]
        for who in newcomers:
            who.outbox(started)
            owns = who.seat if who.came_with is not None else None  # no bot, no watcher
            if owns is not None and (token := tokens.get(owns)) is not None:
                who.outbox(SeatToken(match=self.id, seat=owns, token=token))
        self._answer_owed()
        for who in newcomers:
            if who in self._queue:  # else they have gone
                self._queue.remove(who)
                self._unanswered = who
                self._let_in(who)
        self._unanswered = None

    async def _let_in_with_token(self, who: Attach, seat: Seat, came_with: bytes) -> None:
        """The token is kept before it is sent. Who leaves meanwhile is sent nothing."""
        token = await self.tokens.issue(seat, came_with)
        if self._unanswered is not who:
            return
        said = [] if token is None else [SeatToken(match=self.id, seat=seat, token=token)]
        self._let_in(who, self._started(), *said)
        self._unanswered = None

    def _give_up(self, gone: GiveUp) -> None:
        now_ms = self._time.now_ms()
        if self.over or not gone.loses:
            self._meanwhile(partial(self._remove_tokens, gone))
        elif not self._pass_time(now_ms):  # else somebody's days were over before
            self._commit(Entry(None, Key(GONE + bytes([gone.seat])), now_ms, b""))

    async def _remove_tokens(self, gone: GiveUp) -> None:
        await self.tokens.remove(gone.seat)
        if self._unanswered is gone:  # else `forget` answers
            self._unanswered = None
            gone.kept()

    async def _end(self, outcome: Any) -> None:
        """The rules have come to an outcome: keep it, then tell everybody."""
        ended = self._result(outcome)
        await self._journal.finish(ended)
        self._how_ended = ended
        self._tells(self._fanout.say_last, ended)
        if not self._tells(self._playing.ended, outcome):
            self._tells(self._playing.ended, None)

    def _result(self, outcome: Any | None) -> Ended:
        """What everybody is told; None: aborted."""
        if outcome is None:
            return Ended(match=self.id, aborted=True)
        seed = "" if self._secret else self.header.seed.hex()
        return Ended(match=self.id, outcome=outcome, seed=seed)

    async def _recover(self, error: JournalError | Doubled) -> None:
        """The journal failed at an entry: wait, and ask it whether that was kept, since nobody else
        can know. What is under way is tried again, unless it turns out to be done. `Doubled`: it
        was kept after all, later than the journal was last asked. Raises Claimed."""
        if isinstance(error, Claimed):
            raise error
        await self._journal.pause(error)
        if self.over:
            return
        known = self._course.version
        entries = await self._journal.load()
        self._course = self._course.dealt(entries)
        if self._course.version == known:
            return
        self._journal.works()  # what seemed to fail was kept
        wish, find = self._unanswered, self._course.entries.find
        if isinstance(wish, Wish) and (kept := find(wish.seat, wish.entry.key)) is not None:
            self._unanswered = None
            wish.answer(Accepted(kept))
        course, now_ms = self._course, self._time.now_ms()
        self._fanout.update(course, course.since(known), now_ms, to_all=True)
        if (outcome := self.rules.outcome(course.state)) is not None:
            await self._end(outcome)
        for entry in entries[known:]:
            if entry.seat is not None and entry.takes_back:
                self._playing.took_back(entry.seat)

    # An error of ours ---------------------------------------------------------------------------

    def _abort(self) -> None:
        """Tell all who have heard of no end, people before the journal, since it may be the journal
        that is broken. The journal keeps an outcome that people have heard."""
        structlog.get_logger().exception("match aborted", match=self.id)
        if self._gone:
            return
        people_know, self._busy = self._how_ended is not None, True
        self._how_ended = ended = self._result(None)
        for item in (self._unanswered, *self._queue):
            if isinstance(item, Attach):
                self._turn_away(item)
        self._withdraw_all(RefusalCode.MATCH_ABORTED)
        self._wait_for_deadline()
        self._answer_owed()
        if not people_know:
            self._tells(self._fanout.say_last, ended)
            self._fanout.clear()
            self._tells(self._playing.ended, None)
            if not self._gone:  # else the table has let go of it
                # Nobody was told of a match that goes on, so nobody comes back to it.
                self._task = self._tasks.spawn(self._let_go(ended))
        self._gone = True

    def _tells(self, tell: Callable[[Any], None], what: Any) -> bool:
        """Whether that is told. An error is logged, so that the caller can tell the others."""
        try:
            tell(what)
        except Exception:
            structlog.get_logger().exception("telling failed", match=self.id)
            return False
        return True
