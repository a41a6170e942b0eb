"""Nodes on one PostgreSQL, a match at one of them and its watchers at another: what a move takes
between them does not grow with the watchers, who see the match go on when its node is killed."""

import asyncio
import signal
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from protocol.from_client import Join, Resume, Watch
from protocol.from_server import AtTable, SeatToken, Update
from tests.stage.changed_server import changed
from tests.stage.cluster import Node, Nodes, nodes_on
from tests.stage.house import READY, START, Peer
from tests.stage.postgres import cluster, needs_postgres
from tests.stage.processes import PROGRAM

pytestmark = needs_postgres

FEW, MANY, MOVES = 5, 50, 10
SEEDS: Final = count()
"""No key of an action comes twice."""


async def dial(node: Node, name: str) -> Peer:
    peer = Peer(*await asyncio.open_connection("127.0.0.1", node.port))
    await peer.come(name, changes=True)
    return peer


async def begun(nodes: Nodes) -> tuple[list[Peer], str]:
    """Ann and Ben at the first node."""
    ann, ben = await dial(nodes[0], "Ann"), await dial(nodes[0], "Ben")
    code = await ann.create(seats=2)
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    await ann.done(START)
    return [ann, ben], code


async def watch(node: Node, code: str, name: str) -> Peer:
    peer = await dial(node, name)
    await peer.done(Watch(id=0, table=code))
    await peer.until(Update)
    return peer


async def play(players: Sequence[Peer], watchers: Sequence[Peer], ply: int) -> None:
    """Until all of them have seen so many."""
    await asyncio.gather(*(one.play(Random(next(SEEDS)), ply) for one in players))
    for one in watchers:
        await one.until(Update, lambda update: update.ply >= ply)


async def growth(home: Path, program: Sequence[str]) -> float:
    """Bytes between the nodes for some moves, with many watchers and with few."""
    async with nodes_on(cluster().fresh(), home, 2, program=program) as nodes:
        (players, code), told, crowd, ply = await begun(nodes), list[int](), list[Peer](), 1
        for watchers in (FEW, MANY):
            while len(crowd) < watchers:
                crowd.append(await watch(nodes[1], code, f"Wim {len(crowd)}"))
            await crowd[0].until(AtTable, lambda at: len(at.watching) == watchers)  # noqa: B023
            await play(players, crowd, ply)  # from then on all hear together
            before, ply = nodes[0].said_to_nodes(), ply + MOVES
            await play(players, crowd, ply)
            told.append(nodes[0].said_to_nodes() - before)
            ply += 1
        return told[1] / told[0]


async def test_what_goes_to_another_node_does_not_grow_with_those_who_watch(tmp_path: Path) -> None:
    assert await growth(tmp_path, PROGRAM) < 2


async def test_with_a_line_for_each_it_grows(tmp_path: Path) -> None:
    assert await growth(tmp_path, changed("each_alone")) > MANY / FEW / 2


async def test_the_owner_is_killed_and_all_see_the_match_go_on(tmp_path: Path) -> None:
    async with nodes_on(cluster().fresh(), tmp_path, 3) as nodes:
        players, code = await begun(nodes)
        crowd = [await watch(nodes[1 + n % 2], code, f"Wim {n}") for n in range(6)]
        await play(players, crowd, 3)
        tokens = [await token_of(player) for player in players]
        nodes[0].hit(signal.SIGKILL)
        for one in crowd:
            await one.goodbye()
        again = [await dial(nodes[1], name) for name in ("Ann", "Ben")]
        for player, token in zip(again, tokens, strict=True):
            await player.done(Resume(id=0, match=token.match, token=token.token))
        crowd = [await watch(nodes[1 + n % 2], code, f"Wim {n}") for n in range(6)]
        await play(again, crowd, 6)


async def token_of(player: Peer) -> SeatToken:
    (token,) = [message for message in player.seen if isinstance(message, SeatToken)]
    return token
