"""A table is found, joined, watched, played and left in the same way on each node that a client has
dialled: callers are led to its node, and watchers hear what all are told, said once on one line."""

import asyncio
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

from msgspec import Struct, structs

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import (
    GetRecord,
    Join,
    Kick,
    Leave,
    ListTables,
    Ready,
    Rematch,
    Resume,
    Say,
    Watch,
)
from protocol.from_server import (
    AtTable,
    Done,
    Ended,
    Goodbye,
    LeftTable,
    LobbyChanged,
    Notice,
    NoticeCode,
    Said,
    SeatToken,
    Started,
    TableGone,
    Update,
)
from server.nodes.watching import Upstream
from tests.stage.house import LENIENT, READY, START, Peer, begin, eventually, read_view
from tests.stage.nodes import LoopNode, nodes


async def pair(home: LoopNode, front: LoopNode) -> tuple[Peer, Peer, str]:
    ann, ben = await home.peer("Ann"), await front.peer("Ben")
    return ann, ben, await begin(ann, ben)


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


async def test_who_leaves_the_line_leaves_the_home_too() -> None:
    async with nodes() as (a, b):
        ann, ben, _code = await pair(a, b)
        ben.abort()
        notice = await ann.until(Notice, lambda m: m.code == NoticeCode.DROPPED)
        assert notice.params["name"] == "Ben"
        await eventually(lambda: not b.fronts and len(a.at.server.peers.connected) == 1)
        assert not b.at.server.lobby.names.keys()


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
        b.close()
        assert (await ben.until(Goodbye)).code == GoodbyeCode.SHUTDOWN


# Watchers who share a line ------------------------------------------------------------------------


SEEDS = count()
"""No key of an action comes twice."""


async def watching(node: LoopNode, code: str, name: str, **hello: Any) -> Peer:
    eve = await node.peer(name, **hello)
    await eve.done(Watch(id=0, table=code))
    await eve.until(Update)
    return eve


async def played(*players: Peer, ply: int | None = None) -> None:
    await asyncio.gather(*(one.play(Random(next(SEEDS)), ply) for one in players))


def upstreams(node: LoopNode) -> list[Upstream]:
    return list(node.splicing._ways._upstreams.values())


def of_match(peer: Peer) -> list[Struct]:
    """What a client makes of it, however it was told of the views."""
    kinds = (Update, Ended, Started, Said)
    return [
        structs.replace(message, view=read_view(message))
        if isinstance(message, Update)
        else message
        for message in peer.seen
        if isinstance(message, kinds)
    ]


async def hear_together(peers: Sequence[Peer], *players: Peer, ply: int) -> None:
    """Until all have been sent an update that the others were sent, too."""
    await played(*players, ply=ply)
    for peer in peers:
        await peer.until(Update, lambda update: update.ply >= ply)
        await peer.answered()


async def test_they_see_what_watchers_at_the_owner_see() -> None:
    async with nodes(3) as (a, b, c):
        ann, ben, code = await pair(a, a)
        await played(ann, ben, ply=3)
        crowd = [await watching(a, code, "Eve")]
        for number in range(4):
            where = (b, c)[number % 2]
            crowd.append(await watching(where, code, f"Wim {number}", changes=number < 2))
        await hear_together(crowd, ann, ben, ply=5)
        for one in crowd:
            one.seen.clear()
        await ann.done(Say(id=0, text="well"))
        await crowd[2].done(Say(id=0, text="oh"))
        await played(ann, ben)
        for one in crowd:
            await one.until(Ended)
        shown = [of_match(one) for one in crowd]
        assert len(shown[0]) > 20 and isinstance(shown[0][-1], Ended)
        for other in shown[1:]:
            assert other == shown[0]
        match = shown[0][-1].match
        assert await crowd[1].record(match) == await ann.record(match)
        for one in crowd:
            one.seen.clear()
        await ann.done(Rematch(id=0))
        await ben.done(Rematch(id=0))
        await hear_together(crowd, ann, ben, ply=2)
        for one in crowd:
            assert of_match(one) == of_match(crowd[0])
            (_started,) = [message for message in one.seen if isinstance(message, Started)]
            assert all("hand" not in m.view for m in one.seen if isinstance(m, Update))
        assert len(upstreams(b)) == len(upstreams(c)) == 1


async def test_one_who_reads_nothing_at_all_is_cut_and_the_others_hear() -> None:
    limits = structs.replace(
        LENIENT, outbox_bytes=4096, backlog_bytes=2048, chat_s=1e6, chat_burst=10_000
    )
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await pair(a, a)
        crowd = [await watching(b, code, f"Wim {n}") for n in range(3)]
        crowd[0].stop_reading()
        for _ in range(100):
            for _ in range(100):
                await ann.done(Say(id=0, text="x" * 140))
            for one in (ben, *crowd[1:]):
                await one.answered()
            if len(b.splicing.fronts) == 2:
                break
        assert len(b.splicing.fronts) == 2
        await played(ann, ben, ply=4)
        for one in crowd[1:]:
            await one.until(Update, lambda update: update.ply >= 4)


async def test_who_they_are_and_what_they_may_is_as_at_the_owner() -> None:
    limits = structs.replace(LENIENT, watchers=3)
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await pair(a, a)
        crowd = [await watching(b, code, f"Wim {n}") for n in range(3)]
        one_more = await b.peer("Zoe")
        assert (
            await one_more.refused(Watch(id=0, table=code))
        ).code == RefusalCode.TOO_MANY_WATCHERS
        table = await crowd[0].until(AtTable, lambda at: len(at.watching) == 3)
        assert table.watching == ["Wim 0", "Wim 1", "Wim 2"]
        await ann.done(Kick(id=0, name="Wim 1"))
        assert (await crowd[1].until(LeftTable)).code == TableGone.KICKED
        assert (await crowd[1].refused(Watch(id=0, table=code))).code == RefusalCode.KICKED
        await crowd[2].until(Notice, lambda said: said.code == NoticeCode.KICKED)
        await crowd[0].done(Leave(id=0))
        crowd[0].seen.clear()
        crowd[1].seen.clear()
        await hear_together(crowd[2:], ann, ben, ply=4)
        for gone in crowd[:2]:
            await gone.answered()
            assert not of_match(gone)
        await crowd[0].done(Watch(id=0, table=code))
        await crowd[0].until(Update)
        crowd[2].abort()
        await eventually(lambda: len(a.at.table(code).watchers) == 1)


async def test_one_takes_a_seat_and_hears_as_a_player() -> None:
    async with nodes() as (a, b):
        ann = await a.peer("Ann")
        code = await ann.create(seats=2)
        crowd = [await b.peer(f"Wim {n}", changes=True) for n in range(3)]
        for one in crowd:
            await one.done(Watch(id=0, table=code))
        ben = crowd[0]
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        assert (await ben.until(SeatToken)).seat == 1
        await played(ann, ben)
        for one in crowd[1:]:
            await one.until(Ended)
            assert not any(isinstance(message, SeatToken) for message in one.seen)
            for update in one.seen:
                assert not isinstance(update, Update) or "hand" not in update.view
        versions = [m.version for m in ben.seen if isinstance(m, Update)]
        assert len(versions) == len(set(versions))
