"""A server's start and end: the loop, the interpreter, that nothing is left, how it runs dry."""

import asyncio
import gc
import sys
from functools import partial
from pathlib import Path
from random import Random
from time import time
from typing import Any

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from protocol import from_client as client, from_server as server
from protocol.errors import RefusalCode
from protocol.table import DAY_S, Days
from server import draining, server as server_module
from server.config import Config, Limits
from server.server import opened
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to, somebody_may_return
from tests.server.net.test_listener import bound
from tests.server.test_addresses import confirms, posted
from tests.stage.house import (
    AT_HOME,
    LENIENT,
    START,
    House,
    Peer,
    begin,
    eventually,
    house,
    seated_pair,
)
from tests.stage.jumping_clock import passes
from tests.stage.memory_journal import MemoryJournal


async def test_a_server_that_has_stopped_leaves_its_port_and_no_task() -> None:
    before = len(asyncio.all_tasks())
    config = Config(host=("127.0.0.1",), port=0)
    async with opened(config, MemoryJournal()) as (_context, (address,)):
        assert len(asyncio.all_tasks()) > before
    assert len(asyncio.all_tasks()) == before
    with bound("127.0.0.1", port=address.port):
        pass
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", address.port)


def test_a_server_sets_how_python_works_and_leaves_it_as_it_was() -> None:
    """A thousand moves that wait, each a future and what it is kept in, are no garbage yet."""

    def how() -> tuple[float, int]:
        return sys.getswitchinterval(), gc.get_threshold()[0]

    before, within = how(), list[tuple[float, int]]()

    async def main() -> None:
        within.append(how())

    server_module.run(main())
    ((switch_s, young),) = within
    assert switch_s == pytest.approx(server_module.SWITCH_S) != before[0]
    assert young == server_module.GARBAGE > 2 * 1000
    assert how() == before


def test_two_servers_in_two_loops_of_either_kind() -> None:
    """On asyncio's own loop and, where there is one, on uvloop: the same answer."""
    heard: list[int] = []

    async def visit() -> None:
        async with house() as at, await at.peer("Ann") as ann:
            answer: Any = await ann.request(client.ListTables(id=0))
            assert isinstance(answer, server.Listing)
            heard.append(answer.total)

    asyncio.run(visit())
    server_module.run(visit())
    assert heard == [0, 0]


async def test_a_bug_in_a_callback_is_logged_like_everything_else() -> None:
    """A control: without a server it ends in asyncio's own words on stderr."""
    with capture_logs() as logs:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        assert not logs
        async with house():
            asyncio.get_running_loop().call_soon(lambda: 1 // 0)
            await asyncio.sleep(0)
    (log,) = logs
    assert log["event"] == "callback failed"
    assert isinstance(log["exc_info"], ZeroDivisionError)


class SlowJournal:
    """A tenth of a second late with everything."""

    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal
        self.quiet_s = journal.quiet_s

    def __getattr__(self, name: str) -> Any:
        does = getattr(self._journal, name)

        async def late(*given: Any) -> Any:
            await asyncio.sleep(0.1)
            return await does(*given)

        return lambda *given: asyncio.ensure_future(late(*given))


@pytest.mark.parametrize("heard", [True, False], ids=["heard", "on-its-way"])
async def test_who_says_bye_before_a_stop_has_given_up_the_match(
    tmp_path: Path, heard: bool
) -> None:
    """However slow the disk is, and when the stop comes before the bye is read."""
    file = tmp_path / FILE_NAME
    journal: Any = SlowJournal(SqliteJournal(partial(connect_to, file), str(file)))
    async with house(journal=journal) as at:
        ann = await at.peer("Ann")
        await ann.create(bots="random", options={"first_seat": 0})
        await ann.done(START)
        assert somebody_may_return(tmp_path)
        ann.send(client.Bye())
        if heard:
            await ann.closed()
    held = await journal.current()
    await journal.close()
    assert (held, somebody_may_return(tmp_path)) == ([], False)
    await ann.close()


# A server that runs dry: nothing new begins, matches are played to their end, then it stops -------

NEW = client.CreateTable(id=0, game="clocktowers", seats=2)
PATIENT = Limits(commands_s=1e6, hello_s=600)


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "LOOK_S", 0.02)


def time_is_up(at: House) -> None:
    """For newcomers who have not come back to a seat."""
    at.server.peers.limits = structs.replace(PATIENT, hello_s=0)  # type: ignore[misc]


async def hears(peer: Peer, code: server.NoticeCode) -> server.Notice:
    return await peer.until(server.Notice, lambda notice: notice.code == code)


