"""Whose newest action may be taken back, held against a reading of the rules ply by ply."""

from random import Random

import pytest

from protocol.games.clocktowers import Draw, Options, TakeBack, TurnOrder
from server.games.clocktowers.game import CLOCKTOWERS
from server.games.contract import BEGINNING
from tests.laws.laws import walk

RULES = CLOCKTOWERS.rules


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.mark.parametrize("order", TurnOrder)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_play_or_discard_is_revocable_and_nothing_else(seats: int, order: TurnOrder) -> None:
    state = RULES.setup(Options(turn_order=order), seats, seed(seats))
    expected = None
    for seat, action in walk(RULES, state, Random(seats), 200):
        assert RULES.revocable(state) == expected
        expected = None if isinstance(action, Draw) else seat
    assert RULES.revocable(state) is None, "the match is over"


def test_a_table_may_do_without() -> None:
    state = RULES.setup(Options(take_back=TakeBack.OFF), 2, seed(1))
    for _ in walk(RULES, state, Random(1), 200):
        assert RULES.revocable(state) is None


@pytest.mark.parametrize("order", TurnOrder)
def test_an_imagined_state_says_the_same(order: TurnOrder) -> None:
    """Bots search through imagined states; those know no history but the counts."""
    state = RULES.setup(Options(turn_order=order), 3, seed(5))
    events = [RULES.opening(state)]
    rng = Random(5)
    while (acting := RULES.to_act(state)) and (seat := acting[0]) is not None:
        view = RULES.view(state, seat)
        told = [e.event for some in events for e in some if e.to in (None, seat)]
        assert RULES.revocable(RULES.determinize(view, told, rng)) == RULES.revocable(state)
        legal = RULES.legal_actions(state, seat)
        events.append(RULES.apply(state, seat, legal[rng.randrange(len(legal))], BEGINNING))
