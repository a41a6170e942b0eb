"""Who was first, as far as it can be known; Click!; Challenge cards that are found (rules: A turn,
1, 2, 4; Over a network)."""

from random import Random

import pytest

from protocol.games.wild_wild_pattern import (
    Aimed,
    Click,
    Clicked,
    Declare,
    Drew,
    Found,
    Idled,
    Lag,
    Options,
    Pass,
    Passed,
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
from server.games.wild_wild_pattern.race import decision_ms
from server.games.wild_wild_pattern.rules import deadline, holds, tick
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import (
    card,
    do,
    every_card,
    everybody_is_ready,
    hold,
    next_tick,
    pattern,
    racing,
    said,
    stage,
    take,
    wait_until,
    why_not,
)

NO_LIMIT = Options(race_limit_s=0)
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


def test_after_twenty_seconds_everyone_counts_as_ready() -> None:
    state = stage()
    do(state, 0, Ready(), 15_000)
    assert deadline(state) == 20_000
    assert said(next_tick(state), Seen)
    assert state.phase is Phase.RACE


# Who was first -----------------------------------------------------------------------------------


def test_the_earlier_shot_counts_though_it_arrives_later() -> None:
    """And the other one keeps its card."""
    state = racing(lags=(0, 120))
    told = do(state, 0, Shoot(3), 5_000)
    assert [(each.to, each.event) for each in told] == [(0, Aimed(3))]
    assert deadline(state) == 5_120
    told = do(state, 1, Shoot(4), 5_119)
    assert shooter(told) == 1  # 4999, and nobody is left who might have been earlier
    assert (state.hand[0], state.hand[1]) == (card("star-red"), 0)
    assert (state.place, state.wheel[4]) == (4, card("pistol-azure"))
    assert (state.acting, state.ended_by) == (1, 1)


def test_at_equal_times_the_one_that_arrived_first_counts() -> None:
    state = racing(lags=(0, 120))
    do(state, 0, Shoot(3), 5_000)
    assert shooter(do(state, 1, Shoot(4), 5_120)) == 0
    state = racing(lags=(120, 0, 0), seats=3)
    do(state, 1, Shoot(3), 5_000)
    do(state, 2, Shoot(3), 5_000)
    assert shooter(do(state, 0, Shoot(4), 5_120)) == 1


def test_a_decision_waits_for_the_slowest_who_may_still_shoot_and_no_longer() -> None:
    state = racing(seats=4, lags=(10, 150, 80, 0))
    do(state, 3, Shoot(0), 5_000)
    assert deadline(state) == 5_150
    do(state, 2, Shoot(1), 5_010)  # at 4930
    assert deadline(state) == 4_930 + 150
    assert shooter(do(state, 1, Shoot(1), 5_070)) == 1  # at 4920, and seat 0 is 10 ms away
    state = racing(seats=4, lags=(10, 150, 80, 0))
    do(state, 3, Shoot(0), 5_000)
    do(state, 2, Shoot(1), 5_010)
    told = wait_until(state, 5_080)
    assert (shooter(told), state.hand[3]) == (2, card("barrel-grey"))


def test_who_has_no_card_is_not_waited_for() -> None:
    state = racing(lags=(0, 150))
    state.hand[1] = 0
    assert shooter(do(state, 0, Shoot(3), 5_000)) == 0


def test_a_pending_shot_outlives_the_limit_of_the_race() -> None:
    state = racing(lags=(0, 120), options=Options(race_limit_s=30))
    do(state, 0, Shoot(3), 30_119)
    assert shooter(wait_until(state, 30_239)) == 0


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


def test_so_it_is_with_a_clicked_card() -> None:
    for late_ms, hits in ((-1, 1), (0, None)):
        state = racing(lags=(0, 120))
        do(state, 0, Click(), 1_000)
        next_tick(state)
        assert state.due_ms == 1_120 + 120 + 10_000
        told = do(state, 1, Shoot(3, clicked=True), state.due_ms + 120 + late_ms)
        assert shooter(told) == hits


def test_after_the_song_nobody_is_waited_for_who_has_passed() -> None:
    state = racing(seats=3, lags=(0, 0, 120))
    do(state, 0, Click(), 1_000)
    next_tick(state)
    assert state.due_ms is not None
    due_ms = state.due_ms
    do(state, 1, Shoot(3, clicked=True), due_ms + 1)
    assert said(do(state, 2, Pass(), due_ms + 30), WentOut)
    assert (state.phase, state.acting, state.tries) == (Phase.TAKE, 0, ())


def test_with_lag_off_the_order_is_that_of_arrival() -> None:
    state = racing(lags=(0, 120), options=Options(lag=Lag.OFF))
    assert not any(holds(state))
    assert state.due_ms == 60_000
    assert shooter(do(state, 0, Shoot(3), 5_000)) == 0


def test_a_lag_rises_by_ten_a_turn_and_falls_at_once() -> None:
    state = stage(options=Options(race_limit_s=30))
    counted = []
    for measured in (40, 150, 150, 30, 35, 90):
        everybody_is_ready(state, (deadline(state) or 0) - 1, (0, measured))
        counted.append(state.lags[1])
        while state.phase is not Phase.READY:
            next_tick(state)
    assert counted == [40, 50, 60, 30, 35, 45]


def test_what_is_measured_during_a_race_counts_in_the_next_one() -> None:
    """So nobody's time is shifted by what they do to their line after they have seen the card."""
    state = racing(lags=(0, 0))
    do(state, 0, Shoot(3), 5_000, (0, 150))
    assert state.ended_by == 0
    state = racing(lags=(0, 100))
    do(state, 1, Shoot(3), 5_000, (0, 0))
    assert state.tries == ()
    assert state.phase is Phase.DECLARE


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


def test_nobody_shoots_and_the_limit_ends_the_turn() -> None:
    state = racing(at_ms=500)
    assert deadline(state) == 60_500
    assert said(next_tick(state), Idled) == [Idled(1)]
    assert (state.phase, state.acting, state.layers) == (Phase.LAY, 1, (1, 0))  # seat 0 is last
    assert deadline(racing(options=NO_LIMIT)) is None


# Challenge cards that are found ------------------------------------------------------------------


def test_a_challenge_lies_face_up_and_is_replaced_a_second_later() -> None:
    state = stage("hands-up pistol-azure", top="star-grey")
    told = everybody_is_ready(state, 500)
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
    do(state, 0, Shoot(3), 1_501)
    assert state.phase is Phase.DECLARE


def test_several_in_a_row_are_replaced_one_after_the_other() -> None:
    state = stage("hands-up trade", top="1-dollar star-grey 10-cents star-white")
    everybody_is_ready(state)
    assert to_act(state) == []
    told = wait_until(state, 1_000)
    assert said(told, (Found, Replaced)) == [
        Replaced(0),
        Found(0, card("1-dollar")),
        Replaced(1),
    ]
    assert state.hand == [0, card("star-grey")]
    told = wait_until(state, 2_000)
    assert said(told, (Found, Replaced)) == [Replaced(0), Found(0, card("10-cents"))]
    wait_until(state, 3_000)
    assert state.hand == [card("star-white"), card("star-grey")]
    assert len(state.challenges[0]) == 3


def test_the_others_may_act_meanwhile_and_it_is_replaced_all_the_same() -> None:
    state = stage("hands-up pistol-azure", top="star-grey")
    everybody_is_ready(state)
    do(state, 1, Shoot(3), 300)
    assert state.phase is Phase.DECLARE
    wait_until(state, 1_000)
    assert (state.phase, state.hand[0]) == (Phase.DECLARE, card("star-grey"))


def test_on_a_slow_line_it_is_seen_a_second_later_too() -> None:
    """The card that replaces it leaves sooner, as the first one did."""
    state = stage("hands-up pistol-azure", top="10-cents star-grey")
    everybody_is_ready(state, 500, (120, 0))
    assert deadline(state) == 500 + 1_000
    next_tick(state)
    assert not any(holds(state)), "nobody else has to wait for it"
    assert deadline(state) == 500 + 2_000
    state = stage("hands-up pistol-azure", top="star-grey")
    everybody_is_ready(state, 500, (0, 120))
    assert deadline(state) == 500 + 120 + 1_000


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


def clicked(seats: int = 3, **more: object) -> State:
    state = racing(seats=seats, **more)  # type: ignore[arg-type]
    do(state, 0, Click(), 5_000)
    return state


def test_a_clicked_card_lies_on_the_deck_for_all_the_others() -> None:
    state = racing(seats=3)
    assert said(do(state, 0, Click(), 5_000), Clicked) == [Clicked(0, card("star-red"))]
    assert (state.hand[0], state.clicked) == (0, card("star-red"))
    assert (to_act(state), deadline(state)) == ([1, 2], 15_000)
    assert view(state, None).clicked == card("star-red")
    assert every_card(state) == every_card(racing(seats=3))


def test_all_see_the_clicked_card_at_the_same_moment() -> None:
    """From then on they have ten seconds."""
    state = racing(seats=3, lags=(0, 120, 40))
    do(state, 0, Click(), 5_000)
    told = next_tick(state)
    assert said(told, Clicked)
    assert list(holds(state)) == [120, 0, 80]
    assert state.due_ms == 5_120 + 120 + 10_000
    assert deadline(state) == state.due_ms + 120


def test_no_line_is_slower_than_150_ms() -> None:
    state = racing(lags=(0, 900))
    assert (state.lags, state.due_ms) == ((0, 150), 60_150)


def test_a_click_is_raced_for_like_a_shot() -> None:
    state = racing(lags=(0, 120))
    told = do(state, 0, Click(), 5_000)
    assert [(each.to, each.event) for each in told] == [(0, Aimed(None))]
    assert shooter(do(state, 1, Shoot(4), 5_119)) == 1
    assert (state.clicker, state.hand[0]) == (None, card("star-red"))


def test_a_shot_that_comes_after_a_click_keeps_its_card_and_may_answer() -> None:
    state = racing(seats=3, lags=(0, 120, 0))
    do(state, 0, Click(), 5_000)
    do(state, 2, Shoot(4), 5_001)
    told = wait_until(state, 5_120)
    assert (said(told, Clicked), state.phase) == ([Clicked(0, card("star-red"))], Phase.CLICKED)
    assert state.hand[2] == card("bottle-yellow")
    assert to_act(state) == [1, 2]


def test_who_is_first_with_the_clicked_card_declares() -> None:
    state = clicked()
    told = do(state, 2, Shoot(1, clicked=True), 9_000)
    assert said(told, Shot) == [Shot(2, 1, card("star-red"), card("loot-azure"))]
    assert (state.acting, state.ended_by, state.clicked) == (2, 2, 0)
    assert deadline(state) == 9_000 + 15_000
    do(state, 2, Declare(pattern("before star coin")), 9_500)
    assert state.winner == 2
    assert state.won == [b"", b"", bytes([card("loot-azure")])]
    assert state.layers == (1, 2)  # the clicker has none left, the shooter still their own


def test_a_failed_answer_costs_as_a_wrong_declaration() -> None:
    """The clicker takes one card as one of the others, and the clicked one leaves the game."""
    state = clicked()
    do(state, 1, Shoot(1, clicked=True), 9_000)
    do(state, 1, Pass(), 9_500)
    assert (state.winner, state.takes) == (None, ((0, 1), (2, 1)))
    assert state.out == bytes([card("star-red")])
    assert state.wheel[1] == card("loot-azure")
    take(state, 1, 0)
    assert state.won == [bytes([card("loot-azure")]), b"", bytes([card("pistol-red")])]
    assert state.phase is Phase.LAY


def test_a_click_that_nobody_answers_wins_one_of_the_eight() -> None:
    state = clicked()
    told = wait_until(state, 15_000)
    assert said(told, WentOut) == [WentOut(card("star-red"))]
    assert (state.winner, state.takes, state.barred) == (0, ((0, 1),), None)
    assert [str(why_not(state, 0, Take(place))) for place in range(8)] == ["None"] * 8
    take(state, 4)
    assert state.won[0] == bytes([card("horseshoe-white")])
    assert (state.ended_by, state.layers) == (0, (2, 1))


def test_the_song_is_over_at_once_when_all_pass() -> None:
    state = clicked()
    assert said(do(state, 1, Pass(), 5_500), Passed) == [Passed(1)]
    assert state.phase is Phase.CLICKED
    do(state, 2, Pass(), 6_000)
    assert (state.phase, state.acting) == (Phase.TAKE, 0)


def test_who_passes_is_not_waited_for() -> None:
    state = racing(seats=4, lags=(0, 0, 150, 20))
    do(state, 0, Click(), 5_000)
    wait_until(state, 5_150)
    assert state.phase is Phase.CLICKED
    do(state, 1, Shoot(1, clicked=True), 9_000)
    assert decision_ms(state) == 9_150
    do(state, 2, Pass(), 9_010)
    assert decision_ms(state) == 9_020


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


def test_the_clock_does_nothing_by_itself_before_its_time() -> None:
    """A tick at a deadline is the deadline's: the same state, whenever the server woke."""
    state = racing(seats=3, lags=(0, 120, 60))
    do(state, 0, Shoot(3), 5_000)
    due_ms = deadline(state)
    assert due_ms == 5_120
    assert shooter(tick(state, due_ms)) == 0
