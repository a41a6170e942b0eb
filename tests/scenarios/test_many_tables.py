"""Many matches at once, by people and bots; when everybody has gone, nothing is left."""

import asyncio
import gc
from pathlib import Path
from random import Random

from protocol.from_client import Join, ListTables, SetBot, Watch
from protocol.from_server import Ended, Listing
from tests.stage.house import CLOSING, READY, START, House, Peer, eventually, house


async def a_match(at: House, number: int) -> Ended:
    """Two to four seats, some of them bots; returns the end as the maker hears of it."""
    rng = Random(number)
    seats = 2 + number % 3
    people = [await at.peer(f"Guest {number}") for _ in range(1 + number % 2)]
    host, *others = people
    bots = seats - len(people)
    table = await host.create(
        seats=seats, title=f"Table {number}", options={"ladder": ("own", "shared")[number % 2]}
    )
    for seat in range(seats - bots, seats):
        await host.done(SetBot(id=0, seat=seat, level=("random", "easy", "normal")[number % 3]))
    for other in others:
        await other.done(Join(id=0, table=table))
        await other.done(READY)
    await host.done(START)
    ends = await asyncio.gather(*(peer.play(Random(rng.random())) for peer in people))
    for peer in people:
        await peer.close()
    assert all(end == ends[0] for end in ends)
    assert isinstance(ends[0], Ended)
    return ends[0]


async def test_thirty_matches_at_once_all_end() -> None:
    async with house(limits=CLOSING) as at:
        ends = await asyncio.gather(*(a_match(at, number) for number in range(30)))
        assert len({end.match for end in ends}) == 30
        assert not any(end.aborted for end in ends)
        await eventually(lambda: not at.server.lobby.tables and not at.server.tasks)


async def test_everybody_at_a_table_hears_the_same_match() -> None:
    async with house(limits=CLOSING) as at:
        host, watcher = await at.peer("Host"), await at.peer("Watcher")
        table = await host.create(seats=4, bots="easy")
        await watcher.done(Watch(id=0, table=table))
        await host.done(START)
        end = await host.play(Random(1))
        assert await watcher.until(Ended) == end
        for peer in (host, watcher):
            await peer.close()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


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
                len(server.names._held),
                len(server.tasks),
                len(at.runner.tasks),
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
