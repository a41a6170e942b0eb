"""A player far away wins as often as one nearby, and pretending to be farther away gains little.

A real server and the real client's connections, a proxy that delays one player's bytes, a clock
that jumps.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from protocol.games import wild_wild_pattern as wwp
from protocol.games.registry import GAMES as VOCABULARIES
from server.config import Limits
from server.games.wild_wild_pattern.game import WILD_WILD_PATTERN
from server.games.wild_wild_pattern.race import MAX_RISE_MS
from server.server import Server
from tests.server.recording.test_bot_matches import COUNTDOWN
from tests.stage import countdown_game, jumping_clock
from tests.stage.countdown_game import Press, Pressed
from tests.stage.race_track import Course, Racer, race, track

RACES = 200
DELAY_S = 0.12
FAIR_PERCENT = (45, 55)
"""How many races a player wins in fair ones, at least and at most."""


def lights(**options: Any) -> Course:
    """The race of the other tests: nothing but a light."""
    return Course(
        game=COUNTDOWN,
        words=countdown_game.VOCABULARY,
        options={"lights": 10_000, "light_ms": 1500, **options},
        sees=lambda view: view.lit,
        shot=Press(),
        otherwise=lambda view, events, rng: None,
        winner=lambda event: event.seat if isinstance(event, Pressed) else None,
        unfair=lambda event: False,
    )


def wheel(**options: Any) -> Course:
    """Wild Wild Pattern, by two players who shoot at the top of the Wheel as soon as they have a
    card, and do anything else at random. A player who finds a Challenge card must wait for
    another."""
    return Course(
        game=WILD_WILD_PATTERN,
        words=VOCABULARIES[WILD_WILD_PATTERN.rules.id],
        options=options,
        sees=lambda view: view.phase is wwp.Phase.RACE and view.card != 0 and view.aimed is None,
        shot=wwp.Shoot(0),
        otherwise=lambda view, events, rng: (
            None
            if view.phase is wwp.Phase.RACE
            else WILD_WILD_PATTERN.bots["random"](view, events, rng)
        ),
        winner=lambda event: event.seat if isinstance(event, wwp.Shot) else None,
        unfair=lambda event: isinstance(event, wwp.Found),
    )


Scene: TypeAlias = Callable[[tuple[Racer, Racer]], Coroutine[Any, Any, None]]
OnTrack: TypeAlias = Callable[..., None]


@pytest.fixture
def on_track(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OnTrack:
    def play(
        course: Course,
        scene: Scene,
        delays_s: tuple[float, float] = (0.0, DELAY_S),
        seed: int = 1,
    ) -> None:
        async def whole() -> None:
            racing = track(course, monkeypatch, tmp_path, delays_s=delays_s, seed=seed)
            async with racing as racers:
                await scene(racers)

        jumping_clock.run(whole())

    return play


@pytest.mark.parametrize(
    ("course", "far", "races"),
    [
        pytest.param(lights(), 0, RACES, id="lights-0"),
        pytest.param(lights(), 1, RACES, id="lights-1"),
        pytest.param(wheel(), 1, RACES // 2, id="wheel-1"),
        pytest.param(wheel(), 1, RACES, id="wheel-1-long", marks=pytest.mark.soak),
    ],
)
def test_who_is_far_away_wins_as_often(
    on_track: OnTrack, course: Course, far: int, races: int
) -> None:
    async def scene(racers: tuple[Racer, Racer]) -> None:
        wins = await race(racers, races)
        least, most = FAIR_PERCENT
        assert least * races <= 100 * wins.count(far) <= most * races

    on_track(course, scene, (DELAY_S, 0.0) if far == 0 else (0.0, DELAY_S))


@pytest.mark.parametrize("course", [lights(lag=False), wheel(lag="off")], ids=["lights", "wheel"])
def test_without_compensation_the_near_one_wins_them_all(on_track: OnTrack, course: Course) -> None:
    """The control."""

    async def scene(racers: tuple[Racer, Racer]) -> None:
        wins = await race(racers, RACES // 4)
        assert wins.count(1) < RACES / 40

    on_track(course, scene)


# Only pongs come late ---------------------------------------------------------------------------

PONG_S = 0.3
NEAR_S = (0.02, 0.02)


@pytest.mark.parametrize("course", [lights(), wheel()], ids=["lights", "wheel"])
def test_pongs_that_are_late_for_a_while_buy_nothing(on_track: OnTrack, course: Course) -> None:
    """For 15 s, in the middle of a match, every race has the winner that it would have had."""

    def scene(wins: list[int], pong_s: float) -> Scene:
        async def play(racers: tuple[Racer, Racer]) -> None:
            await race(racers, 15)
            racers[1].late_pong_s = pong_s
            asyncio.get_running_loop().call_later(15, setattr, racers[1], "late_pong_s", 0.0)
            await race(racers, 30)
            wins.extend(racers[0].wins)

        return play

    honest, cheating = list[int](), list[int]()
    on_track(course, scene(honest, 0.0), NEAR_S)
    on_track(course, scene(cheating, PONG_S), NEAR_S)
    assert len(honest) >= 45
    assert cheating[: len(honest)] == honest[: len(cheating)]


def lags_ms(at: Server) -> list[int]:
    """The lags that the match at the only table uses now."""
    [table] = at.lobby.tables.values()
    assert table.match is not None
    return list(table.match._course.state.lags)


def steepest_ms(on_track: OnTrack, course: Course) -> int:
    """How much, at most, a player's lag rises in a race when their pongs come late from now on,
    until it is at the cap or the match is over."""
    rises: list[int] = []

    async def scene(racers: tuple[Racer, Racer]) -> None:
        await race(racers, 3)
        racers[1].late_pong_s = PONG_S
        before = lags_ms(racers[1].server)[1]
        while before < Limits().lag_ms and not racers[1].over.is_set():
            await asyncio.sleep(0.05)  # no race is as short as that
            now = lags_ms(racers[1].server)[1]
            rises.append(now - before)
            before = now

    on_track(course, scene, NEAR_S, seed=2)  # a long match in either game
    assert sum(rises) >= 50, "too short a match to tell"
    return max(rises)


@pytest.mark.parametrize("course", [lights(), wheel()], ids=["lights", "wheel"])
def test_a_lag_rises_no_faster_than_the_rules_say(on_track: OnTrack, course: Course) -> None:
    assert steepest_ms(on_track, course) == MAX_RISE_MS


def test_one_that_is_believed_at_once_is_caught(on_track: OnTrack) -> None:
    """The control."""
    assert steepest_ms(on_track, lights(rise_ms=1000)) > 10 * MAX_RISE_MS
