"""A lobby with real tables, matches and bots, and people instead of connections. Nothing here waits
for a socket, so it runs on the clock that jumps."""

import asyncio
import inspect
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from functools import partial, wraps
from random import Random
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias

import pytest
from msgspec import Struct

from protocol.changes import News
from protocol.from_client import BotSeat, CreateTable
from protocol.from_server import Ended, Notice, SeatToken, Unsent, Update
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Key, Seat, TableCode, Version
from protocol.table import Clock
from server.addresses import AddressBook, Letter, NotSent
from server.admission.invitations import Invitations, Whereabouts
from server.config import Config, Limits
from server.matches.wishes import Accepted, Answered
from server.net.callers import Caller
from server.tables.access import Impossible
from server.tables.lobby import Lobby, MatchRunner
from server.tables.names import Names
from server.tables.restoring import Restoring
from server.tables.sleeping import Sleeping
from server.tables.table import Table
from server.tables.telling import Telling
from server.tasks import Tasks
from tests.stage import jumping_clock
from tests.stage.house import HomeBrains
from tests.stage.memory_journal import MemoryJournal

if TYPE_CHECKING:
    from server.net.session import Session as Guest
else:
    Guest = object  # a table takes for a session what does what it asks of one

P = ParamSpec("P")

UNDER_WAY: Final = Limits(untouched_s=Limits().standstill_s)
"""Matches in which nobody has acted are treated as if somebody had: few tests begin with that."""


EPOCH_S: Final = 1_700_000_000.0
"""When each of these tests begins."""


class Person(Guest):
    """In the place of a session: keeps what it is sent, without a connection."""

    def __init__(self, name: str, identity: bytes = b"", origin: str = "") -> None:
        self.name = name
        self.identity = identity
        self.origin = origin
        self.caller = Caller()  # type: ignore[misc]
        self.table: TableCode | None = None
        self.sent: list[Struct] = []
        self.gone = False
        self.lag = 0

    def send(self, message: Struct) -> None:
        if not self.gone:
            self.sent.append(message.whole() if isinstance(message, News) else message)

    show = send

    def measure(self) -> None:
        pass

    def lag_ms(self) -> int:
        return self.lag

    def replaced(self) -> None:
        self.table = None

    def dial_again(self, home: Any = None) -> None:
        self.replaced()

    def heard(self, kind: type[Any]) -> list[Any]:
        return [message for message in self.sent if isinstance(message, kind)]


