"""Who comes in by a password, at the server's door and at a table's: how often somebody may be
wrong, and hashes in threads."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import replace

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Invite, Join, Leave, ListTables, Ping, Resume, Watch
from protocol.from_server import Goodbye, Listing, LobbyChanged, SeatToken, ServerPong, Welcome
from protocol.invitation import decode
from protocol.table import Filter
from server.admission.gate import ServerPassword
from server.admission.passwords import AT_ONCE, MOST, WAITING, Busy, Hashing, Tries, hash_now
from server.config import Config, Limits
from server.net.callers import Caller
from server.operating import commands
from server.server import opened
from tests.server.net.test_callers import let_in
from tests.server.operating.test_door import ask
from tests.stage.house import LENIENT, PATIENCE_S, READY, START, House, Peer, eventually, house
from tests.stage.memory_journal import MemoryJournal

# At the door -------------------------------------------------------------------------------------

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
        peers = [await at.dial() for _ in range(8)]
        for peer in peers:
            peer.say_hello("Ann", password=WORD if right else "bell")
        answers = [await heard(peer) for peer in peers]
        told = Counter(answer.code for answer in answers if isinstance(answer, Goodbye))
        wrong = {GoodbyeCode.PASSWORD: 5, GoodbyeCode.TOO_MANY_TRIES: 3}
        assert told == ({} if right else wrong)
        for peer in peers:
            peer.abort()


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Every password fits, but no hash is done before this is set."""
    event = Event()
    monkeypatch.setattr("server.admission.passwords._fits", lambda *_: event.wait(PATIENCE_S))
    yield event
    event.set()


async def test_where_many_come_at_once_the_rest_is_told_to_wait(
    monkeypatch: pytest.MonkeyPatch, hashed: Event
) -> None:
    monkeypatch.setattr("server.admission.passwords.WAITING", 0)
    async with house(password=WORD, limits=Limits(tries_burst=100)) as at:
        peers: list[Peer] = [await at.dial() for _ in range(12)]
        for peer in peers:
            peer.say_hello("Ann", password=WORD)
        answers = [asyncio.ensure_future(heard(peer)) for peer in peers]
        await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
        hashed.set()
        told = [answer for answer in await asyncio.gather(*answers) if isinstance(answer, Goodbye)]
        assert 0 < len(told) < 12
        assert {word.code for word in told} == {GoodbyeCode.TOO_MANY_TRIES}


