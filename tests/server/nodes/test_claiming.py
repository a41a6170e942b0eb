"""Real nodes on one database, dialled or behind a balancer: one is killed, drained or hangs, or
loses the database, and another goes on."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest
from msgspec import Struct, json, structs

from protocol import from_server as server
from protocol.errors import GoodbyeCode
from protocol.from_client import CreateTable, Join, ListTables, ListWaiting, Rematch, Resume, Watch
from protocol.table import DAY_S, Days
from server.nodes.directory import _LIVING, LOOK_S, Node
from server.nodes.stranded import Stranded
from tests.scenarios.test_restarts import back as seat_again, newest, pair, token_of
from tests.stage import jumping_clock
from tests.stage.house import PATIENCE_S, Peer, begin, eventually, house, read_view, some_act
from tests.stage.memory_journal import MemoryJournal
from tests.stage.postgres import cluster, needs_postgres
from tests.stage.processes import Process, started

pytestmark = needs_postgres

QUIET = "UPDATE node SET seen = clock_timestamp() - lease / 2 WHERE id = 'a'"
"""Its lease runs on."""
LAPSED = "UPDATE node SET seen = clock_timestamp() - lease WHERE id = 'b'"
SHOWN = server.Update | server.Goodbye
ANSWERS = server.Done | server.Refused | server.Goodbye
LONG = 60.0
"""The longest lease, in seconds: however busy the machine is, none runs out by itself."""
HASTE = ("--bot-pace-s", "0", "--doors", "plain")


@asynccontextmanager
async def node(home: Path, name: str, url: str, *, lease_s: float = LONG) -> AsyncIterator[Process]:
    lease = ("--node-lease-s", str(lease_s))
    here = ("--host", "127.0.0.1", "--port", "0", "--state", str(home / name))
    env = {"CLOCKTOWERS_JOURNAL": url}
    async with started(home, "serve", "--node", name, *here, *lease, *HASTE, env=env) as process:
        await process.listens()
        yield process


async def back(node: Process, peer: Peer) -> Peer:
    """The player's seat again, at this node, as soon as it plays the match."""
    token = token_of(peer)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            again = await node.peer("Somebody")
            again.send(Resume(id=1, match=token.match, token=token.token))
            answer = await again.until(Struct, lambda message: isinstance(message, ANSWERS))
            if isinstance(answer, server.Done):
                again.name = answer.name
                answer = await again.until(Struct, lambda message: isinstance(message, SHOWN))
                if isinstance(answer, server.Update):
                    again.pending.appendleft(answer)
                    return again
            assert isinstance(answer, server.Goodbye), answer  # of a node that is about to stop
            await again.close()
            await asyncio.sleep(0.05)


def has_turn(peer: Peer) -> bool:
    view = read_view(newest(peer), peer.game)
    return bool(view.turn == view.seat)


async def command(home: Path, url: str, *args: str) -> tuple[int, str]:
    """`clocktowers-server node`, its exit code and what it said."""
    env = {"CLOCKTOWERS_JOURNAL": url}
    async with started(home, "node", *args, env=env) as process:
        assert process.process.stdout is not None
        said = (await process.process.stdout.read()).decode()
        return await process.ends(), said + await process.errors()


async def test_an_operator_lists_nodes_and_drains_one_and_another_goes_on(
    tmp_path: Path, url: str
) -> None:
    code, said = await command(tmp_path, url, "list")
    assert code == 1 and "has no journal of this version: start the server" in said
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        before = newest(ann)
        code, said = await command(tmp_path, url, "list", "--json")
        found = [json.decode(line) for line in said.splitlines()]
        assert [(one["node"], one["state"], one["matches"]) for one in found] == [
            ("a", "lives", 1),
            ("b", "lives", 0),
        ]
        code, said = await command(tmp_path, url, "claims", "--json")
        assert json.decode(said)["node"] == "a" and json.decode(said)["claims"] == 0
        assert await command(tmp_path, url, "claims", "b") == (0, "no matches are played\n")
        code, said = await command(tmp_path, url, "drain", "c")
        assert (code, said) == (1, "clocktowers-server: no node 'c' lives; those that do: a, b\n")
        code, said = await command(tmp_path, url, "drain", "a")
        assert (code, said) == (0, "a stops; other nodes go on with its matches: 1\n")
        ann, ben = await back(b, ann), await back(b, ben)
        assert (ann.name, ben.name) == ("Ann", "Ben")
        assert (newest(ann).version, newest(ann).view) == (before.version, before.view)
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        assert await a.ends() == 0
        over = "SELECT 1 FROM match WHERE held = 1 AND ended_at IS NOT NULL"
        await eventually(lambda: bool(cluster().ask(over, url)))
        code, said = await command(tmp_path, url, "list", "--json")
        assert json.decode(said)["matches"] == 0, "it is over"


