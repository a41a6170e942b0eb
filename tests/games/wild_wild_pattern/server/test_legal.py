"""The code of each refusal. Who may do what is compared with the oracle, which lists it, and with
the law that an action is refused exactly when it is not listed."""

import pytest

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import Challenge, Direction, Pattern
from server.games.wild_wild_pattern.state import State
from tests.games.wild_wild_pattern.positions import (
    card,
    do,
    hold,
    pattern,
    racing,
    stage,
    take,
    why_not,
)


def code(state: State, seat: int, action: Action) -> str | None:
    refusal = why_not(state, seat, action)
    return None if refusal is None else str(refusal.code)


def test_what_does_not_fit_the_phase() -> None:
    state = stage()
    do(state, 0, Ready())
    assert code(state, 0, Ready()) == "already_ready"
    do(state, 1, Ready())
    assert code(state, 0, Pass()) == "only_in_practice"
    do(state, 0, Shoot(1))
    assert code(state, 0, Declare(Pattern(Direction.AFTER, 0, 1))) == "no_object"
    assert code(state, 1, Pass()) == "not_your_turn"
    assert code(state, 0, Lay(0)) == "wrong_phase"


def test_a_click_is_answered_by_the_others_and_once() -> None:
    state = racing(seats=3)
    assert code(state, 1, Shoot(0, clicked=True)) == "wrong_phase"
    do(state, 0, Click())
    assert code(state, 0, Shoot(0, clicked=True)) == code(state, 0, Pass()) == "own_click"
    assert code(state, 1, Shoot(0)) == code(state, 1, Click()) == "wrong_phase"
    do(state, 1, Pass())
    assert code(state, 1, Shoot(0, clicked=True)) == "already_passed"


def test_one_try_each_and_none_without_a_card() -> None:
    state = racing(lags=(0, 100))
    do(state, 0, Shoot(1), at_ms=5000)
    assert code(state, 0, Shoot(2)) == code(state, 0, Click()) == "already_shot"
    state.hand[1] = 0
    assert code(state, 1, Shoot(0)) == code(state, 1, Click()) == "no_card"


def test_a_taken_place_and_the_played_card_cannot_be_taken() -> None:
    state = racing(
        "pistol-azure bottle-red",
        "loot-red star-red loot-white star-azure bottle-grey barrel-grey dynamite-red star-grey",
    )
    state.wheel = state.wheel[:7] + bytes([card("wanted-azure")])
    do(state, 0, Shoot(1))
    do(state, 0, Declare(pattern("before loot azure")))
    assert code(state, 0, Take(1)) == "barred"
    state.put(4, 0)
    assert code(state, 0, Take(4)) == "gap_there"


def test_a_challenge_must_be_ones_own() -> None:
    state = racing()
    hold(state, 0, "1-dollar")
    hold(state, 1, "10-cents")
    do(state, 0, Click())
    do(state, 1, Pass())
    take(state, 0)
    assert code(state, 0, Use(Challenge.TEN_CENTS)) == "not_your_challenge"
    assert code(state, 0, Use(Challenge.ONE_DOLLAR, 3)) == "cannot_do_that"


@pytest.mark.parametrize(
    ("gap", "wrong", "why"), [(3, 0, "fill_a_gap"), (None, 1, "same_colour_first")]
)
def test_where_a_card_may_be_laid(gap: int | None, wrong: int, why: str) -> None:
    state = racing()
    state.phase, state.acting, state.layers = Phase.LAY, 0, (0,)
    if gap is not None:
        state.put(gap, 0)
    assert code(state, 0, Lay(wrong)) == why


def test_who_is_out_and_who_is_late_may_do_nothing() -> None:
    state = racing(seats=3)
    state.standing[2] = False
    assert code(state, 2, Shoot(0)) == "eliminated"
    state.phase = Phase.OVER
    assert code(state, 0, Shoot(0)) == "match_over"
