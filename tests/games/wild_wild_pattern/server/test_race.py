"""Who was first, as far as it can be known; Click!; Challenge cards that are found (rules: A turn,
1, 2, 4; Over a network)."""

from random import Random

import pytest

from protocol.games.wild_wild_pattern import (
    Aimed,
    Click,
    Clicked,
    Drew,
    Found,
    Idled,
    Options,
    Pass,
    Phase,
    Practice,
    Ready,
    Replaced,
    Seen,
    Shoot,
    Shot,
    Take,
    TurnBegan,
    WentOut,
)
from server.games.contract import Addressed
from server.games.wild_wild_pattern.legal import to_act
from server.games.wild_wild_pattern.rules import deadline, holds
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import (
    card,
    do,
    every_card,
    everybody_is_ready,
    hold,
    next_tick,
    racing,
    said,
    stage,
    wait_until,
    why_not,
)

PRACTICE = Options(practice=Practice.ON)


def shooter(told: list[Addressed]) -> int | None:  # type: ignore[type-arg]
    return next((event.seat for event in said(told, Shot)), None)  # type: ignore[union-attr]


# All see their cards -----------------------------------------------------------------------------


def test_all_see_their_own_card_at_the_same_moment() -> None:
    """After the last of them is ready; the slower the line, the sooner its copy leaves."""
    state = stage(seats=3)
    do(state, 2, Ready())
    do(state, 0, Ready())
    assert [view(state, seat).card for seat in range(3)] == [0, 0, 0]
    told = do(state, 1, Ready(), 700, (20, 100, 0))
    assert said(told, Seen)
    assert [(each.to, each.event.card) for each in told if isinstance(each.event, Drew)] == [
        (seat, card) for seat, card in enumerate(state.hand)
    ]
    assert [view(state, seat).card for seat in range(3)] == state.hand
    assert view(state, None).card == 0
    assert list(holds(state)) == [80, 0, 100]
    assert state.due_ms == 700 + 100 + 60_000
    do(state, 0, Click(), 900)
    assert not any(holds(state))


# Who was first -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("later", "place"), [(Shoot(3), 3), (Click(), None)])
def test_the_earlier_shot_counts_though_it_arrives_later(
    later: Shoot | Click, place: int | None
) -> None:
    """And the other one keeps its card."""
    state = racing(lags=(0, 120))
    told = do(state, 0, later, 5_000)
    assert [(each.to, each.event) for each in told] == [(0, Aimed(place))]
    assert deadline(state) == 5_120
    told = do(state, 1, Shoot(4), 5_119)
    assert shooter(told) == 1  # 4999, and nobody is left who might have been earlier
    assert (state.hand[0], state.hand[1]) == (card("star-red"), 0)
    assert (state.place, state.wheel[4]) == (4, card("pistol-azure"))
    assert (state.acting, state.ended_by) == (1, 1)


def test_a_shot_fired_in_time_counts_though_it_arrives_after_the_limit() -> None:
    state = racing(lags=(0, 120), options=Options(race_limit_s=30))
    assert (state.due_ms, deadline(state)) == (30_120, 30_240)
    assert shooter(do(state, 1, Shoot(3), 30_239)) == 1
    state = racing(lags=(0, 120), options=Options(race_limit_s=30))
    do(state, 0, Shoot(3), 30_119)
    assert shooter(do(state, 1, Shoot(4), 30_238)) == 1  # both in time, this one earlier


@pytest.mark.parametrize("late_ms", [0, 1, 119])
def test_a_shot_fired_later_does_not(late_ms: int) -> None:
    """Nor does it end the race for a slower one that was in time."""
    state = racing(lags=(0, 120), options=Options(race_limit_s=30))
    assert [each.event for each in do(state, 0, Shoot(3), 30_120 + late_ms)] == [Aimed(3)]
    told = next_tick(state)
    assert (said(told, Idled), state.phase, all(state.hand)) == ([Idled(1)], Phase.LAY, True)
    state = racing(lags=(0, 120), options=Options(race_limit_s=30))
    do(state, 0, Shoot(3), 30_120 + late_ms)
    assert shooter(do(state, 1, Shoot(4), 30_239)) == 1


def test_after_the_song_nobody_is_waited_for_who_has_passed() -> None:
    state = racing(seats=3, lags=(0, 0, 120))
    do(state, 0, Click(), 1_000)
    next_tick(state)
    assert state.due_ms is not None
    due_ms = state.due_ms
    do(state, 1, Shoot(3, clicked=True), due_ms + 1)
    assert said(do(state, 2, Pass(), due_ms + 30), WentOut)
    assert (state.phase, state.acting, state.tries) == (Phase.TAKE, 0, ())


def test_any_order_of_arrival_gives_the_race_to_the_earliest() -> None:
    """Whatever the lines, when they are as slow as they were measured to be."""
    rng = Random(1)
    for _ in range(300):
        lags = tuple(rng.randrange(151) for _ in range(4))
        fired = rng.sample(range(5_000, 5_200), 4)
        state = racing(seats=4, lags=lags)
        hits = []
        for seat in sorted(range(4), key=lambda seat: fired[seat] + lags[seat]):
            hits.append(shooter(wait_until(state, fired[seat] + lags[seat] - 1)))
            if state.phase is not Phase.RACE:
                break
            hits.append(shooter(do(state, seat, Shoot(seat), fired[seat] + lags[seat])))
        hits.append(shooter(wait_until(state, 6_000)))
        assert [hit for hit in hits if hit is not None] == [fired.index(min(fired))]


# Challenge cards that are found ------------------------------------------------------------------