async def test_a_node_that_hangs_is_left_and_writes_nothing_more(tmp_path: Path, url: str) -> None:
    """The lines of those who were led to it end, and they come back to the node that they have
    dialled, where the match is now. A player who stays with it is told to go there, and sees no
    move that is not kept."""
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann = await a.peer("Ann", follows=True)
        ben, eve = await b.peer("Ben"), await b.peer("Eve")
        code = await begin(ann, ben)
        await eve.done(Watch(id=0, table=code))
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        if not has_turn(ann):
            await ben.done(some_act(newest(ben), Random(3)))
            await ann.until(server.Update, lambda update: update.ply > 9)
        seen = newest(ann)
        a.signal(signal.SIGSTOP)
        ann.send(structs.replace(some_act(seen, Random(3)), id=99))
        cluster().ask(QUIET, url)
        for one in (ben, eve):
            await one.closed()
        eve = await b.peer("Eve")
        await eve.done(Watch(id=0, table=code))
        others = await back(b, ben), await back(b, ann)
        a.signal(signal.SIGCONT)
        goodbye = await ann.goodbye()
        assert goodbye.code == GoodbyeCode.MOVED
        there = await b.peer("Somebody", ticket=goodbye.params["ticket"])
        assert there.name == others[1].name == "Ann"
        assert newest(ann).version == seen.version
        assert not any(isinstance(one, server.Done) and one.id == 99 for one in ann.seen)
        playing = (one.play(Random(7 + at)) for at, one in enumerate(others))
        await asyncio.gather(*playing, eve.until(server.Ended))
        await a.peer("Cia")  # it serves others


async def both_judge(url: str) -> None:
    """Wait until each of two nodes has looked who lives, and looks again: it has judged then."""
    begun = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        f"AND pid <> pg_backend_pid() AND strpos(query, '{_LIVING[:40]}') > 0 AND query_start > "
    )
    for _ in range(2):
        ((now,),) = cluster().ask("SELECT clock_timestamp()::text", url)
        async with asyncio.timeout(PATIENCE_S):
            while cluster().ask(f"{begun} '{now}'", url) != [(2,)]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)


async def test_a_node_that_loses_a_session_or_is_quiet_keeps_its_matches(
    tmp_path: Path, url: str
) -> None:
    """It answers, so it only is busy, or comes back."""
    async with node(tmp_path, "a", url, lease_s=30) as a, node(tmp_path, "b", url):
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        session = "FROM pg_locks JOIN node ON objid::bigint = lock AND classid = 790723"
        for _ in range(5):
            cluster().ask(f"SELECT pg_terminate_backend(pid) {session} WHERE id = 'a'", url)
            await both_judge(url)
        cluster().ask(QUIET, url)
        await both_judge(url)
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        assert cluster().ask("SELECT max(epoch) FROM match", url) == [(0,)]


async def test_a_node_that_is_always_late_goes_on_with_the_matches_of_one_that_is_gone(
    tmp_path: Path, url: str
) -> None:
    """As on a machine that has too much to do: nobody is shut out."""

    async def late() -> None:
        while True:
            await asyncio.to_thread(cluster().ask, LAPSED, url)
            await asyncio.sleep(0.05)

    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url, lease_s=1) as b:
        lapsing = asyncio.ensure_future(late())
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        await asyncio.sleep(1)  # until it has been late for certain
        a.signal(signal.SIGKILL)
        ann, ben = await back(b, ann), await back(b, ben)
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        lapsing.cancel()


