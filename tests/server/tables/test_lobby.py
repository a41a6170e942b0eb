"""The lobby's list and its changes: what readers are told adds up, and telling them takes little of
each turn. Without sockets where a clock is needed."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, cast
from unittest.mock import Mock

import pytest

from protocol.codec import MAX_FRAME_BYTES, encode
from protocol.from_client import CreateTable, Join, ListTables, Watch
from protocol.from_server import Listing, LobbyChanged
from protocol.table import PAGE_TABLES, Filter, TablePhase
from protocol.text import MAX_NAME_BYTES, MAX_TITLE_BYTES
from server.admission.invitations import Invitations, Whereabouts
from server.config import Limits
from server.tables import table_list
from server.tables.lobby import CODE_LETTERS, Lobby, MatchRunner
from server.tables.names import Names
from server.tables.seat import Chair
from server.tables.table import Table
from tests.stage.hall import Person, hall
from tests.stage.house import CLOSING, READY, START, Peer, house
from tests.stage.jumping_clock import on_jumping_clock


def lobby(**limits: Any) -> Lobby:
    """One whose tables never play."""
    return Lobby(
        cast(MatchRunner, None), Names(), Limits(**limits), Invitations(partial(Whereabouts, ()))
    )


def wish(title: str = "", **how: Any) -> CreateTable:
    return CreateTable(id=0, game="clocktowers", seats=2, title=title, **how)


@on_jumping_clock
async def test_changes_are_merged_and_come_four_times_a_second_and_once() -> None:
    hall, reader = lobby(), Person("Reader")
    hall.list.subscribe(reader, Filter())
    hosts = [Person(str(number)) for number in range(40)]
    seconds = 5
    for number in range(400 * seconds):
        host = hosts[number % len(hosts)]
        if host.table is None:
            hall.create(host, wish())
        else:
            hall.tables[host.table].leave(host)
        await asyncio.sleep(1 / 400)
    await asyncio.sleep(10)
    heard = reader.heard(LobbyChanged)
    assert 4 * seconds - 1 <= len(heard) <= 4 * seconds + 1
    for message in heard:
        codes = [info.table for info in message.changed] + message.gone
        assert len(set(codes)) == len(codes)


@on_jumping_clock
async def test_many_changes_at_once_come_in_messages_of_a_page() -> None:
    hall, reader = lobby(), Person("Reader")
    hall.list.subscribe(reader, Filter())
    for number in range(250):
        hall.create(Person(str(number)), wish())
    await asyncio.sleep(1)
    assert [len(message.changed) for message in reader.heard(LobbyChanged)] == [100, 100, 50]
    assert {message.total for message in reader.heard(LobbyChanged)} == {250}


@pytest.mark.parametrize(
    ("filter_", "titles"),
    [
        (Filter(), ["Two", "One"]),
        (Filter(game="clocktowers"), ["Two", "One"]),
        (Filter(text="Clocktowers"), ["Two", "One"]),
        (Filter(text="architetti at"), []),
        (Filter(game="chess"), []),
        (Filter(phase=TablePhase.WAITING), ["Two", "One"]),
        (Filter(phase=TablePhase.PLAYING), []),
        (Filter(free_seat=True), ["Two"]),
        (Filter(text="ONE"), ["One"]),
        (Filter(text="ben"), ["One"]),
        (Filter(text="wren"), []),
    ],
)
async def test_a_filter_lets_through_what_it_says(filter_: Filter, titles: list[str]) -> None:
    hall = lobby()
    hall.create(Person("Ann"), wish("One")).join(Person("Ben"), None)
    hall.create(Person("Cia"), wish("Two"))
    tables, total = hall.list.page(filter_, 0)
    assert [info.title for info in tables] == titles
    assert total == len(titles)


async def test_a_code_is_found_blind_to_case_and_made_of_letters_that_read_well() -> None:
    hall = lobby()
    table = hall.create(Person("Ann"), wish())
    assert hall.find(table.code.lower()) is table
    assert set(table.code) <= set(CODE_LETTERS)
    assert hall.list.page(Filter(text=table.code.lower()), 0)[1] == 1


# Over a socket -----------------------------------------------------------------------------------


async def listed(peer: Peer, **how: Any) -> Listing:
    answer = await peer.request(ListTables(id=0, **how))
    assert isinstance(answer, Listing)
    return answer


async def test_a_long_list_comes_in_pages_newest_first() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        for number in range(250):
            at.server.lobby.create(Person(f"Guest {number}"), wish(f"Table {number}"))
        pages = [await listed(ann, page=number) for number in range(4)]
        assert [len(page.tables) for page in pages] == [PAGE_TABLES, PAGE_TABLES, 50, 0]
        assert {page.total for page in pages} == {250}
        titles = [info.title for page in pages for info in page.tables]
        assert titles == [f"Table {number}" for number in reversed(range(250))]
        assert len((await listed(ann, filter=Filter(text="table 24"))).tables) == 11


async def test_a_reader_hears_of_changes_until_sitting_down() -> None:
    async with (
        house(limits=CLOSING) as at,
        await at.peer("Ann") as ann,
        await at.peer("Ben") as ben,
    ):
        assert (await listed(ann)).total == 0
        code = await ben.create(title="Ben's")
        changed = await ann.until(LobbyChanged, lambda m: bool(m.changed))
        assert [(i.table, i.title, i.seats[0].name) for i in changed.changed] == [
            (code, "Ben's", "Ben")
        ]
        for wish in (Watch(id=0, table=code), Join(id=0, table=code)):
            await listed(ann)
            assert at.server.lobby.list.readers or isinstance(wish, Join)
            await ann.done(wish)
            assert not at.server.lobby.list.readers
        await listed(ann)
        assert not at.server.lobby.list.readers


async def test_phases_are_told_as_they_change() -> None:
    async with (
        house(limits=CLOSING) as at,
        await at.peer("Ann") as ann,
        await at.peer("Ben") as ben,
    ):
        code = await ben.create(seats=2)
        await listed(ann, filter=Filter(phase=TablePhase.PLAYING))
        async with await at.peer("Cia") as cia:
            await cia.done(Join(id=0, table=code))
            await cia.done(READY)
            await ben.done(START)
            changed = await ann.until(LobbyChanged, lambda m: bool(m.changed))
            assert changed.changed[0].phase is TablePhase.PLAYING
        # Cia has dropped and a bot plays; Ben leaves too, and the match is played out.
        await ben.close()
        gone = await ann.until(LobbyChanged, lambda m: code in m.gone)
        assert gone.total == 0


async def test_the_worst_page_fits_into_a_frame() -> None:
    """Hosts who fill every field as far as they may cannot break the list for all others."""
    async with house() as at, await at.peer("Reader") as reader:
        wide = "\U00010330"
        for number in range(PAGE_TABLES):
            names = [f"{number * 4 + seat:03}" + wide * 11 + "x" for seat in range(4)]
            people = [Person(at.server.names.claim(name) or "") for name in names]
            assert all(len(person.name.encode()) == MAX_NAME_BYTES for person in people)
            title = wide * (MAX_TITLE_BYTES // 4)
            table = at.server.lobby.create(
                people[0], CreateTable(id=0, game="clocktowers", seats=4, title=title)
            )
            for person in people[1:]:
                table.join(person, None)
                table.set_ready(person, True)
            table.matches = 1000
        everybody: list[Callable[[Chair], None]] = [
            lambda chair: None,
            lambda chair: chair.drop(30, lambda _: None),
            lambda chair: chair.move("hand_to_bot", Mock()),
        ]
        for goes in everybody:
            for table in at.server.lobby.tables.values():
                for chair in table.seating.chairs:
                    goes(chair)
            page = await listed(reader)
            assert len(page.tables) == PAGE_TABLES
            assert len(encode(page)) < MAX_FRAME_BYTES
        await reader.until(LobbyChanged, lambda m: len(m.changed) == PAGE_TABLES)


async def test_a_table_that_cannot_stop_keeps_no_other_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped: list[Table] = []

    def stop(table: Table) -> None:
        stopped.append(table)
        raise ZeroDivisionError("a bug in the table")

    async with hall() as at:
        for name in ("Ann", "Ben"):
            await at.table(name, bots=1)
        with monkeypatch.context() as bug:
            bug.setattr(Table, "stop", stop)
            at.lobby.stop()
        assert stopped == list(at.lobby.tables.values()) and len(stopped) == 2


# Many readers ------------------------------------------------------------------------------------

FILTERS = [
    Filter(),
    Filter(free_seat=True),
    Filter(text="4"),
    Filter(text="4", free_seat=True),
    Filter(phase=TablePhase.PLAYING),
]


class Reader(Person):
    """Keeps a list as a client does."""

    def __init__(self, hall: Lobby, filter_: Filter) -> None:
        super().__init__("Reader")
        self.filter = filter_
        tables, self.total = hall.list.page(filter_, 0)
        self.known = {info.table for info in tables}
        hall.list.subscribe(self, filter_)

    def catch_up(self) -> None:
        for message in self.heard(LobbyChanged):
            self.known |= {info.table for info in message.changed}
            self.known -= set(message.gone)
            self.total = message.total
        self.sent.clear()


@pytest.mark.parametrize("seed", range(2))
@on_jumping_clock
async def test_what_they_are_told_adds_up_whenever_they_come(seed: int) -> None:
    rng, hall = Random(seed), lobby()
    people, told = [Person(str(number)) for number in range(60)], list[Reader]()
    for _ in range(400):
        person = rng.choice(people)
        if person.table is not None:
            hall.tables[person.table].leave(person)
        elif hall.tables and rng.random() < 0.4:
            free = [table for table in hall.tables.values() if table.free_seat()]
            if free:
                rng.choice(free).join(person, None)
        else:
            hall.create(person, wish(f"Table {rng.randrange(50)}"))
        if rng.random() < 0.1:
            told.append(Reader(hall, rng.choice(FILTERS)))
        if rng.random() < 0.05 and told:
            hall.list.unsubscribe(told.pop(rng.randrange(len(told))))
        await asyncio.sleep(rng.choice((0, 0, 0.1, 0.3)))
    await asyncio.sleep(1)
    for reader in told:
        reader.catch_up()
        tables, total = hall.list.page(reader.filter, 0)
        assert reader.known == {info.table for info in tables} and reader.total == total
        hall.list.unsubscribe(reader)
    assert not hall.list.readers and not hall.list._groups


class SlowReader(Person):
    """Whom to tell takes longer than a turn's share."""

    def send(self, message: object) -> None:
        until_s = time.perf_counter() + table_list.SHARE_S
        while time.perf_counter() < until_s:
            pass
        super().send(message)  # type: ignore[arg-type]


@on_jumping_clock
async def test_a_turn_tells_some_and_the_next_turn_others() -> None:
    hall, slow = lobby(), [SlowReader(str(number)) for number in range(20)]
    for reader in slow:
        hall.list.subscribe(reader, Filter())
    hall.create(Person("Ann"), wish())
    heard = 0
    while heard < len(slow):
        await asyncio.sleep(0 if heard else 0.01)
        now = sum(bool(reader.sent) for reader in slow)
        assert now - heard <= 2
        heard = now