async def test_so_many_are_hashed_and_the_loop_turns_meanwhile(hashed: Event) -> None:
    """Who is told to wait sets the event, which the loop could not if it hashed itself."""
    threads = Hashing()
    under_way = [asyncio.ensure_future(threads.fits("word", "")) for _ in range(AT_ONCE + WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await threads.fits("word", "")
    hashed.set()
    assert all(await asyncio.gather(*under_way))
    assert await threads.fits("word", "")


async def test_who_hangs_up_meanwhile_leaves_nothing_behind() -> None:
    async with house(password=WORD) as at:
        resting = len(at.server.tasks)
        for _ in range(3):
            peer = await at.dial()
            peer.say_hello("Ann", password=WORD)
            await asyncio.sleep(0)
            peer.abort()
        await eventually(lambda: not at.server.peers.connected and len(at.server.tasks) == resting)
        assert not at.server.names._uses
        async with await at.peer("Ann", password=WORD) as ann:
            ann.send(Ping(1))
            assert await ann.until(ServerPong) == ServerPong(1)


@pytest.mark.parametrize("takes", [False, True])
async def test_a_password_in_clear_from_elsewhere_is_looked_at_only_by_wish(takes: bool) -> None:
    config = Config(port=0, host=("127.0.0.1",), password_in_clear=takes)
    word = ServerPassword(hash_now(WORD))
    async with opened(config, MemoryJournal(), word=word) as (server, addresses):
        at = House(server, addresses)
        far, safe = Caller("192.0.2.7"), Caller("192.0.2.7", encrypted=True)
        asked = await said(at, far)
        assert asked == Goodbye(GoodbyeCode.PASSWORD, {"in_clear": int(takes)})
        assert isinstance(await said(at, far, password=WORD), Welcome) is takes
        assert isinstance(await said(at, safe, password=WORD), Welcome)


async def test_a_server_of_ones_own_has_a_secret_and_no_password() -> None:
    config = Config(port=0, host=("127.0.0.1",))
    async with opened(config, MemoryJournal(), word=ServerPassword("", "own")) as (
        server,
        addresses,
    ):
        at = House(server, addresses)
        for given in ("", "bell"):
            assert await said(at, password=given) == Goodbye(GoodbyeCode.PASSWORD)
        assert isinstance(await said(at, password="own"), Welcome)
        there = Caller("192.0.2.7", encrypted=True)
        assert await said(at, there, password="own") == Goodbye(GoodbyeCode.PASSWORD)


# At a table --------------------------------------------------------------------------------------

BENS = bytes([2]) * 32


async def listed(peer: Peer, filter_: Filter = Filter()) -> list[str]:  # noqa: B008  (frozen)
    answer = await peer.request(ListTables(id=0, filter=filter_))
    assert isinstance(answer, Listing) and answer.total == len(answer.tables)
    return [info.table for info in answer.tables]


async def test_a_hidden_table_is_found_by_its_code_alone() -> None:
    async with house() as at, await at.peer("Eve") as eve, await at.peer("Ann") as ann:
        assert await listed(eve) == []
        hidden = await ann.create(seats=2, hidden=True, title="Club")
        assert len(hidden) == 8
        for filter_ in (Filter(), Filter(text="club"), Filter(text=hidden), Filter(free_seat=True)):
            assert await listed(eve, filter_) == []
        async with await at.peer("Ben") as ben, await at.peer("Cia") as cia:
            await ben.done(Join(id=0, table=hidden.lower()))
            assert at.table(hidden).news.info().hidden
            await ben.done(READY)
            await ann.done(START)
            await ben.done(Leave(id=0))
            await ann.done(Leave(id=0))
            await eventually(lambda: hidden not in at.server.lobby.tables)
            # The control: a table that is not hidden is told of, and so is its end.
            shown = await cia.create(seats=2)
            news = await eve.until(LobbyChanged)
            assert [info.table for info in news.changed] == [shown]
            await cia.done(Leave(id=0))
            assert (await eve.until(LobbyChanged)).gone == [shown]
        told = [m for m in eve.seen if isinstance(m, LobbyChanged)]
        assert all(hidden not in str(news) for news in told)


async def test_a_password_opens_a_table_to_sit_and_to_watch() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create(seats=3, password="bell")
        assert "bell" not in at.table(code).access.lock
        assert at.table(code).news.info().locked
        for wish in (Join(id=0, table=code), Watch(id=0, table=code, password="Bell")):
            assert (await ben.refused(wish)).code == RefusalCode.TABLE_PASSWORD
        await ben.done(Watch(id=0, table=code, password="bell"))
        await ben.done(Join(id=0, table=code))  # who is there has given it
        await ben.done(Leave(id=0))
        await ben.done(Join(id=0, table=code))


async def test_wrong_ones_are_limited_and_the_servers_door_stays_open() -> None:
    limits = Limits(tries_burst=2, tries_s=0.001)
    async with house(limits=limits, password="tower") as at:
        ann = await at.peer("Ann", password="tower")
        code = await ann.create(seats=3, password="bell")
        ben = await at.peer("Ben", password="tower", identity=BENS)
        assert (await ben.refused(Join(id=0, table=code, password="x"))).code == (
            RefusalCode.TABLE_PASSWORD
        )
        late = await ben.refused(Join(id=0, table=code, password="bell"))
        assert late.code == RefusalCode.TOO_MANY_TRIES
        assert 900 < late.params["wait_s"] <= 1000  # type: ignore[operator]
        assert await at.peer("Cia", password="tower")


async def test_none_goes_in_clear_to_another_machine() -> None:
    async with house() as at:
        for caller, refused in (
            (Caller("192.0.2.7"), True),
            (Caller("192.0.2.7", encrypted=True), False),
        ):
            async with await let_in(at, caller) as far:
                far.say_hello("Far")
                await far.until(Welcome)
                if not refused:
                    await far.create(seats=2, password="bell")
                    continue
                with pytest.raises(AssertionError, match="password_in_clear"):
                    await far.create(seats=2, password="bell")


async def test_an_invitation_to_a_table_and_ones_own_seat_need_no_password(tmp_path: Path) -> None:
    kept = MemoryJournal()
    async with house(folder=tmp_path, journal=kept) as at:
        ann = await at.peer("Ann")
        code = await ann.create(seats=2, password="bell")
        line = decode((await ann.done(Invite(id=0))).invitation)
        ben = await at.peer("Ben", invitation=line.secret, identity=BENS)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        token = await ann.until(SeatToken)
        await asyncio.gather(*[one.play(Random(1), 4) for one in (ann, ben)])
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        ben = await at.peer("Ben", identity=BENS)
        await ben.done(Join(id=0, table=code))
    # A table where nobody is waits longer than a password takes.
    async with house(folder=tmp_path, journal=kept, limits=replace(LENIENT, standstill_s=60)) as at:
        await locked_again(at, code, token)


async def locked_again(at: House, code: str, token: SeatToken) -> None:
    """After a restart the password holds, and a token still opens its seat."""
    eve = await at.peer("Eve")
    assert (await eve.refused(Watch(id=0, table=code))).code == RefusalCode.TABLE_PASSWORD
    await eve.done(Watch(id=0, table=code, password="bell"))
    ann = await at.peer("Ann")
    await ann.done(Resume(id=0, match=token.match, token=token.token))


async def test_where_nobody_may_watch_nobody_does(tmp_path: Path) -> None:
    async with (
        house(folder=tmp_path) as at,
        await at.peer("Ann") as ann,
        await at.peer("Eve") as eve,
    ):
        code = await ann.create(seats=2, watchable=False)
        assert (await eve.refused(Watch(id=0, table=code))).code == RefusalCode.NO_WATCHERS
        assert await listed(eve) == [code]
        ben = await at.peer("Ben")
        hidden = await ben.create(seats=2, hidden=True, password="bell")
        rows = (await ask(tmp_path, commands.Tables())).rows
        assert rows is not None
        assert [(row["table"], row["hidden"], row["locked"]) for row in rows] == [
            (code, False, False),
            (hidden, True, True),
        ]


# Tries -------------------------------------------------------------------------------------------

LIMITS = Limits(tries_s=0.1, tries_burst=3)
ANN, BEN = b"a" * 32, b"b" * 32


class At(Tries):
    """Tries whose clock stands until it is set."""

    def __init__(self) -> None:
        super().__init__(LIMITS, lambda: self.now_s)
        self.now_s = 0.0


def wrong(at: Tries, place: str, identity: bytes = b"") -> bool:
    return at.begin(place, identity) == 0


def test_an_address_waits_under_every_identity_and_others_do_not() -> None:
    at = At()
    assert [wrong(at, "192.0.2.1", bytes([n]) * 32) for n in range(4)] == [True] * 3 + [False]
    assert at.begin("192.0.2.1", b"") == 10
    assert wrong(at, "192.0.2.2")
    at.now_s = 10
    assert wrong(at, "192.0.2.1")


def test_the_first_try_is_allowed_however_slowly_the_machine_goes() -> None:
    seconds = count()
    at = Tries(Limits(tries_s=0.01, tries_burst=1), lambda: float(next(seconds)))
    assert at.begin("192.0.2.1", ANN) == 0


def test_an_identity_waits_at_every_address() -> None:
    at = At()
    assert [wrong(at, f"192.0.2.{n}", ANN) for n in range(4)] == [True] * 3 + [False]
    assert [wrong(at, "192.0.2.3") for _ in range(4)] == [True] * 3 + [False]  # none was taken


def test_nobody_at_the_address_keeps_out_an_identity_that_was_right() -> None:
    at = At()
    assert wrong(at, "192.0.2.1", ANN)
    at.was_right("192.0.2.1", ANN)
    assert [wrong(at, "192.0.2.1", BEN) for _ in range(4)] == [True] * 3 + [False]
    assert [wrong(at, "192.0.2.1", ANN) for _ in range(4)] == [True] * 3 + [False]


@given(st.lists(st.tuples(st.floats(0, 5), st.booleans()), max_size=60))
def test_what_was_wrong_stays_within_burst_and_rate(steps: list[tuple[float, bool]]) -> None:
    at, mistakes = At(), 0
    for passed_s, right in steps:
        at.now_s += passed_s
        if at.begin("192.0.2.1", b"") == 0:
            if right:
                at.give_back("192.0.2.1", b"")
            mistakes += not right
    assert mistakes <= 3 + 0.1 * at.now_s + 1e-6


def test_few_are_remembered() -> None:
    at = At()
    for n in range(MOST + 500):
        at.begin(str(n), n.to_bytes(32, "big"))
        at.was_right(str(n), n.to_bytes(32, "big"))
    assert len(at) == len(at._known) == MOST


# Hashes ------------------------------------------------------------------------------------------


async def test_a_hash_fits_its_password_alone_however_it_is_typed() -> None:
    kept = hash_now("geheim\u00e4")
    assert "argon2id" in kept and "m=19456,t=2,p=1" in kept and "geheim" not in kept
    threads = Hashing()
    assert await threads.fits("geheima\u0308", kept)
    assert not await threads.fits("geheima", kept)
    assert await threads.fits("word", await threads.hashed("word"))
