"""Tasks of the server: a bug in one is logged and touches no other."""

import asyncio
import gc
import warnings
from typing import Any

from structlog.testing import capture_logs

from server.config import Config
from server.context import Context, open_context
from server.store.memory import MemoryJournal
from server.tables.starter import MatchStarter
from tests.stage.house import eventually


def spawner(context: Context) -> Any:
    starter = context.lobby.starter
    assert isinstance(starter, MatchStarter)
    return starter.spawn


async def fail() -> None:
    raise ZeroDivisionError("a bug")


async def test_a_bug_in_a_task_is_logged_and_ends_that_task_only() -> None:
    async with asyncio.TaskGroup() as group:
        context = open_context(Config(), MemoryJournal(), group)
        goes_on = asyncio.Event()
        other = spawner(context)(goes_on.wait())
        with capture_logs() as logs:
            spawner(context)(fail())
            await eventually(lambda: len(context.tasks) == 1)
        assert [log["event"] for log in logs] == ["task failed"]
        assert not other.done()
        goes_on.set()
    assert not context.tasks


async def test_a_task_that_is_cancelled_before_it_begins_leaves_no_warning() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        async with asyncio.TaskGroup() as group:
            context = open_context(Config(), MemoryJournal(), group)
            spawner(context)(fail()).cancel()
        gc.collect()
        assert not context.tasks
    assert not warned
