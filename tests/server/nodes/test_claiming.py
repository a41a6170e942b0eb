"""Real nodes on one database, dialled or behind a balancer: one is killed, stopped or hangs, and
another goes on."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, json, structs

from protocol.errors import GoodbyeCode
from protocol.from_client import Join, ListTables, Resume, Watch
from protocol.from_server import Done, Ended, Goodbye, Listing, Refused, SeatToken, Update
from tests.stage.balancer import Balancer, balancing
from tests.stage.house import PATIENCE_S, READY, START, Peer, read_view, some_act
from tests.stage.postgres import cluster, needs_postgres
from tests.stage.processes import Process, started

pytestmark = needs_postgres

SHOWN = Update | Goodbye
ANSWERS = Done | Refused | Goodbye
LONG = 60
"""The longest lease, in seconds: however busy the machine is, no outage here takes as long."""
HASTE = ("--bot-pace-s", "0", "--doors", "plain")


@asynccontextmanager
async def node(home: Path, name: str, url: str, *, lease_s: float = 1) -> AsyncIterator[Process]:
    lease = ("--node-lease-s", str(lease_s))
    here = ("--host", "127.0.0.1", "--port", "0", "--state", str(home / name))
    env = {"CLOCKTOWERS_JOURNAL": url}
    async with started(home, "serve", "--node", name, *here, *lease, *HASTE, env=env) as process:
        await process.listens()
        yield process


async def pair(node: Process | Balancer) -> tuple[Peer, Peer]:
    """Two at a table; the match has begun."""
    ann, ben = await node.peer("Ann"), await node.peer("Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return ann, ben


async def back(node: Process | Balancer, peer: Peer) -> Peer:
    """The player's seat again, at this node, as soon as it plays the match."""
    token = [message for message in peer.seen if isinstance(message, SeatToken)][-1]
    async with asyncio.timeout(PATIENCE_S):
        while True:
            again = await node.peer("Somebody")
            again.send(Resume(id=1, match=token.match, token=token.token))
            answer = await again.until(Struct, lambda message: isinstance(message, ANSWERS))
            if isinstance(answer, Done):
                again.name = answer.name
                answer = await again.until(Struct, lambda message: isinstance(message, SHOWN))
                if isinstance(answer, Update):
                    again.pending.appendleft(answer)
                    return again
            assert isinstance(answer, Goodbye), answer  # of a node that is about to stop
            await again.close()
            await asyncio.sleep(0.05)


def has_turn(peer: Peer) -> bool:
    view = read_view(newest(peer), peer.game)
    return bool(view.turn == view.seat)


def newest(peer: Peer) -> Update:
    return [message for message in peer.seen if isinstance(message, Update)][-1]