def test_a_challenge_lies_face_up_and_is_replaced_a_second_later() -> None:
    state = stage("hands-up pistol-azure", top="star-grey")
    told = everybody_is_ready(state, 500, (120, 0))
    assert list(holds(state)) == [0, 120]
    assert Addressed(None, Found(0, card("hands-up"))) in told
    assert [each.to for each in told if isinstance(each.event, Drew)] == [1]
    assert state.challenges[0] == bytes([card("hands-up")])
    assert str(why_not(state, 0, Shoot(1)).code) == "no_card"  # type: ignore[union-attr]
    assert (view(state, 1).waiting, view(state, 1).in_hand) == ([True, False], [False, True])
    assert deadline(state) == 1_500
    told = next_tick(state)
    assert [(each.to, each.event) for each in told] == [
        (None, Replaced(0)),
        (0, Drew(card("star-grey"))),
    ]
    assert not any(holds(state)), "nobody else has to wait for it"
    do(state, 0, Shoot(3), 1_501)
    assert state.phase is Phase.DECLARE


def test_with_an_empty_deck_there_is_no_card_this_turn() -> None:
    state = stage("hands-up pistol-azure")
    state.out, state.deck = state.deck, b""
    everybody_is_ready(state)
    assert said(next_tick(state), Replaced) == [Replaced(0, empty=True)]
    assert str(why_not(state, 0, Click()).code) == "no_card"  # type: ignore[union-attr]
    do(state, 1, Click(), 2_000)
    do(state, 0, Shoot(1, clicked=True), 3_000)
    assert (state.acting, state.wheel[1]) == (0, card("pistol-azure"))


def test_who_still_waits_when_the_laying_begins_gets_a_card_at_once() -> None:
    """The lowest seat first, and each until it has a Pattern card to lay (rules: A turn, 1)."""
    top = "1-dollar star-grey star-white"
    state = stage("hands-up trade bottle-yellow", seats=3, top=top)
    everybody_is_ready(state)
    do(state, 2, Shoot(3), 200)
    do(state, 2, Pass(), 400)
    do(state, 1, Take(0), 600)
    told = do(state, 0, Take(1), 999)
    assert [(each.to, each.event) for each in told[1:]] == [
        (None, Replaced(0)),
        (None, Found(0, card("1-dollar"))),
        (None, Replaced(0)),
        (0, Drew(card("star-grey"))),
        (None, Replaced(1)),
        (1, Drew(card("star-white"))),
    ]
    assert (state.phase, state.layers, state.waits) == (Phase.LAY, (1, 0), [None] * 3)
    assert every_card(state) == every_card(stage())


def test_so_it_is_when_the_time_for_the_race_is_up() -> None:
    """Hands are empty, but somebody waits: the turn is idle, and the round goes on."""
    state = stage("hands-up trade", top="star-grey", options=Options(race_limit_s=30))
    everybody_is_ready(state)
    state.deck = state.deck[:1]
    state.waits = [30_001, 30_002]  # as if each had found many in a row
    told = wait_until(state, 30_000)
    assert said(told, (Idled, Replaced)) == [Idled(1), Replaced(0), Replaced(1, empty=True)]
    assert (state.round, state.phase, state.layers) == (1, Phase.LAY, (0,))


def test_at_the_end_of_a_round_nobody_is_given_a_card() -> None:
    state = stage("hands-up pistol-azure", top="star-grey")
    hold(state, 0, "star-white loot-red barrel-red wanted-grey")
    everybody_is_ready(state)
    do(state, 1, Shoot(3), 200)
    do(state, 1, Pass(), 400)
    told = do(state, 0, Take(0), 600)
    assert (said(told, Replaced), state.round) == ([], 2)


# Click! ------------------------------------------------------------------------------------------


def test_all_see_the_clicked_card_at_the_same_moment_and_the_first_declares() -> None:
    """From then on they have ten seconds."""
    state = racing(seats=3, lags=(0, 120, 40))
    do(state, 0, Click(), 5_000)
    assert said(next_tick(state), Clicked) == [Clicked(0, card("star-red"))]
    assert list(holds(state)) == [120, 0, 80]
    assert state.due_ms == 5_120 + 120 + 10_000
    assert deadline(state) == state.due_ms + 120
    assert (to_act(state), view(state, None).clicked) == ([1, 2], card("star-red"))
    do(state, 2, Shoot(1, clicked=True), 9_000)
    told = wait_until(state, 9_080)
    assert said(told, Shot) == [Shot(2, 1, card("star-red"), card("loot-azure"))]
    assert (state.acting, state.ended_by, state.clicked) == (2, 2, 0)
    assert deadline(state) == 9_080 + 15_000


def test_no_line_is_slower_than_150_ms() -> None:
    state = racing(lags=(0, 900))
    assert (state.lags, state.due_ms) == ((0, 150), 60_150)


def test_in_practice_one_may_pass_and_no_clock_runs() -> None:
    state = racing(options=PRACTICE)
    assert deadline(state) is None
    do(state, 0, Pass())
    assert state.phase is Phase.RACE
    told = do(state, 1, Pass())
    assert said(told, Idled) == [Idled(0)]
    assert (state.phase, deadline(state)) == (Phase.LAY, None)
    state = racing(options=PRACTICE)
    do(state, 0, Pass())
    do(state, 1, Click())
    assert to_act(state) == [0], "who does not shoot may answer a Click! all the same"
    alone = racing(seats=1, options=PRACTICE)
    do(alone, 0, Click())
    assert (alone.phase, alone.acting) == (Phase.TAKE, 0)
    hold(alone, 0, "star-azure star-white pistol-grey barrel-red")
    assert said(do(alone, 0, Take(0)), TurnBegan)  # five cards: the next round has begun
