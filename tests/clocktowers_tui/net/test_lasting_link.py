"""A line that breaks in a match and is back: the same seat, nothing lost, nothing doubled."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.lasting_link import LastingLink, Round
from clocktowers_tui.net.link import Answer, Link
from clocktowers_tui.net.seats import OwnSeat, Seat as OpenSeat, Seats, unfinished
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State, Store
from clocktowers_tui.state.table import Connection, Kind
from protocol.codec import read_as
from protocol.errors import GoodbyeCode
from protocol.from_client import (
    Act,
    CreateTable,
    Join,
    Leave,
    ListTables,
    Request,
    Resume,
    Start,
    TakeBack,
    Watch,
)
from protocol.from_server import Done, Goodbye, History, Update
from protocol.games.clocktowers import Event, YouDiscarded
from protocol.ids import Seat
from server.config import Limits
from server.net.session import Session
from server.store.journal import NO_TOKENS, Header, TokenHashes
from tests.clocktowers_tui.net.test_on_disk import seat_files
from tests.stage.house import PATIENCE_S, READY, House, eventually, house
from tests.stage.memory_journal import MemoryJournal
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.small_match import bot_table

PATIENT = Limits(grace_s=60)
NOWHERE = Address("127.0.0.1", 1)


class Client(Store):
    """What the app is to the line: it hears, keeps the state, and is told of attempts."""

    def __init__(self, link: LastingLink) -> None:
        super().__init__(lambda: None)
        self.link = link
        self.change(State(connection=Connection(kind=Kind.VISIT, address="", name="Ann")))
        self.attempts: list[int] = []
        self.said: list[Struct] = []
        self.ended = asyncio.create_task(link.run(self, self.attempts.append))

    def hear(self, message: Struct) -> None:
        self.said.append(message)
        super().hear(message)

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    def may_act(self) -> bool:
        match = self.state.match
        return match is not None and match.view is not None and bool(match.view.legal)

    def act(self, rng: Random) -> Act:
        choices = self.match.view.legal
        action = choices[rng.randrange(len(choices))].action
        return Act(id=0, version=self.match.version, key=rng.randbytes(8), action=action)


@asynccontextmanager
async def seated(at: House, seats: Seats | None = None) -> AsyncIterator[Client]:
    """A client in a match against a bot, over sockets."""
    link = await LastingLink.open(Address(*at.address), "Ann", own=OwnSeat("Ann", seats))
    client = Client(link)
    try:
        await link.request(bot_table(1, "random", options={"first_seat": 0}))
        await link.request(Start(id=0))
        await eventually(client.may_act)
        yield client
    finally:
        await link.hang_up()
        await client.ended


def seat_at(address: Address) -> OpenSeat:
    """Kept on disk, of a match that goes on."""
    return OpenSeat(
        host=address.host,
        port=address.port,
        name="Ann",
        match="m1",
        table="7F3K",
        game="clocktowers",
        token="00" * 32,
    )


def session(at: House, name: str = "Ann") -> Session:
    return next(one for one in at.server.peers.admitted if one.name == name)


def cut(at: House, name: str = "Ann") -> None:
    """The line breaks, and both ends notice."""
    transport: Any = session(at, name).transport
    transport.abort()


async def back(client: Client) -> None:
    await eventually(lambda: client.attempts[-1:] == [0])
    client.attempts.clear()


async def to_the_end(client: Client, rng: Random) -> None:
    while client.state.match is None or not client.match.over:
        if client.may_act():
            await client.link.request(client.act(rng))
        await asyncio.sleep(0.001)


async def test_a_line_that_breaks_is_back_with_the_same_hand_and_the_end_leaves_the_table(
    home: Path,
) -> None:
    async with house(limits=PATIENT) as at, seated(at, Seats()) as client:
        rng = Random(1)
        for _ in range(4):
            await eventually(client.may_act)
            assert isinstance(await client.link.request(client.act(rng)), Done)
            await eventually(client.may_act)
            before = (client.match.version, client.match.view, client.match.events)
            cut(at)
            await back(client)
            assert (client.match.version, client.match.view, client.match.events) == before
        assert client.state.table is not None and client.state.table.seat == 0
        assert client.link.welcome.name == "Ann" and len(seat_files(home)) == 1
        await to_the_end(client, rng)
        assert client.link.own.seat is None
        await eventually(lambda: client.link.own.waits is not None and len(seat_files(home)) == 1)
    assert [(one.match, one.table) for one in unfinished()] == [("", client.match.table)]


async def test_an_action_that_was_not_answered_is_sent_again_and_stands_once(home: Path) -> None:
    async with house(limits=PATIENT) as at, seated(at) as client:
        for number in range(8):
            await eventually(client.may_act)
            version = client.match.version
            asked = asyncio.create_task(client.link.request(client.act(Random(number))))
            if number % 2:
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            cut(at)
            answer = await asked
            assert isinstance(answer, Done) and answer.version == version + 1
            await eventually(lambda v=version: client.match.version > v)  # type: ignore[misc]
            client.attempts.clear()
        entries = [one for table in at.server.lobby.tables.values() for one in [table.match]]
        assert entries[0] is not None and entries[0]._course.ply == entries[0].version


@pytest.mark.parametrize("wish", [Join, Watch])
async def test_a_wish_that_may_go_out_twice_outlives_one_line(
    home: Path, wish: type[Join | Watch]
) -> None:
    async with house(limits=PATIENT) as at, await at.peer("Wim") as host:
        code = await host.create(seats=2)
        link = await LastingLink.open(Address(*at.address), "Ann", own=OwnSeat("Ann"))
        client = Client(link)
        await link.request(ListTables(id=0))
        asked = asyncio.create_task(link.request(wish(id=0, table=code), twice=True))
        await asyncio.sleep(0)  # it is on its way
        cut(at)
        answer = await asked
        assert isinstance(answer, Done) and answer.table == code
        await eventually(lambda: client.state.table is not None)
        table = at.server.lobby.find(code)
        assert (client.state.table.seat == 1) is (wish is Join)  # type: ignore[union-attr]
        await eventually(lambda: len(table.watchers) == (wish is Watch))
        await link.hang_up()
        await client.ended


async def test_events_are_those_of_one_who_never_was_away(home: Path) -> None:
    """Also when the line breaks around a move that is taken back."""
    async with house(limits=PATIENT) as at, seated(at) as client, await at.peer("Wim") as watcher:
        await watcher.done(Watch(id=0, table=client.match.table))
        rng = Random(2)
        for number in range(10):
            await eventually(client.may_act)
            await client.link.request(client.act(rng))
            await eventually(client.may_act)
            if matches.may_take_back(client.match, Seat(0)):
                wish = TakeBack(id=0, version=client.match.version, key=rng.randbytes(8))
                asked = asyncio.create_task(client.link.request(wish))
                await asyncio.sleep(0.01 * (number % 2))
                cut(at)
                assert isinstance(await asked, Done)
                await back(client)
        await eventually(client.may_act)
        await watcher.answered()
        seen: list[Any] = []
        for message in watcher.seen:
            del seen[len(seen) - getattr(message, "taken_back", 0) :]
            seen += getattr(message, "events", [])
        ours = [event for event in client.match.events if not isinstance(event, YouDiscarded)]
        assert ours == [read_as(event, Event) for event in seen]  # type: ignore[arg-type]


async def test_the_attempts_are_told_and_a_request_that_is_none_is_not_repeated(home: Path) -> None:
    async with house(limits=PATIENT) as at, seated(at) as client:
        link: Any = client.link
        real, calls = link._dial, 0

        async def fails_twice() -> Any:
            nonlocal calls
            calls += 1
            if calls < 3:
                raise LinkError(Fault.CLOSED_PORT)
            return await real()

        link._dial = fails_twice
        cut(at)
        await eventually(lambda: len(client.attempts) > 0)
        with pytest.raises(LinkError):
            await client.link.request(Start(id=0))
        await eventually(lambda: client.attempts[-1] == 0)
        assert client.attempts == [1, 2, 3, 0]
        assert isinstance(await client.link.request(client.act(Random(1))), Done)


async def test_a_seat_that_is_gone_ends_it(home: Path) -> None:
    async with house(limits=PATIENT) as at, seated(at, Seats()) as client:
        table = next(iter(at.server.lobby.tables.values()))
        ann = session(at)
        table.leave(ann)
        cut(at)
        error = await client.ended
        assert error.fault is Fault.SEAT_GONE
        assert unfinished() == [] and not seat_files(home)


async def test_who_takes_the_seat_elsewhere_is_not_fought(home: Path) -> None:
    async with house(limits=PATIENT) as at, seated(at) as client:
        resume = client.link.own.resume(State())
        assert resume is not None
        async with await at.peer("Ann") as newer:
            await newer.done(resume)
            error = await client.ended
            assert isinstance(error, TurnedAway) and error.code == "taken_over"
            await newer.until(Update)
            assert client.attempts == []


class SlowResume:
    """The answer to a `Resume` comes when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()
        real = Link.request

        async def request(link: Link, wish: Request) -> Answer:
            answer = await real(link, wish)
            if isinstance(wish, Resume):
                self.asked.set()
                await self.may_answer.wait()
            return answer

        monkeypatch.setattr(Link, "request", request)


