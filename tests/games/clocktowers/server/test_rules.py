"""A turn, line by line of the rules page."""

from random import Random

import pytest

from protocol.errors import Param, Refusal
from protocol.games.clocktowers import (
    Completed,
    Discarded,
    Draw,
    Drew,
    Ladder,
    Options,
    Play,
    Played,
    TurnOrder,
    YouDiscarded,
)
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.clocktowers.rules import apply, legal_actions, refuse, to_act
from server.games.clocktowers.state import DRAW, OVER, PLAY, setup
from server.games.contract import BEGINNING
from tests.games.clocktowers.positions import (
    SEED,
    add_tower,
    card,
    cards,
    discard,
    do,
    draw,
    play,
    stage,
    why_not,
)
from tests.laws.laws import walk

RULES = CLOCKTOWERS.rules
OWN = Options(ladder=Ladder.OWN)
DRAW_FIRST = Options(turn_order=TurnOrder.DRAW_PLAY, first_seat=0)


# Floor, Clock, Roof ------------------------------------------------------------------------------


def test_a_floor_starts_a_tower_or_goes_on_floors() -> None:
    state = stage("2c 1- K-", "1m")
    assert do(state, play("2c", 0)) == [Played(0, card("2c"), 0, 3)]
    assert state.towers[0] == [cards("1m 2c")]
    state = stage("2c 1- K-", "1m")
    assert do(state, play("2c")) == [Played(0, card("2c"), 1, 2)]
    assert state.towers[0] == [cards("1m"), cards("2c")]


@pytest.mark.parametrize("code", ["1-", "2m", "K-", "Km"])
def test_nothing_but_a_roof_goes_above_a_clock(code: str) -> None:
    state = stage(code, "1- K-")
    assert refuse(state, 0, play(code, 0)) == Refusal("has_clock", {"tower": 0, "card": card(code)})


@pytest.mark.parametrize("code", ["K-", "Km", "Rb"])
def test_only_a_floor_starts_a_tower(code: str) -> None:
    state = stage(code, "1-")
    assert refuse(state, 0, play(code)) == Refusal("needs_tower", {"card": card(code)})


def test_a_roof_needs_a_clock() -> None:
    state = stage("Rb", "1-", "1- K-")
    assert refuse(state, 0, play("Rb", 0)) == Refusal("no_clock", {"tower": 0})
    assert do(state, play("Rb", 1)) == [
        Played(0, card("Rb"), 1, 1),
        Completed(0, 1, card("Rb"), 1, 5, 2),
    ]


@pytest.mark.parametrize("code", ["1-", "K-", "Rg"])
def test_a_complete_tower_takes_no_more(code: str) -> None:
    state = stage(code)
    add_tower(state, 0, "1- K- Rb", worth=5)
    assert refuse(state, 0, play(code, 0)) == Refusal("tower_complete", {"tower": 0})


def test_only_ones_own_towers() -> None:
    state = stage("1- K- Rb")
    add_tower(state, 1, "1-")
    assert refuse(state, 0, play("1-", 0)) == Refusal("no_such_tower", {"tower": 0, "towers": 0})
    assert why_not(state, play("K-", 0)) == "no_such_tower"


# The ladder of heights ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first_heights", "height", "fits"),
    [
        ((1, 2), 1, True),
        ((1, 2), 2, True),
        ((1, 2), 3, False),
        ((2,), 1, False),
        ((2,), 2, True),
        ((2,), 3, False),
    ],
)
def test_first_heights(first_heights: tuple[int, ...], height: int, fits: bool) -> None:
    floors = {1: "1-", 2: "2-", 3: "1- 2-"}[height]
    state = stage("Rb", f"{floors} K-", options=Options(first_heights=first_heights))
    expected = None
    if not fits:
        params: dict[str, Param] = {
            "tower": 0,
            "card": card("Rb"),
            "height": height,
            "heights": [*first_heights],
        }
        expected = Refusal("wrong_height", params)
    assert refuse(state, 0, play("Rb", 0)) == expected
    assert (Play(card("Rb"), 0) in legal_actions(state, 0)) == fits


def test_each_next_tower_of_a_colour_is_one_higher() -> None:
    """The Dutch sheet's example: 1, 2, 3, 4; other colours don't care."""
    towers = ["1- K-", "2- K-", "1- 2- K-", "2- 2- K-", "1- K-"]
    state = stage("Rb Rb Rb Rb Rg", *towers)
    for index, height in enumerate((1, 2, 3, 4)):
        fitting = [i for i in range(4) if i >= index and why_not(state, play("Rb", i)) is None]
        # The first may be 1 or 2 high; then only the next step is left.
        assert fitting == ([0, 1] if index == 0 else [index])
        events = do(state, play("Rb", index))
        assert events[1] == Completed(0, index, card("Rb"), height, 5, height + 1)
        state.phase, state.turn = PLAY, 0
    assert why_not(state, play("Rg", 4)) is None


@pytest.mark.parametrize(("options", "why"), [(None, "wrong_height"), (OWN, None)])
def test_a_shared_ladder_blocks_the_others_and_an_own_one_does_not(
    options: Options | None, why: str | None
) -> None:
    state = stage("Rb", "1- K-", options=options)
    add_tower(state, 1, "1c K-")
    state.hands[1] = [card("Rb")]
    do(state, play("Rb", 0))
    state.phase, state.turn = PLAY, 1
    assert why_not(state, play("Rb", 0), seat=1) == why


# Discard and draw --------------------------------------------------------------------------------


