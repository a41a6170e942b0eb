"""A bot on a seat: what it is given, when it acts, and that nobody waits for it; in a race it is as
quick as its level, and too late is no mistake."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import msgpack

from protocol.from_client import ListTables
from protocol.from_server import Ended, Listing, Update
from protocol.games.clocktowers import Discard, Draw, Options, TurnOrder
from protocol.games.registry import GAMES
from protocol.ids import Seat
from server.bots.brains import Brains
from server.bots.driver import BotDriver
from server.games.contract import Decided
from server.games.registry import GAMES as SERVED
from server.matches.wishes import Attach
from tests.server.recording.test_bot_matches import COUNTDOWN
from tests.stage import countdown_game
from tests.stage.countdown_game import COUNTDOWN_RULES, GAME, VOCABULARY, Press
from tests.stage.house import START, HomeBrains, Listening, eventually, house, seated_pair
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import Box, Stage, stage, until


def sit(on: Stage, seat: int, brains: Brains, level: str = "easy", pace_s: float = 0) -> BotDriver:
    """A bot on this seat; the seat's box goes on hearing what the bot hears."""
    driver = BotDriver(
        on.match, Seat(seat), level, brains=brains, tasks=on.match._tasks, pace_s=lambda: pace_s
    )
    box = on.boxes[seat]

    def both(message: Any) -> None:
        box(message)
        driver.receive(message)

    on.match.attach(Attach(Seat(seat), both))
    return driver


async def test_a_bot_decides_by_what_a_person_on_its_seat_would_see() -> None:
    """Byte for byte: the newest view, and all events since the deal, of that seat and no other."""
    brains = Listening()
    async with stage(seats=3) as on:
        driver = sit(on, 1, brains)
        rng = Random(1)
        compared = 0
        for _ in range(150):
            if not on.match.to_act():
                break
            if on.turn == 1:
                human = Box()
                on.match.attach(Attach(None, human))  # lets the match serve what waits
                version = on.match.version
                await until(lambda v=version: on.match.version > v or on.match.over)  # type: ignore[misc]
            else:
                await on.play(rng, 1)
        await on.settle()
        box = on.boxes[1]
        # The box was attached twice: what it heard the second time begins with the whole history.
        heard = box.sent[[type(m).__name__ for m in box.sent].index("Started", 1) :]
        events: list[Any] = []
        seen: dict[str, tuple[bytes, bytes]] = {}
        for message in heard:
            events += getattr(message, "events", [])
            if isinstance(message, Update):
                seed = f"{on.match.header.seed.hex()}/1/{message.version}"
                seen[seed] = (msgpack.encode(message.view), msgpack.encode(events))
        for view, its_events, seed in brains.asked:
            assert (view, its_events) == seen[seed]
            compared += 1
        assert compared > 20
        driver.stop()


async def test_a_stand_in_is_given_what_the_one_before_had_seen() -> None:
    brains = Listening()
    async with house(brains=brains) as at:
        ann, ben, _code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 30), ben.play(Random(2), 30))
        before = [e for m in ben.seen for e in getattr(m, "events", [])]
        ben.abort()
        await ann.play(Random(3))
        first = min(brains.asked, key=lambda asked: int(asked[2].rsplit("/", 1)[1]))
        events = msgpack.decode(first[1])
        assert events[: len(before)] == before
        await ann.close()


@on_jumping_clock
async def test_a_bot_acts_no_sooner_than_its_pace() -> None:
    async with stage(seats=2) as on:
        loop = asyncio.get_running_loop()
        times: list[float] = []
        drivers = [sit(on, seat, HomeBrains(), pace_s=0.7) for seat in (0, 1)]
        began_s, version = loop.time(), 0
        while not on.match.over:
            await asyncio.sleep(0.01)
            if on.match.version > version:
                assert on.match.version == version + 1
                version += 1
                times.append(loop.time())
        waits = [b - a for a, b in zip([began_s, *times], times, strict=False)]
        assert min(waits) > 0.68
        assert max(waits) < 0.8
        assert len(times) == on.match._course.ply
        for driver in drivers:
            driver.stop()


async def test_nobody_waits_for_a_bot_that_thinks_and_its_thoughts_end_with_its_match() -> None:
    brains = Thinker()
    async with house(brains=brains) as at, await at.peer("Ann") as ann:
        resting = len(at.server.tasks)
        code = await ann.create(bots="normal", options={"first_seat": 1})
        await ann.done(START)
        await eventually(lambda: brains.began > 0)
        async with await at.peer("Ben") as ben:
            answer = await ben.request(ListTables(id=0))
            assert isinstance(answer, Listing) and answer.total == 1
        assert at.table(code).match.version == 0  # type: ignore[union-attr]
        at.table(code).presence.close()
        await eventually(lambda: len(at.server.tasks) == resting)


