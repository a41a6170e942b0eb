"""How much time is left follows from the entries; and a game that lives by the clock is journalled
and replayed like any other. Its time goes by while the match is played, and then only."""

import asyncio
from contextlib import AbstractAsyncContextManager
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import msgpack

from protocol.errors import RefusalCode
from protocol.games.clocktowers import Options
from protocol.games.registry import GAMES
from protocol.ids import Key, Seat
from protocol.table import DAY_S, Bank, Clock, Days, PerTurn, Running
from server.matches.clocks import Clocks
from server.matches.replay import Course, newest
from server.matches.wishes import Accepted, Attach, Denied
from server.store.journal import Entry
from tests.stage.countdown_game import (
    COUNTDOWN_RULES,
    GAME,
    LIGHT_MS,
    LIGHTS,
    VOCABULARY,
    Lit,
    Options as CountdownOptions,
    Press,
)
from tests.stage.jumping_clock import on_jumping_clock
from tests.stage.match_stage import RULES, Box, FlakyJournal, Stage, header_of, stage

HEADER = header_of("clocktowers", RULES, Options(), 3)
SETTINGS = st.builds(PerTurn, st.integers(1, 120)) | st.builds(
    Bank, st.integers(1, 600), st.integers(0, 60)
)
PAUSES_MS = st.lists(st.integers(0, 40_000), min_size=1, max_size=30)
NOBODY: tuple[Seat, ...] = ()


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


# By hand -----------------------------------------------------------------------------------------


def test_a_turn_has_its_time_however_many_actions_it_has() -> None:
    clocks = Clocks(PerTurn(30), 2)
    clocks.note(0, seats(0))
    assert clocks.due_ms() == 30_000
    clocks.note(10_000, seats(0))
    assert (clocks.due_ms(), clocks.running(25_000)) == (30_000, Running(0, 5_000))
    clocks.note(29_000, seats(1))
    assert (clocks.due_ms(), clocks.running(29_500)) == (59_000, Running(1, 29_500))
    clocks.note(31_000, NOBODY)
    assert (clocks.due_ms(), clocks.running(99_000)) == (None, None)


def test_a_bank_is_spent_and_each_turn_brings_its_increment() -> None:
    clocks = Clocks(Bank(60, 5), 2)
    clocks.note(0, seats(0))
    assert clocks.running(0) == Running(0, 65_000, (65_000, 60_000))
    clocks.note(20_000, seats(1))
    assert clocks.running(20_000) == Running(1, 65_000, (45_000, 65_000))
    clocks.note(100_000, seats(0))
    assert clocks.running(101_000) == Running(0, 49_000, (49_000, 0))
    clocks.note(101_000, seats(1))
    assert clocks.running(101_000) == Running(1, 5_000, (49_000, 5_000)), "never quite without"


def test_a_take_back_goes_on_with_what_was_left_and_charges_what_has_gone_by() -> None:
    clocks = Clocks(Bank(60, 5), 2)
    clocks.note(0, seats(0))
    clocks.note(10_000, seats(1))
    assert clocks.bears_take_back(64_999) and not clocks.bears_take_back(65_000)
    clocks.note(25_000, seats(0), takes_back=True)
    assert clocks.running(25_000) == Running(0, 40_000, (40_000, 60_000))
    clocks.note(30_000, seats(1))
    assert clocks.running(30_000) == Running(1, 65_000, (35_000, 65_000)), "one increment a turn"


def test_days_off_that_begin_in_the_last_moment_of_a_turn_put_its_end_off() -> None:
    """They are looked at once, however little of the turn is left."""
    day_ms, looks = DAY_S * 1000, list[Seat]()
    off = [(-9, -1), (day_ms - 1, 9 * day_ms), (9 * day_ms + 1, 9 * day_ms + 5)]
    clocks = Clocks(Days(1), 1, lambda seat: looks.append(seat) or off)  # type: ignore[func-returns-value]
    clocks.note(0, seats(0))
    assert (clocks.due_ms(), looks) == (9 * day_ms + 1, [0])
    for at_ms, left_ms in ((day_ms, 1), (9 * day_ms, 1), (9 * day_ms + 1, 0)):
        assert clocks.running(at_ms) == Running(0, left_ms)


