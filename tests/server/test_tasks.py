"""Tasks of the server: a bug in one is logged and touches no other."""

import asyncio
import gc
import warnings

from structlog.testing import capture_logs

from server.tasks import Tasks
from tests.stage.house import eventually


async def until(event: asyncio.Event) -> None:
    await event.wait()


async def fail() -> None:
    raise ZeroDivisionError("a bug")


async def test_a_bug_in_a_task_is_logged_and_ends_that_task_only() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        goes_on = asyncio.Event()
        other = tasks.spawn(until(goes_on))
        with capture_logs() as logs:
            tasks.spawn(fail())
            await eventually(lambda: len(tasks) == 1)
        assert [log["event"] for log in logs] == ["task failed"]
        assert not other.done()
        goes_on.set()
    assert not tasks


async def test_a_task_that_is_cancelled_before_it_begins_leaves_no_warning() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        async with asyncio.TaskGroup() as group:
            tasks = Tasks(group)
            tasks.spawn(fail()).cancel()
        gc.collect()
        assert not tasks
    # What the collector finds of earlier tests warns here, too.
    assert not [one for one in warned if "never awaited" in str(one.message)]
