"""An action over the socket, and its answer."""

from random import Random
from typing import Any

from protocol.errors import GoodbyeCode
from protocol.from_client import Act, Join, Leave, TakeBack, Watch
from protocol.from_server import Notice, NoticeCode, Update
from protocol.refusal import RefusalCode
from tests.stage.house import Peer, house, read_view, seated_pair, some_act

ACT = Act(id=0, version=0, key=b"k", action=["discard", 2])


async def first(peers: tuple[Peer, ...]) -> tuple[Peer, Update]:
    """Who begins, and the view they have."""
    updates = [await peer.until(Update) for peer in peers]
    turn = read_view(updates[0]).turn
    assert turn is not None
    return peers[turn], updates[turn]


async def test_an_action_is_answered_with_its_version_and_a_retry_with_the_same() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        peer, update = await first((ann, ben))
        act = some_act(update, Random(1))
        assert (await peer.done(act)).version == 1
        assert (await peer.done(act)).version == 1
        for one in (ann, ben):
            assert (await one.until(Update)).version == 1
        await peer.answered()
        assert not [m for m in peer.pending if isinstance(m, Update)]
        stale = await peer.refused(some_act(update, Random(2)))
        assert (stale.code, stale.version) == (RefusalCode.STALE, 1)
        for one in (ann, ben):
            await one.close()


async def test_a_play_is_taken_back_and_the_table_is_told() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        peer, update = await first((ann, ben))
        await peer.done(some_act(update, Random(1)))
        wish = TakeBack(id=0, version=1, key=b"back")
        assert (await peer.done(wish)).version == 2
        assert (await peer.done(wish)).version == 2
        for one in (ann, ben):
            assert (await one.until(Update)).revocable == read_view(update).turn
            back = await one.until(Update)
            assert (back.version, back.ply, bool(back.taken_back)) == (2, 0, True)
            notice = await one.until(Notice)
            assert notice.code == NoticeCode.TOOK_BACK
            assert notice.params == {"name": peer.name, "seat": read_view(update).turn}
        again = await peer.refused(TakeBack(id=0, version=2, key=b"more"))
        assert (again.code, again.version) == (RefusalCode.NOTHING_TO_TAKE_BACK, 2)
        for one in (ann, ben):
            await one.close()


async def test_only_who_is_seated_in_a_match_may_act() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        for wish in (ACT, TakeBack(id=0, version=0, key=b"k")):
            assert (await ann.refused(wish)).code == RefusalCode.NOT_AT_TABLE
            code = await ann.create()
            assert (await ann.refused(wish)).code == RefusalCode.NO_MATCH
            await ben.done(Watch(id=0, table=code))
            assert (await ben.refused(wish)).code == RefusalCode.NOT_SEATED
            await ben.done(Join(id=0, table=code))
            assert (await ben.refused(wish)).code == RefusalCode.NO_MATCH
            for peer in (ann, ben):
                await peer.done(Leave(id=0))


async def test_an_action_of_no_game_breaks_the_wire() -> None:
    async with house() as at:
        broken: list[Any] = [["sing"], ["discard", "2c"], ["discard", 14], {}, None, ["play", 1]]
        broken.append(["discard", 2, 2])
        for action in broken:
            ann, ben, _code = await seated_pair(at)
            ann.send(Act(id=1, version=0, key=b"k", action=action))
            assert (await ann.goodbye()).code == GoodbyeCode.MALFORMED
            await ben.close()


async def test_a_key_that_is_none_breaks_the_wire() -> None:
    async with house() as at:
        for key in (b"", b"x" * 17):
            ann = await at.peer("Ann")
            ann.send(Act(id=1, version=0, key=key, action=None))
            assert (await ann.goodbye()).code == GoodbyeCode.MALFORMED