async def test_nothing_new_begins_and_a_match_is_played_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draining, "LAST_LOOK_S", 600)
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        cia, dan = await at.peer("Cia"), await at.peer("Dan")
        waiting = await cia.create(seats=2)
        at.server.drain.begin()
        for peer in (cia, dan):
            assert (await hears(peer, server.NoticeCode.DRAINING)).params == {"within_s": 0}
        for wish in (NEW, client.Join(id=0, table=waiting), client.Watch(id=0, table=code)):
            assert (await dan.refused(wish)).code == RefusalCode.DRAINING
        assert (await cia.refused(START)).code == RefusalCode.DRAINING
        ends = await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert (
            all(isinstance(end, server.Ended) for end in ends) and not at.server.stopping.is_set()
        )
        assert server.Notice(server.NoticeCode.DRAINING, {"within_s": 0}) in ann.seen
        assert (await ann.refused(client.Rematch(id=0))).code == RefusalCode.DRAINING
        assert not at.server.stopping.is_set()
        monkeypatch.setattr(draining, "LAST_LOOK_S", 0)
        await eventually(at.server.stopping.is_set)


async def test_only_those_who_come_back_to_a_seat_are_let_in() -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        token = await ben.until(server.SeatToken)
        ben.abort()
        at.server.drain.begin()
        late, back = await at.peer("Late"), await at.peer("Ben")
        await back.done(client.Resume(id=0, match=token.match, token=token.token))
        time_is_up(at)
        assert (await late.goodbye()).code == "draining", "they came back to no seat"
        await back.answered()
        await ann.answered()
        assert at.table(code).seating.guests() and not at.server.stopping.is_set()


async def test_where_nobody_can_come_back_a_newcomer_is_told_at_once() -> None:
    async with house(limits=PATIENT) as at:
        cia = await at.peer("Cia")
        await cia.create(seats=2)
        at.server.drain.begin()
        assert (await at.turned_away("Late")).code == "draining"


async def test_a_result_that_all_have_heard_goes_with_the_server() -> None:
    async with house(journal=(journal := MemoryJournal())) as at:
        ann, ben, _code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
    assert await journal.current() == []


async def test_a_match_without_players_is_left_to_the_journal() -> None:
    async with house(limits=LENIENT) as at:
        ann, ben, code = await seated_pair(at)
        at.server.lobby.limits = Limits(grace_s=0, standstill_s=1000)
        for peer in (ann, ben):
            peer.abort()
        at.server.drain.begin()
        await eventually(at.server.stopping.is_set)
        assert code in at.server.lobby.tables


async def test_it_stops_after_a_time_in_any_case() -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, _code = await seated_pair(at)
        at.server.drain.begin(within_s=1)
        assert (await hears(ann, server.NoticeCode.DRAINING)).params == {"within_s": 1}
        assert at.server.drain.left_s == 1
        await eventually(at.server.stopping.is_set)
        await ben.answered()


async def test_it_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        at.server.drain.begin(within_s=1)
        at.server.drain.cancel()
        for peer in (ann, ben):
            await hears(peer, server.NoticeCode.DRAIN_CANCELLED)
        cia, dan, eve, fay = [await at.peer(name) for name in ("Cia", "Dan", "Eve", "Fay")]
        await cia.done(client.Watch(id=0, table=code))
        time_is_up(at)
        passes(2, monkeypatch)
        await begin(dan, eve)
        await fay.answered()
        assert not at.server.stopping.is_set() and not at.server.lobby.draining
        assert at.server.drain.left_s == 0


@pytest.mark.parametrize("soon", [False, True])
async def test_a_match_of_days_sleeps_through_a_drain_and_each_turn_is_told_once(
    soon: bool, tmp_path: Path
) -> None:
    """Before it or after it; who is due, and until when, stays."""
    journal = SqliteJournal(lambda: connect_to(tmp_path / FILE_NAME), FILE_NAME)
    async with posted() as (port, said):
        config = structs.replace(AT_HOME, webhook=f"http://127.0.0.1:{port}/")

        async def looks(at: House, later_s: float) -> server.DueMatch:
            """What Ann is told who asks so long after the beginning."""
            at.server.runner.wall = lambda: begun_at + later_s
            await at.server.sleeping.look()
            await eventually(lambda: not at.server.telling._under_way)
            await eventually(lambda: not at.server.lobby.tables)
            asks = await at.peer("Ann", identity=b"a" * 32)
            asks.send(client.ListWaiting(id=9, matches=[token.match]))
            [told] = (await asks.until(server.WaitingList)).matches
            await asks.close()
            return told

        async with house(config=config, journal=journal) as at:
            ann, ben = await at.peer("Ann", identity=b"a" * 32), await at.peer("Ben")
            await confirms(ann, "ann", said)
            await begin(ann, ben, clock=Days(3), options={"first_seat": 0})
            token, begun_at = await ann.until(server.SeatToken), time()
            for peer in (ann, ben):
                await peer.close()
            await eventually(lambda: not at.server.peers.connected)
            for later_s in (0, DAY_S)[: 1 + soon]:
                due = await looks(at, later_s)
            assert due.yours and len(said) == soon
            at.server.drain.begin()
            await eventually(at.server.stopping.is_set)
        async with house(config=config, journal=journal) as at:
            for later_s in (DAY_S, 2 * DAY_S):
                same = await looks(at, later_s)
            assert same.yours and len(said) == 1
            assert (due.left_s or 0) - (same.left_s or 0) == (2 - soon) * DAY_S
            ann = await at.peer("Ann", identity=b"a" * 32)
            await ann.done(client.Resume(id=0, match=token.match, token=token.token))
            await ann.play(Random(1), 1)
