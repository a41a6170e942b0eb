"""How much time is left follows from the entries: charged, granted, taken back."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import msgpack

from protocol.clock import Bank, Clock, PerTurn, Running
from protocol.games.clocktowers import Options
from protocol.ids import Key, Seat
from server.matches.clocks import Clocks
from server.matches.course import Course
from server.matches.replay import new_header
from server.store.journal import Entry
from tests.stage.match_stage import RULES, SEED

HEADER = new_header("clocktowers", RULES, options=Options(), seats=3, seed=SEED, match="m1")
SETTINGS = st.builds(PerTurn, st.integers(1, 120)) | st.builds(
    Bank, st.integers(1, 600), st.integers(0, 60)
)
PAUSES_MS = st.lists(st.integers(0, 40_000), min_size=1, max_size=30)
NOBODY: tuple[Seat, ...] = ()


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


# By hand -----------------------------------------------------------------------------------------


def test_without_a_clock_there_is_nothing_to_tell() -> None:
    clocks = Clocks(None, 2)
    clocks.note(0, seats(0))
    clocks.note(9_000, seats(1))
    assert (clocks.due_ms(), clocks.running(10_000), clocks.seat) == (None, None, None)


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


# For all -----------------------------------------------------------------------------------------


def play(clock: Clock | None, pauses_ms: list[int], rng: Random) -> tuple[Course, list[Entry]]:
    """A course of one random action, or take-back, after each pause."""
    course, entries, now_ms = Course(RULES, HEADER, clock), list[Entry](), 0
    course.deal()
    for pause_ms in pauses_ms:
        now_ms += pause_ms
        key, back = Key(rng.randbytes(8)), course.revocable
        if back is not None and rng.random() < 0.4:
            entries.append(Entry(back, key, now_ms, b""))
            course.take_back(entries[-1], entries)
        elif to_act := RULES.to_act(course.state):
            legal = RULES.legal_actions(course.state, to_act[0])
            action = legal[rng.randrange(len(legal))]
            entries.append(Entry(to_act[0], key, now_ms, msgpack.encode(action)))
            course.play(entries[-1], to_act[0], action)
    return course, entries


def readings(clocks: Clocks, at_ms: int) -> tuple[Any, ...]:
    return clocks.due_ms(), clocks.running(at_ms), clocks.turn, clocks.bears_take_back(at_ms)


@given(SETTINGS, PAUSES_MS, st.randoms(use_true_random=False))
def test_one_by_one_is_as_out_of_the_journal(
    clock: Clock, pauses_ms: list[int], rng: Random
) -> None:
    course, entries = play(clock, pauses_ms, rng)
    again = Course(RULES, HEADER, clock)
    again.deal()
    again.reload(entries[: len(entries) // 2])
    again.reload(entries)
    now_ms = sum(pauses_ms) + rng.randrange(10_000)
    assert readings(again.clocks, now_ms) == readings(course.clocks, now_ms)


@given(SETTINGS, PAUSES_MS, st.randoms(use_true_random=False))
def test_nobody_has_less_than_nothing(clock: Clock, pauses_ms: list[int], rng: Random) -> None:
    course, _entries = play(clock, pauses_ms, rng)
    running = course.clocks.running(sum(pauses_ms) + rng.randrange(10**6))
    assert running is not None and running.left_ms >= 0 and min((0, *running.banks_ms)) == 0


RICH_S = 7200


def unaccounted_ms(pauses_ms: list[int], rng: Random) -> int:
    """Match time gone that nobody was charged for, with more in each bank than can be spent."""
    course, entries = play(Bank(RICH_S, 0), pauses_ms, rng)
    now_ms = entries[-1].at_ms + 700
    running = course.clocks.running(now_ms)
    assert running is not None
    return now_ms - (3 * RICH_S * 1000 - sum(running.banks_ms))


@given(PAUSES_MS, st.randoms(use_true_random=False))
def test_what_was_charged_is_the_time_of_the_match(pauses_ms: list[int], rng: Random) -> None:
    assert unaccounted_ms(pauses_ms, rng) == 0


# Controls ----------------------------------------------------------------------------------------


def test_a_take_back_that_costs_no_time_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def note(self: Clocks, at_ms: int, to_act: Any, *, takes_back: bool = False) -> None:
        if takes_back:
            self._now = self._before._replace(at_ms=at_ms)
        else:
            honest(self, at_ms, to_act)

    honest = Clocks.note
    monkeypatch.setattr(Clocks, "note", note)
    assert any(unaccounted_ms([5_000] * 30, Random(seed)) for seed in range(3))


def test_a_take_back_that_brings_a_fresh_budget_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def note(self: Clocks, at_ms: int, to_act: Any, *, takes_back: bool = False) -> None:
        honest(self, at_ms, to_act)

    honest = Clocks.note
    monkeypatch.setattr(Clocks, "note", note)
    with pytest.raises(AssertionError):
        test_a_take_back_goes_on_with_what_was_left_and_charges_what_has_gone_by()
