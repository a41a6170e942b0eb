"""Two nodes on one database have one lobby: tables, codes, names, and the files that say who may
come in."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_client import CreateTable, Invite, Join, Leave, ListTables
from protocol.from_server import Done, Goodbye, Listing, LobbyChanged, Refused, Welcome
from protocol.invitation import decode
from protocol.listing import Filter
from server.nodes import posting
from server.nodes.asking import Asking
from server.nodes.codes import STORE, Codes
from server.nodes.naming import Naming
from server.operating import words
from server.store.backup import SSH, TLS
from server.store.journal import JournalError
from server.tables import lobby
from tests.server.operating.test_door import ask
from tests.stage.house import READY, START, House, Peer, eventually
from tests.stage.nodes import node_on
from tests.stage.postgres import needs_postgres

pytestmark = needs_postgres

Two = tuple[House, House]


@pytest.fixture
async def two(url: str, tmp_path: Path) -> AsyncIterator[Two]:
    async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
        yield a, b


async def listing(peer: Peer, **wanted: Any) -> Listing:
    answer = await peer.request(ListTables(id=0, filter=Filter(**wanted)))
    assert isinstance(answer, Listing)
    return answer


async def test_tables_of_all_nodes_are_listed_with_their_changes(two: Two) -> None:
    a, b = two
    ann, ben = await a.peer("Ann"), await b.peer("Ben")
    assert not (await listing(ben)).tables
    code = await ann.create(seats=3, title="Thursday")
    news = await ben.until(LobbyChanged)
    (info,) = news.changed
    assert (info.table, info.title, info.seats[0].name, news.total) == (code, "Thursday", "Ann", 1)
    assert [table.table for table in (await listing(ben, text="thursday")).tables] == [code]
    assert not (await listing(ben, text="friday")).tables
    await listing(ben)
    cat = await a.peer("Cat")
    await cat.done(Join(id=0, table=code))
    (info,) = (await ben.until(LobbyChanged)).changed
    assert [seat.name for seat in info.seats] == ["Ann", "Cat", ""]
    own = await ben.create(seats=2)
    dan = await a.peer("Dan")
    await eventually(lambda: len(a.server.lobby.list._rows) == 2)
    assert [table.table for table in (await listing(dan)).tables] == [own, code]
    await ben.done(Leave(id=0))
    await dan.until(LobbyChanged, lambda message: message.gone == [own])


async def test_a_hidden_table_is_found_by_its_code_alone(two: Two) -> None:
    a, b = two
    ann, ben = await a.peer("Ann"), await b.peer("Ben")
    code = await ann.create(seats=2, hidden=True)
    assert not (await listing(ben)).tables
    assert (await ben.done(Join(id=0, table=code.lower()))).table == code


async def test_a_table_can_be_joined_in_the_moment_in_which_it_is_made(two: Two) -> None:
    a, b = two
    ben = await b.peer("Ben")
    for number in range(5):
        ann = await a.peer(f"Ann {number}")
        code = await ann.create(seats=2)
        assert (await ben.done(Join(id=0, table=code))).table == code
        await ben.done(Leave(id=0))


async def test_the_way_leads_through_tls_too(two: Two) -> None:
    a, b = two
    ann, ben = await a.peer("Ann"), await b.dial(tls=True)
    await ben.come("Ben", changes=True)
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
    assert (await listing(ben)).total == 1


async def test_a_code_is_one_tables_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "CODE_LETTERS", "ABC")
    async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
        people = [await at.peer("Ann") for at in (a, b) * 12]
        codes = [await person.create(seats=2) for person in people]
        assert len(set(codes)) == len(codes)


async def answered(peer: Peer) -> str:
    answer = await peer.until(Struct, lambda message: isinstance(message, Done | Refused))
    if isinstance(answer, Refused):
        return answer.code
    assert isinstance(answer, Done)
    return answer.table


async def three_stores_of(at: House) -> list[Peer]:
    return [await at.peer(f"Ann {number}") for number in range(3 * STORE)]


async def made_at_once(people: Sequence[Peer]) -> list[str]:
    """The code of the table that each of them wants in one moment; "busy" for one that was
    refused."""
    for person in people:
        person.send(CreateTable(id=1, game=person.game, seats=2))
    return [await answered(person) for person in people]


async def test_more_tables_are_made_at_once_than_there_are_codes_in_store(two: Two) -> None:
    people = await three_stores_of(two[0])
    codes = await made_at_once(people)
    assert "busy" not in codes and len(set(codes)) == 3 * STORE
    cat = await two[1].peer("Cat")
    await eventually(lambda: len(two[1].server.lobby.list._rows) == 3 * STORE)
    await cat.done(Join(id=0, table=codes[-1]))


async def test_without_waiting_for_codes_some_would_be_refused(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    two[0].server.service.elsewhere = lambda *_: False
    monkeypatch.setattr(Codes, "fill", AsyncMock())
    assert "busy" in await made_at_once(await three_stores_of(two[0]))


async def test_a_table_is_refused_where_the_database_gives_no_code(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await three_stores_of(two[0])

    async def nothing(*_: Any) -> list[Any]:
        raise JournalError("the database is away")

    monkeypatch.setattr(Asking, "rows", nothing)
    codes = await made_at_once(people)
    assert STORE <= len(codes) - codes.count("busy") <= 2 * STORE


async def greeted(nodes: Two, name: str, times: int) -> list[str]:
    """The names of so many who wish for the same at the same moment."""
    peers = [await nodes[number % 2].dial() for number in range(times)]
    for peer in peers:
        peer.say_hello(name)
    return [(await peer.until(Welcome)).name for peer in peers]


async def test_two_people_of_one_name_are_told_apart(two: Two) -> None:
    names = await greeted(two, "Ann", 24)
    assert len(set(names)) == 24
    assert "Ann" in names and "Ann 2" in names


async def test_without_the_databases_word_they_would_not_be(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody_has_it(*_: Any) -> tuple[str, ...]:
        return ()

    monkeypatch.setattr(Naming, "_take", nobody_has_it)
    assert len(set(await greeted(two, "Ann", 6))) == 3


async def claims_of(nodes: Two, callers: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a node asks the database when so many come at once, while the first of them
    waits."""
    take, asked, waits = Naming._take, list[int](), asyncio.Event()

    async def slow(naming: Naming, wanted: Collection[str], session: Any) -> Collection[str]:
        asked.append(len(wanted))
        await waits.wait()
        return await take(naming, wanted, session)

    monkeypatch.setattr(Naming, "_take", slow)
    peers = [await nodes[0].dial() for _ in range(callers)]
    for number, peer in enumerate(peers):
        peer.say_hello(f"Ann {number}")
    await eventually(lambda: len(nodes[0].server.names.held()) >= callers)
    waits.set()
    assert len({(await peer.until(Welcome)).name for peer in peers}) == callers
    return len(asked)


