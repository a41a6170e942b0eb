"""Coming, staying alive, going."""

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import BotSeat, Bye, CreateTable, Ping, SetBot
from protocol.from_server import Pong, Welcome
from protocol.games.registry import GAMES
from protocol.refusal import RefusalCode
from protocol.version import PROTOCOL_VERSIONS
from server.config import Limits
from tests.stage.house import eventually, house

EXPERT = SetBot(id=0, seat=1, level="expert")


async def test_a_guest_is_told_the_version_the_games_and_the_name() -> None:
    async with house() as at, await at.dial() as peer:
        peer.say_hello("  Ann\x1b  ")
        welcome = await peer.until(Welcome)
        assert (welcome.version, welcome.name) == (PROTOCOL_VERSIONS[0], "Ann")
        assert welcome.games == list(GAMES)
        assert welcome.levels == ["random", "learner", "easy", "normal", "hard"]


@pytest.mark.parametrize("allowed", [False, True])
async def test_experts_play_where_the_server_allows_them(allowed: bool) -> None:
    async with house(limits=Limits(expert_bots=allowed)) as at, await at.dial() as peer:
        peer.say_hello("Ann")
        assert ("expert" in (await peer.until(Welcome)).levels) == allowed
        wish = CreateTable(id=1, game="clocktowers", seats=2, bots=[BotSeat(1, "expert")])
        if not allowed:
            refused = await peer.refused(wish)
            assert (refused.code, refused.params) == (
                RefusalCode.NO_SUCH_LEVEL,
                {"level": "expert"},
            )
            await peer.done(CreateTable(id=1, game="clocktowers", seats=2))
            assert (await peer.refused(EXPERT)).code == RefusalCode.NO_SUCH_LEVEL
            return
        await peer.done(wish)
        await peer.done(EXPERT)


async def test_a_version_both_speak_is_found_among_others() -> None:
    async with house() as at, await at.peer("Ann", versions=[99, 1, 0]) as ann:
        assert ann.name == "Ann"


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
        peer = await at.dial()
        peer.say_hello(name, **{"password": "geheim\u00e4", **how})
        word = await peer.goodbye()
        assert word.code == code
        if code is GoodbyeCode.VERSION:
            assert word.params == {"versions": list(PROTOCOL_VERSIONS)}
        await eventually(lambda: not at.server.peers.admitted)
        assert not at.server.names._held


async def test_the_right_password_lets_in() -> None:
    word = "geheim\u00e4"
    async with house(password=word) as at, await at.peer("Ann", password=word) as ann:
        assert ann.name == "Ann"


async def test_names_are_given_once_and_again_when_free() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("ＡＮＮ") as twin:
        assert (ann.name, twin.name) == ("Ann", "ＡＮＮ 2")
        await twin.close()
        await eventually(lambda: len(at.server.peers.admitted) == 1)
        async with await at.peer("ann") as again:
            assert again.name == "ann 2"


async def test_a_ping_comes_back() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        ann.send(Ping(7))
        assert await ann.until(Pong) == Pong(7)


async def test_bye_is_the_end() -> None:
    async with house() as at:
        ann = await at.peer("Ann")
        await ann.create()
        ann.send(Bye())
        await ann.closed()
        assert not at.server.peers.admitted
        assert not at.server.lobby.tables
