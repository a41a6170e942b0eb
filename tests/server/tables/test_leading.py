"""One player leads the table through the match that is over: who is told, who may, when it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Join, Lead, Leave, Rematch, Resume, Watch
from protocol.from_server import AtTable, Leader, SeatToken, Welcome
from server.tables.news import LEAD_S
from tests.server.tables.test_records import got, match_of
from tests.stage.hall import Hall, in_a_hall, settle, table_of, to_the_end
from tests.stage.house import House, Peer, house, seated_pair


def is_leader(wanted: Leader | None) -> Any:
    return lambda table: table.leader == wanted


@asynccontextmanager
async def after_a_match() -> AsyncIterator[tuple[House, Peer, Peer, str]]:
    """Ann and Ben have played; the table's code."""
    async with house() as at:
        ann, ben, code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        for peer in (ann, ben):
            await peer.until(AtTable, lambda table: table.info.phase == "ended")
        yield at, ann, ben, code


async def test_all_at_the_table_are_told_where_the_leader_is_and_so_is_who_comes_later() -> None:
    async with after_a_match() as (at, ann, ben, code), await at.peer("Cia") as cia:
        match = match_of(ann)
        for ply in (0, 7, 7, 3):
            await ann.done(Lead(id=0, ply=ply))
            told = is_leader(Leader(match=match, seat=0, ply=ply))
            for peer in (ann, ben):
                await peer.until(AtTable, told)
        await cia.done(Watch(id=0, table=code))
        await cia.until(AtTable, told)
        await ben.done(Leave(id=0))
        await ben.done(Join(id=0, table=code))
        await ben.until(AtTable, told)
        assert await got(ben, match) == await got(ann)
        await ann.done(Lead(id=0))
        for peer in (ben, cia):
            await peer.until(AtTable, is_leader(None))


@in_a_hall(bot_pace_s=0)
async def test_of_many_leads_the_first_is_told_at_once_and_then_the_last_alone(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    table = table_of(ann)
    await to_the_end(ann, ben)

    def told() -> list[int]:
        tables, ben.sent = ben.heard(AtTable), []
        return [one.leader.ply for one in tables if one.leader]

    for ply in (1, 2, 3, None, 4):
        table.lead(ann, ply)
        await settle()
    assert told() == [1]
    await asyncio.sleep(LEAD_S)
    await settle()
    assert told() == [4]
    table.lead(ann, 5)
    table.presence.close()
    await asyncio.sleep(LEAD_S)
    await settle()
    assert not told()


async def test_one_leads_who_sits_there_within_the_match() -> None:
    async with after_a_match() as (at, ann, ben, code), await at.peer("Cia") as cia:
        last = (await ann.refused(Lead(id=0, ply=2**53 - 1))).params["last"]
        assert isinstance(last, int) and last > 0
        await ann.done(Lead(id=0, ply=last))
        refused = await ann.refused(Lead(id=0, ply=last + 1))
        assert (refused.code, refused.params) == (RefusalCode.NO_SUCH_PLY, {"last": last})
        for wish in (Lead(id=0, ply=1), Lead(id=0)):
            refused = await ben.refused(wish)
            assert (refused.code, refused.params) == (RefusalCode.OTHER_LEADS, {"name": "Ann"})
        assert (await cia.refused(Lead(id=0, ply=1))).code == RefusalCode.NOT_AT_TABLE
        await cia.done(Watch(id=0, table=code))
        assert (await cia.refused(Lead(id=0, ply=1))).code == RefusalCode.NOT_SEATED
        leader = at.table(code).leader
        assert leader is not None and (leader.seat, leader.ply) == (0, last)


@pytest.mark.parametrize("how", ["leaves", "loses the line", "comes again", "next match"])
async def test_it_ends_when_the_leader_goes_and_when_the_next_match_begins(how: str) -> None:
    async with after_a_match() as (at, ann, ben, code):
        await ann.done(Lead(id=0, ply=5))
        await ben.until(AtTable, lambda table: table.leader is not None)
        if how == "leaves":
            await ann.done(Leave(id=0))
        elif how == "loses the line":
            ann.abort()
        elif how == "comes again":
            again = await at.peer("Ann")
            token = next(one for one in ann.seen if isinstance(one, SeatToken)).token
            await again.done(Resume(id=0, match=match_of(ann), token=token))
        else:
            await ann.done(Rematch(id=0))
            await ben.done(Rematch(id=0))
            assert (await ben.refused(Lead(id=0, ply=1))).code == RefusalCode.MATCH_RUNNING
        await ben.until(AtTable, is_leader(None))
        assert at.table(code).leader is None


@pytest.mark.parametrize("ply", [-1, 2**53, 2**64 - 1, 1.5, "7", [7]])
async def test_before_a_match_nobody_leads_and_what_is_no_ply_is_malformed(ply: Any) -> None:
    async with house() as at, await at.peer("Ann") as ann:
        assert next(one for one in ann.seen if isinstance(one, Welcome)).leads
        await ann.create()
        assert (await ann.refused(Lead(id=0, ply=0))).code == RefusalCode.NO_MATCH
        ann.send(Lead(id=1, ply=ply))
        assert (await ann.goodbye()).code == GoodbyeCode.MALFORMED
