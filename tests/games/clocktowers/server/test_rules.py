"""Why an action is impossible, what may be taken back, and what a match begins with.

What is legal, what follows from it and who wins is compared with the oracle.
"""

from random import Random

import pytest

from protocol.errors import Param, Refusal
from protocol.games.clocktowers import Draw, Options, TurnOrder
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.clocktowers.rules import refuse
from server.games.clocktowers.state import DRAW, OVER, check_options, rematch_options, setup
from tests.games.clocktowers.positions import SEED, add_tower, card, discard, draw, play, stage
from tests.laws.laws import walk

RULES = CLOCKTOWERS.rules


def test_each_refusal_names_its_reason() -> None:
    state = stage("1- K- Rb", "1-", "1- K-", "1- 2- K-")
    add_tower(state, 0, "1- K- Rb", worth=5)
    high: dict[str, Param] = {"tower": 2, "card": card("Rb"), "height": 3, "heights": [1, 2]}
    for action, refusal in (
        (play("K-"), Refusal("needs_tower", {"card": card("K-")})),
        (play("Rb"), Refusal("needs_tower", {"card": card("Rb")})),
        (play("1-", 4), Refusal("no_such_tower", {"tower": 4, "towers": 4})),
        (play("1-", 3), Refusal("tower_complete", {"tower": 3})),
        (play("1-", 1), Refusal("has_clock", {"tower": 1, "card": card("1-")})),
        (play("K-", 1), Refusal("has_clock", {"tower": 1, "card": card("K-")})),
        (play("Rb", 0), Refusal("no_clock", {"tower": 0})),
        (play("Rb", 2), Refusal("wrong_height", high)),
        (play("2-"), Refusal("not_in_hand", {"card": card("2-")})),
        (discard("2-"), Refusal("not_in_hand", {"card": card("2-")})),
        (draw("floor"), Refusal("wrong_phase", {"phase": "play"})),
    ):
        assert refuse(state, 0, action) == refusal
    assert refuse(state, 1, discard("1c")) == Refusal("not_your_turn")
    state.phase, state.left[1] = DRAW, 0
    assert refuse(state, 0, discard("1-")) == Refusal("wrong_phase", {"phase": "draw"})
    assert refuse(state, 0, draw("clock")) == Refusal("pile_empty", {"pile": 1})
    state.phase = OVER
    assert refuse(state, 0, discard("1-")) == Refusal("match_over")


@pytest.mark.parametrize("order", TurnOrder)
def test_a_play_or_discard_can_be_taken_back_and_nothing_else(order: TurnOrder) -> None:
    state, expected = setup(Options(turn_order=order), 3, SEED), None
    for seat, action in walk(RULES, state, Random(3), 200):
        assert RULES.revocable(state) == expected
        expected = None if isinstance(action, Draw) else seat


# The beginning -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (Options(), None),
        (Options(first_heights=(2,), first_seat=1), None),
        (Options(first_heights=(1,)), "first_heights"),
        (Options(first_heights=(2, 1)), "first_heights"),
        (Options(first_heights=()), "first_heights"),
        (Options(first_seat=2), "first_seat"),
    ],
)
def test_check_options(options: Options, wrong: str | None) -> None:
    assert check_options(options, 2) == wrong


def test_the_next_seat_begins_a_rematch() -> None:
    options = Options(first_heights=(2,))
    first = setup(options, 3, SEED).deal.first_seat
    again = rematch_options(options, 3, SEED)
    assert again == Options(first_heights=(2,), first_seat=(first + 1) % 3)
    assert rematch_options(again, 3, SEED).first_seat == (first + 2) % 3
