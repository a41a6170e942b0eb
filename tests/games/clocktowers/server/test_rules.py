"""Why an action is impossible, what a seat sees, and what a bot imagines."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.errors import Param, Refusal
from protocol.games import Switch
from protocol.games.clocktowers import COPIES, Draw, Ladder, Options, TurnOrder
from protocol.games.moves import RecordError
from server.games.clocktowers.game import NOTATION, RULES
from server.games.clocktowers.rules import apply, legal_actions, refuse
from server.games.clocktowers.state import (
    DRAW,
    OVER,
    State,
    after_discard,
    after_draw,
    after_play,
    begin,
    check_options,
    opening,
    setup,
)
from server.games.clocktowers.view import determinize
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
)
from tests.laws.laws import walk


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
    again = RULES.rematch_options(options, 3, SEED)
    assert again == Options(first_heights=(2,), first_seat=(first + 1) % 3)
    assert RULES.rematch_options(again, 3, SEED).first_seat == (first + 2) % 3


# What a seat sees, what everybody can know of a hand (open memory), and what a bot imagines ------


def test_an_own_ladder_has_a_row_for_each_seat() -> None:
    state = stage("Rb", "2- K-", options=Options(ladder=Ladder.OWN, first_heights=(2,)), seats=3)
    do(state, play("Rb", 0))
    first = bytes((0b100,) * 5)
    assert RULES.view(state, 1).ladder == [bytes((0b1000,)) + first[1:], first, first]


def test_a_view_does_not_change_with_its_state() -> None:
    state = stage("Rb 1- Km", "2-")
    before = RULES.view(state, 0)
    do(state, play("1-", 0))
    assert before.towns[0].towers == [cards("2-")]
    assert before.hand == bytes((card("1-"), card("Km"), card("Rb")))


def every_hand_that_fits(story: list[tuple[str, int]]) -> set[bytes]:
    """By trying every card at every discard, from the start: slow, and keeps no set in between."""

    def tell(hand: list[int], rest: list[tuple[str, int]]) -> set[bytes]:
        if not rest:
            return {bytes(sorted(hand))}
        (deed, seen), later = rest[0], rest[1:]
        if deed == "draw":
            return tell([*hand, seen], later)
        gone = [seen] if deed == "play" else hand
        found: set[bytes] = set()
        for one in gone:
            if one in hand:
                left = hand[:]
                left.remove(one)
                found |= tell(left, later)
        return found

    return tell(list(cards("1c 1m Km")), story)


@given(st.integers(0, 2**32), st.booleans(), st.integers(1, 9))
def test_the_set_of_hands_is_complete(number: int, draw_first: bool, turns: int) -> None:
    rng = Random(number)
    hand = list(cards("1c 1m Km"))
    story: list[tuple[str, int]] = []
    hands = begin()
    for _ in range(turns):
        drawn = rng.choice(cards("1c 2- Rb K-"))
        gone = rng.choice([*hand, drawn] if draw_first else hand)
        hidden = rng.random() < 0.6
        deeds = [("discard" if hidden else "play", 0 if hidden else gone), ("draw", drawn)]
        hand = [*hand, drawn]
        hand.remove(gone)
        for deed, seen in reversed(deeds) if draw_first else deeds:
            story.append((deed, seen))
            if deed == "draw":
                hands = after_draw(hands, seen)
            else:
                hands = after_discard(hands) if deed == "discard" else after_play(hands, seen)
    assert set(hands) == every_hand_that_fits(story)
    assert bytes(sorted(hand)) in hands


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]))
def test_what_is_certain_is_true_and_all_that_is_certain(number: int, seats: int) -> None:
    """On random matches: marks are in the real hand, and the set of hands stays small."""
    rng = Random(number)
    state = setup(Options(open_memory=Switch.ON), seats, number.to_bytes(32, "big"))
    while state.turn < seats:
        actions = legal_actions(state, state.turn)
        apply(state, state.turn, actions[int(rng.random() * len(actions))], BEGINNING)
        assert state.memory is not None
        for seat, hand in enumerate(state.hands):
            hands = state.memory[seat]
            assert bytes(hand) in hands
            assert len(hands) <= 200
            for mark in range(1, 14):
                fewest = min(possible.count(mark) for possible in hands)
                assert RULES.view(state, None).known[seat].count(mark) == fewest


def played(options: Options, seats: int, plies: int) -> tuple[State, list[list[Any]]]:
    """A state after some random plies, and the events by seat."""
    rng = Random(plies)
    state = setup(options, seats, SEED)
    sent: list[list[Any]] = [[opening(state)[0].event] for _ in range(seats)]
    for _ in range(plies):
        actions = legal_actions(state, state.turn)
        for told in apply(state, state.turn, actions[int(rng.random() * len(actions))], BEGINNING):
            for seat in range(seats) if told.to is None else (told.to,):
                sent[seat].append(told.event)
    return state, sent


@pytest.mark.parametrize("plies", [0, 20, 60, 100])
def test_the_box_stays_complete(plies: int) -> None:
    state, sent = played(Options(), 3, plies)
    imagined = determinize(RULES.view(state, 1), sent[1], Random(1))
    content = [*imagined.deal.removed, *map(bytes, imagined.hands), *map(bytes, imagined.discards)]
    content += [tower for towers in imagined.towers for tower in towers]
    content += [
        pile[len(pile) - left :] for pile, left in zip(imagined.piles, imagined.left, strict=True)
    ]
    assert Counter(b"".join(content)) == {n: copies for n, copies in enumerate(COPIES) if copies}


def test_what_is_hidden_varies() -> None:
    state, sent = played(Options(), 2, 50)
    seen = RULES.view(state, 0)
    imagined = [determinize(seen, sent[0], Random(number)) for number in range(30)]
    assert len({tuple(one.hands[1]) for one in imagined}) > 1
    assert len({one.deal.removed for one in imagined}) > 20
    assert len({one.piles for one in imagined}) > 20
    assert {tuple(one.hands[0]) for one in imagined} == {tuple(state.hands[0])}
    assert {tuple(one.discards[0]) for one in imagined} == {tuple(state.discards[0])}


def test_a_known_hand_is_taken_over() -> None:
    """Before anybody has discarded every hand is known."""
    state, sent = played(Options(), 2, 0)
    imagined = determinize(RULES.view(state, 0), sent[0], Random(1))
    assert imagined.hands == state.hands


def test_a_spectator_cannot() -> None:
    state, sent = played(Options(), 2, 10)
    with pytest.raises(ValueError, match="spectator"):
        determinize(RULES.view(state, None), sent[0], Random(1))


def test_events_must_begin_with_the_deal() -> None:
    state, sent = played(Options(), 2, 10)
    with pytest.raises(ValueError, match="deal"):
        determinize(RULES.view(state, 0), sent[0][1:], Random(1))


# Its records -------------------------------------------------------------------------------------


def test_a_deal_for_another_number_of_seats() -> None:
    record = NOTATION.setup_to_record(setup(Options(first_seat=0), 2, SEED))
    with pytest.raises(RecordError, match=r"floor in piles must have 17 cards, not 19"):
        NOTATION.setup_from_record(record, Options(), 3)


def test_describe_names_cards_by_code() -> None:
    refusal = refuse(stage("Rb", "1- 2- K-"), 0, play("Rb", 0))
    assert refusal is not None
    said = "wrong height (tower 0, card Rb, height 3, heights 1 or 2)"
    assert NOTATION.describe(refusal) == said
