"""What it costs to be led to another node: half of a move's answers come within, on a line to the
node of the table and on one to another node, in the same matches.

    python -m bench.splices [--matches 1] [--moves 400] [--rounds 3]

It starts PostgreSQL (Debian's package) and two nodes, each a process of its own. In each match one
player has dialled the home of the table and the other one the other node; both act in turn.
"""

import argparse
import asyncio
import os
import time
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from protocol.from_client import Join, Rematch
from protocol.from_server import Done, Ended, Update
from server.server import run
from tests.stage.cluster import Node, Nodes, nodes_on
from tests.stage.house import READY, START, Peer, read_view, some_act
from tests.stage.postgres import Cluster

HASTE: Final = {
    "CLOCKTOWERS_LIMITS__COMMANDS_S": "1e6",
    "CLOCKTOWERS_LIMITS__COMMANDS_BURST": "1000000",
}


class Player:
    """One of two at a table. `took_s`: how long each answer took."""

    def __init__(self, peer: Peer, seed: int) -> None:
        self.peer, self.rng = peer, Random(seed)
        self.took_s: list[float] = []

    async def play(self, moves: int) -> None:
        while len(self.took_s) < moves:
            message = await self.peer.until(Update | Ended)  # type: ignore[arg-type]
            if isinstance(message, Ended):
                await self.peer.done(Rematch(id=0))
                continue
            view = read_view(message)
            if view.turn == view.seat:
                act = replace(some_act(message, self.rng), id=1_000_000 + len(self.took_s))
                began_s = time.perf_counter()
                self.peer.send(act)
                await self.peer.until(Done, lambda answer, id=act.id: answer.id == id)  # type: ignore[misc]
                self.took_s.append(time.perf_counter() - began_s)


async def dial(node: Node, name: str) -> Peer:
    peer = Peer(*await asyncio.open_connection("127.0.0.1", node.port))
    await peer.come(name, changes=True)
    return peer


async def pair(home: Node, other: Node, number: int) -> list[Player]:
    ann, ben = await dial(home, f"Ann {number}"), await dial(other, f"Ben {number}")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return [Player(ann, 2 * number), Player(ben, 2 * number + 1)]


async def measure(args: argparse.Namespace) -> None:
    with closing(Cluster()) as database, TemporaryDirectory() as home:
        async with nodes_on(database.url(), Path(home), 2, HASTE) as nodes:
            await compare(nodes, args)


async def compare(nodes: Nodes, args: argparse.Namespace) -> None:
    ratios = []
    for number in range(args.rounds):
        pairs = [
            await pair(nodes[0], nodes[1], number * args.matches + n) for n in range(args.matches)
        ]
        players = [player for both in pairs for player in both]
        await asyncio.gather(*(player.play(args.moves) for player in players))
        took = [sorted(s for both in pairs for s in both[side].took_s) for side in (0, 1)]
        halves = [1000 * median(side) for side in took]
        late = [1000 * side[int(len(side) * 0.99)] for side in took]
        ratios.append(halves[1] / halves[0])
        print(
            f"direct: half within {halves[0]:.2f} ms, 99 of 100 within {late[0]:.2f}; "
            f"led: {halves[1]:.2f}, {late[1]:.2f}; ratio {ratios[-1]:.2f}",
            flush=True,
        )
        for player in players:
            await player.peer.close()
    load = os.getloadavg()[0]
    print(f"ratio, median of {args.rounds} rounds: {median(ratios):.2f}; load {load:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--moves", type=int, default=400, help="of each player, in each round")
    parser.add_argument("--rounds", type=int, default=5)
    run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
