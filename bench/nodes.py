"""`python -m bench.nodes`: what three nodes on one database do when one of them, or the database,
fails; what others wait beside 2000 watchers; what a move costs nodes that know each other.

The players are real clients without a screen. The longest time between two moves of a match is how
long it stood still, less the time for which the database was frozen. A move is lost that was
acknowledged and does not stand in the journal, once.
"""

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, closing, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final, NamedTuple

from bench.processes import cpu_s
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.store import Store
from protocol.codec import framed
from protocol.from_client import Act, CreateTable, Join, Ready, Rematch, Start, Watch
from protocol.from_server import Done
from protocol.ids import Key, MatchId
from server.net.listener import connections_allowed
from server.store import statements
from server.store.connecting import connected
from server.store.journal import JournalError
from tests.stage.cluster import NODES, CannotStart, Node, Nodes, nodes_on
from tests.stage.house import hello_of
from tests.stage.postgres import Cluster, missing

MATCHES: Final = 9
THINK_S: Final = 0.2
BEFORE_S: Final = 2.0
BACK_S: Final = 60.0  # so long they may take to go on
COST_S: Final = 8.0
ROUNDS: Final = 3
KILLS, WATCHERS = 100, 2000
REACHED: Final = {
    "CLOCKTOWERS_ADVERTISE": "127.0.0.1",
    "CLOCKTOWERS_LIMITS__TABLES_PER_IDENTITY": "1000",  # all players are one person
    "CLOCKTOWERS_LIMITS__WATCHERS": str(WATCHERS),
    "CLOCKTOWERS_LIMITS__CONNECTIONS": str(2 * WATCHERS),
}
_HAS: Final = "SELECT match.id FROM match JOIN node ON node.number = owner WHERE node.id ="


class Move(NamedTuple):
    """One that was acknowledged, and when; `took_s`: after how long."""

    match: str
    key: bytes
    at_s: float
    took_s: float


class Pair(NamedTuple):
    """Two at this table, who have dialled different nodes, and their moves."""

    table: str
    moves: list[Move]
    tasks: list["asyncio.Future[Any]"]


async def seated(nodes: Sequence[Node], number: int, think_s: float = THINK_S) -> Pair:
    pair, links = Pair("", [], []), list[LastingLink]()
    for at, name in enumerate(("Ann", "Ben")):
        turn = (number + at) % len(nodes)
        ports = [node.port for node in (*nodes[turn:], *nodes[:turn])]
        first, *others = [Address("127.0.0.1", port) for port in ports]
        link = await LastingLink.open(first, f"{name}{number}", others=others)
        store = Store((news := asyncio.Event()).set)
        work = (link.run(store), played(link, store, news, pair.moves, think_s))
        links.append(link)
        pair.tasks.extend(asyncio.ensure_future(one) for one in work)
    ann, ben = links
    made = await ann.request(CreateTable(id=0, game="clocktowers", seats=2))
    assert isinstance(made, Done), made
    await ben.request(Join(id=0, table=made.table))
    await ben.request(Ready(id=0))
    await ann.request(Start(id=0))
    return pair._replace(table=made.table)


async def played(
    link: LastingLink, store: Store, news: asyncio.Event, moves: list[Move], think_s: float
) -> None:
    """By chance, one match after the other."""
    rng = Random(link.welcome.name)
    while True:
        await news.wait()
        news.clear()
        match = store.state.match
        with suppress(LinkError):  # on the next line it asks again
            if match is not None and match.over:  # a node that was killed has forgotten the wish
                await asyncio.sleep(THINK_S)
                await link.request(Rematch(id=0))
            if match is None or match.view is None or not (choices := match.view.legal):
                continue
            await asyncio.sleep(think_s * rng.random())
            action, key = rng.choice(choices).action, os.urandom(8)
            act, since_s = Act(id=0, version=match.version, key=key, action=action), monotonic()
            if isinstance(await link.request(act), Done):
                moves.append(Move(match.id, key, monotonic(), monotonic() - since_s))


def lost(pairs: Sequence[Pair], url: str) -> int:
    """How many of their moves the journal does not have once."""
    moves = [move for pair in pairs for move in pair.moves]
    with closing(connected(url)) as journal:
        found = statements.load_all(journal, list({MatchId(move.match) for move in moves}))
    kept = Counter(e.key for one in found if not isinstance(one, JournalError) for e in one[1])
    return sum(kept[Key(move.key)] != 1 for move in moves)


# What fails: each returns for how long the database was frozen


async def _hit(number: signal.Signals, node: Node, *_: object) -> float:
    node.hit(number)
    if number != signal.SIGSTOP:
        await node.stop(number)
    return 0.0


async def _replaced(_node: Node, nodes: Nodes, _database: Cluster) -> float:
    for node in (nodes[0], *nodes.others(0)):
        await node.stop()
        await node.start()
    return 0.0


async def _frozen(for_s: float, _node: Node, _nodes: Nodes, database: Cluster) -> float:
    await asyncio.to_thread(database.hang)
    since_s = monotonic()  # all its processes stand still from now on
    await asyncio.sleep(for_s)
    await asyncio.to_thread(database.go_on)
    return monotonic() - since_s


FAULTS: Final[Mapping[str, Callable[[Node, Nodes, Cluster], Awaitable[float]]]] = {
    "killed": partial(_hit, signal.SIGKILL),
    "hung": partial(_hit, signal.SIGSTOP),
    "drained": partial(_hit, signal.SIGTERM),
    "all replaced in turn": _replaced,
    **{f"database frozen for {for_s} s": partial(_frozen, for_s) for for_s in (2, 10, 40)},
}
_OF_ONE: Final = ("killed", "hung", "drained")


