"""What those who watch a match cost its players, and the node that plays it: three nodes, one
match, and so many watchers, spread over the nodes.

    python -m bench.crowd [--watchers 0 200 2000] [--moves 200] [--elsewhere] [--alone]

It starts PostgreSQL (Debian's package), three nodes, each a process of its own, and one more that
has all watchers. One player has dialled the node of the match, the other another one; a move
follows some time after the one before (`--pause`). `--alone`: as a control, each watcher has a line
of their own to the node of the match. `--elsewhere`: nobody watches at that node itself.
"""

import argparse
import asyncio
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, cast

from bench.load.processes import CannotMeasure, allow, cpu_s
from protocol.codec import encode_frame
from protocol.from_client import Join, Rematch, Watch
from protocol.from_server import Ended, Update
from server.cli.endings import quietly, refused
from tests.stage.changed_server import changed
from tests.stage.cluster import Node, Nodes, nodes_on
from tests.stage.house import READY, START, Peer, hello_of, read_view, some_act
from tests.stage.postgres import Cluster, missing
from tests.stage.processes import PROGRAM

COMING: Final = 20
"""So many watchers come at once."""
BOUND_S: Final = 120.0


def settings(watchers: int) -> dict[str, str]:
    """What has to be raised for so many."""
    many = str(watchers + 100)
    limits = {
        "WATCHERS": str(max(1, watchers)),
        "CONNECTIONS": many,
        "PER_ADDRESS": many,
        "COMMANDS_S": "1e6",
        "SILENCE_S": "600",
        "PING_S": "300",
        "HANDSHAKES_S": "1000000",
        "HANDSHAKES_PER_ADDRESS_S": "1e6",
        "HANDSHAKES_PER_ADDRESS": "1000000",
    }
    return {
        **{f"CLOCKTOWERS_LIMITS__{name}": value for name, value in limits.items()},
        "CLOCKTOWERS_LOG_LEVEL": "error",
        "CLOCKTOWERS_ANNOUNCE": "false",
    }


# Those who watch ---------------------------------------------------------------------------------


class Watcher(asyncio.Protocol):
    """Reads and forgets. `seen`: bytes."""

    def __init__(self, name: str, table: str) -> None:
        self._said: Final = [Watch(id=1, table=table), hello_of(name, changes=True)]
        self.seen = 0
        self.watches: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self.line: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.line = cast(asyncio.Transport, transport)
        self.line.write(encode_frame(self._said.pop()))

    def data_received(self, data: bytes) -> None:
        self.seen += len(data)
        if self._said and self.line is not None:
            self.line.write(encode_frame(self._said.pop()))
        elif b"update" in data and not self.watches.done():
            self.watches.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.watches.done():
            self.watches.set_exception(ConnectionError("a watcher was not let in"))
        self.line = None


async def watch(pipe: Connection, ports: Sequence[int], table: str, watchers: int) -> None:
    loop = asyncio.get_running_loop()
    crowd: list[Watcher] = []

    async def come(number: int) -> None:
        one = Watcher(f"Wim {number}", table)
        crowd.append(one)
        await loop.create_connection(lambda: one, "127.0.0.1", ports[number % len(ports)])
        async with asyncio.timeout(BOUND_S):
            await one.watches

    for first in range(0, watchers, COMING):
        await asyncio.gather(*map(come, range(first, min(watchers, first + COMING))))
    pipe.send("all")
    while True:
        await loop.run_in_executor(None, pipe.recv)
        lost = sum(one.line is None for one in crowd)
        pipe.send((lost, min((one.seen for one in crowd), default=0)))


def crowd_process(pipe: Connection, ports: Sequence[int], table: str, watchers: int) -> None:
    with suppress(EOFError, KeyboardInterrupt):
        asyncio.run(watch(pipe, ports, table, watchers))


# Those who play ----------------------------------------------------------------------------------


class Figures(NamedTuple):
    """`took_ms`: of the acknowledgements, sorted; `owner_ms`: the processor's time of the match's
    node, `others_ms` of the two others; `said_bytes`: from it to the others. The last three are for
    a move."""

    took_ms: list[float]
    owner_ms: float
    others_ms: float
    said_bytes: float

    def line(self, watchers: int) -> str:
        half, late = (self.took_ms[int(len(self.took_ms) * part)] for part in (0.5, 0.99))
        return (
            f"{watchers} watchers: half of the moves within {half:.2f} ms, 99 of 100 within "
            f"{late:.2f} ms; a move: {self.owner_ms:.1f} ms of the owner's processor, "
            f"{self.others_ms:.1f} of the two others', {self.said_bytes:.0f} bytes to them"
        )


