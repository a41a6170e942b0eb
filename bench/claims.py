"""`python -m bench.claims`: how long players wait when a node is gone, and how fast another one
takes its matches over. Two nodes and a PostgreSQL on this machine; the players use the client's own
line.

A stall is the longest time between two acknowledged moves of a table, around the fault. Matches a
second: from the fault until the last match is restored.
"""

import argparse
import asyncio
import signal
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import json, msgpack, structs

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import State, Store
from protocol.from_client import Act, CreateTable, Join, Ready, Request, Start
from protocol.from_server import Done
from protocol.ids import MatchId, Version
from server.cli.endings import quietly, refused
from server.store import opening, statements
from server.store.journal import Entry, Header, Journal, TokenHashes
from server.tables.record import read_record
from tests.stage.postgres import cluster, missing
from tests.stage.processes import Process, started
from tests.stage.stores import node_of

FAULTS: Final = {"killed": signal.SIGKILL, "told to stop": signal.SIGTERM, "hangs": signal.SIGSTOP}
LEASE_S: Final = 5.0
QUIET_S: Final = 1.0
"""How long moves are made before the fault,"""
LAST_S: Final = 0.1
"""and a move that is acknowledged so long after it was made after it."""
PAUSE_S: Final = 0.05
"""Between two moves: a match lasts long enough."""
PATIENCE_S: Final = 60.0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="that are played (20)")
    parser.add_argument("--held", type=int, default=1000, help="matches that are taken over (1000)")
    args = parser.parse_args(argv)
    if why := missing():
        return refused("bench", why)
    return quietly(lambda: asyncio.run(_measure(args.tables, args.held)))


async def _measure(tables: int, held: int) -> int:
    database = cluster()
    for fault in FAULTS if tables else ():
        stalls = [one * 1000 for one in await _stalls(database.fresh(), fault, tables)]
        print(
            f"{fault}: moves of {tables} tables stall {statistics.median(stalls):.0f} ms, "
            f"{max(stalls):.0f} ms at most",
            flush=True,
        )
    if held:
        took_s = await _taken_over(database.fresh(), held)
        rate = held / took_s
        print(f"{held} matches of a killed node go on after {took_s:.1f} s: {rate:.0f} a second")
    return 0


@asynccontextmanager
async def _nodes(url: str, home: Path, *names: str) -> AsyncIterator[list[Process]]:
    """Each has its log in `home`, by its name."""
    flags = ("--host", "127.0.0.1", "--port", "0", "--bot-pace-s", "0")
    limits = {
        f"CLOCKTOWERS_LIMITS__{name}": "100000" for name in ("COMMANDS_S", "TABLES_PER_IDENTITY")
    }
    env = {"CLOCKTOWERS_JOURNAL": url, **limits}
    async with AsyncExitStack() as stack:
        nodes = []
        for name in names:
            own = ("--state", str(home / name), "--log-file", str(home / f"{name}.log"))
            lease = ("--node-lease-s", str(LEASE_S))
            command = ("serve", "--node", name, *flags, *own, *lease)
            nodes.append(await stack.enter_async_context(started(home, *command, env=env)))
            await nodes[-1].listens()
        yield nodes


