"""What all see at the same moment, however slow their lines are (rules: A turn, 1, 2; Over a
network). Who was first is compared with the oracle."""

from protocol.games.wild_wild_pattern import (
    Click,
    Clicked,
    Drew,
    Found,
    Phase,
    Ready,
    Replaced,
    Seen,
    Shoot,
    Shot,
)
from server.games.contract import Addressed
from server.games.wild_wild_pattern.legal import to_act
from server.games.wild_wild_pattern.rules import deadline, holds
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import (
    card,
    do,
    everybody_is_ready,
    next_tick,
    racing,
    said,
    stage,
    wait_until,
    why_not,
)

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
