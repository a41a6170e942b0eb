"""Hashes of passwords: in threads, two at a time, and few that wait."""

import asyncio
import time
from collections.abc import Callable

import pytest

from server.admission import hashing
from server.admission.hashing import AT_ONCE, WAITING, Busy, Hashing, hash_now

MANY = 20


async def test_a_hash_fits_its_password_alone_however_it_is_typed() -> None:
    kept = hash_now("geheim\u00e4")
    assert "argon2id" in kept and "m=19456,t=2,p=1" in kept and "geheim" not in kept
    threads = Hashing()
    assert await threads.fits("geheima\u0308", kept)
    assert not await threads.fits("geheima", kept)
    assert await threads.fits("word", await threads.hashed("word"))
    threads.close()


async def longest_gap_s(work: Callable[[], None]) -> float:
    """How long the loop stood still at most, while `work` went on in it or in threads."""
    loop = asyncio.get_running_loop()
    gaps, before_s = [], loop.time()
    loop.call_soon(work)
    for _ in range(400):
        await asyncio.sleep(0)
        now_s = loop.time()
        gaps.append(now_s - before_s)
        before_s = now_s
    return max(gaps)


async def test_the_loop_turns_while_many_are_hashed() -> None:
    kept = hash_now("word")
    began_s = time.thread_time()
    hashing._fits("word", kept)
    one_s = time.thread_time() - began_s
    threads = Hashing()
    under_way: list[asyncio.Future[bool]] = []

    def in_threads() -> None:
        under_way.extend(asyncio.ensure_future(threads.fits("word", kept)) for _ in range(MANY))

    def in_the_loop() -> None:
        for _ in range(MANY):
            hashing._fits("word", kept)

    threaded_s = await longest_gap_s(in_threads)
    assert all(await asyncio.gather(*under_way))
    # The control: the same in the loop holds it up for all of them.
    assert await longest_gap_s(in_the_loop) > MANY / 2 * one_s > threaded_s
    threads.close()


async def test_so_many_wait_and_no_more() -> None:
    kept, threads = hash_now("word"), Hashing()
    under_way = [
        asyncio.ensure_future(threads.fits("word", kept)) for _ in range(AT_ONCE + WAITING)
    ]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await threads.fits("word", kept)
    under_way.pop().cancel()  # its thread goes on, and keeps its place
    await asyncio.sleep(0)
    assert all(await asyncio.gather(*under_way))
    assert await threads.fits("word", kept)
    threads.close()