async def leave(client: Client) -> None:
    with pytest.raises(LinkError):
        await client.link.request(Leave(id=0))


@pytest.mark.parametrize(
    ("go", "kept"),
    [(lambda c: c.link.close(), 0), (lambda c: c.link.hang_up(), 1), (leave, 0)],
    ids=["close", "hang_up", "leave"],
)
async def test_a_player_who_leaves_while_the_line_is_coming_back_is_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch, go: Callable[[Client], Awaitable[None]], kept: int
) -> None:
    async with house(limits=PATIENT) as at, seated(at, Seats()) as client:
        slow = SlowResume(monkeypatch)
        cut(at)
        await slow.asked.wait()
        await go(client)
        slow.may_answer.set()
        async with asyncio.timeout(PATIENCE_S):
            assert (await client.ended).fault is Fault.LOST
        await eventually(lambda: not at.server.peers.admitted)
        assert len(unfinished()) == len(seat_files(home)) == kept


async def test_a_run_that_is_cancelled_leaves_no_new_line(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(limits=PATIENT) as at:
        link = await LastingLink.open(Address(*at.address), "Ann", own=OwnSeat("Ann", Seats()))
        client = Client(link)
        await link.request(bot_table(1, "random", options={"first_seat": 0}))
        await link.request(Start(id=0))
        await eventually(client.may_act)
        slow = SlowResume(monkeypatch)
        cut(at)
        await slow.asked.wait()
        client.ended.cancel()
        await eventually(lambda: not at.server.peers.admitted)
        await link.hang_up()


@asynccontextmanager
async def arrived(at: House, name: str = "Ann") -> AsyncIterator[Client]:
    """A client in the lobby."""
    client = Client(await LastingLink.open(Address(*at.address), name))
    try:
        yield client
    finally:
        await client.link.hang_up()
        await client.ended


async def test_another_address_of_the_server_is_as_good(home: Path) -> None:
    """Also when the server has said that it stops: then another of its nodes may go on."""
    async with house() as second:
        async with house() as first:
            others = [NOWHERE, Address(*second.address)]
            link = await LastingLink.open(Address(*first.address), "Ann", others=others)
            client = Client(link)
            await link.request(ListTables(id=0))
        await eventually(lambda: bool(second.server.peers.admitted))
        await back(client)
        async with await second.peer("Ben") as ben:
            await ben.done(CreateTable(id=0, game="clocktowers", seats=2, title="Ben's"))
            await eventually(lambda: [one.title for one in client.state.lobby.tables] == ["Ben's"])
        assert link.address == Address(*first.address), "what the server is called stays"
        await link.hang_up()
        await client.ended


async def test_a_server_tells_where_others_of_its_lobby_are(home: Path) -> None:
    async with house() as second:
        told = ["nowhere:0", *[str(Address(*second.address))] * 2]

        async def tells(peer: ScriptedPeer) -> None:
            await peer.welcomes(*told)

        async with scripted(tells) as first:
            client = Client(await LastingLink.open(first, "Ann"))
            assert not client.link.others, "they are only named"
        await back(client)
        assert client.link.others == (Address(*second.address),)
        await client.link.hang_up()
        await client.ended


async def test_a_seat_that_is_taken_again_elsewhere_is_taken_once() -> None:
    """The server leads the player on before it answers."""
    heard: list[Struct] = []

    async def home(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        while True:
            heard.append(wish := await peer.hears())
            if isinstance(wish, Resume):
                peer.says(Done(id=wish.id))

    async with scripted(home) as there:

        async def leads_on(peer: ScriptedPeer) -> None:
            await peer.welcomes()
            heard.append(await peer.hears())
            peer.says(Goodbye(GoodbyeCode.MOVED, {"at": str(there), "ticket": "t"}))

        async with scripted(leads_on) as here:
            own = OwnSeat("Ann", seat=seat_at(here))
            client = Client(await LastingLink.open(here, "Ann", own=own))
            wish = client.link.own.resume(State())
            assert wish is not None and isinstance(await client.link.request(wish), Done)
            assert client.link.own.seat is not None
            await client.link.hang_up()
            await client.ended
    assert [type(one) for one in heard] == [Resume, Resume]


async def test_another_server_at_one_of_the_addresses_is_passed_over() -> None:
    dialled = []

    async def dial(to: Address, moved: str) -> Link:
        dialled.append(to)
        raise LinkError(Fault.KEY_CHANGED, address=str(to))

    one, two = Address("one.example", 1), Address("two.example", 2)
    for addresses, named, faults in (
        ((one, two), [], [Fault.UNREACHABLE] * 2),
        ((one,), [], [Fault.KEY_CHANGED]),
        # A server may name anybody: each is dialled once, and is no address of the server.
        ((one,), [str(two)] * 9, [Fault.KEY_CHANGED, Fault.UNREACHABLE, Fault.KEY_CHANGED]),
    ):
        around = Round(deque(addresses), dial)
        around.learn(named)
        for fault in faults:
            with pytest.raises(LinkError, match=fault.name):
                await around()
        assert [*around] == [*addresses] or len(addresses) > 1
    assert dialled == [two, one, one, one, two, one]


async def test_one_who_waits_alone_finds_table_and_seat_again(home: Path) -> None:
    async with house(limits=PATIENT) as at, arrived(at) as client:
        await client.link.request(CreateTable(id=0, game="clocktowers", seats=3))
        for _ in range(3):
            before = client.state.table
            cut(at)
            await back(client)
            assert client.state.table == before and before is not None
            assert before.is_host and before.info.table in at.server.lobby.tables


async def test_the_seat_that_one_had_is_taken_again_or_another(home: Path) -> None:
    async with house() as at, arrived(at, "Ann") as client, await at.peer("Ben") as ben:
        made = await ben.done(CreateTable(id=0, game="clocktowers", seats=3))
        await client.link.request(Join(id=0, table=made.table, seat=2))
        cut(at)
        await back(client)
        assert client.state.table is not None and client.state.table.seat == 2
        link: Any = client.link
        real, may_dial = link._dial, asyncio.Event()

        async def waits() -> Any:
            await may_dial.wait()
            return await real()

        link._dial = waits
        cut(at)
        async with await at.peer("Cia") as cia:
            await eventually(lambda: client.attempts != [])
            await eventually(lambda: at.table(made.table).seating.chairs[2].guest is None)
            await cia.done(Join(id=0, table=made.table, seat=2))
            may_dial.set()
            await back(client)
            assert client.state.table is not None and client.state.table.seat == 1


async def test_a_watcher_watches_on_and_is_told_everything_once(home: Path) -> None:
    async with house(limits=PATIENT) as at, seated(at) as ann, arrived(at, "Ben") as ben:
        rng = Random(2)
        assert ann.state.table is not None
        await ben.link.request(Watch(id=0, table=ann.state.table.info.table))
        for _ in range(3):
            await eventually(ann.may_act)
            await ann.link.request(ann.act(rng))
            cut(at, "Ben")
            await back(ben)
            await eventually(ann.may_act)
        await eventually(lambda: ben.match.version == ann.match.version)
        async with await at.peer("Cia") as cia:
            await cia.done(Watch(id=0, table=ann.state.table.info.table))
            await cia.until(Update)
            said = [message for message in cia.seen if isinstance(message, History)]
        sent = [event for page in said for event in page.events]
        assert list(ben.match.events) == [read_as(event, Event) for event in sent]  # type: ignore[arg-type]
        assert ben.state.table is not None and ben.state.table.seat is None


async def test_a_table_that_is_gone_leads_to_the_lobby(home: Path) -> None:
    async with house(limits=Limits(waiting_s=0)) as at, arrived(at) as client:
        await client.link.request(CreateTable(id=0, game="clocktowers", seats=2))
        link: Any = client.link
        real = link._dial

        async def when_it_is_closed() -> Any:
            await eventually(lambda: not at.server.lobby.tables)
            return await real()

        link._dial = when_it_is_closed
        cut(at)
        await back(client)
        assert client.state.table is None and client.state.ejected is not None


class Cut(MemoryJournal):
    """Cuts every line at the moment at which a match has been kept."""

    lines: Callable[[], list[Any]] = list

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await super().begin(header, tokens)
        for session in self.lines():
            session.transport.abort()


async def test_a_line_that_breaks_before_the_token_finds_its_match() -> None:
    """By the table and the identity; two of the same home have each their own seat."""
    async with (
        house(journal=(journal := Cut()), limits=Limits(commands_s=1e6)) as at,
        arrived(at) as ann,
        arrived(at, "Ben") as ben,
    ):
        journal.lines = lambda: list(at.server.peers.admitted)
        made = await ann.link.request(CreateTable(id=0, game="clocktowers", seats=2))
        for wish in (Join(id=0, table=made.table), READY):  # type: ignore[union-attr]
            assert isinstance(await ben.link.request(wish), Done)
        with pytest.raises(LinkError):
            await ann.link.request(Start(id=0))
        await asyncio.gather(*(to_the_end(player, Random(1)) for player in (ann, ben)))
        assert ann.match.outcome == ben.match.outcome is not None
        assert [player.link.welcome.name for player in (ann, ben)] == ["Ann", "Ben"]
