"""People leave in the middle of a match: a bot plays on, the match ends, nothing is left over."""

import asyncio
from random import Random
from typing import Any

import pytest

from protocol.from_client import Act, Bye, Join, Leave, Watch
from protocol.from_server import AtTable, Ended, Notice, NoticeCode
from protocol.ids import Seat
from protocol.listing import SeatKind, TablePhase
from protocol.refusal import RefusalCode
from tests.stage.house import CLOSING, READY, START, House, Peer, eventually, house, seated_pair

LEAVE = Leave(id=0)


async def go(peer: Peer, how: str) -> None:
    if how == "drop":
        peer.abort()
    elif how == "bye":
        peer.send(Bye())
        await peer.closed()
    else:
        await peer.done(LEAVE)


def about(code: str) -> Any:
    return lambda notice: notice.code == code


def nobody_is_left(at: House) -> bool:
    server = at.server
    return not (
        server.lobby.tables or server.tasks or at.runner.tasks or server.journal._matches  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize("ply", [0, 1, 20, 105])
@pytest.mark.parametrize(("how", "code"), [("drop", "dropped"), ("leave", "left"), ("bye", "left")])
async def test_a_bot_plays_the_seat_on_at_once(how: str, code: str, ply: int) -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, table = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), ply), ben.play(Random(2), ply))
        await go(ben, how)
        gone = await ann.until(Notice, about(code))
        assert gone.params == {"name": "Ben", "seat": 1}
        taken = await ann.until(Notice, about(NoticeCode.BOT_TOOK_OVER))
        assert taken.params == {"name": "Ben", "seat": 1}
        message = await ann.until(AtTable, lambda m: m.info.seats[1].kind is SeatKind.BOT)
        seat = message.info.seats[1]
        assert (seat.kind, seat.name, seat.level, seat.away) == (
            SeatKind.BOT,
            "Ben",
            "",
            True,
        )
        await _to_the_end(at, ann, table)
        await ann.close()
        await eventually(lambda: nobody_is_left(at))


async def _to_the_end(at: House, ann: Peer, table: str) -> None:
    match = at.table(table).match
    assert match is not None
    async with await at.peer("Watcher") as watcher:
        await watcher.done(Watch(id=0, table=table))
        ann_plays = asyncio.create_task(_play_from_here(at, ann, table))
        ended = await watcher.until(Ended)
        assert not ended.aborted
        await ann_plays
        message = await watcher.until(AtTable, lambda m: m.info.phase is TablePhase.ENDED)
        assert message.info.seats[1].kind is SeatKind.FREE
        assert message.info.seats[0].name == "Ann"


async def _play_from_here(at: House, ann: Peer, table: str) -> None:
    """Acts for Ann by what the match says: the test may have read her last view already."""
    match = at.table(table).match
    assert match is not None
    rng = Random(3)
    while not match.over:
        if 0 in match.to_act():
            act = Act(
                id=0, version=match.version, key=rng.randbytes(8), action=match.any_legal(Seat(0))
            )
            await ann.request(act)
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("ways", [("leave", "leave"), ("bye", "leave"), ("drop", "leave")])
async def test_a_match_that_everybody_has_left_ends(ways: tuple[str, str]) -> None:
    """At once, or (if a player may come back) after a while; bots play for nobody."""
    async with house(limits=CLOSING) as at:
        ann, ben, _table = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 5), ben.play(Random(2), 5))
        await go(ann, ways[0])
        await go(ben, ways[1])
        await eventually(lambda: nobody_is_left(at))
        for peer in (ann, ben):
            peer.abort()
        await eventually(lambda: not at.server.peers.connected)
        assert not at.server.names._held


async def test_a_name_is_kept_while_a_bot_plays_under_it_and_free_afterwards() -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, _table = await seated_pair(at)
        await ben.done(LEAVE)
        ben.abort()
        await ann.until(Notice, about(NoticeCode.BOT_TOOK_OVER))
        async with await at.peer("ben") as other:
            assert other.name == "ben 2"
        ann.abort()
        await eventually(lambda: nobody_is_left(at))
        await eventually(lambda: not at.server.peers.admitted)
        async with await at.peer("ben") as other:
            assert other.name == "ben"


async def test_who_left_may_watch_but_not_act() -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, table = await seated_pair(at)
        await ben.done(LEAVE)
        assert (await ben.refused(Join(id=0, table=table))).code == RefusalCode.MATCH_RUNNING
        await ben.done(Watch(id=0, table=table))
        wish = Act(id=0, version=0, key=b"k", action=["discard", 2])
        assert (await ben.refused(wish)).code == RefusalCode.NOT_SEATED
        for peer in (ann, ben):
            await peer.close()
        await eventually(lambda: nobody_is_left(at))


async def test_the_host_goes_on_being_somebody_who_is_there() -> None:
    async with house(limits=CLOSING) as at:
        ann, ben, table = await seated_pair(at, options={"first_seat": 0})
        ann.abort()
        host = await ben.until(Notice, about(NoticeCode.HOST))
        assert host.params == {"name": "Ben"}
        assert isinstance(await ben.play(Random(2)), Ended)
        assert at.table(table).news.info().host == 1
        await ben.close()


async def test_random_leavers_end_every_match() -> None:
    """Three seats; everybody leaves at some moment and in some way. It always ends, and nothing is
    left."""
    rng = Random(11)

    async def one(at: House, number: int) -> None:
        peers = [await at.peer(f"P{number}") for _ in range(3)]
        table = await peers[0].create(seats=3)
        for peer in peers[1:]:
            await peer.done(Join(id=0, table=table))
            await peer.done(READY)
        await peers[0].done(START)
        await asyncio.gather(*(_a_while(peer, Random(rng.random())) for peer in peers))

    async def _a_while(peer: Peer, dice: Random) -> None:
        await peer.play(dice, dice.randrange(110))
        await go(peer, dice.choice(["drop", "leave", "bye"]))
        peer.abort()

    async with house(limits=CLOSING) as at:
        await asyncio.gather(*(one(at, number) for number in range(8)))
        await eventually(lambda: nobody_is_left(at))
        await eventually(lambda: not at.server.peers.connected)
        assert not at.server.names._held
