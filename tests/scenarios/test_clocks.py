"""A clock over real sockets: a player does nothing, a bot plays for them, and they play on."""

from random import Random

from protocol.clock import PerTurn
from protocol.from_client import Back, Kick, Watch
from protocol.from_server import AtTable, LeftTable, Notice, NoticeCode, Update
from protocol.refusal import RefusalCode
from tests.stage.house import house, read_view, seated_pair, some_act


async def test_who_does_nothing_is_played_for_and_plays_on() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at, clock=PerTurn(1), options={"first_seat": 0})
        first = await ann.until(Update)
        assert first.clock is not None and 0 < first.clock.left_ms <= 1_000
        for peer in (ann, ben):
            told = await peer.until(Notice, lambda notice: notice.code == NoticeCode.TIMED_OUT)
            assert told.params == {"name": "Ann", "seat": 0}
        await ann.until(AtTable, lambda message: message.info.seats[0].timed_out)
        await ann.until(Update, lambda update: read_view(update).turn == 1)
        await ann.done(Back(id=0))
        back = await ann.until(AtTable, lambda message: not message.info.seats[0].timed_out)
        assert back.seat == 0
        mine = await ann.until(Update, lambda update: read_view(update).turn == 0)
        await ann.done(some_act(mine, Random(1)))


async def test_the_host_sends_a_player_and_a_watcher_away() -> None:
    async with house() as at:
        ann, ben, code = await seated_pair(at)
        wim = await at.peer("Wim")
        await wim.done(Watch(id=0, table=code))
        for peer in (wim, ben):
            assert (await peer.refused(Kick(id=0, name="Ann"))).code == RefusalCode.NOT_HOST
            await ann.done(Kick(id=0, name=peer.name))
            assert (await peer.until(LeftTable)).code == "kicked"
            assert (await peer.refused(Watch(id=0, table=code))).code == RefusalCode.KICKED
        again = await at.peer("Wim")
        assert again.name == "Wim 2"
        assert (await again.refused(Watch(id=0, table=code))).code == RefusalCode.KICKED
        neighbour = await at.peer("Wim", identity=bytes(32))
        await neighbour.done(Watch(id=0, table=code))
