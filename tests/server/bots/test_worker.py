"""Decisions in worker processes: one that dies or fails costs a try, never the match; only there
does a clock cut a search; and whose turn it is."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from protocol.games.clocktowers import Action, Discard, Draw, Options, Play
from protocol.ids import Seat
from server.bots import brains as brains_module
from server.bots.brains import Asker, Brains, Queue
from server.games.clocktowers.bots import BOTS
from server.games.contract import Judged, Stop, Weighed, never
from server.games.registry import GAMES
from tests.stage.house import eventually
from tests.stage.match_stage import RULES, SEED
from tests.stage.processes import alive


def question() -> tuple[Any, ...]:
    """What a bot on the first seat is asked at the beginning of a match."""
    state = RULES.setup(Options(first_seat=0), 2, SEED)
    events = [event for _to, event in RULES.opening(state)]
    return "clocktowers", "normal", RULES.view(state, 0), events, "seed"


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


async def test_a_bot_that_fails_is_logged_and_done_without() -> None:
    game, _level, view, events, seed = question()
    async with open_brains() as brains:
        with capture_logs() as logs:
            assert await brains.choose(game, "no such level", view, events, seed) is None
        assert [log["event"] for log in logs] == ["bot failed"]
        assert await brains.choose(game, "easy", view, events, seed) is not None


ENCODE = msgspec.msgpack.encode


def decide(level: str) -> Action:
    """The first decision of a match."""
    state = RULES.setup(Options(first_seat=0), 2, SEED)
    events = [event for _to, event in RULES.opening(state)]
    question = ENCODE(RULES.view(state, Seat(0))), ENCODE(events)
    reply = brains_module.decide("clocktowers", level, *question, "seed")
    action, _plan = msgspec.msgpack.decode(reply, type=tuple[Play | Discard | Draw, None])
    return action


def test_the_clock_cuts_a_search_and_the_best_so_far_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A clock that strikes with every look at it: a second has passed after ten."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) * brains_module.THINKING_S / 10)
    assert decide("hard") is not None
    assert next(ticks) == 11, "it began, and looked ten times"


def test_a_level_is_handed_the_cut_in_live_play_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[Stop] = []

    def noting(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        stops.append(stop)
        return BOTS["random"](view, own_events, rng)

    game = GAMES["clocktowers"]._replace(bots={"noting": noting})
    monkeypatch.setattr(brains_module, "GAMES", {"clocktowers": game})
    decide("noting")
    game.bots["noting"](
        RULES.view(RULES.setup(Options(first_seat=0), 2, SEED), Seat(0)), [], Random(1)
    )
    assert [stop is never for stop in stops] == [False, True]


def test_a_hint_is_what_the_strongest_level_does_unless_the_judge_knows_something_better() -> None:
    _game, _level, view, events, _seed = question()
    first, *others, last = [choice.action for choice in view.legal]
    worth, asked = Weighed(0), list[Action]()

    def judge(
        view: Any, own_events: Sequence[Any], played: Action, rng: Random, _best: Any
    ) -> Judged[Action]:
        asked.append(played)
        return Judged(last, worth, worth, 0, 0, in_points=False)

    def strongest(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        return first

    bots = {"weaker": BOTS["random"], "strongest": strongest}
    game = GAMES["clocktowers"]._replace(bots=bots, judge=judge)
    assert (game.hint(view, events, Random(1)), asked) == ((last, None), [first])
    assert game._replace(judge=None).hint(view, events, Random(1)) == (first, None)
    assert (game.hint(view, events, Random(1), lambda: True), asked) == ((first, None), [first])
    # What the last hint has planned comes before the strongest level, as far as it is possible.
    for planned in (others[0], Draw(0)):
        game.hint(view, events, Random(1), planned=planned)
    assert asked == [first, others[0], first]


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


CROWD = [(match, True, "192.0.2.1") for match in "abc" for _ in range(2)]
OTHERS = [("x", True, "192.0.2.2"), ("d", True), ("e", True), ("x", True, "192.0.2.2")]


@pytest.mark.parametrize(
    ("askers", "cancelled", "got"),
    [
        pytest.param([(match, True) for match in "aaabbc"], None, "abcaba", id="much"),
        # Those of no one place, d and e, have a turn of their own.
        pytest.param([*CROWD, *OTHERS], None, "axdebxcabc", id="all tables of an address"),
        pytest.param(
            [("a", False), ("b", False), ("c", True)], None, "cab", id="who is waited for"
        ),
        pytest.param([(match, True) for match in "abc"], 1, "ac", id="one stops waiting"),
    ],
)
async def test_whose_turn_it_is(
    askers: list[tuple[Any, ...]], cancelled: int | None, got: str
) -> None:
    """Tables and addresses take turns, and one where a player waits comes first."""
    assert "".join(await order(*askers, cancelled=cancelled)) == got


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
    async with asyncio.timeout(60), queue.place(Asker()):
        pass
