"""`python -m bench.nodes`: how long matches stand still when a node of three, or their database,
fails, and what a move costs three nodes beside one with a third of the matches.

The players are real clients without a screen. The longest time between two moves of a match is how
long it stood still; of a database that was frozen, what is left of that beyond the freeze.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import State, Store
from protocol.from_client import Act, CreateTable, Join, Ready, Rematch, Start
from protocol.from_server import Done
from tests.stage.cluster import NODES, Node, Nodes, nodes_on
from tests.stage.postgres import Cluster, missing

MATCHES: Final = 12
THINK_S: Final = 0.2
BEFORE_S: Final = 2.0
"""So long they play before anything fails,"""
BACK_S: Final = 60.0
"""and so long they may take to go on."""
COST_S: Final = 8.0
ROUNDS: Final = 3
REACHED: Final = {
    "CLOCKTOWERS_ADVERTISE": "127.0.0.1",
    "CLOCKTOWERS_LIMITS__TABLES_PER_IDENTITY": "1000",  # all players are one person
}
_HAS: Final = "SELECT match.id FROM match JOIN node ON node.number = owner WHERE node.id ="
_TRANSACTIONS: Final = (
    "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"
)


class Person(Store):
    """Plays by chance, and asks for one match after the other."""

    def __init__(self, link: LastingLink, moved: Callable[[], None], think_s: float) -> None:
        self._changed: Final = asyncio.Event()
        super().__init__(self._changed.set)
        self.link: Final = link
        self._moved: Final = moved
        self._think_s: Final = think_s
        self._rng: Final = Random(link.welcome.name)
        self.change(State(connection=Connection(kind=Kind.VISIT, address="", name="Ann")))
        work = (link.run(self), self._play())
        self._tasks: Final = [asyncio.ensure_future(one) for one in work]

    async def _play(self) -> None:
        over = ""
        with suppress(LinkError):
            while True:
                await self._changed.wait()
                self._changed.clear()
                match = self.state.match
                if match is not None and match.over and over != match.id:
                    over = match.id
                    await self.link.request(Rematch(id=0))
                if match is None or match.view is None or not (choices := match.view.legal):
                    continue
                await asyncio.sleep(self._think_s * self._rng.random())
                action, key = self._rng.choice(choices).action, self._rng.randbytes(8)
                act = Act(id=0, version=match.version, key=key, action=action)
                if isinstance(await self.link.request(act), Done):
                    self._moved()

    async def leave(self) -> None:
        await self.link.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Pair:
    """Two at a table, who have dialled different nodes. `moved_at_s`: when each move was
    acknowledged."""

    def __init__(self) -> None:
        self.people: Final[list[Person]] = []
        self.moved_at_s: Final[list[float]] = []

    async def sit_down(self, nodes: Sequence[Node], number: int, think_s: float) -> None:
        for at, name in enumerate(("Ann", "Ben")):
            turn = (number + at) % len(nodes)
            ports = [node.port for node in (*nodes[turn:], *nodes[:turn])]
            first, *others = [Address("127.0.0.1", port) for port in ports]
            link = await LastingLink.open(first, f"{name}{number}", others=others)
            self.people.append(Person(link, self._moved, think_s))
        ann, ben = (person.link for person in self.people)
        made = await ann.request(CreateTable(id=0, game="clocktowers", seats=2))
        assert isinstance(made, Done), made
        await ben.request(Join(id=0, table=made.table))
        await ben.request(Ready(id=0))
        await ann.request(Start(id=0))

    def _moved(self) -> None:
        self.moved_at_s.append(time.monotonic())

    def stood_s(self, since_s: float) -> float:
        """The longest time between two moves, of which the later one came after that."""
        moves = self.moved_at_s
        gaps = [b - a for a, b in pairwise(moves) if b >= since_s]
        return max(gaps, default=BACK_S)


async def playing(nodes: Sequence[Node], matches: int, think_s: float = THINK_S) -> list[Pair]:
    pairs = [Pair() for _ in range(matches)]
    for number, pair in enumerate(pairs):
        await pair.sit_down(nodes, number, think_s)
    return pairs


async def parted(pairs: Sequence[Pair]) -> None:
    for person in (person for pair in pairs for person in pair.people):
        await person.leave()


# What fails: each returns for how long the database was frozen


async def _stopped(node: Node, number: signal.Signals) -> float:
    await node.stop(number)
    return 0.0


async def _hung(nodes: Nodes, _database: Cluster) -> float:
    nodes[0].hit(signal.SIGSTOP)
    return 0.0


async def _replaced(nodes: Nodes, _database: Cluster) -> float:
    for node in (nodes[0], *nodes.others(0)):
        await node.stop()
        await node.start()
    return 0.0


async def _frozen(for_s: float, database: Cluster) -> float:
    await asyncio.to_thread(database.hang)
    since_s = time.monotonic()  # all its processes stand still from now on
    await asyncio.sleep(for_s)
    await asyncio.to_thread(database.go_on)
    return time.monotonic() - since_s


FAULTS: Final[Mapping[str, Callable[[Nodes, Cluster], Awaitable[float]]]] = {
    "killed": lambda nodes, _database: _stopped(nodes[0], signal.SIGKILL),
    "hung": _hung,
    "drained": lambda nodes, _database: _stopped(nodes[0], signal.SIGTERM),
    "all replaced in turn": _replaced,
    "database frozen for 2 s": lambda _nodes, database: _frozen(2.0, database),
    "database frozen for 10 s": lambda _nodes, database: _frozen(10.0, database),
}
_OF_ONE: Final = ("killed", "hung", "drained")


async def struck(nodes: Nodes, database: Cluster, url: str, fault: str, matches: int) -> str:
    """How long matches stood still: those of which it is about, half of them and the longest; and
    the longest of the others."""
    pairs = await playing([nodes[0], *nodes.others(0)], matches)
    await asyncio.sleep(BEFORE_S)
    its = {match for (match,) in database.ask(f"{_HAS} '{nodes[0].name}'", url)}
    since_s = time.monotonic()
    away_s = await FAULTS[fault](nodes, database)
    until_s = time.monotonic()
    with suppress(TimeoutError):
        async with asyncio.timeout(BACK_S):
            while not all(pair.moved_at_s[-1] > until_s for pair in pairs):  # noqa: ASYNC110  (they play elsewhere)
                await asyncio.sleep(0.05)
    hit, others = list[float](), [0.0]
    for pair in pairs:
        match = pair.people[0].state.match
        kind = hit if fault not in _OF_ONE or (match and match.id in its) else others
        kind.append(max(pair.stood_s(since_s) - away_s, 0.0))
    nodes[0].hit(signal.SIGCONT)
    await parted(pairs)
    if nodes[0].process is None:
        await nodes[0].start()
    return f"{len(hit)} matches {median(hit):.2f}, {max(hit):.2f} s; others {max(others):.2f} s"


# What a move costs


class Cost(NamedTuple):
    """Processor time of the nodes, and transactions of the database."""

    cpu_s: float
    transactions: float

    def since(self, before: "Cost", by: float) -> "Cost":
        """What has come since, each of so many."""
        return Cost(*((b - a) / by for a, b in zip(before, self, strict=True)))


def _spent(nodes: Sequence[Node], database: Cluster, url: str) -> Cost:
    cpu_s = 0.0
    for node in nodes:
        assert node.process is not None
        stat = Path(f"/proc/{node.process.pid}/stat").read_text().rpartition(")")[2].split()
        cpu_s += sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")
    return Cost(cpu_s, database.ask(_TRANSACTIONS, url)[0][0])


async def cost(home: Path, database: Cluster, count: int, matches: int) -> tuple[Cost, float]:
    """Of a move, with so many nodes, beyond what they take where nobody plays; and how many
    milliseconds of the processor each takes then in a second."""
    url = database.fresh()
    async with nodes_on(url, home, count, env=REACHED) as nodes:
        every = [nodes[0], *nodes.others(0)]
        await asyncio.sleep(BEFORE_S)
        before = _spent(every, database, url)
        await asyncio.sleep(COST_S)
        idle = _spent(every, database, url).since(before, 1)
        pairs = await playing(every, matches, 0.0)
        before, moved = _spent(every, database, url), sum(len(pair.moved_at_s) for pair in pairs)
        await asyncio.sleep(COST_S)
        after, moves = _spent(every, database, url), sum(len(pair.moved_at_s) for pair in pairs)
        await parted(pairs)
    idle_ms = idle.cpu_s / count / COST_S * 1000
    return after.since(before, 1).since(idle, moves - moved), idle_ms


async def measure(home: Path, faults: Sequence[str], rounds: int, matches: int) -> None:
    with closing(Cluster()) as database:
        url = database.fresh()
        if faults:
            async with nodes_on(url, home / "faults", env=REACHED) as nodes:
                for fault in faults:
                    said = await struck(nodes, database, url, fault, matches)
                    print(f"{fault}: {said}", flush=True)
        for number in range(rounds):
            (one, idle), (three, idle_of_three) = [
                await cost(home / f"{count}-{number}", database, count, matches * count // NODES)
                for count in (1, NODES)
            ]
            print(
                f"a move: {one.cpu_s * 1e6:.0f} us, {one.transactions:.2f} transactions; three "
                f"nodes {three.cpu_s / one.cpu_s:.2f} times, {three.transactions:.2f}; where "
                f"nobody plays {idle:.1f} ms a second, each of three {idle_of_three:.1f}",
                flush=True,
            )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"at once ({MATCHES})")
    parser.add_argument("--only", choices=[*FAULTS, "costs"], help="one of them (all)")
    args = parser.parse_args()
    if why := missing():
        print(f"bench.nodes: {why}", file=sys.stderr)
        return 2
    faults = [name for name in FAULTS if args.only in (None, name)]
    rounds = ROUNDS if args.only in (None, "costs") else 0
    with TemporaryDirectory(prefix="nodes-") as home:
        os.environ |= {f"XDG_{kind}_HOME": home for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
        asyncio.run(measure(Path(home), faults, rounds, args.matches))
    return 0


if __name__ == "__main__":
    sys.exit(main())
