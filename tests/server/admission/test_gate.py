"""Coming in by a password, over real sockets."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_client import Ping
from protocol.from_server import Goodbye, Pong, Welcome
from server.admission import hashing, tries
from server.admission.gate import Word
from server.config import Config, Limits
from server.net.caller import Caller
from server.server import opened
from server.store.memory import MemoryJournal
from tests.server.net.test_caller import let_in
from tests.stage.house import House, Peer, eventually, house

WORD = "tower"


async def said(at: House, caller: Caller | None = None, **hello: Any) -> Goodbye | Welcome:
    """The server's answer to a hello."""
    async with await (at.dial() if caller is None else let_in(at, caller)) as peer:
        peer.say_hello("Ann", **hello)
        return await heard(peer)


async def heard(peer: Peer) -> Goodbye | Welcome:
    answer = await peer.until(Struct, lambda message: isinstance(message, Goodbye | Welcome))
    assert isinstance(answer, Goodbye | Welcome)
    return answer


async def test_wrong_tries_are_limited_and_one_without_a_password_is_none() -> None:
    limits = Limits(tries_burst=2, tries_s=0.001)
    async with house(password=WORD, limits=limits) as at:
        for _ in range(5):
            assert await said(at) == Goodbye(GoodbyeCode.PASSWORD)
        for _ in range(5):
            assert isinstance(await said(at, password=WORD), Welcome)
        for _ in range(2):
            assert await said(at, password="bell") == Goodbye(GoodbyeCode.PASSWORD)
        late = await said(at, password=WORD)
        assert isinstance(late, Goodbye)
        assert late.code == GoodbyeCode.TOO_MANY_TRIES
        assert 900 < late.params["wait_s"] <= 1000  # type: ignore[operator]
        assert at.server.peers.hits["tries_burst"] == 1


@pytest.mark.parametrize("right", [True, False])
async def test_friends_of_one_address_come_in_at_once_and_wrong_ones_are_limited(
    right: bool,
) -> None:
    async with house(password=WORD, limits=Limits(tries_s=1e-6, hello_s=1e6)) as at:
        peers = [await at.dial() for _ in range(20)]
        for peer in peers:
            peer.say_hello("Ann", password=WORD if right else "bell")
        answers = [await heard(peer) for peer in peers]
        told = Counter(answer.code for answer in answers if isinstance(answer, Goodbye))
        wrong = {GoodbyeCode.PASSWORD: 5, GoodbyeCode.TOO_MANY_TRIES: 15}
        assert told == ({} if right else wrong)
        for peer in peers:
            peer.abort()


async def test_who_hangs_up_meanwhile_leaves_nothing_behind() -> None:
    async with house(password=WORD) as at:
        for _ in range(3):
            peer = await at.dial()
            peer.say_hello("Ann", password=WORD)
            await asyncio.sleep(0)
            peer.abort()
        await eventually(lambda: not at.server.peers.connected and not at.server.tasks._running)
        assert not at.server.names._held
        async with await at.peer("Ann", password=WORD) as ann:
            ann.send(Ping(1))
            assert await ann.until(Pong) == Pong(1)


async def test_where_many_come_at_once_the_rest_is_told_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tries, "WAITING", 0)
    async with house(password=WORD, limits=Limits(tries_burst=100)) as at:
        peers: list[Peer] = [await at.dial() for _ in range(12)]
        for peer in peers:
            peer.say_hello("Ann", password=WORD)
        answers = [await heard(peer) for peer in peers]
        told = [answer for answer in answers if isinstance(answer, Goodbye)]
        assert 0 < len(told) < 12
        assert {word.code for word in told} == {GoodbyeCode.TOO_MANY_TRIES}


@pytest.mark.parametrize("takes", [False, True])
async def test_a_password_in_clear_from_elsewhere_is_looked_at_only_by_wish(takes: bool) -> None:
    config = Config(port=0, host=("127.0.0.1",), password_in_clear=takes)
    word = Word(hashing.hash_now(WORD))
    async with opened(config, MemoryJournal(), word=word) as (server, addresses):
        at = House(server, addresses)
        far, safe = Caller("192.0.2.7"), Caller("192.0.2.7", encrypted=True)
        asked = await said(at, far)
        assert asked == Goodbye(GoodbyeCode.PASSWORD, {"in_clear": int(takes)})
        assert isinstance(await said(at, far, password=WORD), Welcome) is takes
        assert isinstance(await said(at, safe, password=WORD), Welcome)


async def test_a_server_of_ones_own_has_a_secret_and_no_password() -> None:
    config = Config(port=0, host=("127.0.0.1",))
    async with opened(config, MemoryJournal(), word=Word("", "own")) as (server, addresses):
        at = House(server, addresses)
        for given in ("", "bell"):
            assert await said(at, password=given) == Goodbye(GoodbyeCode.PASSWORD)
        assert isinstance(await said(at, password="own"), Welcome)
        there = Caller("192.0.2.7", encrypted=True)
        assert await said(at, there, password="own") == Goodbye(GoodbyeCode.PASSWORD)