async def test_the_next_match_of_a_table_goes_on_where_the_one_before_is_already() -> None:
    """Its node was killed just when the next one had begun, and another one then, too."""
    before, after = MemoryJournal(), MemoryJournal()
    async with house(journal=before) as a:
        ann, ben = await a.peer("Ann"), await a.peer("Ben")
        await begin(ann, ben)
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        after._matches.update({match: copy(kept) for match, kept in before._matches.items()})
        await ann.done(Rematch(id=0))
        await ben.done(Rematch(id=0))
        await asyncio.gather(ann.play(Random(3), 2), ben.play(Random(4), 2))
        ((match, kept),) = [one for one in before._matches.items() if one[0] not in after._matches]
        kept = copy(kept)
    async with house(journal=after) as b:
        assert len(b.server.lobby.tables) == 1
        after._matches[match] = kept
        await b.server.restoring.run([match])
        assert b.server.lobby.has_match(match) and len(b.server.lobby.tables) == 1
        await eventually(lambda: list(after._matches) == [match])


async def test_an_outage_of_the_database_gives_no_match_away(tmp_path: Path, url: str) -> None:
    """All nodes lose their locks at the same moment, and wait for each other."""
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        cluster().stop("immediate")
        await asyncio.sleep(1.5)
        cluster().start()
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        await b.peer("Cia")


# A node that loses the database


@pytest.fixture
def astray(url: str) -> Iterator[str]:
    """The database as an account of its own, which `lose_database` shuts out."""
    cluster().ask("CREATE ROLE astray SUPERUSER LOGIN")
    yield url.replace("user=clocktowers", "user=astray")
    for end in ("DROP OWNED BY astray", "DROP ROLE astray"):
        cluster().ask(end, url)


@asynccontextmanager
async def soon_stranded(home: Path, url: str, astray: str) -> AsyncIterator[Process]:
    """Node a, which waits for a second or two until it sends players on; the others do not take it
    for gone as long as its session lives."""
    async with node(home, "a", astray, lease_s=2) as a:
        cluster().ask("UPDATE node SET lease = '1h' WHERE id = 'a'", url)
        yield a


def lose_database(but: str = "") -> None:
    """End the sessions of that account, and let it begin none. `but`: those of this name go on."""
    cluster().ask("ALTER ROLE astray NOLOGIN")
    sessions = f"usename = 'astray' AND application_name <> '{but}'"
    cluster().ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {sessions}")


async def test_players_of_a_node_that_alone_has_lost_the_database_go_on_elsewhere(
    tmp_path: Path, url: str, astray: str
) -> None:
    """They would stay on a line that stands; a watcher, too."""
    async with node(tmp_path, "b", url) as b, soon_stranded(tmp_path, url, astray) as a:
        ann, ben = await pair(a)
        eve, dan = await a.peer("Eve", follows=True), await a.peer("Dan")
        await eve.done(Watch(id=0, table=(await tables(eve))[0]))
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        before = newest(ann)
        lose_database()
        cluster().ask("UPDATE node SET lease = '0' WHERE id = 'a'", url)
        codes = [(await one.goodbye()).code for one in (ann, ben, eve)]
        assert codes == [GoodbyeCode.SILENT, GoodbyeCode.SILENT, GoodbyeCode.MOVED]
        ann, ben = await back(b, ann), await back(b, ben)
        assert (newest(ann).version, newest(ann).view) == (before.version, before.view)
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        assert await tables(dan) is not None, "who waits for nothing is not sent away"


async def test_where_no_node_has_the_database_players_stay_and_wait(
    tmp_path: Path, url: str, astray: str
) -> None:
    """Who comes back meanwhile has the seat again."""
    async with soon_stranded(tmp_path, url, f"{astray}&application_name=a") as a:
        async with node(tmp_path, "b", astray) as b:
            ann, ben = await pair(a)
            await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
            lose_database(but="a")
            await b.warns("the node cannot say that it lives")  # nor that it has the database
            lose_database()
            mover, other = (ann, ben) if has_turn(ann) else (ben, ann)
            mover.send(structs.replace(some_act(newest(mover), Random(5)), id=99))
            await mover.until(server.Notice, lambda told: told.code == server.NoticeCode.DISK_FAILS)
            other.abort()
            await seat_again(a, other)  # also while the database is away
        # Were the other node there, it might have the database first.
        cluster().ask("ALTER ROLE astray LOGIN")
        assert isinstance(await mover.answer(99), server.Done)


async def tables(peer: Peer) -> list[str]:
    listing = await peer.request(ListTables(id=0))
    assert isinstance(listing, server.Listing)
    return [info.table for info in listing.tables]


# How often players are sent away there, on a clock that jumps


