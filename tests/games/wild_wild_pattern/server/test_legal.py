"""Who may do what, and the code of the refusal for the others."""

import pytest

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Options,
    Pass,
    Phase,
    Practice,
    Ready,
    Shoot,
    Take,
    Use,
)
from protocol.games.wild_wild_pattern.cards import Challenge, Direction, Pattern
from server.games.wild_wild_pattern.race import to_act
from server.games.wild_wild_pattern.rules import legal_actions
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

PRACTICE = Options(practice=Practice.ON)
ALL: tuple[Action, ...] = (
    Ready(),
    Shoot(0),
    Shoot(0, clicked=True),
    Click(),
    Declare(pattern("before star coin")),
    Take(0),
    Use(Challenge.ONE_DOLLAR),
    Lay(0),
    Pass(),
)


def code(state: State, seat: int, action: Action) -> str | None:
    refusal = why_not(state, seat, action)
    return None if refusal is None else str(refusal.code)


def possible(state: State, seat: int) -> list[type]:
    return [type(action) for action in ALL if why_not(state, seat, action) is None]


def test_each_phase_has_its_actions() -> None:
    state = stage()
    assert possible(state, 0) == [Ready]
    do(state, 0, Ready())
    assert code(state, 0, Ready()) == "already_ready"
    do(state, 1, Ready())
    assert possible(state, 0) == possible(state, 1) == [Shoot, Click]
    do(state, 0, Shoot(1))
    assert (possible(state, 0), possible(state, 1)) == ([Declare, Pass], [])
    assert code(state, 0, Declare(Pattern(Direction.AFTER, 0, 1))) == "no_object"
    assert code(state, 1, Pass()) == "not_your_turn"
    assert code(state, 0, Lay(0)) == "wrong_phase"


def test_a_click_is_answered_by_the_others_only() -> None:
    state = racing(seats=3)
    do(state, 0, Click())
    assert code(state, 0, Shoot(0, clicked=True)) == code(state, 0, Pass()) == "own_click"
    assert possible(state, 1) == [Shoot, Pass]
    assert code(state, 1, Click()) == "wrong_phase"
    do(state, 1, Pass())
    assert code(state, 1, Shoot(0, clicked=True)) == "already_passed"
    assert to_act(state) == [2]


def test_a_shot_that_was_on_its_way_when_somebody_clicked_is_none_with_the_clicked_card() -> None:
    state = racing()
    assert code(state, 1, Shoot(0, clicked=True)) == "wrong_phase"
    do(state, 0, Click())
    assert code(state, 1, Shoot(0)) == "wrong_phase"
    assert code(state, 1, Shoot(0, clicked=True)) is None


def test_one_try_each() -> None:
    state = racing(lags=(0, 100))
    do(state, 0, Shoot(1), at_ms=5000)
    assert code(state, 0, Shoot(2)) == code(state, 0, Click()) == "already_shot"
    assert possible(state, 1) == [Shoot, Click]


def test_only_who_practises_may_pass_in_a_race() -> None:
    assert code(racing(), 0, Pass()) == "only_in_practice"
    assert code(racing(options=PRACTICE), 0, Pass()) is None


def test_without_a_card_one_neither_shoots_nor_clicks() -> None:
    state = racing()
    state.hand[1] = 0
    assert code(state, 1, Shoot(0)) == code(state, 1, Click()) == "no_card"
    do(state, 0, Click())
    assert possible(state, 1) == [Shoot, Pass]


def test_a_taken_place_and_the_played_card_cannot_be_taken() -> None:
    state = racing(
        "pistol-azure bottle-red",
        "loot-red star-red loot-white star-azure bottle-grey barrel-grey dynamite-red star-grey",
    )
    state.wheel = state.wheel[:7] + bytes([card("wanted-azure")])
    do(state, 0, Shoot(1))
    do(state, 0, Declare(pattern("before loot azure")))
    assert state.phase is Phase.TAKE
    assert code(state, 0, Take(1)) == "barred"
    state.put(4, 0)
    assert code(state, 0, Take(4)) == "gap_there"
    assert [action.place for action in legal_actions(state, to_act(state)[0])] == [0, 2, 3, 5, 6, 7]  # type: ignore[union-attr]


def test_a_challenge_must_be_ones_own() -> None:
    state = racing()
    hold(state, 0, "1-dollar")
    hold(state, 1, "10-cents")
    do(state, 0, Click())
    do(state, 1, Pass())
    take(state, 0)
    assert code(state, 0, Use(Challenge.TEN_CENTS)) == "not_your_challenge"
    assert code(state, 0, Use(Challenge.ONE_DOLLAR, 3)) == "cannot_do_that"
    assert code(state, 0, Use(Challenge.ONE_DOLLAR)) is None


@pytest.mark.parametrize(
    ("gap", "wrong", "why"), [(3, 0, "fill_a_gap"), (None, 1, "same_colour_first")]
)
def test_where_a_card_may_be_laid(gap: int | None, wrong: int, why: str) -> None:
    state = racing()
    state.phase, state.acting, state.layers = Phase.LAY, 0, (0,)
    if gap is not None:
        state.put(gap, 0)
    assert code(state, 0, Lay(wrong)) == why
    allowed = [place for place in range(8) if code(state, 0, Lay(place)) is None]
    assert allowed == ([3] if gap is not None else [0, 5])  # the red ones


def test_who_is_out_and_who_is_late_may_do_nothing() -> None:
    state = racing(seats=3)
    state.standing[2] = False
    assert code(state, 2, Shoot(0)) == "eliminated"
    assert to_act(state) == [0, 1]
    state.phase = Phase.OVER
    assert code(state, 0, Shoot(0)) == "match_over"
