"""Watchers who have dialled another node hear there what all are told, said once on one line."""

import asyncio
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import Struct, structs

from protocol.errors import GoodbyeCode
from protocol.from_client import Join, Kick, Leave, Rematch, Say, Watch
from protocol.from_server import (
    AtTable,
    Ended,
    LeftTable,
    Notice,
    NoticeCode,
    Said,
    SeatToken,
    Started,
    TableGone,
    Update,
)
from protocol.refusal import RefusalCode
from server.nodes import splicing
from server.nodes.upstream import Upstream
from tests.stage.house import LENIENT, READY, START, Peer, eventually, read_view
from tests.stage.nodes import Node, nodes

SEEDS = count()
"""No key of an action comes twice."""


async def begun(home: Node) -> tuple[Peer, Peer, str]:
    ann, ben = await home.peer("Ann"), await home.peer("Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return ann, ben, code


async def watching(node: Node, code: str, name: str, **hello: Any) -> Peer:
    eve = await node.peer(name, **hello)
    await eve.done(Watch(id=0, table=code))
    await eve.until(Update)
    return eve


async def played(*players: Peer, ply: int | None = None) -> None:
    await asyncio.gather(*(one.play(Random(next(SEEDS)), ply) for one in players))


def upstreams(node: Node) -> list[Upstream]:
    return list(node.splicing.ways._upstreams.values())


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


@pytest.mark.parametrize("changes", [False, True])
async def test_they_see_what_watchers_at_the_owner_see(changes: bool) -> None:
    async with nodes(3) as (a, b, c):
        ann, ben, code = await begun(a)
        await played(ann, ben, ply=3)
        crowd = [await watching(a, code, "Eve", changes=changes)]
        for number in range(4):
            where, wish = (b, c)[number % 2], number < 2 or changes
            crowd.append(await watching(where, code, f"Wim {number}", changes=wish))
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


async def bytes_of_moves(watchers: int, monkeypatch: pytest.MonkeyPatch, *, once: bool) -> int:
    """From the owner to the other node, for ten moves."""
    said = 0

    def count(whole: bytes) -> None:
        nonlocal said
        said += len(whole)

    if not once:
        monkeypatch.setattr(splicing, "watches", lambda request: False)
    limits = structs.replace(LENIENT, watchers=100)
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await begun(a)
        crowd = [await watching(b, code, f"Wim {n}", changes=True) for n in range(watchers)]
        await hear_together(crowd, ann, ben, ply=2)
        for session in a.at.server.peers.admitted:
            line = session._line.transport
            if session.name.startswith("Wim"):
                outer = line._outer  # type: ignore[union-attr]
                crowds = getattr(outer, "_shared", None)
                told = outer if crowds is None else crowds._line
                if not hasattr(told, "counted"):
                    write, told.counted = told.write, True

                    def counting(data: Any, write: Any = write) -> None:
                        count(data)
                        write(data)

                    told.write = counting
        said = 0
        await played(ann, ben, ply=12)
        for one in crowd:
            await one.until(Update, lambda update: update.ply >= 12)
        return said


async def test_what_a_move_takes_does_not_grow_with_those_who_watch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = [await bytes_of_moves(n, monkeypatch, once=True) for n in (5, 50)]
    assert many < few * 1.2, (few, many)


async def test_with_a_line_for_each_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = [await bytes_of_moves(n, monkeypatch, once=False) for n in (5, 50)]
    assert many > few * 8, (few, many)


async def test_one_who_does_not_read_is_shown_the_newest_and_holds_up_nobody() -> None:
    limits = structs.replace(LENIENT, backlog_bytes=2048)
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await begun(a)
        crowd = [await watching(b, code, f"Wim {n}", changes=True) for n in range(3)]
        await hear_together(crowd, ann, ben, ply=2)
        slow, deaf = crowd[0], next(f for f in b.splicing.fronts if f.session.name == "Wim 0")
        deaf.pause_writing()
        await crowd[1].answered()
        ann.seen.clear()
        await played(ann, ben)
        for one in crowd[1:]:
            await one.until(Ended)
        assert not any(isinstance(message, Ended) for message in slow.seen)
        deaf.resume_writing()
        await slow.until(Ended)
        updates = [message for message in slow.seen if isinstance(message, Update)]
        assert max(update.skipped for update in updates) > 10
        newest = [message for message in crowd[1].seen if isinstance(message, Update)][-1]
        assert read_view(updates[-1]) == read_view(newest)
        await ann.done(Rematch(id=0))
        await ben.done(Rematch(id=0))
        crowd[0].seen.clear()
        crowd[1].seen.clear()
        await hear_together(crowd, ann, ben, ply=4)
        assert of_match(crowd[0]) == of_match(crowd[1])


async def test_one_who_reads_nothing_at_all_is_cut_and_the_others_hear() -> None:
    limits = structs.replace(
        LENIENT, outbox_bytes=4096, backlog_bytes=2048, chat_s=1e6, chat_burst=10_000
    )
    async with nodes(limits=limits) as (a, b):
        ann, ben, code = await begun(a)
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
        ann, ben, code = await begun(a)
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


async def test_from_one_watched_table_to_another_node_and_back() -> None:
    async with nodes(3) as (a, b, c):
        (_ann, _ben, first), cat = await begun(a), await c.peer("Cat")
        second = await cat.create(seats=2)
        eve = await watching(b, first, "Eve")
        await eve.done(Leave(id=0))
        await eve.done(Watch(id=0, table=second))
        assert (await eve.until(AtTable)).info.table == second
        await eve.done(Leave(id=0))
        await eve.done(Watch(id=0, table=first))
        await eve.until(Update)
        assert len(upstreams(b)) == 1


async def test_the_line_breaks_and_all_dial_again() -> None:
    async with nodes() as (a, b):
        _ann, _ben, code = await begun(a)
        crowd = [await watching(b, code, f"Wim {n}") for n in range(3)]
        upstreams(b)[0].abort()
        for one in crowd:
            assert (await one.goodbye()).code == GoodbyeCode.SILENT
        await eventually(lambda: not b.fronts and not upstreams(b))
        await eventually(lambda: not a.at.table(code).watchers)
        await watching(b, code, "Wim 1")


async def test_a_node_that_knows_no_shared_lines_is_dialled_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has an earlier version."""
    from server.nodes.homecoming import FarLine

    def before(self: FarLine, share: Any) -> None:
        self.abort()

    monkeypatch.setattr(FarLine, "_give_way", before)
    async with nodes() as (a, b):
        ann, ben, code = await begun(a)
        eve = await watching(b, code, "Eve")
        await hear_together([eve], ann, ben, ply=3)


async def test_the_last_one_closes_the_line() -> None:
    async with nodes() as (a, b):
        _ann, _ben, code = await begun(a)
        crowd = [await watching(b, code, f"Wim {n}") for n in range(2)]
        for one in crowd:
            await one.close()
        await eventually(lambda: not upstreams(b) and not b.fronts)


async def test_nonsense_ends_the_line_and_no_more() -> None:
    async with nodes() as (a, b):
        ann, ben, code = await begun(a)
        eve = await watching(b, code, "Eve")
        upstreams(b)[0].say(99, 1)  # type: ignore[arg-type]
        assert (await eve.goodbye()).code == GoodbyeCode.SILENT
        await played(ann, ben, ply=3)
