"""Readers of the list: what they are told adds up, and telling them takes little of each turn."""

import asyncio
import time
from random import Random

import pytest

from protocol.codec import encode_frame
from protocol.from_client import CreateTable
from protocol.listing import Filter, TablePhase
from server.tables import readers
from server.tables.lobby import Lobby
from tests.server.tables.test_lobby import lobby, news, wish
from tests.server.tables.test_seating import Person
from tests.stage import jumping_clock

FILTERS = [
    Filter(),
    Filter(free_seat=True),
    Filter(text="4"),
    Filter(text="4", free_seat=True),
    Filter(phase=TablePhase.PLAYING),
]


A_TURN_S = readers.SHARE_S


class Reader(Person):
    """Keeps a list as a client does."""

    def __init__(self, hall: Lobby, filter_: Filter) -> None:
        super().__init__("Reader")
        self.filter = filter_
        tables, self.total = hall.list.page(filter_, 0)
        self.known = {info.table for info in tables}
        hall.list.subscribe(self, filter_)

    def catch_up(self) -> None:
        for message in news(self):
            self.known |= {info.table for info in message.changed}
            self.known -= set(message.gone)
            self.total = message.total
        self.sent.clear()


@pytest.mark.parametrize("seed", range(4))
def test_what_they_are_told_adds_up_whenever_they_come(seed: int) -> None:
    async def scene() -> None:
        rng, hall = Random(seed), lobby()
        people, told = [Person(str(number)) for number in range(60)], list[Reader]()
        for _ in range(400):
            person = rng.choice(people)
            if (table := hall.table_of(person)) is not None:
                table.leave(person)
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
        assert not hall.list.readers and not hall.list.readers._groups

    jumping_clock.run(scene())


class Slow(Person):
    """Whom to tell takes longer than a turn's share."""

    def send(self, message: object) -> None:
        until_s = time.perf_counter() + A_TURN_S
        while time.perf_counter() < until_s:
            pass
        super().send(message)  # type: ignore[arg-type]


@pytest.mark.parametrize("share_s", [readers.SHARE_S, 1e6])
def test_a_turn_tells_some_and_the_next_turn_others(
    share_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "SHARE_S", share_s)
    most = 0

    async def scene() -> None:
        nonlocal most
        hall, slow = lobby(), [Slow(str(number)) for number in range(20)]
        for reader in slow:
            hall.list.subscribe(reader, Filter())
        hall.create(Person("Ann"), CreateTable(id=0, game="clocktowers", seats=2))
        heard = 0
        while heard < len(slow):
            await asyncio.sleep(0 if heard else 0.01)
            now = sum(bool(reader.sent) for reader in slow)
            most, heard = max(most, now - heard), now

    jumping_clock.run(scene())
    assert (most <= 2) == (share_s < 1)


def test_what_is_told_to_many_is_encoded_once() -> None:
    async def scene() -> None:
        hall, told = lobby(), [Person(str(number)) for number in range(3)]
        for reader in told:
            hall.list.subscribe(reader, Filter())
        hall.create(Person("Ann"), wish())
        await asyncio.sleep(1)
        first, *others = [news(reader)[0] for reader in told]
        assert all(message is first for message in others)
        assert encode_frame(first) is encode_frame(first)

    jumping_clock.run(scene())