class Player(Store):
    """Somebody at a table, who acts as soon as they may."""

    def __init__(self, link: LastingLink, seed: int) -> None:
        super().__init__(self._changed)
        self.link = link
        self.moved_s: list[float] = []
        """When their moves were acknowledged."""
        self._rng = Random(seed)
        self._news = asyncio.Event()
        self.change(State(connection=Connection(kind=Kind.VISIT, address="", name="")))
        self.tasks = [asyncio.ensure_future(link.run(self)), asyncio.ensure_future(self._play())]

    def _changed(self) -> None:
        self._news.set()

    async def done(self, wish: Request) -> Done:
        answer = await self.link.request(wish)
        assert isinstance(answer, Done), answer
        return answer

    async def _play(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            match = self.state.match
            if match is not None and match.view is not None and match.view.legal:
                await asyncio.sleep(PAUSE_S)
                choices = match.view.legal
                action = choices[self._rng.randrange(len(choices))].action
                act = Act(id=0, version=match.version, key=self._rng.randbytes(8), action=action)
                if isinstance(await self.link.request(act), Done):
                    self.moved_s.append(time.perf_counter())

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await self.link.hang_up()


async def _stalls(url: str, fault: str, tables: int) -> list[float]:
    """Of each table, in seconds."""
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory(prefix="claims_")))
        nodes = await stack.enter_async_context(_nodes(url, home, "a", "b"))
        addresses = [Address("127.0.0.1", node.port) for node in nodes]
        pairs = [await _pair(addresses, number) for number in range(tables)]
        await asyncio.sleep(QUIET_S)
        fault_s = time.perf_counter()
        nodes[0].signal(FAULTS[fault])
        async with asyncio.timeout(PATIENCE_S):
            for pair in pairs:
                while max(one.moved_s[-1] for one in pair) < fault_s + LAST_S:  # noqa: ASYNC110  (they play on)
                    await asyncio.sleep(0.05)
        for pair in pairs:
            for one in pair:
                await one.end()
        if fault == "hangs":
            nodes[0].signal(signal.SIGKILL)
    return [_longest(sorted(pair[0].moved_s + pair[1].moved_s), fault_s) for pair in pairs]


def _longest(moved_s: Sequence[float], fault_s: float) -> float:
    return max(two - one for one, two in pairwise(moved_s) if two > fault_s)


async def _pair(addresses: Sequence[Address], number: int) -> tuple[Player, Player]:
    first, *others = addresses
    links = [
        await LastingLink.open(first, f"{name}{number}", others=others) for name in ("Ann", "Ben")
    ]
    ann, ben = (Player(link, 2 * number + at) for at, link in enumerate(links))
    code = (await ann.done(CreateTable(id=0, game="clocktowers", seats=2))).table
    await ben.done(Join(id=0, table=code))
    await ben.done(Ready(id=0))
    await ann.done(Start(id=0))
    return ann, ben


async def _taken_over(url: str, held: int) -> float:
    """In so many seconds the last match goes on, after the node that held them all is gone."""
    with TemporaryDirectory(prefix="claims_") as folder:
        home = Path(folder)
        async with _nodes(url, home, "a") as (node,):
            ann, ben = await _pair([Address("127.0.0.1", node.port)], 0)
            await asyncio.sleep(QUIET_S)
            await ann.end()
            await ben.end()
            kept = await _one_of(url)
        gone = node_of(url)
        await asyncio.gather(*(_copied(gone, number, *kept) for number in range(held)))
        async with _nodes(url, home, "b"):
            log = home / "b.log"
            await asyncio.sleep(QUIET_S)
            before = _restored(log)
            gone_s = time.time()
            await gone.close()
            async with asyncio.timeout(PATIENCE_S):
                while len(restored := _restored(log)) < len(before) + held:  # noqa: ASYNC110  (it is another process)
                    await asyncio.sleep(0.2)
        print(f"each of {len(kept[1])} entries", file=sys.stderr)
        return max(restored) - gone_s


async def _one_of(url: str) -> tuple[Header, Sequence[Entry], TokenHashes]:
    with closing(opening.changing(url)) as connection:
        ((match,),) = connection.execute("SELECT id FROM match LIMIT 1").fetchall()
        tokens = statements.tokens(connection, match)
        return *statements.load(connection, match), tokens


async def _copied(
    journal: Journal, number: int, header: Header, entries: Sequence[Entry], tokens: TokenHashes
) -> None:
    """The same match at a table of its own."""
    record = structs.replace(read_record(header.table), code=f"C{number:06}")
    match = MatchId(f"copy{number:06}")
    own = structs.replace(header, match=match, table=msgpack.encode(record))
    await journal.begin(own, tokens)
    for version, entry in enumerate(entries, 1):
        await journal.append(match, Version(version), entry)


def _restored(log: Path) -> list[float]:
    """When a match went on, in seconds since 1970."""
    lines = (json.decode(line) for line in log.read_bytes().splitlines())
    return [
        datetime.fromisoformat(line["timestamp"]).timestamp()
        for line in lines
        if line["event"] == "match goes on"
    ]


if __name__ == "__main__":
    sys.exit(main())