class Player(Person):
    """A person at the end of a connection; `again` is the same person on another connection."""

    def __init__(self, hall: "Hall", name: str, identity: bytes = b"", origin: str = "") -> None:
        super().__init__(hall.names.claim(name) or "", identity, origin)
        self.hall = hall

    def replaced(self) -> None:
        self.table, self.name = None, ""
        self.drop()

    @property
    def notices(self) -> list[tuple[str, object]]:
        return [(notice.code, notice.params.get("name")) for notice in self.heard(Notice)]

    @property
    def token(self) -> SeatToken:
        return self.heard(SeatToken)[-1]  # type: ignore[no-any-return]

    @property
    def update(self) -> Update:
        return self.heard(Update)[-1]  # type: ignore[no-any-return]

    @property
    def over(self) -> bool:
        return bool(self.heard(Ended))

    def drop(self) -> None:
        """The connection closes, as a session does it; once or again."""
        self.gone = True
        if (table := self.at_table()) is not None:
            table.drop(self)
        if self.name:
            self.hall.names.release(self.name)
            self.name = ""

    def leave(self) -> None:
        table_of(self).leave(self)

    def at_table(self) -> Table | None:
        return None if self.table is None else self.hall.lobby.tables.get(self.table)

    async def again(self, name: str, since: int = -1, at: "Hall | None" = None) -> "Player":
        """Come back on another connection, with the newest token; returns the result. `at`: to the
        server that came after this server."""
        other = Player(at or self.hall, name)
        other.identity = self.identity
        match = self.token.match
        other.sent.append(self.token)  # a client keeps it
        try:
            table = other.hall.lobby.find_match(match)
            table.resume(other, self.token.token, since)
        except BaseException:
            other.drop()
            raise
        await settle()
        return other

    def may_act(self) -> bool:
        table = self.at_table()
        match = table.match if table is not None else None
        return match is not None and bool(match.to_act()) and self.seat == match.to_act()[0]

    @property
    def seat(self) -> Seat:
        return table_of(self).chair_of(self).number

    async def act(self, rng: Random) -> Answered:
        """A legal action of the newest view; where the view lists none, a bot's choice."""
        game = table_of(self).game
        if game.rules.lists_legal:
            choices = self.update.view.legal
            action = choices[rng.randrange(len(choices))].action
        else:
            action = game.bots["random"](self.update.view, [], rng)
        return await self._wish(action, rng.randbytes(8))

    def try_something(self, rng: Random) -> None:
        """In a race: at random, possible or not; nobody waits for the answer."""
        table = self.at_table()
        if table is None or table.match is None or self.seat not in table.match.to_act():
            return
        action = table.game.bots["random"](self.update.view, [], rng)
        if action is not None:
            key, version = Key(rng.randbytes(8)), Version(self.update.version)
            table.match.submit(self.seat, version, key, action, lambda answer: None)

    async def undo(self) -> Answered:
        return await self._wish(None, b"back %d" % self.update.version)

    async def _wish(self, action: Any, name: bytes) -> Answered:
        table = table_of(self)
        assert table.match is not None
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

        def answered(result: Answered) -> None:
            if isinstance(result, Accepted):
                table.playing.person_acted()
            answer.set_result(result)

        chair = table.chair_of(self)
        wish = chair.number, Version(self.update.version), Key(name), action
        if chair.bot is not None:  # as the handler does
            if (now := table.match.answer_now(*wish)) is not None:
                return now
            table.playing.give_back(chair)
        if action is None and table.days is not None:
            table.playing.take_back(chair, *wish[1:3], answered)
        else:
            table.match.submit(*wish, answered)
        return await answer


class OpenTasks(Tasks):
    """A bug in one of them fails the test."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._group.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: work.close())
        return task


class Letters(AddressBook):
    """Keeps in `sent` what goes out to ntfy. `fails`: why each fails from now on."""

    def __init__(self) -> None:
        super().__init__(Config(notify_ntfy="public"))
        self.sent: list[tuple[str, Letter]] = []
        self.fails: Unsent | None = None

    async def send(self, address: str, letter: Letter) -> None:
        self.sent.append((address, letter))
        if self.fails:
            raise NotSent(self.fails, "")


class Hall:
    """`table` makes a table whose match has begun."""

    def __init__(
        self, group: asyncio.TaskGroup, journal: MemoryJournal, limits: Limits, bot_pace_s: float
    ) -> None:
        self.tasks = OpenTasks(group)
        self.journal = journal
        self.names = Names()
        config = Config(bot_pace_s=bot_pace_s, keep_days=0)
        loop = asyncio.get_running_loop()
        self.set_back_s = 0.0
        """By how much the wall clock is behind the loop's, since it was set."""

        def wall() -> float:
            return EPOCH_S + loop.time() - self.set_back_s

        self.runner = MatchRunner(journal, HomeBrains(), self.tasks, config, wall=wall)
        invitations = Invitations(partial(Whereabouts, ()))
        self.lobby = Lobby(self.runner, self.names, limits, invitations)
        self.restoring = Restoring(journal, self.lobby)
        self.letters = Letters()
        self.telling = Telling(self.lobby, self.letters, "Club")
        self.sleeping = Sleeping(journal, self.lobby, self.restoring, self.telling)

    async def table(
        self,
        *names: str,
        bots: int = 0,
        clock: Clock | None = None,
        game: str = "clocktowers",
        identities: Sequence[bytes] = (),
        seed: bytes | None = None,
        **options: Any,
    ) -> list[Player]:
        """Seat these people at a table with so many bots, and begin the match."""
        people = [Player(self, name) for name in names]
        for person, identity in zip(people, identities, strict=False):
            person.identity = identity
        seats = len(people) + bots
        wish = CreateTable(
            id=0,
            game=game,
            seats=seats,
            options={**_FIRST.get(game, {}), **options},
            bots=[BotSeat(seat, "easy") for seat in range(len(people), seats)],
            clock=clock,
            seed=seed,
        )
        table = self.lobby.create(people[0], wish)
        for person in people[1:]:
            table.join(person, None)
            table.set_ready(person, True)
        table.start(people[0])
        await settle()
        return people

    def fall(self) -> None:
        """Fall like a killed server: nothing of it acts any more, and nobody is told."""
        self.lobby.stop()
        self.runner.stop()
        self.tasks.cancel()

    def left_over(self) -> list[object]:
        """Tables, tasks, matches and names; all empty when everybody is gone."""
        kept = (
            self.lobby.tables,
            self.tasks._running,
            self.runner.matches,
            self.journal._matches,
            self.names._uses,
        )
        return [one for some in kept for one in some]