def test_a_discard_is_allowed_though_a_play_is_possible() -> None:
    state = stage("1- 1- Rb")
    events = apply(state, 0, discard("1-"), BEGINNING)
    assert [(told.to, told.event) for told in events] == [
        (None, Discarded(0)),
        (0, YouDiscarded(card("1-"))),
    ]
    assert (state.discards[0], state.hands[0]) == (cards("1-"), list(cards("1- Rb")))
    assert state.phase == DRAW


def test_equal_cards_are_one_action_and_the_order_is_fixed() -> None:
    state = stage("Rb 1- 1- K-", "2-", "1- K-", "1-")
    assert list(legal_actions(state, 0)) == [
        play("1-"),
        play("1-", 0),
        play("1-", 2),
        play("K-", 0),
        play("K-", 2),
        play("Rb", 1),
        discard("1-"),
        discard("K-"),
        discard("Rb"),
    ]


def test_the_draw_is_compulsory_and_seen() -> None:
    state = stage("1- K- Rb")
    drawn, below = state.deal.piles[2][:2]
    do(state, discard("1-"))
    assert list(legal_actions(state, 0)) == [draw("floor"), draw("clock"), draw("roof")]
    assert why_not(state, discard("K-")) == "wrong_phase"
    events = apply(state, 0, draw("roof"), BEGINNING)
    assert [(told.to, told.event) for told in events] == [(None, Drew(0, 2, drawn, below))]
    assert state.hands[0] == sorted([*cards("K- Rb"), drawn])
    assert list(to_act(state)) == [1]


def test_a_pile_that_runs_out_is_skipped() -> None:
    state = stage("1- K- Rb")
    state.left[1] = 1
    last = state.deal.piles[1][-1]
    do(state, discard("1-"))
    assert do(state, draw("clock")) == [Drew(0, 1, last, 0)]
    do(state, discard("1c"))
    assert list(legal_actions(state, 1)) == [draw("floor"), draw("roof")]
    assert refuse(state, 1, draw("clock")) == Refusal("pile_empty", {"pile": 1})


@pytest.mark.parametrize("options", [Options(), DRAW_FIRST])
def test_once_all_piles_are_out_a_turn_is_one_card(options: Options) -> None:
    state = stage("1- K- Rb", options=options)
    state.left, state.open_piles = [0, 0, 0], 0
    for turn, code in enumerate(("1-", "1c", "K-", "1m")):
        assert (list(to_act(state)), state.phase) == ([turn % 2], PLAY)
        assert draw("floor") not in legal_actions(state, turn % 2)
        assert refuse(state, turn % 2, draw("floor")) == Refusal("wrong_phase", {"phase": "play"})
        do(state, discard(code))


def test_draw_first_tables_draw_then_play() -> None:
    state = setup(DRAW_FIRST, 2, SEED)
    assert refuse(state, 0, discard("1c")) == Refusal("wrong_phase", {"phase": "draw"})
    do(state, draw("clock"))
    assert (list(to_act(state)), state.phase, len(state.hands[0])) == ([0], PLAY, 4)
    do(state, play("1c"))
    assert (list(to_act(state)), state.phase, len(state.hands[0])) == ([1], DRAW, 3)


# Turns -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn_order", list(TurnOrder))
@pytest.mark.parametrize("first_seat", [0, 1])
@pytest.mark.parametrize(
    ("seats", "each"), [(2, [29, 29]), (3, [20, 19, 19]), (4, [15, 15, 14, 14])]
)
def test_fifty_eight_turns_and_nobody_is_skipped(
    turn_order: TurnOrder, first_seat: int, seats: int, each: list[int]
) -> None:
    state = setup(Options(turn_order=turn_order, first_seat=first_seat), seats, SEED)
    rng = Random(seats)
    turns: list[int] = []
    while acting := to_act(state):
        (seat,) = acting
        actions = legal_actions(state, seat)
        if state.phase == PLAY:
            turns.append(seat)
        apply(state, seat, actions[int(rng.random() * len(actions))], BEGINNING)
    assert turns == [(first_seat + turn) % seats for turn in range(58)]
    assert [turns.count((first_seat + n) % seats) for n in range(seats)] == each
    assert state.hands == [[]] * seats


@pytest.mark.parametrize("order", TurnOrder)
def test_a_play_or_discard_can_be_taken_back_and_nothing_else(order: TurnOrder) -> None:
    state, expected = setup(Options(turn_order=order), 3, SEED), None
    for seat, action in walk(RULES, state, Random(3), 200):
        assert RULES.revocable(state) == expected
        expected = None if isinstance(action, Draw) else seat


# Refusals ----------------------------------------------------------------------------------------


def test_another_seats_turn() -> None:
    state = stage("1- K- Rb")
    assert refuse(state, 1, discard("1c")) == Refusal("not_your_turn")
    assert list(legal_actions(state, 1)) == []


def test_a_card_one_does_not_hold() -> None:
    state = stage("1- K- Rb")
    assert refuse(state, 0, play("2-")) == Refusal("not_in_hand", {"card": card("2-")})
    assert refuse(state, 0, discard("2-")) == Refusal("not_in_hand", {"card": card("2-")})


def test_after_the_end() -> None:
    state = stage("1-")
    state.left, state.open_piles, state.turns_left = [0, 0, 0], 0, 1
    do(state, play("1-"))
    assert (state.phase, list(to_act(state))) == (OVER, [])
    assert refuse(state, 0, discard("1-")) == Refusal("match_over")
