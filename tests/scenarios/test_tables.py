"""One table over real sockets: another match begins."""

import asyncio
from random import Random

from protocol.errors import RefusalCode
from protocol.from_client import Leave, Rematch, SetBot, Watch
from protocol.from_server import Ended, History, Notice, NoticeCode, Started, Update
from protocol.table import TablePhase
from tests.stage.house import START, Peer, eventually, house, seated_pair

LEAVE = Leave(id=0)
REMATCH = Rematch(id=0)


def wants_rematch(notice: Notice) -> bool:
    return notice.code == NoticeCode.WANTS_REMATCH


async def played(ann: Peer, ben: Peer, seed: int = 0) -> Ended:
    ended, _ = await asyncio.gather(ann.play(Random(seed)), ben.play(Random(seed + 1)))
    assert isinstance(ended, Ended)
    return ended


async def test_one_more_begins_when_all_have_asked_and_the_next_seat_is_first() -> None:
    async with house() as at:
        ann, ben, code = await seated_pair(at, options={"first_seat": 1})
        assert (await ann.refused(REMATCH)).code == RefusalCode.MATCH_RUNNING
        firsts, seeds = [], set[str]()
        for number in range(4):
            match = at.table(code).match
            assert match is not None
            for peer in (ann, ben):
                await peer.until(Started, lambda m, match=match: m.match == match.id)  # type: ignore[misc]
            await eventually(lambda match=match: match._course.state is not None)  # type: ignore[misc]
            firsts.append(match._course.state.deal.first_seat)
            seeds.add((await played(ann, ben, number)).seed)
            await ann.done(REMATCH)
            assert (await ben.until(Notice, wants_rematch)).params == {"name": "Ann", "seat": 0}
            assert at.table(code).phase is TablePhase.ENDED
            await ben.done(REMATCH)
            assert at.table(code).phase is TablePhase.PLAYING
        assert firsts == [1, 0, 1, 0] and len(seeds) == 4
        assert at.table(code).matches == 5
        for peer in (ann, ben):
            await peer.close()


async def test_nothing_of_the_old_match_is_sent_in_the_new_one() -> None:
    async with house() as at, await at.peer("Cia") as cia:
        ann, ben, code = await seated_pair(at)
        await cia.done(Watch(id=0, table=code))
        await played(ann, ben)
        await ann.done(REMATCH)
        await ben.done(REMATCH)
        for peer in (ann, ben, cia):
            new = await peer.until(Started, lambda m: m.match == at.table(code).match.id)  # type: ignore[union-attr]
            await peer.answered()
            after = peer.seen[peer.seen.index(new) :]
            matches = {m.match for m in after if isinstance(m, Started | Update | History | Ended)}
            assert matches == {new.match}
        for peer in (ann, ben):
            await peer.close()
        await eventually(lambda: len(at.runner.matches) == 1)


async def test_a_rematch_needs_a_match_before_and_somebody_else() -> None:
    async with house() as at:
        ann = await at.peer("Ann")
        code = await ann.create(seats=3, bots="easy")
        assert (await ann.refused(REMATCH)).code == RefusalCode.NOT_PLAYED
        await ann.done(START)
        await ann.play(Random(3))
        await ann.done(SetBot(id=0, seat=1))
        await ann.done(REMATCH)
        await ann.play(Random(4))
        await ann.done(SetBot(id=0, seat=1))
        assert (await ann.refused(REMATCH)).code == RefusalCode.NOT_FILLED
        await ann.done(SetBot(id=0, seat=1, level="normal"))
        await ann.done(REMATCH)
        assert at.table(code).phase is TablePhase.PLAYING
        await ann.close()
