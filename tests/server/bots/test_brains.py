"""Decisions in worker processes: a worker that dies or fails costs a try, never the match."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.from_server import Ended
from protocol.games.clocktowers import Options
from server.bots import brains as brains_module
from server.bots.brains import Brains
from tests.stage.house import START, eventually, house
from tests.stage.match_stage import RULES, SEED


def question() -> tuple[Any, ...]:
    """What a bot on the first seat is asked at the beginning of a match."""
    state = RULES.setup(Options(first_seat=0), 2, SEED)
    events = [event for _to, event in RULES.opening(state)]
    return "clocktowers", "normal", RULES.view(state, 0), events, "seed"  # type: ignore[arg-type]


def workers(brains: Brains) -> list[int]:
    return list(getattr(brains._pool, "_processes", None) or {})


@asynccontextmanager
async def open_brains() -> AsyncIterator[Brains]:
    brains = Brains()
    try:
        yield brains
    finally:
        brains.close()


async def test_a_worker_that_is_killed_while_it_thinks_is_replaced() -> None:
    async with open_brains() as brains:
        first = await brains.choose(*question())
        assert first is not None
        (pid,) = workers(brains)
        os.kill(pid, signal.SIGSTOP)
        decision = asyncio.create_task(brains.choose(*question()))
        await asyncio.sleep(0.05)
        assert not decision.done()
        os.kill(pid, signal.SIGKILL)
        with capture_logs() as logs:
            assert await decision == first
        assert [log["event"] for log in logs] == ["bot worker lost"]
        assert workers(brains) != [pid]


async def test_a_match_goes_on_when_its_bots_are_killed() -> None:
    brains = Brains()
    async with house(brains=brains) as at, await at.peer("Ann") as ann:
        await ann.create(bots="normal", seats=3)
        await ann.done(START)
        for ply in (5, 25):
            await ann.play(Random(ply), ply)
            for pid in workers(brains):
                os.kill(pid, signal.SIGKILL)
        end = await ann.play(Random(3))
        assert isinstance(end, Ended)
        assert not end.aborted


async def test_a_worker_that_hangs_is_ended_and_all_who_wait_for_it_try_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_brains() as brains:
        first = await brains.choose(*question())
        (pid,) = workers(brains)
        os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr(brains_module, "DECISION_TIMEOUT_S", 0.1)
        # More than there are workers: the others wait for their turn, not for this worker.
        waiting = [asyncio.create_task(brains.choose(*question())) for _ in range(7)]
        await asyncio.sleep(0)
        monkeypatch.undo()
        assert [await one for one in waiting] == [first] * 7
        assert workers(brains) != [pid]
        await eventually(lambda: not alive(pid))


async def test_closing_ends_a_worker_that_hangs() -> None:
    async with open_brains() as brains:
        await brains.choose(*question())
        (pid,) = workers(brains)
        os.kill(pid, signal.SIGSTOP)
        brains.close()
        await eventually(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_bot_that_fails_is_logged_and_done_without() -> None:
    game, _level, view, events, seed = question()
    async with open_brains() as brains:
        with capture_logs() as logs:
            assert await brains.choose(game, "no such level", view, events, seed) is None
        assert [log["event"] for log in logs] == ["bot failed"]
        assert await brains.choose(game, "easy", view, events, seed) is not None


async def test_the_same_question_has_the_same_answer() -> None:
    async with open_brains() as brains:
        answers = [await brains.choose(*question()) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
