"""Coming, staying alive, acting, going: what a peer may ask, over the socket."""

from random import Random

import pytest
from msgspec.structs import replace

from protocol import from_client as client
from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_server import Done, SeatToken, Update, WaitingList, Welcome
from protocol.games.registry import GAMES
from protocol.ids import PROTOCOL_VERSIONS, TableCode
from protocol.table import Days
from server.config import Limits
from server.net.handlers import HANDLERS
from tests.stage.house import Peer, eventually, house, read_view, seated_pair, some_act


def test_every_message_has_a_handler_and_nothing_else_has() -> None:
    assert set(HANDLERS) == set(client.FROM_CLIENT)


# Coming and going --------------------------------------------------------------------------------

EXPERT = client.SetBot(id=0, seat=1, level="expert")


async def test_a_guest_is_told_the_version_the_games_and_the_name() -> None:
    """A version both speak is found among others."""
    async with house() as at, await at.dial() as peer:
        peer.say_hello("  Ann\x1b  ", versions=[99, 1, 0])
        welcome = await peer.until(Welcome)
        assert (welcome.version, welcome.name) == (PROTOCOL_VERSIONS[0], "Ann")
        assert welcome.games == list(GAMES)
        assert welcome.levels == ["random", "learner", "easy", "normal", "hard"]


@pytest.mark.parametrize("allowed", [False, True])
async def test_experts_play_where_the_server_allows_them(allowed: bool) -> None:
    async with house(limits=Limits(expert_bots=allowed)) as at, await at.dial() as peer:
        peer.say_hello("Ann")
        assert ("expert" in (await peer.until(Welcome)).levels) == allowed
        wish = client.CreateTable(
            id=1, game="clocktowers", seats=2, bots=[client.BotSeat(1, "expert")]
        )
        if not allowed:
            refused = await peer.refused(wish)
            assert (refused.code, refused.params) == (
                RefusalCode.NO_SUCH_LEVEL,
                {"level": "expert"},
            )
            await peer.done(client.CreateTable(id=1, game="clocktowers", seats=2))
            assert (await peer.refused(EXPERT)).code == RefusalCode.NO_SUCH_LEVEL
            return
        await peer.done(wish)
        await peer.done(EXPERT)


@pytest.mark.parametrize(
    ("name", "how", "code"),
    [
        ("Ann", {"magic": "chess"}, GoodbyeCode.NOT_HELLO),
        ("Ann", {"versions": [99]}, GoodbyeCode.VERSION),
        ("Ann", {"versions": []}, GoodbyeCode.VERSION),
        ("\x07", {}, GoodbyeCode.BAD_NAME),
        ("x" * 21, {}, GoodbyeCode.BAD_NAME),
        ("Ann", {"password": "wrong"}, GoodbyeCode.PASSWORD),
        ("Ann", {"password": ""}, GoodbyeCode.PASSWORD),
        ("Ann", {"password": "geheim\u00e4 "}, GoodbyeCode.PASSWORD),
    ],
)
async def test_who_cannot_come_in_is_told_why(
    name: str, how: dict[str, object], code: GoodbyeCode
) -> None:
    async with house(password="geheim\u00e4") as at:
        word = await at.turned_away(name, **{"password": "geheim\u00e4", **how})
        assert word.code == code
        if code is GoodbyeCode.VERSION:
            assert word.params == {"versions": list(PROTOCOL_VERSIONS)}
        await eventually(lambda: not at.server.peers.admitted)
        assert not at.server.names._uses


# Actions -----------------------------------------------------------------------------------------


async def first(peers: tuple[Peer, ...]) -> tuple[Peer, Update]:
    """Who begins, and the view they have."""
    updates = [await peer.until(Update) for peer in peers]
    turn = read_view(updates[0]).turn
    assert turn is not None
    return peers[turn], updates[turn]


async def test_an_action_is_answered_with_its_version_and_a_retry_with_the_same() -> None:
    async with house() as at:
        ann, ben, code = await seated_pair(at)
        peer, update = await first((ann, ben))
        act = some_act(update, Random(1))
        assert (await peer.done(act)).version == 1
        assert (await peer.done(act)).version == 1
        for one in (ann, ben):
            assert (await one.until(Update)).version == 1
        await peer.answered()
        assert not [m for m in peer.pending if isinstance(m, Update)]
        playing = at.server.lobby.tables[TableCode(code)].playing
        assert (acted := playing.acted) == 1, "the same once more is none"
        stale = await peer.refused(some_act(update, Random(2)))
        assert (stale.code, stale.version) == (RefusalCode.STALE, 1)
        assert playing.acted == acted, "what is refused changes nothing"


async def test_what_is_asked_behind_a_resume_is_served_at_the_seat() -> None:
    """Requests need not wait for answers; the server serves them in their order."""
    async with house(limits=Limits(grace_s=60)) as at:
        ann, _ben, _code = await seated_pair(at, options={"first_seat": 0})
        token, update = await ann.until(SeatToken), await ann.until(Update)
        ann.abort()
        async with await at.peer("Ann") as again:
            again.send(client.Resume(id=71, match=token.match, token=token.token))
            again.send(replace(some_act(update, Random(1)), id=72))
            assert isinstance(await again.answer(71), Done)
            acted = await again.answer(72)
            assert isinstance(acted, Done) and acted.version == 1


async def test_an_action_of_no_game_breaks_the_wire() -> None:
    async with house() as at:
        ann, _ben, _code = await seated_pair(at)
        ann.send(client.Act(id=1, version=0, key=b"k", action=["discard", "2c"]))
        assert (await ann.goodbye()).code == GoodbyeCode.MALFORMED


async def test_a_match_that_sleeps_is_told_of_and_wakes() -> None:
    """By its player's token, and by the table's code."""
    async with house() as at:
        lobby = at.server.lobby

        async def falls_asleep() -> None:
            await eventually(lambda: not any(table.people() for table in lobby.tables.values()))
            await at.server.sleeping.look()
            assert theirs.match in lobby.resting and not lobby.tables

        ann, ben, code = await seated_pair(at, clock=Days(3))
        theirs = await ben.until(SeatToken)
        await ann.close()
        await ben.close()
        await falls_asleep()
        async with await at.peer("Ben") as back:
            back.send(client.ListWaiting(id=9, matches=[theirs.match, "none"]))
            assert [one.match for one in (await back.until(WaitingList)).matches] == [theirs.match]
            await back.done(client.Resume(id=0, match=theirs.match, token=theirs.token))
            assert (await back.until(Update)).match == theirs.match
        await falls_asleep()
        async with await at.peer("Cleo", identity=b"c" * 32) as cleo:
            cleo.send(client.ListWaiting(id=9, matches=[], vacation=1))
            assert not (await cleo.until(WaitingList)).away_until, "who plays nowhere has none"
            refused = await cleo.refused(client.Join(id=0, table=code.lower()))
            assert refused.code == RefusalCode.MATCH_RUNNING
            await cleo.done(client.Watch(id=0, table=code))
            assert (await cleo.until(Update)).match == theirs.match