class Thinker(Listening):
    """Thinks for an hour; tells how often it began, and was stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.began = self.stopped = 0

    async def choose(self, *how: Any) -> Decided | None:
        self.began += 1
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return await super().choose(*how)


@on_jumping_clock
async def test_a_bot_forgets_what_is_taken_back_and_stops_thinking_about_it() -> None:
    brains = Thinker()
    options = Options(turn_order=TurnOrder.DRAW_PLAY, first_seat=0)
    async with stage(options=options) as on:
        driver = sit(on, 1, brains)
        await on.settle()
        await on.accepted(0, Draw(0))
        await on.accepted(0, Discard(2))
        await asyncio.sleep(60)
        await on.accepted(0, None)
        await asyncio.sleep(7200)
        assert (on.match.version, brains.stopped, brains.asked) == (3, 1, [])
        await on.accepted(0, Discard(3))
        await asyncio.sleep(3601)
        (_view, events, _seed) = brains.asked[0]
        kinds = [event[0] for event in msgpack.decode(events)]
        assert kinds == ["dealt", "drew", "discarded"]
        driver.stop()


class Wants(HomeBrains):
    """Always decides the same; None: no worker could be brought to decide."""

    def __init__(self, decided: Decided | None) -> None:
        super().__init__()
        self.decided = decided

    async def choose(self, *how: Any) -> Decided | None:
        return self.decided


@pytest.mark.parametrize("brains", [Wants(Decided(Discard(13))), Wants(None)])
async def test_a_bot_that_misjudges_or_cannot_decide_hinders_no_match(brains: Brains) -> None:
    async with house(brains=brains) as at, await at.peer("Ann") as ann:
        await ann.create(bots="normal", seats=3)
        await ann.done(START)
        end = await ann.play(Random(5))
        assert isinstance(end, Ended)
        assert not end.aborted


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)
    monkeypatch.setitem(SERVED, GAME, COUNTDOWN)


def countdown() -> Any:
    return stage(rules=COUNTDOWN_RULES, game=GAME, options=countdown_game.Options(), attach=False)


def racer(on: Stage, seat: int, brains: HomeBrains, takes_ms: Sequence[int]) -> BotDriver:
    """A bot that takes so long for each of its decisions, one after the other."""
    left = iter(takes_ms)
    driver = BotDriver(
        on.match,
        Seat(seat),
        "quick",
        brains=brains,
        tasks=on.match._tasks,
        pace_s=lambda: 9.0,
        reaction=lambda view, rng: next(left, 10_000),
    )
    on.match.attach(Attach(Seat(seat), driver.receive))
    return driver


def presses(on: Stage) -> list[tuple[int, int]]:
    return [call[1:3] for call in on.match._course.state.calls if call[0] == "press"]


@on_jumping_clock
async def test_a_reaction_runs_from_the_newest_news_and_a_fresh_one_after_each() -> None:
    """News are: how it is at first, when it is dark; a light; that somebody has pressed."""
    async with countdown() as on:
        racer(on, 0, HomeBrains(), [5, 130, 9, 200, 9, 400])
        racer(on, 1, HomeBrains(), [5, 250, 9, 150, 9, 499])
        await asyncio.sleep(3)
        assert presses(on) == [(0, 630), (1, 1150), (0, 1900)]
        assert on.match.over


@on_jumping_clock
async def test_a_shot_that_comes_too_late_is_not_tried_again() -> None:
    """Refused, on the very version that it was meant for; any legal one would be none."""
    async with countdown() as on:
        brains = Listening()
        driver = racer(on, 0, brains, [5, 100])
        await asyncio.sleep(0.55)
        on.match._course.state.lit = False
        await asyncio.sleep(0.4)
        assert not presses(on) and not on.match.over
        assert len(brains.asked) == 2
        driver.stop()


@on_jumping_clock
async def test_a_bot_that_cannot_decide_shoots_at_nothing() -> None:
    async with countdown() as on:
        racer(on, 0, Wants(None), [5, 5, 5, 5, 5, 5])
        await asyncio.sleep(1)
        await on.accepted(1, Press())
        await asyncio.sleep(2)
        assert [seat for seat, _ in presses(on)] == [1]
        assert on.match.over and not on.match.aborted