async def struck(fault: str, home: Path, database: Cluster) -> str:
    """How long matches stood still: those that were hit, half of them and the longest; and the
    longest of the others."""
    url, hit, others = database.fresh(), list[float](), [0.0]
    async with nodes_on(url, home, env=REACHED) as nodes:
        every = [nodes[0], *nodes.others(0)]
        pairs = [await seated(every, number) for number in range(MATCHES)]
        for turn in range(KILLS if fault == "killed" else 1):
            node = every[turn % NODES]
            await asyncio.sleep(BEFORE_S)
            its = {match for (match,) in database.ask(f"{_HAS} '{node.name}'", url)}
            since_s = monotonic()
            away_s = await FAULTS[fault](node, nodes, database)
            until_s = monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(BACK_S):
                    while not all(pair.moves[-1].at_s > until_s for pair in pairs):  # noqa: ASYNC110  (they play elsewhere)
                        await asyncio.sleep(0.05)
            for pair in pairs:
                kind = hit if fault not in _OF_ONE or pair.moves[-1].match in its else others
                gaps = (b.at_s - a.at_s for a, b in pairwise(pair.moves) if b.at_s >= since_s)
                kind.append(max(max(gaps, default=BACK_S) - away_s, 0.0))
            node.hit(signal.SIGCONT)
            if node.process is None:
                await node.start()
    moves, gone = sum(len(pair.moves) for pair in pairs), lost(pairs, url)
    stood = f"half {median(hit):.2f}, worst {max(hit):.2f} s of {len(hit)}"
    return f"{stood}; others {max(others):.2f}; lost {gone} of {moves} moves"


# What a move waits and costs


async def watched(home: Path, database: Cluster) -> str:
    """What others at the node of a match wait for a move while many watch that match, and before.
    What watchers are sent fits into their sockets, so reading it costs nothing here."""
    took_ms, url = list[float](), database.fresh()
    async with nodes_on(url, home, 1, env=REACHED) as nodes, AsyncExitStack() as lines:
        pairs = [await seated([nodes[0]], number) for number in range(MATCHES)]
        for crowd in (0, WATCHERS):
            for number in range(crowd):
                line = lines.enter_context(socket.create_connection(("127.0.0.1", nodes[0].port)))
                line.sendall(framed(hello_of(f"W{number}")))
                line.recv(1)  # the first byte of its welcome
                line.sendall(framed(Watch(id=1, table=pairs[0].table)))
            await asyncio.sleep(BEFORE_S)
            since_s = monotonic()
            await asyncio.sleep(COST_S)
            moves = [move for pair in pairs[1:] for move in pair.moves if move.at_s > since_s]
            took_ms.append(median(move.took_s for move in moves) * 1000)
    return f"{took_ms[1] / took_ms[0]:.2f} times {took_ms[0]:.1f} ms for a move of another match"


async def cost(home: Path, database: Cluster, clusters: int) -> float:
    """Of a move at three nodes, in so many clusters: microseconds of their processors beyond what
    they take where nobody plays."""
    apart, pairs, spent = list[list[Node]](), list[Pair](), list[tuple[float, int]]()
    async with AsyncExitStack() as stack:
        for number in range(clusters):
            where, count = home / f"{number}", NODES // clusters
            starting = nodes_on(database.fresh(), where, count, env=REACHED)
            nodes = await stack.enter_async_context(starting)
            apart.append([nodes[0], *nodes.others(0)])
        for each in (0, MATCHES // clusters):
            pairs += [await seated(every, one, 0.0) for every in apart for one in range(each)]
            await asyncio.sleep(BEFORE_S)
            for wait_s in (COST_S, 0.0):
                running = (node.process for every in apart for node in every)
                cpu = sum(cpu_s(process.pid) for process in running if process)
                spent += [(cpu * 1e6, sum(len(pair.moves) for pair in pairs))]
                await asyncio.sleep(wait_s)
    cpu, moves = (d - c - (b - a) for a, b, c, d in zip(*spent, strict=True))
    return float(cpu / moves)


async def compared(home: Path, database: Cluster) -> str:
    said = list[str]()
    for number in range(ROUNDS):
        alone, one = [await cost(home / f"{number}{n}", database, n) for n in (NODES, 1)]
        said.append(f"{one / alone:.2f} times {alone:.0f} us")
    return ", ".join(said)


MEASURES: Final[Mapping[str, Callable[[Path, Cluster], Awaitable[str]]]] = {
    **{name: partial(struck, name) for name in FAULTS},
    f"{WATCHERS} watchers": watched,
    "a move": compared,
}


async def measure(home: Path, only: str | None) -> None:
    with closing(Cluster()) as database:
        for name, measured in MEASURES.items():
            if only in (None, name):
                print(f"{name:<25}{await measured(home / name, database)}", flush=True)
                for player in asyncio.all_tasks() - {asyncio.current_task()}:
                    player.cancel()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__)
    parser.add_argument("--only", choices=MEASURES, help="one of them (all)")
    args = parser.parse_args()
    if why := missing():
        raise SystemExit(why)
    connections_allowed()
    with TemporaryDirectory(prefix="nodes-") as home:
        os.environ |= {f"XDG_{kind}_HOME": home for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
        try:
            asyncio.run(measure(Path(home), args.only))
        except (CannotStart, LinkError) as error:
            raise SystemExit(f"a node does not serve: {error}") from None
    return 0


if __name__ == "__main__":
    sys.exit(main())
