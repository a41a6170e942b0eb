"""Bots in a race: as quick as their level, from the newest news on; too late is no mistake."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.games.registry import GAMES
from protocol.ids import Seat
from server.bots.driver import BotDriver
from server.games.registry import GAMES as SERVED
from tests.server.bots.test_driver import Listening, Speechless, spawn
from tests.server.recording.test_bot_races import COUNTDOWN
from tests.stage import jumping_clock
from tests.stage.countdown_game import GAME, VOCABULARY, CountdownRules, Options, Press
from tests.stage.house import HomeBrains
from tests.stage.match_stage import Stage, stage


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)
    monkeypatch.setitem(SERVED, GAME, COUNTDOWN)


def countdown() -> Any:
    return stage(rules=CountdownRules(), game=GAME, options=Options(), attach=False)


def sit(on: Stage, seat: int, brains: HomeBrains, takes_ms: Sequence[int]) -> BotDriver:
    """A bot that takes so long for each of its decisions, one after the other."""
    left = iter(takes_ms)
    driver = BotDriver(
        on.match,
        Seat(seat),
        "quick",
        brains=brains,
        spawn=spawn,
        pace_s=lambda: 9.0,
        reaction=lambda view, rng: next(left, 10_000),
    )
    on.match.attach(Seat(seat), driver.receive)
    return driver


def presses(on: Stage) -> list[tuple[int, int]]:
    return [call[1:3] for call in on.match._course.state.calls if call[0] == "press"]


def test_a_reaction_runs_from_the_newest_news_and_a_fresh_one_after_each() -> None:
    """News are: how it is at first, when it is dark; a light; that somebody has pressed."""

    async def scene() -> None:
        async with countdown() as on:
            sit(on, 0, HomeBrains(), [5, 130, 9, 200, 9, 400])
            sit(on, 1, HomeBrains(), [5, 250, 9, 150, 9, 499])
            await asyncio.sleep(3)
            assert presses(on) == [(0, 630), (1, 1150), (0, 1900)]
            assert on.match.over

    jumping_clock.run(scene())


def test_a_shot_that_comes_too_late_is_not_tried_again() -> None:
    """Refused, on the very version that it was meant for; any legal one would be none."""

    async def scene() -> None:
        async with countdown() as on:
            brains = Listening()
            driver = sit(on, 0, brains, [5, 100])
            await asyncio.sleep(0.55)
            on.match._course.state.lit = False
            await asyncio.sleep(0.4)
            assert not presses(on) and not on.match.over
            assert len(brains.asked) == 2
            driver.stop()

    jumping_clock.run(scene())


def test_a_bot_that_cannot_decide_shoots_at_nothing() -> None:
    async def scene() -> None:
        async with countdown() as on:
            sit(on, 0, Speechless(), [5, 5, 5, 5, 5, 5])
            await asyncio.sleep(1)
            await on.accepted(1, Press())
            await asyncio.sleep(2)
            assert [seat for seat, _ in presses(on)] == [1]
            assert on.match.over and not on.match._ending.aborted

    jumping_clock.run(scene())