async def dial(node: Node, name: str) -> Peer:
    peer = Peer(*await asyncio.open_connection("127.0.0.1", node.port))
    await peer.come(name, changes=True)
    return peer


async def begun(nodes: Nodes) -> tuple[list[Peer], str]:
    ann, ben = await dial(nodes[0], "Ann"), await dial(nodes[1], "Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return [ann, ben], code


class Play:
    """Moves of both in turn, for ever. `took_s`: how long each acknowledgement took."""

    def __init__(self, players: Sequence[Peer], pause_s: float) -> None:
        self._players: Final = players
        self._pause_s: Final = pause_s
        self._keys: Final = Random(1)
        self._moved: Final = asyncio.Condition()
        self.took_s: list[float] = []

    async def run(self) -> None:
        await asyncio.gather(*map(self._play, self._players))

    async def moves(self, more: int) -> None:
        """Returns after so many more."""
        wanted = len(self.took_s) + more
        async with self._moved, asyncio.timeout(BOUND_S):
            await self._moved.wait_for(lambda: len(self.took_s) >= wanted)

    async def _play(self, peer: Peer) -> None:
        while True:
            message = await peer.until(Update | Ended)  # type: ignore[arg-type]
            if isinstance(message, Ended):
                await peer.done(Rematch(id=0))
                continue
            view = read_view(message)
            if view.turn == view.seat:
                await asyncio.sleep(self._pause_s)
                began_s = time.perf_counter()
                await peer.done(some_act(message, self._keys))
                self.took_s.append(time.perf_counter() - began_s)
                async with self._moved:
                    self._moved.notify_all()


async def measured(url: str, home: Path, watchers: int, args: argparse.Namespace) -> Figures:
    program = changed("each_alone") if args.alone else PROGRAM
    async with nodes_on(url, home, 3, settings(watchers), program) as nodes:
        players, code = await begun(nodes)
        dialled = nodes.others(0) if args.elsewhere else [nodes[0], *nodes.others(0)]
        ports = [node.port for node in dialled]
        ours, theirs = multiprocessing.Pipe()
        crowd = multiprocessing.get_context("spawn").Process(
            target=crowd_process, args=(theirs, ports, code, watchers), daemon=True
        )
        crowd.start()
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, ours.recv)
            play = Play(players, args.pause)
            playing = asyncio.create_task(play.run())
            await play.moves(10)  # from then on all hear together
            before = now_at(nodes)
            await play.moves(args.moves)
            after = now_at(nodes)
            playing.cancel()
            ours.send("how are you")
            lost, _seen = await loop.run_in_executor(None, ours.recv)
            if lost:
                raise CannotMeasure(f"{lost} watchers were cut")
        finally:
            crowd.kill()
            crowd.join()
        took_s = play.took_s[10:]
        moves = len(took_s)
        owner, second, third, said = (now - was for was, now in zip(before, after, strict=True))
        return Figures(
            sorted(1000 * took for took in took_s),
            1000 * owner / moves,
            1000 * (second + third) / moves,
            said / moves,
        )


def now_at(nodes: Nodes) -> list[float]:
    """So far: the processor's time of each node in seconds, and what the first has said to the
    others, in bytes."""
    every = [nodes[0], *nodes.others(0)]
    pids = [node.process.pid for node in every if node.process is not None]
    return [*map(cpu_s, pids), nodes[0].said_to_nodes()]


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.crowd",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--watchers", type=int, nargs="+", default=[0, 200, 2000])
    parser.add_argument("--moves", type=int, default=200, help="in each run (200)")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds before each (0.1)")
    parser.add_argument("--elsewhere", action="store_true", help="none at the node of the match")
    parser.add_argument("--alone", action="store_true", help="a line for each watcher")
    args = parser.parse_args(argv)
    return quietly(lambda: _measure(args))


def _measure(args: argparse.Namespace) -> int:
    try:
        if why := missing():
            raise CannotMeasure(why)
        allow(3 * max(args.watchers) + 200)
        for watchers in args.watchers:
            with closing(Cluster()) as database, TemporaryDirectory() as home:
                figures = asyncio.run(measured(database.url(), Path(home), watchers, args))
            print(figures.line(watchers), f"(load {os.getloadavg()[0]:.1f})", flush=True)
    except CannotMeasure as error:
        return refused("bench", str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
