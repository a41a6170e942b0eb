"""Decisions wait for a worker by table, and those that a player waits for go first."""

import asyncio
from typing import Any

from server.bots.queueing import Asker, Queue


async def order(*askers: tuple[Any, ...], cancelled: int | None = None) -> list[str]:
    """In which order these get the one place, which is taken when they come."""
    queue, got = Queue(1), list[str]()

    async def ask(asker: Asker) -> None:
        async with queue.place(asker):
            got.append(asker.match)

    async with asyncio.TaskGroup() as group, queue.place(Asker()):
        tasks = [group.create_task(ask(Asker(*asker))) for asker in askers]
        await asyncio.sleep(0)
        if cancelled is not None:
            tasks[cancelled].cancel()
    return got


async def test_a_table_that_asks_for_much_waits_for_the_others_between() -> None:
    asked = [("a", True)] * 3 + [("b", True)] * 2 + [("c", True)]
    assert await order(*asked) == ["a", "b", "c", "a", "b", "a"]


async def test_all_tables_of_an_address_take_one_turn_together() -> None:
    """Those of no one place, d and e, have their own."""
    crowd = [(match, True, "192.0.2.1") for match in "abc" for _ in range(2)]
    others = [("x", True, "192.0.2.2"), ("d", True), ("e", True), ("x", True, "192.0.2.2")]
    assert "".join(await order(*crowd, *others)) == "axdebxcabc"


async def test_where_a_player_waits_comes_first() -> None:
    assert await order(("a", False), ("b", False), ("c", True)) == ["c", "a", "b"]


async def test_nobody_is_passed_over_when_somebody_stops_waiting() -> None:
    assert await order(("a", True), ("b", True), ("c", True), cancelled=1) == ["a", "c"]


async def test_a_place_that_comes_as_the_wait_ends_is_passed_on() -> None:
    queue = Queue(1)

    async def ask() -> None:
        async with queue.place(Asker()):
            pass

    async with asyncio.TaskGroup() as group:
        async with queue.place(Asker()):
            asking = group.create_task(ask())
            await asyncio.sleep(0)
        asking.cancel()
    async with asyncio.timeout(5), queue.place(Asker()):
        pass
