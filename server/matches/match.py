"""One playing of a game: a task with an inbox, the sole owner of the state.

The order is refuse → commit → apply → acknowledge → broadcast, never another: nobody is told of
an action that the journal might not have, and no state changes before its entry is kept.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import structlog

from protocol.dealing import commitment
from protocol.from_server import Ended, History, Started, Update
from protocol.ids import Key, MatchId, Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.games.contract import Addressed
from server.matches.fanout import Fanout, Outbox
from server.matches.replay import AnyRules, history, rebuild
from server.store.journal import Doubled, Entry, Header, Journal, JournalError

MAX_WAITING_WISHES: Final = 8
"""Per seat. One is under way as a rule; past this a wish is refused as `busy`."""

_encode: Final = msgspec.msgpack.Encoder().encode


class Accepted(NamedTuple):
    """The action stands in the journal as `version`, from now or from an earlier try."""

    version: int


class Denied(NamedTuple):
    refusal: Refusal
    version: int


Answer: TypeAlias = Accepted | Denied


class Wish(NamedTuple):
    """A seat wants an action; `answer` is called exactly once, unless the match is lost first."""

    seat: Seat
    version: int
    key: Key
    action: Any
    answer: Callable[[Answer], None]


class Attach(NamedTuple):
    """Let `outbox` be this seat's (None: a watcher), and send it what it missed since."""

    seat: Seat | None
    outbox: Outbox
    since: int = -1


