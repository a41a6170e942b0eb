"""A server's start and end: the loop, the interpreter, and that nothing of it is left."""

import asyncio
import gc
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Bye, ListTables
from protocol.from_server import Listing
from server import server as server_module
from server.config import Config
from server.server import opened
from server.store.memory import MemoryJournal
from server.store.sqlite import FILE_NAME, connect_to, somebody_may_return
from server.tables.lobby import Lobby
from tests.server.net.test_listener import bound
from tests.stage.house import START, house
from tests.stage.slow_disk import SlowJournal


async def test_a_server_that_has_stopped_leaves_its_port_and_no_task() -> None:
    before = len(asyncio.all_tasks())
    config = Config(host=("127.0.0.1",), port=0)
    async with opened(config, MemoryJournal()) as (_context, (address,)):
        assert len(asyncio.all_tasks()) > before
    assert len(asyncio.all_tasks()) == before
    with bound("127.0.0.1", port=address.port):
        pass
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", address.port)


def test_a_server_sets_how_its_threads_take_turns_and_leaves_it_as_it_was() -> None:
    before_s, within_s = sys.getswitchinterval(), list[float]()

    async def main() -> None:
        within_s.append(sys.getswitchinterval())

    server_module.run(main())
    assert within_s == [pytest.approx(server_module.SWITCH_S)] != [before_s]
    assert sys.getswitchinterval() == before_s


def test_a_thousand_moves_that_wait_are_not_looked_through_for_garbage() -> None:
    """Control: by Python's own threshold they are."""
    looked: list[int] = []

    def looks() -> int:
        return sum(generation["collections"] for generation in gc.get_stats())

    async def main() -> None:
        before = looks()
        waiting = [[asyncio.get_running_loop().create_future()] for _ in range(1000)]
        looked.append(looks() - before)
        for (one,) in waiting:
            one.cancel()

    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    try:
        server_module.run(main())
        assert gc.get_threshold() == (700, 10, 10)
        asyncio.run(main())
    finally:
        gc.set_threshold(*before)
    assert looked[0] == 0 < looked[1]


def test_two_servers_in_two_loops_of_either_kind() -> None:
    """On asyncio's own loop and, where there is one, on uvloop: the same answer."""
    heard: list[int] = []

    async def visit() -> None:
        async with house() as at, await at.peer("Ann") as ann:
            answer: Any = await ann.request(ListTables(id=0))
            assert isinstance(answer, Listing)
            heard.append(answer.total)

    asyncio.run(visit())
    server_module.run(visit())
    assert heard == [0, 0]


async def test_a_bug_in_a_callback_is_logged_like_everything_else() -> None:
    """A control: without a server it ends in asyncio's own words on stderr."""
    with capture_logs() as logs:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        assert not logs
        async with house():
            asyncio.get_running_loop().call_soon(lambda: 1 // 0)
            await asyncio.sleep(0)
    (log,) = logs
    assert log["event"] == "callback failed"
    assert isinstance(log["exc_info"], ZeroDivisionError)


@pytest.mark.parametrize("heard", [True, False], ids=["heard", "on-its-way"])
async def test_who_says_bye_before_a_stop_has_given_up_the_match(
    tmp_path: Path, heard: bool
) -> None:
    """However slow the disk is, and when the stop comes before the bye is read."""
    file = tmp_path / FILE_NAME
    journal = SlowJournal(partial(connect_to, file), str(file))
    async with house(journal=journal) as at:
        ann = await at.peer("Ann")
        await ann.create(bots="random", options={"first_seat": 0})
        await ann.done(START)
        assert somebody_may_return(tmp_path)
        ann.send(Bye())
        if heard:
            await ann.closed()
    held = await journal.held()
    await journal.close()
    assert (held, somebody_may_return(tmp_path)) == ([], False)
    await ann.close()


async def test_a_stop_that_does_not_wait_for_a_parting_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lobby, "settled", True)
    with pytest.raises(AssertionError):
        await test_who_says_bye_before_a_stop_has_given_up_the_match(tmp_path, heard=True)


async def test_a_stop_that_does_not_listen_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "LAST_TURNS", 0)
    with pytest.raises(AssertionError):
        await test_who_says_bye_before_a_stop_has_given_up_the_match(tmp_path, heard=False)
