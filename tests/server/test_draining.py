"""A server that runs dry: nothing new begins, matches are played to their end, then it stops."""

import asyncio
from random import Random

import pytest

from protocol.from_client import CreateTable, Join, Rematch, Resume, Watch
from protocol.from_server import Ended, Notice, NoticeCode, SeatToken
from protocol.refusal import RefusalCode
from server import draining
from server.config import Limits
from tests.stage.house import LENIENT, READY, START, Peer, eventually, house, seated_pair

NEW = CreateTable(id=0, game="clocktowers", seats=2)
PATIENT = Limits(commands_s=1e6, hello_s=0.3)


async def hears(peer: Peer, code: NoticeCode) -> Notice:
    return await peer.until(Notice, lambda notice: notice.code == code)


async def test_nothing_new_begins_and_a_match_is_played_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draining, "LAST_LOOK_S", 0.1)
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        cia, dan = await at.peer("Cia"), await at.peer("Dan")
        waiting = await cia.create(seats=2)
        at.server.drain.begin()
        for peer in (cia, dan):
            assert (await hears(peer, NoticeCode.DRAINING)).params == {"within_s": 0}
        for wish in (NEW, Join(id=0, table=waiting), Watch(id=0, table=code)):
            assert (await dan.refused(wish)).code == RefusalCode.DRAINING
        assert (await cia.refused(START)).code == RefusalCode.DRAINING
        ends = await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert all(isinstance(end, Ended) for end in ends) and not at.server.stopping.is_set()
        assert Notice(NoticeCode.DRAINING, {"within_s": 0}) in ann.seen
        assert (await ann.refused(Rematch(id=0))).code == RefusalCode.DRAINING
        await eventually(at.server.stopping.is_set)


async def test_only_those_who_come_back_to_a_seat_are_let_in() -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        token = await ben.until(SeatToken)
        ben.abort()
        at.server.drain.begin()
        late = await at.peer("Late")
        assert (await late.goodbye()).code == "draining", "they came back to no seat"
        back = await at.peer("Ben")
        await back.done(Resume(id=0, match=token.match, token=token.token))
        later = await at.peer("Later")
        assert (await later.goodbye()).code == "draining"
        await back.answered()
        await ann.answered()
        assert at.table(code).seating.guests() and not at.server.stopping.is_set()


async def test_where_nobody_can_come_back_a_newcomer_is_told_at_once() -> None:
    async with house(limits=PATIENT) as at:
        cia = await at.peer("Cia")
        await cia.create(seats=2)
        at.server.drain.begin()
        late = await at.dial()
        late.say_hello("Late")
        assert (await late.goodbye()).code == "draining"


async def test_a_match_without_players_is_left_to_the_journal() -> None:
    async with house(limits=LENIENT) as at:
        ann, ben, code = await seated_pair(at)
        at.table(code).presence._limits = Limits(grace_s=0, standstill_s=1000)  # type: ignore[misc]
        for peer in (ann, ben):
            peer.abort()
        at.server.drain.begin()
        await eventually(at.server.stopping.is_set)
        assert code in at.server.lobby.tables


async def test_it_stops_after_a_time_in_any_case() -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, _code = await seated_pair(at)
        at.server.drain.begin(within_s=1)
        assert (await hears(ann, NoticeCode.DRAINING)).params == {"within_s": 1}
        assert at.server.drain.left_s == 1
        await eventually(at.server.stopping.is_set)
        await ben.answered()


async def test_it_can_be_cancelled() -> None:
    async with house(limits=PATIENT) as at:
        ann, ben, code = await seated_pair(at)
        at.server.drain.begin(within_s=1)
        at.server.drain.cancel()
        for peer in (ann, ben):
            await hears(peer, NoticeCode.DRAIN_CANCELLED)
        cia = await at.peer("Cia")
        await cia.done(Watch(id=0, table=code))
        dan = await at.peer("Dan")
        other = await dan.create(seats=2)
        eve = await at.peer("Eve")
        await eve.done(Join(id=0, table=other))
        await eve.done(READY)
        await dan.done(START)
        assert not at.server.stopping.is_set() and not at.server.draining