LEASE_S: Final = 5.0


class Away:
    """A directory that reaches the database until the clock begins; another node still does.
    `asked_s`: when it was asked who still does, in seconds since then."""

    def __init__(self) -> None:
        self.asked_s: Final = list[float]()

    @property
    def away_s(self) -> float:
        return asyncio.get_running_loop().time()

    async def reaching(self) -> list[Node]:
        self.asked_s.append(self.away_s)
        return [Node(2, "b", "")]


def test_each_time_they_stay_twice_as_long() -> None:
    directory: Any = Away()
    nobody: Any = SimpleNamespace(admitted=())

    async def scene() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3600):
                await Stranded(directory, nobody, nobody, LEASE_S).run()

    jumping_clock.run(scene())
    first, *later = sent = directory.asked_s
    assert -0.001 <= first - LEASE_S <= 2 * LOOK_S
    assert len(later) >= 3
    for one, another in zip(sent, later, strict=False):
        assert another >= 2 * one - 0.001


async def sleeps(url: str, *people: Peer) -> None:
    """They drop off, and nobody is at the only match."""
    for one in people:
        one.abort()
    asleep = "SELECT 1 FROM asleep WHERE awake = 0"
    await eventually(lambda: bool(cluster().ask(asleep, url)))


async def days_off(player: Peer, match: str, days: int) -> tuple[float, bool]:
    """Take them; how many days the player's turn has left then, and whether they are away."""
    player.send(ListWaiting(id=1, matches=[match], vacation=days))
    answer = await player.until(server.WaitingList)
    (told,) = answer.matches
    assert told.yours and told.left_s is not None
    return round(told.left_s / DAY_S, 1), answer.away_until > 0


async def test_a_match_of_days_sleeps_at_its_node_and_at_the_next_one(
    tmp_path: Path, url: str
) -> None:
    """A player finds it through any node, also when its own is gone, and another that takes it over
    loads none that sleeps. Days off that one node gives another one counts. A table that has not
    begun is taken over, too, and the node that hung lets go of its own."""
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben = await a.peer("Ann", identity=b"a" * 32), await a.peer("Ben")
        table = await begin(ann, ben, clock=Days(1), options={"first_seat": 0})
        seat = token_of(ann).match
        await ben.until(server.SeatToken)
        other = await b.peer("Ann", identity=b"a" * 32)
        assert await days_off(other, seat, 0) == (1.0, False), "node a says so"
        dan = await a.peer("Dan", identity=b"d" * 32)
        waits = CreateTable(id=0, game="clocktowers", seats=2, clock=Days(1))
        unbegun = Join(id=0, table=(await dan.done(waits)).table)
        await sleeps(url, ann, ben)
        ann, ben = await back(b, ann), await back(a, ben)
        assert has_turn(ann) and not has_turn(ben)
        eve = await b.peer("Eve")
        await sleeps(url, ann, ben)
        await eve.done(Watch(id=0, table=table))
        await sleeps(url, eve)
        as_laid = "SELECT xmin FROM asleep"
        await days_off(other, seat, 2)
        async with asyncio.timeout(PATIENCE_S):
            while await days_off(other, seat, 0) != (3.0, True):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await sleeps(url)
        laid = cluster().ask(as_laid, url)
        a.signal(signal.SIGSTOP)
        cluster().ask(QUIET, url)
        of_b = "SELECT 1 FROM open_table JOIN node ON number = node WHERE id = 'b' AND code IN "
        both = f"{of_b} ('{table}', '{unbegun.table}')"
        await eventually(lambda: len(cluster().ask(both, url)) == 2)
        a.signal(signal.SIGCONT)
        assert cluster().ask(as_laid, url) == laid, "it was not loaded"
        dan = await b.peer("Dan", identity=b"d" * 32)
        assert (await dan.done(unbegun)).name == "Dan"
        eve = await a.peer("Eve")
        await eve.done(Watch(id=0, table=table))
        await sleeps(url, eve)
        assert await days_off(other, seat, 5) == (8.0, True)
        await sleeps(url, other)
        eve = await a.peer("Eve")
        b.signal(signal.SIGKILL)
        await eve.done(Watch(id=0, table=table))
        assert has_turn(await back(a, ann))
        dan = await a.peer("Dan", identity=b"d" * 32)
        assert (await dan.done(unbegun)).name == "Dan"
