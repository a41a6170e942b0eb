"""The quick reply: always legal, sees no hidden card, takes the points that lie there."""

from random import Random

import pytest

from protocol.games.clocktowers import Options
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.rules import apply
from server.games.clocktowers.search.reply import reply
from server.games.clocktowers.setup import setup
from server.games.clocktowers.state import NOBODY, State
from server.games.contract import BEGINNING
from tests.games.clocktowers.case import CASE as CLOCKTOWERS, disguise_clocktowers
from tests.games.clocktowers.positions import draw, play, stage


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", CLOCKTOWERS.options)
def test_it_is_legal_and_sees_nothing_hidden(options: Options, seats: int) -> None:
    rng = Random(seats)
    state = setup(options, seats, seats.to_bytes(32, "big"))
    while state.turn != NOBODY:
        action = reply(state)
        assert refuse(state, state.turn, action) is None
        assert action == reply(disguise_clocktowers(state, state.turn, rng, 1))
        apply(state, state.turn, action, BEGINNING)


def test_one_that_peeks_would_be_caught() -> None:
    """Control: the disguise does change what lies below the tops and in other hands."""

    def peeking(state: State) -> object:
        return reply(state), state.hands[1 - state.turn], [pile[-1] for pile in state.piles]

    state = setup(Options(), 2, bytes(32))
    for _ in range(20):
        apply(state, state.turn, reply(state), BEGINNING)
    disguised = disguise_clocktowers(state, state.turn, Random(1), 1)
    assert peeking(state) != peeking(disguised)


def test_it_completes_the_better_tower() -> None:
    assert reply(stage("Rb K- 1-", "1m Km", "1- K-")) == play("Rb", 1)


def test_it_draws_the_roof_that_a_tower_waits_for() -> None:
    state = stage("K- 1-", "1- K-")
    state.phase = 1
    assert reply(state) == draw("roof")
