"""A server to which many have come, and which they have left: nothing is left over."""

import asyncio
from random import Random

import pytest

from protocol.from_client import ListTables, Watch
from protocol.from_server import Listing
from tests.stage.house import CLOSING, START, House, Peer, eventually, house
from tests.stage.processes import open_files


@pytest.mark.usefixtures("freeze")
async def test_a_server_that_many_have_come_to_and_left_is_as_before() -> None:
    """Tasks, open files, sessions, tables, matches, names, timers: as many as at first."""
    async with house(limits=CLOSING) as at:
        async with await at.peer("Warm-up"):
            pass
        await eventually(lambda: not at.server.peers.connected)

        def standing() -> tuple[int, ...]:
            files = open_files()  # collects our garbage
            server = at.server
            return (
                len(asyncio.all_tasks()),
                files,
                len(server.peers.admitted),
                len(server.peers.connected),
                len(server.lobby.tables),
                len(server.lobby.list.readers),
                len(server.names._uses),
                len(server.tasks),
                len(at.runner.matches),
                len(server.journal._matches),  # type: ignore[attr-defined]
            )

        before = standing()
        for turn in range(3):
            await asyncio.gather(*(a_visit(at, number + turn) for number in range(40)))
            await eventually(lambda: not at.server.peers.connected)
            await eventually(lambda: len(at.server.tasks) == before[7])
        assert standing() == before


async def a_visit(at: House, number: int) -> None:
    """A visitor of every kind: a look, a table, a seat in a match, an abrupt end, a broken wire."""
    peer: Peer = await at.peer("Visitor")
    answer = await peer.request(ListTables(id=0))
    assert isinstance(answer, Listing)
    match number % 5:
        case 0:
            await peer.create(seats=2, bots="easy")
            await peer.done(START)
            await peer.play(Random(number), 9)
        case 1:
            await peer.create(seats=4, bots="random")
            await peer.done(START)
        case 2:
            await peer.create()
            peer.abort()
        case 3:
            peer.write(b"\xff" * 8)
            await peer.closed()
        case 4 if answer.tables:
            await peer.request(Watch(id=0, table=answer.tables[0].table))
    peer.abort()
