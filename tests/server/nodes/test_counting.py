"""The limits of a caller hold for what they have at all nodes together. Each test has a control in
which no node hears what the others count."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from msgspec import Struct, structs

from protocol.errors import GoodbyeCode
from protocol.from_client import BotSeat, CreateTable, Join
from protocol.from_server import Goodbye, Refused, Welcome
from protocol.refusal import RefusalCode
from server.nodes import counting
from server.nodes.asking import Asking
from server.nodes.counting import Counting
from server.store.journal import JournalError
from tests.stage.house import LENIENT, House, Peer, eventually
from tests.stage.nodes import node_on
from tests.stage.postgres import cluster, needs_postgres

pytestmark = needs_postgres

Two: TypeAlias = tuple[House, House]
Heard: TypeAlias = Callable[[], Awaitable[None]]
LIMITS = structs.replace(
    LENIENT,
    per_address=3,
    loopback_counts=True,
    tables_per_identity=2,
    bots_per_identity=3,
    tries_s=0.001,
    tries_burst=3,
)
HERE = "127.0.0.1"
ANNS = bytes([1]) * 32
EACH_ALONE = pytest.mark.parametrize("alone", [False, True], ids=["together", "each alone"])


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(counting, "EVERY_S", 0.02)
    return cluster().fresh()


@pytest.fixture
async def two(url: str, tmp_path: Path) -> AsyncIterator[Two]:
    async with (
        node_on(url, "a", tmp_path / "a", LIMITS, password="so") as a,
        node_on(url, "b", tmp_path / "b", LIMITS) as b,
    ):
        await eventually(lambda: all(at.server.admission.tries._heard for at in (a, b)))
        yield a, b


@pytest.fixture
def heard(two: Two, alone: bool, monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Returns when each node knows what the other one counts."""
    if alone:
        monkeypatch.setattr(Counting, "_hold", lambda *_: None)

    def knows(at: House, other: House) -> bool:
        one, its = at.server, other.server
        (tries,) = one.admission.tries._heard.values()
        return (
            one.peers.addresses._elsewhere == its.peers.addresses.counted
            and one.lobby.shares._elsewhere == its.lobby.shares.had
            and tries == its.admission.tries.taken
        )

    async def all_know() -> None:
        if not alone:
            await eventually(lambda: knows(*two) and knows(*two[::-1]))

    return all_know


async def come(at: House, name: str, **hello: Any) -> tuple[Peer, str | None]:
    """Somebody, and why they may not come in."""
    peer = await at.dial()
    peer.say_hello(name, **{"password": "so", **hello})
    answer = await peer.until(Struct, lambda one: isinstance(one, Welcome | Goodbye))
    return peer, answer.code if isinstance(answer, Goodbye) else None


def elsewhere(at: House) -> int:
    """How many connections from here the other nodes have."""
    return at.server.peers.addresses._elsewhere.get(HERE, 0)


@EACH_ALONE
async def test_an_address_has_so_many_connections(two: Two, heard: Heard, alone: bool) -> None:
    a, b = two
    told = list[str | None]()
    people = list[Peer]()
    for at in (a, a, b, b):
        peer, why = await come(at, "Ann")
        people.append(peer)
        told.append(why)
        await heard()
    assert told == [None, None, None, None if alone else GoodbyeCode.ADDRESS_FULL]
    if not alone:
        await people[0].close()
        await eventually(lambda: elsewhere(b) == 1)
        assert (await come(b, "Dan"))[1] is None


@pytest.mark.parametrize("alone", [False])
async def test_who_is_led_to_another_node_counts_once(two: Two, heard: Heard) -> None:
    a, b = two
    ann, ben = await a.peer("Ann", password="so"), await b.peer("Ben", password="so")
    code = await ann.create(seats=3)
    await ben.done(Join(id=0, table=code))
    assert a.server.peers.addresses.counted == b.server.peers.addresses.counted == {HERE: 1}
    await heard()
    cia, why = await come(a, "Cia")
    assert why is None
    await heard()
    await cia.done(Join(id=0, table=code))
    assert (await come(b, "Dan"))[1] == GoodbyeCode.ADDRESS_FULL


@EACH_ALONE
async def test_an_identity_has_so_many_tables(two: Two, heard: Heard, alone: bool) -> None:
    told, people = list[str](), list[Peer]()
    for at in (two[0], two[1], two[0]):
        peer, _ = await come(at, "Ann", identity=ANNS)
        people.append(peer)
        answer = await peer.request(CreateTable(id=0, game=peer.game, seats=2))
        told.append(answer.code if isinstance(answer, Refused) else "")
        await heard()
    assert told == ["", "", "" if alone else RefusalCode.TOO_MANY_OF_YOURS]


@EACH_ALONE
async def test_an_identity_has_so_many_bots(two: Two, heard: Heard, alone: bool) -> None:
    ann, _ = await come(two[0], "Ann", identity=ANNS)
    await ann.create(seats=3, bots="easy")
    await heard()
    again, _ = await come(two[1], "Ann", identity=ANNS)
    answer = await again.request(
        CreateTable(id=0, game=again.game, seats=3, bots=[BotSeat(1, "easy"), BotSeat(2, "easy")])
    )
    assert (answer.code if isinstance(answer, Refused) else "") == (
        "" if alone else RefusalCode.TOO_MANY_BOTS
    )


@EACH_ALONE
async def test_so_many_wrong_passwords_come_from_an_address(
    two: Two, heard: Heard, alone: bool
) -> None:
    told = list[str | None]()
    for at in (two[0], two[0], two[0], two[1]):
        peer, why = await come(at, "Eve", password="wrong")
        told.append(why)
        peer.abort()
        await eventually(lambda: not any(one.server.peers.connected for one in two))
        await heard()
    last = GoodbyeCode.PASSWORD if alone else GoodbyeCode.TOO_MANY_TRIES
    assert told == [GoodbyeCode.PASSWORD] * 3 + [last]


@pytest.mark.parametrize("alone", [False])
async def test_who_is_right_takes_no_try(two: Two, heard: Heard) -> None:
    for number in range(8):
        peer, why = await come(two[number % 2], "Ann")
        assert why is None
        await peer.close()
        await heard()


async def test_a_node_counts_alone_while_the_database_is_away(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    people = [await a.peer(name, password="so") for name in ("Ann", "Ben", "Cia")]
    await eventually(lambda: elsewhere(b) == 3)
    with monkeypatch.context() as outage:

        async def away(*_: Any) -> Any:
            raise JournalError("the database is away")

        outage.setattr(Asking, "use", away)
        await eventually(lambda: elsewhere(b) == 0)
        people += [await b.peer(name, password="so") for name in ("Dan", "Eve", "Fay")]
        assert (await come(b, "Gus"))[1] == GoodbyeCode.ADDRESS_FULL
    await eventually(lambda: elsewhere(b) == elsewhere(a) == 3)
    for peer in people:  # nobody is sent away who is there
        await peer.answered()


async def test_what_a_node_had_that_is_gone_counts_no_more(url: str, tmp_path: Path) -> None:
    async with node_on(url, "b", tmp_path / "b", LIMITS) as b:
        async with node_on(url, "a", tmp_path / "a", LIMITS) as a:
            people = [await a.peer(name) for name in ("Ann", "Ben", "Cia")]
            await eventually(lambda: elsewhere(b) == len(people))
            assert (await come(b, "Dan"))[1] == GoodbyeCode.ADDRESS_FULL
        await eventually(lambda: elsewhere(b) == 0)
        assert (await come(b, "Dan"))[1] is None