class Match:
    """Create, let `run` be a task, `submit` wishes. `on_end` is called once, with the outcome."""

    def __init__(
        self,
        header: Header,
        rules: AnyRules,
        journal: Journal,
        *,
        table: str,
        now_ms: Callable[[], int],
        on_end: Callable[[Any], None] = lambda outcome: None,
    ) -> None:
        self.id: Final = header.match
        self.header: Final = header
        self.version = Version(0)
        self.ply = 0
        self._rules = rules
        self._journal = journal
        self._table = table
        self._now_ms = now_ms
        self._on_end = on_end
        self._fanout = Fanout(header.seats)
        self._inbox: deque[Wish | Attach] = deque()
        self._waiting = [0] * header.seats
        self._wake: asyncio.Future[None] | None = None
        self._state: Any = None
        self._ended: Ended | None = None

    # What others call, at any time; never blocks ----------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended, by its rules or aborted."""
        return self._ended is not None

    def submit(self, wish: Wish) -> None:
        """Put a wish in the inbox; refused at once when the seat has too many there."""
        if self._ended is not None and self._ended.aborted:
            wish.answer(Denied(Refusal(RefusalCode.MATCH_ABORTED), self.version))
        elif self._waiting[wish.seat] >= MAX_WAITING_WISHES:
            wish.answer(Denied(Refusal(RefusalCode.BUSY), self.version))
        else:
            self._waiting[wish.seat] += 1
            self._put(wish)

    def attach(self, seat: Seat | None, outbox: Outbox, since: int = -1) -> None:
        """`outbox` gets the history and the view, then every update: a seat's or, None, a
        watcher's. A seat's former outbox gets nothing from this moment on."""
        if seat is not None:
            self._fanout.seat(seat, None)
        self._put(Attach(seat, outbox, since))

    def detach(self, seat: Seat | None, outbox: Outbox) -> None:
        """Send nothing more to a watcher, or (with `seat`) to that seat."""
        self._inbox = deque(
            item for item in self._inbox if not (isinstance(item, Attach) and item.outbox == outbox)
        )
        if seat is None:
            self._fanout.unwatch(outbox)
        else:
            self._fanout.seat(seat, None)

    def detach_all(self) -> None:
        """Send nothing more to anybody."""
        self._inbox.clear()
        self._fanout = Fanout(self.header.seats)

    def say(self, message: msgspec.Struct) -> None:
        """A public message to everybody at this match."""
        self._fanout.say(message)

    def to_act(self) -> Sequence[Seat]:
        """The seats that may act now; none before the deal and after the end."""
        if self._state is None or self._ended is not None:
            return ()
        return self._rules.to_act(self._state)

    def any_legal(self, seat: Seat) -> Any:
        """Some legal action of a seat that is to act, for a bot that cannot make up its mind."""
        return self._rules.legal_actions(self._state, seat)[0]

    # The task -----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until the game is over, then answer latecomers until cancelled.

        An error of ours ends this match as aborted and is logged; nothing else is touched.
        """
        try:
            await self._begin()
            while True:
                await self._step()
        except Exception:
            structlog.get_logger().exception("match aborted", match=self.id)
            await self._abort()

    async def _begin(self) -> None:
        await self._journal.begin(self.header)
        rules, header = self._rules, self.header
        self._state = rebuild(rules, header, ())
        self._fanout.say(self._started())

    async def _step(self) -> None:
        if not self._inbox and not await self._wait():
            await self._tick()
            return
        while self._inbox:
            item = self._inbox.popleft()
            if isinstance(item, Wish):
                self._waiting[item.seat] -= 1
                await self._serve(item)
            else:
                await self._let_in(item)

    async def _wait(self) -> bool:
        """Until something is in the inbox (True) or the game's deadline has come (False)."""
        due = None if self._ended is not None else self._rules.deadline(self._state)
        self._wake = asyncio.get_running_loop().create_future()
        try:
            if due is None:
                await self._wake
            else:
                async with asyncio.timeout(max(0, due - self._now_ms()) / 1000):
                    await self._wake
        except TimeoutError:
            return False
        finally:
            self._wake = None
        return True

    def _put(self, item: Wish | Attach) -> None:
        self._inbox.append(item)
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    # The one order of things --------------------------------------------------------------------

    async def _serve(self, wish: Wish) -> None:
        while (due := self._rules.deadline(self._state)) is not None and due <= self._now_ms():
            await self._tick()
        refusal = await self._settle_early(wish) or self._rules.refuse(
            self._state, wish.seat, wish.action
        )
        if isinstance(refusal, Accepted):
            wish.answer(refusal)
        elif refusal is not None:
            wish.answer(Denied(refusal, self.version))
        else:
            await self._play(wish)

    async def _settle_early(self, wish: Wish) -> Accepted | Refusal | None:
        """The answer to a wish that saw another version: a retry's first result, or stale."""
        if wish.version == self.version:
            return None
        first = await self._journal.find(self.id, wish.seat, wish.key)
        if first is not None:
            return Accepted(first)
        if self._rules.refuses_stale and not self.over:
            return Refusal(RefusalCode.STALE, {"version": self.version})
        return None

    async def _play(self, wish: Wish) -> None:
        now_ms = self._now_ms()
        entry = Entry(wish.seat, wish.key, now_ms, _encode(wish.action))
        try:
            await self._journal.append(self.id, Version(self.version + 1), entry)
        except Doubled as doubled:
            wish.answer(Accepted(doubled.version))
            return
        except JournalError as error:
            # Nobody may be told anything: whether the entry was kept is for the journal to say.
            await self._reload(error)
            return
        events = self._rules.apply(self._state, wish.seat, wish.action, now_ms)
        self.version = Version(self.version + 1)
        self.ply += 1
        wish.answer(Accepted(self.version))
        await self._broadcast(events)

    async def _tick(self) -> None:
        now_ms = self._now_ms()
        entry = Entry(None, Key(b""), now_ms, b"")
        try:
            await self._journal.append(self.id, Version(self.version + 1), entry)
        except JournalError as error:
            await self._reload(error)
            return
        events = self._rules.tick(self._state, now_ms)
        self.version = Version(self.version + 1)
        await self._broadcast(events)

    async def _broadcast(self, events: Sequence[Addressed[Any]]) -> None:
        rules, state = self._rules, self._state
        self._fanout.update(rules, state, events, self.id, self.version, self.ply)
        if (outcome := rules.outcome(state)) is not None:
            await self._end(outcome)

    async def _end(self, outcome: Any) -> None:
        await self._journal.finish(self.id, _encode(outcome))
        self._ended = Ended(match=self.id, outcome=outcome, seed=self.header.seed.hex())
        self._fanout.say(self._ended)
        self._on_end(outcome)

    async def _abort(self) -> None:
        if self._ended is not None:
            return
        self._ended = Ended(match=self.id, aborted=True)
        for item in self._inbox:
            if isinstance(item, Wish):
                item.answer(Denied(Refusal(RefusalCode.MATCH_ABORTED), self.version))
        self._inbox.clear()
        self._fanout.say(self._ended)
        self._on_end(None)

    async def _reload(self, error: JournalError) -> None:
        structlog.get_logger().error("journal failed", match=self.id, error=str(error))
        header, entries = await self._journal.load(self.id)
        self._state = rebuild(self._rules, header, entries)
        self.version = Version(len(entries))
        self.ply = sum(entry.seat is not None for entry in entries)
        await self._broadcast([])

    # Latecomers ---------------------------------------------------------------------------------

    def _started(self) -> Started:
        return Started(
            match=self.id,
            table=self._table,
            game=self.header.game,
            sha256=commitment(self.header.seed),
        )

    async def _let_in(self, who: Attach) -> None:
        """The history as pages, the last of them with the view; then whatever comes."""
        who.outbox(self._started())
        header, entries = await self._journal.load(self.id)
        pages = list(history(self._rules, header, entries, who.seat, who.since))
        for version, events in pages:
            who.outbox(History(match=self.id, version=version, events=events))
        who.outbox(
            Update(
                match=self.id,
                version=self.version,
                ply=self.ply,
                view=self._rules.view(self._state, who.seat),
                events=[],
            )
        )
        if self._ended is not None:
            who.outbox(self._ended)
        if who.seat is None:
            self._fanout.watch(who.outbox)
        else:
            self._fanout.seat(who.seat, who.outbox)


def new_header(
    game: str, rules: AnyRules, options: Any, seats: int, seed: bytes, match: str
) -> Header:
    """What the journal keeps of a match that is about to begin."""
    return Header(
        match=MatchId(match),
        game=game,
        rules_version=rules.rules_version,
        options=_encode(options),
        seats=seats,
        seed=seed,
    )
