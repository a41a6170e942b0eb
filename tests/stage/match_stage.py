"""A match without a server: a chosen seed, an outbox for each seat, a journal that is watched."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Any, Final, TypeVar

from msgspec import Struct, msgpack

from protocol.changes import News
from protocol.from_server import Ended, History, SeatToken, Update
from protocol.games.clocktowers import Options
from protocol.ids import Key, MatchId, Seat, Version
from server.games.clocktowers.game import GAME as CLOCKTOWERS
from server.games.contract import AnyRules
from server.matches.match import Match
from server.matches.replay import pack_options
from server.matches.wishes import Accepted, Answered, Attach, Denied, nobody_waits
from server.store.in_database import Journal
from server.store.journal import Entry, Header, JournalError
from server.tasks import Tasks
from tests.stage.memory_journal import MemoryJournal

T = TypeVar("T")

RULES: Final = CLOCKTOWERS.rules
SEED: Final = bytes(range(32))
PATIENCE_S: Final = 20.0


class Box:
    """An outbox that keeps what it gets."""

    def __init__(self, tell: Callable[[str], None] = lambda what: None) -> None:
        self.sent: list[Struct] = []
        self._tell = tell

    def __call__(self, message: Struct) -> None:
        message = message.whole() if isinstance(message, News) else message
        self.sent.append(message)
        self._tell(f"send {type(message).__name__}")

    @property
    def events(self) -> list[Any]:
        """All events so far, from whatever message."""
        return [e for m in self.sent if isinstance(m, History | Update) for e in m.events]

    @property
    def update(self) -> Update:
        return [m for m in self.sent if isinstance(m, Update)][-1]

    @property
    def tokens(self) -> list[bytes]:
        return [message.token for message in self.sent if isinstance(message, SeatToken)]

    @property
    def ended(self) -> Ended | None:
        return next((m for m in self.sent if isinstance(m, Ended)), None)


def packed(messages: list[Struct]) -> bytes:
    """The bytes that would go over the wire."""
    return b"".join(map(msgpack.encode, messages))


class FlakyJournal(MemoryJournal):
    """Tells what it is asked and what it has done of `append`, `load`, `finish`, `forget`
    and `keep_tokens`. By name: what it `holds` waits for `go_on`; and each fails as often as
    `failing` says, when it is done (`late`) or before. `slow`: appends take another turn of the
    loop."""

    def __init__(
        self,
        *,
        late: bool = False,
        slow: bool = False,
        tell: Callable[[str], None] = lambda what: None,
        **failing: int,
    ) -> None:
        super().__init__()
        self.late = late
        self.slow = slow
        self.failing = failing
        self.asked: Counter[str] = Counter()
        self.holds: tuple[str, ...] = ()
        self.go_on = asyncio.Event()
        self._noted = tell

    async def _tried(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        self.asked[what] += 1
        self._noted(what)
        if self.slow and what == "append":
            await asyncio.sleep(0)
        if what in self.holds:
            await self.go_on.wait()
        fails = self.failing.get(what, 0) > 0
        self.failing[what] = max(0, self.failing.get(what, 0) - 1)
        if fails and not self.late:
            raise JournalError("the disk is full")
        done = await work()
        self._noted(f"done: {what}")
        if fails:
            raise JournalError("the disk is full")
        return done

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        work = partial(super().append, match, version, entry)
        return asyncio.ensure_future(self._tried("append", work))

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._tried("load", partial(super().load, match))

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._tried("finish", partial(super().finish, match, outcome))

    async def forget(self, match: MatchId) -> None:
        await self._tried("forget", partial(super().forget, match))

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._tried("keep_tokens", partial(super().keep_tokens, match, seat, hashes))


class Attending:
    """Remembers what the match tells."""

    def __init__(self) -> None:
        self.outcomes: list[Any] = []
        self.taken_back: list[Seat] = []

    def ended(self, outcome: Any | None) -> None:
        self.outcomes.append(outcome)

    def took_back(self, seat: Seat) -> None:
        self.taken_back.append(seat)

    def timed_out(self, seat: Seat) -> bool:
        return False

    def claimed(self) -> None:
        pass

    def disk_fails(self, fails: bool) -> None:
        pass


class Stage:
    """A running match with an outbox on every seat."""

    def __init__(
        self,
        match: Match,
        journal: Journal,
        boxes: list[Box],
        attendant: "Attending",
        tell: Callable[[str], None],
    ) -> None:
        self.match = match
        self.journal = journal
        self.boxes = boxes
        self.attendant = attendant
        self.outcomes = attendant.outcomes
        self._tell = tell
        self._keys = Random(5)

    def wish(
        self, seat: int, action: Any, *, version: int | None = None, key: bytes | None = None
    ) -> "asyncio.Future[Answered]":
        """Submit an action; the future is the answer, and a second answer is an error."""
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        version = self.match.version if version is None else version
        key = self._keys.randbytes(8) if key is None else key

        def heard(result: Answered) -> None:
            self._tell("acknowledge")
            answer.set_result(result)

        self.match.submit(Seat(seat), version, Key(key), action, heard)
        return answer

    async def asked(self, seat: int, action: Any, **how: Any) -> Answered:
        async with asyncio.timeout(PATIENCE_S):
            return await self.wish(seat, action, **how)

    async def accepted(self, seat: int, action: Any, **how: Any) -> int:
        answer = await self.asked(seat, action, **how)
        assert isinstance(answer, Accepted), answer
        return answer.version

    async def denied(self, seat: int, action: Any, **how: Any) -> tuple[str, int]:
        answer = await self.asked(seat, action, **how)
        assert isinstance(answer, Denied), answer
        return answer.refusal.code, answer.version

    @property
    def turn(self) -> int:
        return self.match.to_act()[0]

    def legal(self) -> Any:
        """A legal action of the seat to act."""
        return self.match.any_legal(Seat(self.turn))

    async def play(self, rng: Random, moves: int = 10_000) -> None:
        """Play at random, to the end or for so many moves."""
        for _ in range(moves):
            await until(lambda: self.match.over or bool(self.match.to_act()))
            if self.match.over:
                return
            choices = self.boxes[self.turn].update.view.legal
            await self.accepted(self.turn, choices[rng.randrange(len(choices))].action)

    async def settle(self) -> None:
        """Let the match serve everything it has been handed."""
        box = Box()
        self.match.attach(Attach(None, box))
        await until(lambda: any(isinstance(message, Update) for message in box.sent))
        self.match.detach(None, box)


def header_of(game: str, rules: AnyRules, options: Any, seats: int, seed: bytes = SEED) -> Header:
    return Header(
        match=MatchId("m1"),
        game=game,
        rules_version=rules.rules_version,
        options=pack_options(options),
        seats=seats,
        seed=seed,
    )


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110  (that is the point)
            await asyncio.sleep(0.001)


@asynccontextmanager
async def stage(
    *,
    journal: Journal | None = None,
    rules: AnyRules = RULES,
    game: str = "clocktowers",
    options: Any = None,
    seats: int = 2,
    seed: bytes = SEED,
    tell: Callable[[str], None] = lambda what: None,
    begun: Callable[[], None] = nobody_waits,
    attach: bool = True,
) -> AsyncIterator[Stage]:
    """A match on the stage; its clock is the loop's."""
    journal = journal or MemoryJournal()
    options = Options() if options is None else options
    header = header_of(game, rules, options, seats, seed)
    attendant: Any = Attending()
    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        match = Match(header, rules, journal=journal, tasks=tasks, playing=attendant, table="ABCD")
        boxes = [Box(tell) for _ in range(seats)]
        for seat, box in enumerate(boxes if attach else []):
            match.attach(Attach(Seat(seat), box))
        match.start(begun)
        try:
            if attach:
                await until(lambda: any(isinstance(m, Update | Ended) for m in boxes[-1].sent))
            yield Stage(match, journal, boxes, attendant, tell)
        finally:
            match.stop()
            tasks.cancel()