async def test_the_names_of_all_who_come_at_once_are_claimed_together(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await claims_of(two, 24, monkeypatch) == 2


async def test_one_after_the_other_they_are_as_many_questions(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def alone(naming: Naming, wanted: Collection[str]) -> Any:
        return await naming._asking.use(partial(naming._take, wanted))

    monkeypatch.setattr(Naming, "_taken", alone)
    assert await claims_of(two, 24, monkeypatch) == 24


async def test_a_name_is_free_when_its_bearer_has_gone(two: Two) -> None:
    a, b = two
    ann = await a.peer("Ann")
    assert (await b.peer("Ann")).name == "Ann 2"
    await ann.close()
    await eventually(lambda: not a.server.lobby.names.held())
    await asyncio.sleep(2 * posting.BATCH_S)
    assert (await b.peer("Ann")).name == "Ann"


async def test_a_node_that_has_gone_takes_its_tables_and_names_along(
    url: str, tmp_path: Path
) -> None:
    async with node_on(url, "b", tmp_path / "b") as b:
        ben = await b.peer("Ben")
        async with node_on(url, "a", tmp_path / "a") as a:
            ann = await a.peer("Ann")
            await ann.create(seats=2)
            await listing(ben)
            await ben.until(LobbyChanged, lambda message: message.total == 1)
        await ben.until(LobbyChanged, lambda message: message.total == 0)
        assert (await b.peer("Ann")).name == "Ann"


async def test_nodes_have_the_same_keys(two: Two, tmp_path: Path) -> None:
    a, b = two
    assert a.server.key == b.server.key
    for name in (TLS, *SSH):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


async def test_a_ban_holds_on_all_nodes(two: Two, tmp_path: Path) -> None:
    a, b = two
    eve = await b.peer("Eve", identity=bytes(32))
    ann = await a.peer("Ann", identity=bytes(31) + b"1")
    await ask(tmp_path / "b", words.SetBan(whom="Eve"))
    assert (await eve.goodbye()).code == GoodbyeCode.BANNED
    await eventually(lambda: bool(a.server.peers.banned.all()))
    again = await a.dial()
    again.say_hello("Eve", identity=bytes(32))
    assert (await again.goodbye()).code == GoodbyeCode.BANNED
    await ask(tmp_path / "b", words.SetBan(whom="127.0.0.0/8"))
    assert (await ann.goodbye()).code == GoodbyeCode.BANNED
    await ask(tmp_path / "a", words.Unban(whom="127.0.0.0/8"))
    await eventually(lambda: len(b.server.peers.banned.all()) == 1)
    await b.peer("Ben")


async def test_of_two_who_ban_at_the_same_moment_no_ban_is_lost(two: Two, tmp_path: Path) -> None:
    a, b = two
    blocks = [f"192.0.2.{number}" for number in range(6)]
    for first, second in zip(blocks[::2], blocks[1::2], strict=True):
        asked = [(tmp_path / "a", first), (tmp_path / "b", second)]
        answers = await asyncio.gather(
            *(ask(folder, words.SetBan(whom=whom)) for folder, whom in asked)
        )
        for (folder, whom), answer in zip(asked, answers, strict=True):
            if not answer.done:
                assert "try again" in answer.said
                assert (await ask(folder, words.SetBan(whom=whom))).done
    await eventually(lambda: all(len(at.server.peers.banned.all()) == len(blocks) for at in (a, b)))


async def test_an_invitation_opens_every_node(url: str, tmp_path: Path) -> None:
    async with (
        node_on(url, "a", tmp_path / "a", password="so") as a,
        node_on(url, "b", tmp_path / "b") as b,
    ):
        ann = await a.peer("Ann", password="so")
        code = await ann.create(seats=3)
        lines = [(await ann.done(Invite(id=0))).invitation for _ in range(2)]
        await eventually(lambda: len(b.server.admission.invitations.all()) == 2)
        ben = await b.peer("Ben", invitation=decode(lines[0]).secret)
        assert (await ben.done(Join(id=0, table=code))).table == code
        closed = await b.dial()
        closed.say_hello("Cat")  # b was started without a password, and asks for the cluster's
        assert (await closed.until(Goodbye)).code == GoodbyeCode.PASSWORD
        await ann.done(Leave(id=0))
        await ben.done(Leave(id=0))
        await eventually(lambda: not b.server.admission.invitations.all())
        late = await b.dial()
        late.say_hello("Dan", invitation=decode(lines[1]).secret)
        assert (await late.until(Goodbye)).code == GoodbyeCode.INVITATION_REVOKED
