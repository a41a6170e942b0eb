"""A game that lives by the clock: ticks are journalled like actions and replayed like them."""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from protocol.games.registry import GAMES
from protocol.ids import Seat
from protocol.refusal import RefusalCode
from server.matches.inbox import Accepted, Denied
from server.matches.replay import rebuild
from tests.stage import jumping_clock
from tests.stage.countdown_game import (
    GAME,
    LIGHT_MS,
    LIGHTS,
    VOCABULARY,
    CountdownRules,
    Lit,
    Options,
    Press,
)
from tests.stage.match_stage import FlakyJournal, Stage, stage

RULES = CountdownRules()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)


def countdown(**how: Any) -> AbstractAsyncContextManager[Stage]:
    return stage(rules=RULES, game=GAME, options=Options(), **how)


async def replays(on: Stage) -> Any:
    """The state that was played, after checking that the journal leads to the same."""
    header, entries = await on.journal.load(on.match.id)
    state = on.match._course.state
    assert rebuild(RULES, header, entries) == state
    assert on.match.version == len(entries)
    assert on.match.ply == sum(entry.seat is not None for entry in entries)
    return state


def test_the_clock_alone_plays_to_the_end() -> None:
    async def scene() -> None:
        async with countdown() as on:
            await asyncio.sleep(60)
            state = await replays(on)
            assert state.calls == [("tick", LIGHT_MS * n) for n in range(1, LIGHTS + 2)]
            assert on.boxes[0].events == [Lit(LIGHT_MS * n) for n in range(1, LIGHTS + 2)]
            assert on.outcomes[0].points == [0, 0]
            assert on.match.ply == 0

    jumping_clock.run(scene())


def test_actions_and_ticks_replay_in_the_order_they_came() -> None:
    async def scene() -> None:
        async with countdown(seats=3) as on:
            assert (await on.denied(0, Press()))[0] == "dark"
            await asyncio.sleep(0.6)
            first, second = on.wish(2, Press(), version=0), on.wish(1, Press(), version=0)
            assert await first == Accepted(2)
            late = await second
            assert isinstance(late, Denied)
            assert late.refusal.code == "dark"
            await asyncio.sleep(0.6)
            assert await on.accepted(0, Press()) == 4
            await asyncio.sleep(60)
            state = await replays(on)
            assert [call[0] for call in state.calls] == [
                "tick",
                "press",
                "tick",
                "press",
                "tick",
                "tick",
                "tick",
            ]
            assert on.outcomes[0].points == [1, 0, 1]

    jumping_clock.run(scene())


def test_a_deadline_that_has_passed_comes_before_the_action() -> None:
    """The loop was busy when it was due: the tick is at its deadline all the same, and the wish
    that waited is played after it, when it came."""

    async def scene() -> None:
        async with countdown() as on:
            asyncio.get_running_loop()._jumping.now_s += 0.7  # type: ignore[attr-defined]
            assert await on.accepted(0, Press(), version=0) == 2
            tick, press = (await replays(on)).calls
            assert tick == ("tick", LIGHT_MS)
            assert press[:2] == ("press", 0)
            assert press[2] >= 700

    jumping_clock.run(scene())


def test_a_timer_that_is_a_hair_early_or_late_makes_a_tick_in_time() -> None:
    """Match time began between two milliseconds, and is cut to whole ones; the rules of this game
    fail when they are called at any other time than their own."""

    async def scene() -> None:
        await asyncio.sleep(0.0004)
        async with countdown() as on:
            loop: Any = asyncio.get_running_loop()
            time: Any = on.match._parts.time
            time._clock_s, time._since_s = (lambda: loop.time() - 0.001), 0.0
            await asyncio.sleep(60)
            state = await replays(on)
            assert [call[0] for call in state.calls] == ["tick"] * (LIGHTS + 1)

    jumping_clock.run(scene())


def test_no_deadline_passes_while_the_match_stands_still() -> None:
    async def scene() -> None:
        async with countdown() as on:
            await asyncio.sleep(0.25)
            on.match.stand_still()
            await asyncio.sleep(3600)
            assert (await replays(on)).calls == []
            on.match.go_on()
            await asyncio.sleep(LIGHT_MS / 1000)
            assert (await replays(on)).calls == [("tick", LIGHT_MS)]
            await asyncio.sleep(60)
            assert (await replays(on)).calls == [
                ("tick", LIGHT_MS * n) for n in range(1, LIGHTS + 2)
            ]

    jumping_clock.run(scene())


@pytest.mark.parametrize("late", [False, True])
def test_a_tick_that_the_disk_refused_comes_again(late: bool) -> None:
    async def scene() -> None:
        async with countdown(journal=FlakyJournal(late=late, append=3)) as on:
            await asyncio.sleep(60)
            state = await replays(on)
            assert [call[0] for call in state.calls] == ["tick"] * (LIGHTS + 1)
            assert on.boxes[1].events == [Lit(call[1]) for call in state.calls]

    jumping_clock.run(scene())


async def press_after_a_broken_line(seen: int | None) -> Any:
    """What a seat is answered that sits down on another line in the first light, and presses in
    the second one, having seen so much."""
    async with countdown() as on:
        await asyncio.sleep(LIGHT_MS * 1.2 / 1000)
        lost = on.match.version
        on.match.detach(Seat(0), on.boxes[0])
        await on.wish(1, Press())
        on.match.attach(Seat(0), on.boxes[0], since=lost)
        await asyncio.sleep(LIGHT_MS / 1000)
        return await on.wish(0, Press(), version=lost if seen is None else seen)


def test_what_was_asked_on_a_broken_line_is_not_done_later() -> None:
    """It was meant for the light that was on then; on the line that broke the same is served."""

    async def scene() -> None:
        stale = await press_after_a_broken_line(None)
        assert isinstance(stale, Denied) and stale.refusal.code == RefusalCode.STALE
        assert isinstance(await press_after_a_broken_line(2), Accepted)

    jumping_clock.run(scene())
