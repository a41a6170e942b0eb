"""Two nodes on one database have one lobby: tables, codes, names, and the files that say who may
come in."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random
from time import time
from typing import Any, TypeAlias, cast

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from protocol import from_server as server
from protocol.errors import GoodbyeCode
from protocol.from_client import CreateTable, Invite, Join, Leave, ListTables, Resume
from protocol.invitation import decode
from protocol.table import Days, Filter
from server.admission.gate import ServerPassword
from server.nodes import asking, claiming, directory, naming
from server.nodes.asking import Asking, Together
from server.nodes.directory import Directory
from server.nodes.kept import Files
from server.operating import banning
from server.store.connecting import Age, connected
from server.store.journal import JournalError
from server.store.postgres import PostgresJournal
from server.store.statements import Unusable
from server.tables import lobby
from server.tables.telling import COLLECT_S
from tests.server.operating.test_door import ask
from tests.server.test_addresses import confirms, posted
from tests.stage.house import (
    AT_HOME,
    LENIENT,
    PATIENCE_S,
    READY,
    START,
    House,
    Peer,
    begin,
    eventually,
    read_view,
    some_act,
)
from tests.stage.nodes import node_on
from tests.stage.postgres import cluster, needs_postgres

pytestmark = needs_postgres

Two: TypeAlias = tuple[House, House]


@pytest.fixture
async def two(url: str, tmp_path: Path) -> AsyncIterator[Two]:
    async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
        yield a, b


async def listing(peer: Peer, **wanted: Any) -> server.Listing:
    answer = await peer.request(ListTables(id=0, filter=Filter(**wanted)))
    assert isinstance(answer, server.Listing)
    return answer


async def test_tables_of_all_nodes_are_listed_with_their_changes(two: Two) -> None:
    a, b = two
    ann, ben = await a.peer("Ann"), await b.peer("Ben")
    assert not (await listing(ben)).tables
    code = await ann.create(seats=3, title="Thursday")
    news = await ben.until(server.LobbyChanged)
    (info,) = news.changed
    assert (info.table, info.title, info.seats[0].name, news.total) == (code, "Thursday", "Ann", 1)
    assert [table.table for table in (await listing(ben, text="thursday")).tables] == [code]
    assert not (await listing(ben, text="friday")).tables
    await listing(ben)
    cat = await a.peer("Cat")
    await cat.done(Join(id=0, table=code))
    (info,) = (await ben.until(server.LobbyChanged)).changed
    assert [seat.name for seat in info.seats] == ["Ann", "Cat", ""]
    own = await ben.create(seats=2)
    dan = await a.peer("Dan")
    await eventually(lambda: len(a.server.lobby.list._rows) == 2)
    assert [table.table for table in (await listing(dan)).tables] == [own, code]
    await ben.done(Leave(id=0))
    await dan.until(server.LobbyChanged, lambda message: message.gone == [own])


async def test_a_hidden_table_is_found_by_its_code_alone_and_through_tls_too(two: Two) -> None:
    a, b = two
    ann, ben = await a.peer("Ann"), await b.dial(tls=True)
    await ben.come("Ben", changes=True)
    code = await ann.create(seats=2, hidden=True)
    assert not (await listing(ben)).tables
    assert (await ben.done(Join(id=0, table=code.lower()))).table == code
    await ben.done(READY)
    await ann.done(START)
    await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))


async def test_a_table_can_be_joined_in_the_moment_in_which_it_is_made(two: Two) -> None:
    a, b = two
    ben = await b.peer("Ben")
    for number in range(5):
        ann = await a.peer(f"Ann {number}")
        code = await ann.create(seats=2)
        assert (await ben.done(Join(id=0, table=code))).table == code
        await ben.done(Leave(id=0))


async def test_a_crowd_that_asks_for_what_is_nowhere_costs_the_database_two_questions(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each kind: the question of the first, and the next, which all others share."""
    cluster, asked, rows = two[0].server.cluster, Counter[str](), Directory.rows
    assert cluster is not None

    async def counted(self: Directory, statement: str, *values: Any) -> list[Any]:
        asked[statement] += 1
        return await rows(self, statement, *values)

    monkeypatch.setattr(Directory, "rows", counted)
    tables = (cluster.directory.home_of_table(f"Z{number}") for number in range(100))
    seats = (cluster.directory.match_of(bytes([number]) * 32) for number in range(100))
    assert not any(await asyncio.gather(*tables, *seats))
    assert asked[directory._TABLES] == asked[directory._SEATS] == 2


async def test_a_code_is_one_tables_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "CODE_LETTERS", "ABC")
    monkeypatch.setattr(naming, "STORE", 20)
    async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
        people = [await at.peer("Ann") for at in (a, b) * 12]
        made = [await person.create(seats=2) for person in people]
        assert len(set(made)) == len(made)