# For all -----------------------------------------------------------------------------------------


def play(clock: Clock | None, pauses_ms: list[int], rng: Random) -> tuple[Course, list[Entry]]:
    """A course of one random action, or take-back, after each pause."""
    course, entries, now_ms = Course(RULES, HEADER, clock).dealt(), list[Entry](), 0
    for pause_ms in pauses_ms:
        now_ms += pause_ms
        key, back = Key(rng.randbytes(8)), course.revocable
        if back is not None and rng.random() < 0.4:
            entries.append(Entry(back, key, now_ms, b""))
            course.apply(entries[-1])
        elif to_act := RULES.to_act(course.state):
            legal = RULES.legal_actions(course.state, to_act[0])
            action = legal[rng.randrange(len(legal))]
            entries.append(Entry(to_act[0], key, now_ms, msgpack.encode(action)))
            course.apply(entries[-1], action)
    return course, entries


def readings(clocks: Clocks | None, at_ms: int) -> tuple[Any, ...]:
    assert clocks is not None
    return clocks.due_ms(), clocks.running(at_ms), clocks.now.turn, clocks.bears_take_back(at_ms)


@given(SETTINGS, PAUSES_MS, st.randoms(use_true_random=False))
def test_one_by_one_is_as_out_of_the_journal_and_never_less_than_nothing(
    clock: Clock, pauses_ms: list[int], rng: Random
) -> None:
    course, entries = play(clock, pauses_ms, rng)
    again = Course(RULES, HEADER, clock).dealt(entries[: len(entries) // 2]).dealt(entries)
    now_ms = sum(pauses_ms) + rng.randrange(10_000)
    assert readings(again.clocks, now_ms) == readings(course.clocks, now_ms)
    assert again.revocable == course.revocable
    assert course.clocks is not None
    running = course.clocks.running(now_ms + rng.randrange(10**6))
    assert running is not None and running.left_ms >= 0 and min((0, *running.banks_ms)) == 0


@given(PAUSES_MS, st.randoms(use_true_random=False))
def test_what_was_charged_is_the_time_of_the_match(pauses_ms: list[int], rng: Random) -> None:
    """With more in each bank than can be spent."""
    course, entries = play(Bank(7200, 0), pauses_ms, rng)
    now_ms = entries[-1].at_ms + 700
    assert course.clocks is not None
    running = course.clocks.running(now_ms)
    assert running is not None
    assert now_ms == 3 * 7_200_000 - sum(running.banks_ms)


# Ticks -------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME, VOCABULARY)


def countdown(**how: Any) -> AbstractAsyncContextManager[Stage]:
    return stage(rules=COUNTDOWN_RULES, game=GAME, options=CountdownOptions(), **how)


async def replays(on: Stage) -> Any:
    """The state that was played, after checking that the journal leads to the same."""
    header, entries = await on.journal.load(on.match.id)
    state = on.match._course.state
    assert newest(COUNTDOWN_RULES, header, entries).state == state
    assert on.match.version == len(entries)
    assert on.match._course.ply == sum(entry.seat is not None for entry in entries)
    return state


@on_jumping_clock
async def test_actions_and_ticks_replay_in_the_order_they_came() -> None:
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
        called = [call[0] for call in state.calls]
        assert called == ["tick", "press", "tick", "press", "tick", "tick", "tick"]
        assert on.outcomes[0].points == [1, 0, 1]


@on_jumping_clock
async def test_a_deadline_that_has_passed_comes_before_the_action() -> None:
    """The loop was busy when it was due: the tick is at its deadline all the same, and the wish
    that waited is played after it, when it came."""
    async with countdown() as on:
        asyncio.get_running_loop()._jumping.now_s += 0.7  # type: ignore[attr-defined]
        assert await on.accepted(0, Press(), version=0) == 2
        tick, press = (await replays(on)).calls
        assert tick == ("tick", LIGHT_MS)
        assert press[:2] == ("press", 0)
        assert press[2] >= 700


@on_jumping_clock
async def test_a_timer_that_is_a_hair_early_or_late_makes_a_tick_in_time() -> None:
    """Match time began between two milliseconds, and is cut to whole ones; the rules of this game
    fail when they are called at any other time than their own."""
    await asyncio.sleep(0.0004)
    async with countdown() as on:
        loop: Any = asyncio.get_running_loop()
        time: Any = on.match._time
        time._loop = SimpleNamespace(time=lambda: loop.time() - 0.001)
        time._since_s = 0.0
        await asyncio.sleep(60)
        state = await replays(on)
        assert [call[0] for call in state.calls] == ["tick"] * (LIGHTS + 1)


@on_jumping_clock
async def test_no_deadline_passes_while_the_match_stands_still() -> None:
    async with countdown() as on:
        await asyncio.sleep(0.25)
        on.match.stand_still()
        await asyncio.sleep(3600)
        assert (await replays(on)).calls == []
        on.match.go_on()
        await asyncio.sleep(LIGHT_MS / 1000)
        assert (await replays(on)).calls == [("tick", LIGHT_MS)]
        await asyncio.sleep(60)
        assert (await replays(on)).calls == [("tick", LIGHT_MS * n) for n in range(1, LIGHTS + 2)]


@on_jumping_clock
async def test_no_deadline_strikes_while_the_disk_is_at_a_wish() -> None:
    """Several pass meanwhile; the ticks come after the wish, each at its own."""
    async with countdown(journal=(journal := FlakyJournal())) as on:
        await asyncio.sleep(LIGHT_MS * 1.1 / 1000)
        asked, version = journal.asked["append"], on.match.version
        journal.holds = ("append",)
        answer = on.wish(0, Press())
        await asyncio.sleep(LIGHT_MS * 2 / 1000)
        assert (journal.asked["append"], on.match.version) == (asked + 1, version)
        journal.go_on.set()
        await answer
        await asyncio.sleep(0.001)
        lit = [event.at_ms for event in on.boxes[0].events if isinstance(event, Lit)]
        assert lit == [LIGHT_MS, LIGHT_MS * 2, LIGHT_MS * 3]


@pytest.mark.parametrize("late", [False, True])
@on_jumping_clock
async def test_a_tick_that_the_disk_refused_comes_again(late: bool) -> None:
    async with countdown(journal=FlakyJournal(late=late, append=3)) as on:
        await asyncio.sleep(60)
        state = await replays(on)
        assert [call[0] for call in state.calls] == ["tick"] * (LIGHTS + 1)
        assert on.boxes[1].events == [Lit(call[1]) for call in state.calls]


@on_jumping_clock
async def test_the_clock_goes_on_when_somebody_comes_and_goes_while_the_disk_is_at_it() -> None:
    journal = FlakyJournal()
    async with countdown(journal=journal) as on:
        await asyncio.sleep(LIGHT_MS * 1.2 / 1000)
        journal.holds, watcher = ("append",), Box()
        on.wish(0, Press())
        on.match.attach(Attach(None, watcher))

        def goes(_answered: object) -> None:
            asyncio.get_running_loop().call_soon(on.match.detach, None, watcher)

        on.match._unanswered.answer = goes  # type: ignore[union-attr]
        await asyncio.sleep(LIGHT_MS / 1000)
        journal.holds = ()
        journal.go_on.set()
        await asyncio.sleep(60)
        assert [call[0] for call in (await replays(on)).calls].count("tick") > 2


async def press_after_a_broken_line(seen: int | None) -> Any:
    """What a seat is answered that sits down on another line in the first light, and presses in
    the second one, having seen so much."""
    async with countdown() as on:
        await asyncio.sleep(LIGHT_MS * 1.2 / 1000)
        lost = on.match.version
        on.match.detach(Seat(0), on.boxes[0])
        await on.wish(1, Press())
        on.match.attach(Attach(Seat(0), on.boxes[0], since=lost))
        await asyncio.sleep(LIGHT_MS / 1000)
        return await on.wish(0, Press(), version=lost if seen is None else seen)


@on_jumping_clock
async def test_what_was_asked_on_a_broken_line_is_not_done_later() -> None:
    """It was meant for the light that was on then; on the line that broke the same is served."""
    stale = await press_after_a_broken_line(None)
    assert isinstance(stale, Denied) and stale.refusal.code == RefusalCode.STALE
    assert isinstance(await press_after_a_broken_line(2), Accepted)
