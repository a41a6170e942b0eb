"""A table is found, joined, played and left in the same way on each node that a client has
dialled."""

import asyncio
from random import Random

from msgspec import structs

from protocol.errors import GoodbyeCode
from protocol.from_client import GetRecord, Join, Leave, ListTables, Ready, Resume, Say, Watch
from protocol.from_server import (
    AtTable,
    Done,
    Ended,
    Goodbye,
    LobbyChanged,
    Notice,
    NoticeCode,
    Said,
    SeatToken,
    Started,
    Update,
)
from protocol.refusal import RefusalCode
from server.net.session import Session
from server.store.bans import Ban
from tests.stage.house import LENIENT, READY, START, Peer, eventually
from tests.stage.nodes import Node, nodes


async def pair(home: Node, front: Node) -> tuple[Peer, Peer, str]:
    ann, ben = await home.peer("Ann"), await front.peer("Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return ann, ben, code


def at_home(node: Node, name: str) -> Session:
    (found,) = [one for one in node.at.server.peers.admitted if one.name == name]
    return found


async def test_a_whole_match_and_what_comes_after_it() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert any(isinstance(message, Ended) for message in ben.seen)
        started = next(m for m in ben.seen if isinstance(m, Started))
        assert await ben.record(started.match) == await ann.record(started.match)
        await ben.done(Say(id=0, text="well"))
        await ben.done(Leave(id=0))
        await ben.done(GetRecord(id=0, match=started.match))  # a player may have left
        await ben.request(ListTables(id=0))
        assert b.fronts == 1


async def test_a_table_that_is_nowhere_is_refused_and_all_goes_on() -> None:
    async with nodes() as (_a, b):
        ben = await b.peer("Ben")
        answer = await ben.refused(Join(id=0, table="ZZZZ"))
        assert answer.code == RefusalCode.NO_SUCH_TABLE
        answer = await ben.refused(Resume(id=0, match="no", token=bytes(32)))
        assert answer.code == RefusalCode.NO_SUCH_MATCH
        assert b.fronts == 0
        await ben.create(seats=2)


async def test_from_table_to_table_of_three_nodes() -> None:
    async with nodes(3) as (a, b, c):
        hosts = [await a.peer("Ann"), await b.peer("Bea"), await c.peer("Cat")]
        codes = [await host.create(seats=2) for host in hosts]
        eve = await c.peer("Eve", changes=True)
        for number in (0, 1, 2, 0, 2, 1):
            code, other = codes[number], codes[(number + 1) % 3]
            assert (await eve.done(Join(id=0, table=code))).table == code
            at = await eve.until(AtTable)
            assert at.info.table == code and at.info.seats[1].name == "Eve"
            refused = await eve.refused(Join(id=0, table=other))
            assert (refused.code, refused.params) == (RefusalCode.ALREADY_AT_TABLE, {"table": code})
            await eve.done(Leave(id=0))
            eve.pending.clear()
        assert c.fronts == 1 and not a.fronts and not b.fronts


async def test_what_is_said_meanwhile_is_served_once_and_in_order() -> None:
    async with nodes(3) as (a, b, c):
        ann, cat = await a.peer("Ann"), await c.peer("Cat")
        first, second = await ann.create(seats=2), await cat.create(seats=2)
        ben = await b.peer("Ben")
        ben.send(Join(id=1, table=first))
        for number in range(2, 12):
            ben.send(Say(id=number, text=f"{number}") if number % 2 else Ready(id=number))
        ben.send(Leave(id=12))
        ben.send(Join(id=13, table=second))
        ben.send(Say(id=14, text="14"))
        answers = [message for number in range(1, 15) if (message := await ben.answer(number))]
        assert [message.id for message in answers] == list(range(1, 15))
        assert all(isinstance(message, Done) for message in answers)
        await ann.answered()
        said = [message.text for message in ann.seen if isinstance(message, Said)]
        assert said == [str(number) for number in range(3, 12, 2)]


async def test_a_seat_is_taken_again_from_any_node() -> None:
    async with nodes(3) as (a, b, c):
        ann, ben, _code = await pair(a, b)
        token = await ben.until(SeatToken)
        ben.abort()
        await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)
        again = await c.peer("Ben")
        done = await again.done(Resume(id=0, match=token.match, token=token.token))
        assert done.name == "Ben"
        await again.until(Update)


async def test_the_line_to_the_home_is_cut_and_the_caller_dials_again() -> None:
    async with nodes() as (a, b):
        _ann, ben, _code = await pair(a, b)
        line = at_home(a, "Ben")._line.transport
        assert line is not None
        line.abort()
        assert (await ben.goodbye()).code == GoodbyeCode.SILENT
        await eventually(lambda: not b.fronts)


async def test_a_home_that_counts_as_gone_is_left() -> None:
    """It hangs: its lines stand, and nothing comes."""
    async with nodes() as (a, b):
        _ann, ben, _code = await pair(a, b)
        b.splicing.lost(alive={"b"})
        assert (await ben.goodbye()).code == GoodbyeCode.SILENT


async def test_who_leaves_the_line_leaves_the_home_too() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        ben.abort()
        notice = await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)
        assert notice.params["name"] == "Ben"
        await eventually(lambda: not b.fronts and len(a.at.server.peers.connected) == 1)
        assert not b.at.server.lobby.names.held()


async def test_an_address_counts_at_the_node_that_was_dialled() -> None:
    limits = structs.replace(LENIENT, per_address=1, loopback_counts=True)
    async with nodes(limits=limits) as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=3)
        ben = await b.peer("Ben")
        await ben.done(Join(id=0, table=code))
        cia = await b.at.dial()
        assert (await cia.goodbye()).code == GoodbyeCode.ADDRESS_FULL


async def test_bans_are_of_the_callers_own_address() -> None:
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=3)
        ben = await b.peer("Ben")
        a.at.server.peers.banned.hold([Ban(block="127.0.0.1/32")])
        ben.send(Join(id=1, table=code))
        assert (await ben.goodbye()).code == GoodbyeCode.BANNED


async def test_a_table_watched_from_another_node_shows_no_hand() -> None:
    async with nodes() as (a, b):
        _ann, _ben, code = await pair(a, b)
        eve = await b.peer("Eve")
        await eve.done(Watch(id=0, table=code))
        assert "hand" not in (await eve.until(Update)).view


async def test_who_reads_the_list_is_told_of_it_at_the_next_node_too() -> None:
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)
        ben = await b.peer("Ben")
        await ben.request(ListTables(id=0))
        cat = await a.peer("Cat")
        await cat.done(Join(id=0, table=code))
        answer = await ben.refused(Join(id=0, table=code))
        assert answer.code == RefusalCode.TABLE_FULL
        await ann.done(Leave(id=0))
        await ben.until(LobbyChanged)


async def test_a_node_that_stops_tells_those_whom_others_serve() -> None:
    async with nodes() as (a, b):
        _ann, ben, _code = await pair(a, b)
        b.splicing.close()
        assert (await ben.until(Goodbye)).code == GoodbyeCode.SHUTDOWN


async def test_a_caller_who_does_not_read_is_cut_and_nobody_else_notices() -> None:
    limits = structs.replace(LENIENT, outbox_bytes=20_000, silence_s=0.5)
    async with nodes(limits=limits) as (a, b):
        ann, ben, _code = await pair(a, b)
        ben.stop_reading()
        for _ in range(3000):
            ben.send(ListTables(id=1))
        await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)
        await eventually(lambda: not b.fronts)