async def test_tables_are_made_by_codes_in_store_and_refused_when_these_are_used_up(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = 4
    monkeypatch.setattr(naming, "STORE", store)

    async def made_at_once(people: list[Peer]) -> set[str]:
        for person in people:
            person.send(CreateTable(id=1, game=person.game, seats=2))
        answers = [await person.answer(1) for person in people]
        return {answer.table for answer in answers if isinstance(answer, server.Done)}

    async def nothing(*_: Any) -> list[Any]:
        raise JournalError("the database is away")

    async with node_on(url, "a", tmp_path / "a") as a:
        crowd = [await a.peer(f"Ann {n}") for n in range(3 * store)]
        rows = Asking.rows
        monkeypatch.setattr(Asking, "rows", nothing)
        assert store <= len(await made_at_once(crowd)) <= 2 * store
        monkeypatch.setattr(Asking, "rows", rows)
        async with asyncio.timeout(PATIENCE_S):
            while not await made_at_once(crowd[-1:]):
                pass


async def test_people_of_one_name_are_told_apart_until_its_bearer_has_gone(two: Two) -> None:
    """Also when they come at once."""
    people = await asyncio.gather(*(two[number % 2].peer("Ann") for number in range(12)))
    by_name = {person.name: number for number, person in enumerate(people)}
    assert len(by_name) == 12 and "Ann 2" in by_name
    bearer = by_name["Ann"]
    await people[bearer].close()
    async with asyncio.timeout(PATIENCE_S):
        while (again := await two[1 - bearer % 2].peer("Ann")).name != "Ann":
            await again.close()


async def test_a_node_that_has_gone_takes_its_tables_and_names_along(
    url: str, tmp_path: Path
) -> None:
    async with node_on(url, "b", tmp_path / "b") as b:
        ben = await b.peer("Ben")
        async with node_on(url, "a", tmp_path / "a") as a:
            ann = await a.peer("Ann")
            await ann.create(seats=2)
            await listing(ben)
            await ben.until(server.LobbyChanged, lambda message: message.total == 1)
        await ben.until(server.LobbyChanged, lambda message: message.total == 0)
        assert (await b.peer("Ann")).name == "Ann"


async def test_a_ban_holds_on_all_nodes(two: Two, tmp_path: Path) -> None:
    a, b = two
    eve = await b.peer("Eve", identity=bytes(32))
    ann = await a.peer("Ann", identity=bytes(31) + b"1")
    await ask(tmp_path / "b", banning.SetBan(whom="Eve"))
    assert (await eve.goodbye()).code == GoodbyeCode.BANNED
    await eventually(lambda: bool(a.server.peers.banned.all()))
    assert (await a.turned_away("Eve", identity=bytes(32))).code == GoodbyeCode.BANNED
    await ask(tmp_path / "b", banning.SetBan(whom="127.0.0.0/8"))
    assert (await ann.goodbye()).code == GoodbyeCode.BANNED
    await ask(tmp_path / "a", banning.Unban(whom="127.0.0.0/8"))
    await eventually(lambda: len(b.server.peers.banned.all()) == 1)
    await b.peer("Ben")


async def test_of_two_who_ban_at_the_same_moment_no_ban_is_lost(two: Two, tmp_path: Path) -> None:
    a, b = two
    blocks = [f"192.0.2.{number}" for number in range(6)]
    for first, second in zip(blocks[::2], blocks[1::2], strict=True):
        asked = [(tmp_path / "a", first), (tmp_path / "b", second)]
        answers = await asyncio.gather(
            *(ask(folder, banning.SetBan(whom=whom)) for folder, whom in asked)
        )
        for (folder, whom), answer in zip(asked, answers, strict=True):
            if not answer.done:
                assert "try again" in answer.said
                assert (await ask(folder, banning.SetBan(whom=whom))).done
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
        await ann.done(Leave(id=0))
        await ben.done(Leave(id=0))
        await eventually(lambda: not b.server.admission.invitations.all())
        late = await b.turned_away("Dan", invitation=decode(lines[1]).secret)
        assert late.code == GoodbyeCode.INVITATION_REVOKED


async def test_the_password_is_asked_for_until_an_operator_removes_it(
    url: str, tmp_path: Path
) -> None:
    told = node_on(url, "a", tmp_path / "a", password="so")
    async with told, node_on(url, "b", tmp_path / "b") as b:
        assert (await b.turned_away("Cat")).code == GoodbyeCode.PASSWORD
    cluster().ask("DELETE FROM kept WHERE name = 'password.hash'", url)
    with capture_logs() as logs:
        async with node_on(url, "a", tmp_path / "a") as a, node_on(url, "b", tmp_path / "b") as b:
            await asyncio.gather(a.peer("Ann"), b.peer("Ben"))
    gone = [log["log_level"] for log in logs if "asks for no password" in log["event"]]
    assert gone == ["warning", "warning"]  # each had a copy


@pytest.mark.parametrize("told", ["slow", None])
async def test_of_two_that_start_at_once_none_is_open_to_all(
    url: str, tmp_path: Path, told: str | None
) -> None:
    """The quick one shares its files just before the slow one gives its first."""
    await PostgresJournal(lambda: connected(url), url).close()

    class Slow(Asking):
        async def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
            if "INSERT INTO kept" in statement and not quick.asked():
                await quick.share(ServerPassword("quick"), lambda _: None)
            return await super().rows(statement, *values)

    with closing(Slow(url, Age())) as late, closing(Asking(url, Age())) as early:
        (folder := tmp_path / "slow").mkdir()
        slow, quick = Files(folder, cast(Directory, late)), Files(tmp_path, cast(Directory, early))
        ours = ServerPassword(told or "quick")
        assert await slow.share(ServerPassword(told), lambda word: word) == (ours, ours)
    found = cluster().ask("SELECT content FROM kept WHERE name = 'password.hash'", url)
    assert found == [(f"{ours.kept}".encode(),)]


async def test_a_node_that_would_keep_records_for_another_time_does_not_start(
    url: str, tmp_path: Path
) -> None:
    other = structs.replace(AT_HOME, keep_days=AT_HOME.keep_days + 1)
    async with node_on(url, "a", tmp_path / "a"):
        with pytest.raises(Unusable, match=r"node a has keep_days = 30 and .* stop all nodes"):
            async with node_on(url, "b", tmp_path / "b", config=other):
                pass
        async with node_on(url, "c", tmp_path / "c"):
            pass
    async with node_on(url, "b", tmp_path / "b", config=other):
        pass


async def test_people_come_and_hear_that_no_move_is_kept_while_the_database_hangs(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long before anybody gives the database up."""
    monkeypatch.setattr(asking, "MOST_S", 3600.0)
    config = structs.replace(AT_HOME, journal_wait_s=60)
    async with node_on(url, "a", tmp_path / "a", config=config) as a:
        players = [await a.peer("Ann"), await a.peer("Ben")]
        await begin(players[0], players[1])
        updates = [await player.until(server.Update) for player in players]
        cluster().hang()
        try:
            for player, update in zip(players, updates, strict=True):
                if read_view(update).legal:
                    player.send(some_act(update, Random(1)))
            for player in players:
                await player.until(
                    server.Notice, lambda told: told.code == server.NoticeCode.DISK_FAILS
                )
            late = await a.peer("Cia"), await a.peer("Dan")
        finally:
            cluster().go_on()
        for player in players:
            await player.until(
                server.Notice, lambda told: told.code == server.NoticeCode.DISK_WORKS
            )
        for one in late:
            await one.answered()


async def test_an_address_for_players_that_takes_no_call_is_told_to_nobody(
    url: str, tmp_path: Path
) -> None:
    def players(at: House, of: str) -> str | None:
        assert at.server.cluster is not None
        living = at.server.cluster.directory.living.values()
        return next((node.players for node in living if node.id == of), None)

    right, wrong = (structs.replace(AT_HOME, advertise=at) for at in ("127.0.0.1", "127.0.0.1:1"))
    async with node_on(url, "b", tmp_path / "b", config=wrong) as b:  # no other can try it yet
        with capture_logs() as logs:
            async with node_on(url, "a", tmp_path / "a", config=right) as a:
                await eventually(lambda: any(one.get("advertise") for one in logs))
                await eventually(lambda: players(a, "b") == "")
                await eventually(lambda: players(b, "a") == str(a.address))
        assert {"a", "b"} <= {one["node"] for one in logs if one["event"] == "a node has come"}


async def test_the_second_host_is_asked_where_the_first_one_has_vanished(url: str) -> None:
    """What is sent there is taken by nobody, and nobody refuses it."""
    with socket.create_server(("127.0.0.1", 0)) as vanished:
        hosts = f"127.0.0.1,{cluster().folder}"
        asking = Asking(f"{url}&host={hosts}&port={vanished.getsockname()[1]},5432", Age())
        assert await asking.rows("SELECT 1") == [(1,)]
        asking.close()


# Where there is room


async def test_new_tables_and_matches_that_stand_still_go_where_there_is_room(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New tables do not go to a node that runs dry; invitations and welcomes name both."""
    here = structs.replace(AT_HOME, advertise="127.0.0.1")
    async with (
        node_on(url, "a", tmp_path / "a", here, lease_s=8) as a,  # it looks in each quarter of it
        node_on(url, "b", tmp_path / "b", here, lease_s=8) as b,
    ):
        people = list[Peer]()
        for number in range(4):
            people += (await a.peer(f"Ann{number}"), await a.peer(f"Ben{number}"))
            await begin(*people[-2:])
            await asyncio.gather(*(one.play(Random(number), 2) for one in people[-2:]))
        monkeypatch.setattr(claiming, "FEW", 0)
        cluster = a.server.cluster
        assert cluster is not None
        await eventually(lambda: any(node.players for node in cluster.directory.others))
        _made, line = await a.server.admission.invitations.issue()
        assert sorted(map(tuple, decode(line).places)) == sorted(map(tuple, (a.address, b.address)))
        nodes = [one.nodes for one in (await a.peer("Eve")).seen if isinstance(one, server.Welcome)]
        assert nodes == [[str(a.address), str(b.address)]]
        ours = cluster.directory
        b.server.lobby.draining = True
        await eventually(lambda: ours.loads == {ours.number: 4})
        await (eve := await a.peer("Eve", follows=True)).create(seats=2)
        await eve.done(Leave(id=0))
        b.server.lobby.draining = False
        await eventually(lambda: len(ours.loads) == 2)
        eve.send(CreateTable(id=1, game="clocktowers", seats=2))
        goodbye = await eve.goodbye()
        assert goodbye.params["at"] == str(b.address)
        monkeypatch.setattr(claiming, "FEW", -99)  # each would send her to the other
        eve = await b.peer("Eve", follows=True, ticket=goodbye.params["ticket"])
        await eve.create(seats=2)
        await eve.done(Leave(id=0))
        monkeypatch.setattr(claiming, "LEVEL_S", 0)
        await eventually(lambda: len(a.server.lobby.tables) == len(b.server.lobby.tables) == 2)


async def test_a_table_where_nobody_is_waits_no_longer_at_its_next_node(
    url: str, tmp_path: Path
) -> None:
    still = "SELECT still IS NULL FROM match"
    async with node_on(url, "b", tmp_path / "b") as b:
        async with node_on(url, "a", tmp_path / "a") as a:
            people = await a.peer("Ann"), await a.peer("Ben")
            await begin(*people)
            await asyncio.gather(*(one.play(Random(1), 2) for one in people))
            for one in people:
                one.abort()
            await eventually(lambda: cluster().ask(still, url) == [(False,)])
            cluster().ask("UPDATE match SET still = still - interval '10 minutes'", url)
        await eventually(lambda: len(b.server.lobby.tables) == 1)
        (table,) = b.server.lobby.tables.values()
        assert 0 < table.presence.left_s <= LENIENT.standstill_s - 600
        token = next(one for one in people[0].seen if isinstance(one, server.SeatToken))
        again = await b.peer("Ann")
        await again.done(Resume(id=0, match=token.match, token=token.token))
        await eventually(lambda: cluster().ask(still, url) == [(True,)])


async def test_a_crowd_shares_that_the_database_fails() -> None:
    """Each would wait seconds for the same, one after the other."""
    asked = 0

    async def fails(_names: list[str]) -> str:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        raise JournalError("the database is away")

    together = Together[str, str](fails)
    crowd = (together.about(str(number)) for number in range(9))
    heard = await asyncio.gather(*crowd, return_exceptions=True)
    assert {str(one) for one in heard} == {"the database is away"} and asked == 2


async def test_a_turn_is_told_by_one_node_alone(url: str, tmp_path: Path) -> None:
    """Both look at the same moment, and no later look of either tells it again."""
    async with posted() as (port, said), AsyncExitStack() as stack:
        config = structs.replace(AT_HOME, webhook=f"http://127.0.0.1:{port}/")
        nodes = [node_on(url, one, tmp_path / one, config) for one in "ab"]
        a, b = two = [await stack.enter_async_context(one) for one in nodes]
        ann, ben = await a.peer("Ann", identity=b"a" * 32), await b.peer("Ben")
        await confirms(ann, "ann", said)
        await begin(ann, ben, clock=Days(1), options={"first_seat": 0})
        for peer in (ann, ben):
            await peer.close()
        known = b.server.lobby.people.known
        await eventually(lambda: any(one.turns for one in known.values()))
        for one in two:
            one.server.runner.wall = lambda: time() + COLLECT_S
        for _ in range(3):
            await asyncio.gather(*(one.server.sleeping.look() for one in two))
            await eventually(lambda: not any(one.server.telling._under_way for one in two))
        assert len(said) == 1