_FIRST: Final[dict[str, dict[str, Any]]] = {
    game: {"first_seat": 0}
    for game, words in VOCABULARIES.items()
    if "first_seat" in words.options.__struct_fields__
}
"""Seat 0 begins, in games where a seat begins."""

Scene: TypeAlias = Callable[[Hall], Awaitable[None]]


def table_of(player: Player) -> Table:
    """Whereabouts this player is."""
    table = player.at_table()
    assert table is not None
    return table


def only_table(at: Hall) -> Table:
    (table,) = at.lobby.tables.values()
    return table


@contextmanager
def refuses(code: str, params: Mapping[str, Any] | None = None) -> Iterator[None]:
    """What stands in the block is refused with this code, and these parameters where they count."""
    with pytest.raises(Impossible) as error:
        yield
    assert error.value.refusal.code == code
    assert params is None or error.value.refusal.params == params


async def settle() -> None:
    """Let everybody do what can be done without time going by."""
    for _ in range(40):
        await asyncio.sleep(0)


async def to_the_end(*people: Player, step_s: float = 1.0) -> None:
    """These act whenever it is their turn, until the match is over."""
    rng = Random(5)
    while not any(person.over for person in people):
        for person in people:
            if person.may_act():
                await person.act(rng)
                await settle()
        await asyncio.sleep(step_s)
    await settle()


@asynccontextmanager
async def hall(
    limits: Limits | None = None, bot_pace_s: float = 0.7, journal: MemoryJournal | None = None
) -> AsyncIterator[Hall]:
    """A server until the caller leaves the block; then it falls, and nobody is told. The next
    server may have the same journal."""
    async with asyncio.TaskGroup() as group:
        at = Hall(group, journal or MemoryJournal(), limits or UNDER_WAY, bot_pace_s)
        await at.lobby.people.read()
        await at.restoring.run(await at.journal.current())
        await settle()  # a disk takes its time
        await at.sleeping.begin()
        try:
            yield at
        finally:
            at.fall()


def run(scene: Scene, **how: Any) -> None:
    """Run the scene in a `hall`, on a clock that jumps."""

    async def whole() -> None:
        async with hall(**how) as at:
            await scene(at)

    jumping_clock.run(whole())


def in_a_hall(
    **how: Any,
) -> Callable[[Callable[Concatenate[Hall, P], Awaitable[None]]], Callable[P, None]]:
    """A test that is handed a `hall`, which is made in this way, on a clock that jumps."""

    def decorate(test: Callable[Concatenate[Hall, P], Awaitable[None]]) -> Callable[P, None]:
        @wraps(test)
        def run_it(*args: P.args, **more: P.kwargs) -> None:
            run(lambda at: test(at, *args, **more), **how)

        # pytest takes a parameter for a fixture: it does not see the first one.
        signature = inspect.signature(run_it)
        others = [*signature.parameters.values()][1:]
        run_it.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run_it

    return decorate
