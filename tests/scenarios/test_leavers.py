"""People leave in the middle of a match: a bot plays on, the match ends, nothing is left over; nor
is anything of many visitors at once."""

import asyncio
import gc
from random import Random

import pytest

from protocol.from_client import Bye, Leave, ListTables, Watch
from protocol.from_server import Listing
from tests.stage.house import CLOSING, START, House, Peer, eventually, house, seated_pair
from tests.stage.processes import open_files

LEAVE = Leave(id=0)


async def go(peer: Peer, how: str) -> None:
    if how == "drop":
        peer.abort()
    elif how == "bye":
        peer.send(Bye())
        await peer.closed()
    else:
        await peer.done(LEAVE)


def nobody_is_left(at: House) -> bool:
    server = at.server
    return not (
        server.lobby.tables or server.tasks or at.runner.matches or server.journal._matches  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize("ways", [("leave", "leave"), ("bye", "leave"), ("drop", "leave")])
async def test_a_match_that_everybody_has_left_ends(ways: tuple[str, str]) -> None:
    """At once, or (if a player may come back) after a while; bots play for nobody."""
    async with house(limits=CLOSING) as at:
        ann, ben, _table = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 5), ben.play(Random(2), 5))
        await go(ann, ways[0])
        await go(ben, ways[1])
        await eventually(lambda: nobody_is_left(at))
        for peer in (ann, ben):
            peer.abort()
        await eventually(lambda: not at.server.peers.connected)
        assert not at.server.names._uses


# Many tables --------------------------------------------------------------------------------------


async def test_a_server_that_many_have_come_to_and_left_is_as_before() -> None:
    """Tasks, open files, sessions, tables, matches, names, timers: as many as at first."""
    async with house(limits=CLOSING) as at:
        async with await at.peer("Warm-up"):
            pass
        await eventually(lambda: not at.server.peers.connected)

        def standing() -> tuple[int, ...]:
            gc.collect()
            server = at.server
            return (
                len(asyncio.all_tasks()),
                open_files(),
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
            await eventually(lambda: not at.server.peers.connected and not at.server.tasks)
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