@pytest.mark.parametrize("how", ["killed", "stopped", "drained"])
async def test_another_node_goes_on(tmp_path: Path, url: str, how: str) -> None:
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        before = newest(ann)
        if how == "drained":
            code, said = await command(tmp_path, url, "drain", "a")
            assert (code, said) == (0, "a stops; other nodes go on with its matches: 1\n")
        else:
            a.signal(signal.SIGKILL if how == "killed" else signal.SIGTERM)
        ann, ben = await back(b, ann), await back(b, ben)
        assert (ann.name, ben.name) == ("Ann", "Ben")
        assert newest(ann).version == before.version
        assert newest(ann).view == before.view
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        assert await a.ends() == (-signal.SIGKILL if how == "killed" else 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_who_was_led_to_it_comes_back(
    tmp_path: Path, url: str, number: signal.Signals
) -> None:
    """A player and a watcher, both at a node that was not the home, and is now."""
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben, eve = await a.peer("Ann"), await b.peer("Ben"), await b.peer("Eve")
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        await eve.done(Watch(id=0, table=code))
        await asyncio.gather(ann.play(Random(1), 5), ben.play(Random(2), 5))
        a.signal(number)
        for one in (ben, eve):
            assert (await one.goodbye()).code == GoodbyeCode.SILENT
        eve = await b.peer("Eve")
        await eve.done(Watch(id=0, table=code))
        ben, ann = await back(b, ben), await back(b, ann)
        await asyncio.gather(ann.play(Random(3)), ben.play(Random(4)), eve.until(Ended))
        if number is signal.SIGSTOP:
            a.signal(signal.SIGCONT)


@pytest.fixture
def astray(url: str) -> Iterator[str]:
    """The database as an account of its own, which `lose_database` shuts out."""
    cluster().ask("CREATE ROLE astray SUPERUSER LOGIN")
    yield url.replace("user=clocktowers", "user=astray")
    for end in ("DROP OWNED BY astray", "DROP ROLE astray"):
        cluster().ask(end, url)


def lose_database() -> None:
    cluster().ask("ALTER ROLE astray NOLOGIN")
    cluster().ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'astray'")


async def test_players_of_a_node_that_alone_has_lost_the_database_go_on_elsewhere(
    tmp_path: Path, url: str, astray: str
) -> None:
    """They would stay on a line that stands; a watcher, too."""
    async with node(tmp_path, "b", url) as b, node(tmp_path, "a", astray) as a:
        ann, ben = await pair(a)
        eve, dan = await a.peer("Eve"), await a.peer("Dan")
        await eve.done(Watch(id=0, table=(await tables(eve))[0]))
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        before = newest(ann)
        lose_database()
        for one in (ann, ben, eve):
            assert (await one.goodbye()).code == GoodbyeCode.SILENT
        ann, ben = await back(b, ann), await back(b, ben)
        assert (newest(ann).version, newest(ann).view) == (before.version, before.view)
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        assert await tables(dan) is not None, "who waits for nothing is not sent away"


async def test_where_no_node_has_the_database_players_come_back_to_theirs_and_wait_there(
    tmp_path: Path, url: str, astray: str
) -> None:
    """None of the others has their match meanwhile, and they are not sent away at once."""
    async with node(tmp_path, "a", astray) as a, node(tmp_path, "b", astray):
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        lose_database()
        assert (await ann.goodbye()).code == (await ben.goodbye()).code == GoodbyeCode.SILENT
        for one in (ann, ben):
            await resumed(a, one)
        cluster().ask("ALTER ROLE astray LOGIN")
        again = [await back(a, one) for one in (ann, ben)]  # b may have been quicker
        mover = next(filter(has_turn, again))
        await mover.done(some_act(newest(mover), Random(5)))


async def tables(peer: Peer) -> list[str]:
    listing = await peer.request(ListTables(id=0))
    assert isinstance(listing, Listing)
    return [info.table for info in listing.tables]


async def resumed(node: Process, peer: Peer) -> Peer:
    """In the seat again, also while the database is away."""
    token = [message for message in peer.seen if isinstance(message, SeatToken)][-1]
    again = await node.peer("Somebody")
    await again.done(Resume(id=0, match=token.match, token=token.token))
    return again


@asynccontextmanager
async def balanced(home: Path, *urls: str) -> AsyncIterator[tuple[Balancer, list[Process]]]:
    """A node on each of these databases, and a balancer in front of them."""
    async with AsyncExitStack() as stack:
        nodes = [
            await stack.enter_async_context(node(home, name, url))
            for name, url in zip("abc", urls, strict=False)
        ]
        ports = [one.port for one in nodes]
        yield await stack.enter_async_context(balancing(*ports)), nodes


async def test_three_nodes_behind_a_balancer_are_one_server(tmp_path: Path, url: str) -> None:
    """Each caller gets the next node: one lists the table, others join, watch and come back."""
    async with balanced(tmp_path, url, url, url) as (balancer, nodes):
        ann, ben = await pair(balancer)
        eve, cia = await balancer.peer("Eve"), await balancer.peer("Cia")
        assert set(balancer.lines.values()) == {1, 2}
        listing = await cia.request(ListTables(id=0))
        assert isinstance(listing, Listing)
        (info,) = listing.tables
        await eve.done(Watch(id=0, table=info.table))
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        before = newest(ben)
        ben.abort()
        ben = await back(balancer, ben)
        assert newest(ben).version == before.version
        nodes[0].signal(signal.SIGKILL)  # the home
        await eve.goodbye()
        ann, ben = await back(balancer, ann), await back(balancer, ben)
        eve = await balancer.peer("Eve")
        await eve.done(Watch(id=0, table=info.table))
        await asyncio.gather(ann.play(Random(3)), ben.play(Random(4)), eve.until(Ended))


async def test_behind_a_balancer_servers_that_share_nothing_are_not(tmp_path: Path) -> None:
    """The control for the test above."""
    async with balanced(tmp_path, cluster().fresh(), cluster().fresh()) as (balancer, _):
        ann, ben = await balancer.peer("Ann"), await balancer.peer("Ben")
        code = await ann.create(seats=2)
        assert isinstance(await ben.request(Join(id=0, table=code)), Refused)


async def test_a_node_that_hung_writes_nothing_more(tmp_path: Path, url: str) -> None:
    """A player who stays with it is told to dial again, and sees no move that is not kept."""
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url) as b:
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        patient = next(one for one in (ann, ben) if has_turn(one))
        seen = newest(patient)
        a.signal(signal.SIGSTOP)
        patient.send(structs.replace(some_act(seen, Random(3)), id=99))
        others = await back(b, ann), await back(b, ben)
        a.signal(signal.SIGCONT)
        assert (await patient.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert newest(patient).version == seen.version
        assert not any(isinstance(one, Done) and one.id == 99 for one in patient.seen)
        await asyncio.gather(*(one.play(Random(7 + at)) for at, one in enumerate(others)))
        await a.peer("Cia")  # it serves others


async def command(home: Path, url: str, *args: str) -> tuple[int, str]:
    """`clocktowers-server node`, its exit code and what it said."""
    env = {"CLOCKTOWERS_JOURNAL": url}
    async with started(home, "node", *args, env=env) as process:
        assert process.process.stdout is not None
        said = (await process.process.stdout.read()).decode()
        return await process.ends(), said + await process.errors()


async def test_nodes_are_listed_with_their_matches(tmp_path: Path, url: str) -> None:
    code, said = await command(tmp_path, url, "list")
    assert code == 1 and "has no journal of this version: start the server" in said
    async with node(tmp_path, "a", url) as a, node(tmp_path, "b", url):
        await pair(a)
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


async def test_an_outage_of_the_database_gives_no_match_away(tmp_path: Path, url: str) -> None:
    """All nodes lose their locks at the same moment, and wait for each other."""
    async with (
        node(tmp_path, "a", url, lease_s=LONG) as a,
        node(tmp_path, "b", url, lease_s=LONG) as b,
    ):
        ann, ben = await pair(a)
        await asyncio.gather(ann.play(Random(1), 9), ben.play(Random(2), 9))
        cluster().stop("immediate")
        await asyncio.sleep(1.5)
        cluster().start()
        await asyncio.gather(ann.play(Random(5)), ben.play(Random(6)))
        await b.peer("Cia")
