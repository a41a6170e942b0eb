"""A bug in a task touches no other; a bucket holds up nobody who keeps to its rate."""

import asyncio
import gc
import warnings
from itertools import accumulate

from hypothesis import given, strategies as st
from structlog.testing import capture_logs

from server.tasks import Bucket, Tasks
from tests.stage.house import eventually

# Tasks --------------------------------------------------------------------------------------------


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


# Buckets, on a clock that the tests hand in -------------------------------------------------------

GAPS_S = st.lists(st.floats(0, 5, allow_nan=False), max_size=300)
RATES_S = st.floats(0.1, 1000)
BURSTS = st.integers(1, 50)
ROUNDING = 1e-6


def passed(bucket: Bucket, times_s: list[float]) -> list[float]:
    return [now_s for now_s in times_s if bucket.take(now_s)]


def too_many(times_s: list[float], rate_s: float, burst: int) -> bool:
    """Whether any stretch between two of these has more than it may."""
    return any(
        last - first + 1 > burst + rate_s * (times_s[last] - times_s[first]) + ROUNDING
        for first in range(len(times_s))
        for last in range(first, len(times_s))
    )


@given(GAPS_S, RATES_S, BURSTS)
def test_no_stretch_of_time_has_more_than_it_may(
    gaps_s: list[float], rate_s: float, burst: int
) -> None:
    times_s = list(accumulate(gaps_s))
    assert not too_many(passed(Bucket(rate_s, burst, 0.0), times_s), rate_s, burst)


@given(st.integers(1, 400), RATES_S, BURSTS, st.floats(0, 1e6), st.floats(1, 3))
def test_an_honest_pace_is_never_held_up(
    count: int, rate_s: float, burst: int, began_s: float, slower: float
) -> None:
    bucket = Bucket(rate_s, burst, began_s)
    # A float of a million seconds cannot tell ten billionths apart.
    gap_s = slower / rate_s + 1e-9
    assert all(bucket.take(began_s + number * gap_s) for number in range(count))


@given(GAPS_S, RATES_S, BURSTS)
def test_the_wait_it_names_is_long_enough_and_not_too_long(
    gaps_s: list[float], rate_s: float, burst: int
) -> None:
    bucket = Bucket(rate_s, burst, 0.0)
    now_s = 0.0
    for gap_s in gaps_s:
        now_s += gap_s
        if not bucket.take(now_s):
            wait_s = bucket.wait_s()
            assert 0 < wait_s <= 1 / rate_s + ROUNDING
            now_s += wait_s + ROUNDING
            assert bucket.take(now_s)


def test_who_takes_more_than_the_burst_waits_for_all_of_it_and_leaves_a_debt() -> None:
    bucket = Bucket(10.0, 20, 0.0)
    assert bucket.take(0.0, 15) and not bucket.take(0.0, 50)
    assert bucket.wait_s(50) == 1.5
    assert bucket.take(1.5, 50) and not bucket.take(1.5)
    assert bucket.wait_s() == 3.1
