"""What the search is made of: what a position is worth, the quick reply, and the tree."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from protocol.games.clocktowers import Action, Options, TurnOrder
from server.games.clocktowers.legal import legal_actions, refuse
from server.games.clocktowers.rules import apply
from server.games.clocktowers.search import tree
from server.games.clocktowers.search.evaluation import POINT, chances, hopes, margins
from server.games.clocktowers.search.levels import hard
from server.games.clocktowers.search.reply import reply
from server.games.clocktowers.search.tree import Node, Search
from server.games.clocktowers.setup import opening, setup
from server.games.clocktowers.state import DRAW, NOBODY, OVER, State, copy
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING, Stop, never
from tests.games.clocktowers.case import CASE as CLOCKTOWERS, disguise_clocktowers
from tests.games.clocktowers.positions import SEED, add_tower, draw, play, stage
from tests.laws.laws import sent_to


class Position(NamedTuple):
    """`state` is a copy; `sent` are the events of the seat to act."""

    state: State
    sent: list[Any]

    def decide(self, number: int = 1, stop: Stop = never) -> Action:
        """What `hard` does here."""
        return hard(view(self.state, self.state.turn), self.sent, Random(number), stop)

    def is_a_choice(self) -> bool:
        return len(view(self.state, self.state.turn).legal) > 1


def positions(options: Options, seats: int, number: int, every: int) -> Iterator[Position]:
    """Now and then on a way on which every seat does what the quick reply says."""
    state = setup(options, seats, number.to_bytes(32, "big"))
    events = opening(state)
    sent = [sent_to(seat, events) for seat in range(seats)]
    ply = 0
    while state.turn != NOBODY:
        if ply % every == number % every:
            yield Position(copy(state), sent[state.turn][:])
        told = apply(state, state.turn, reply(state), BEGINNING)
        for seat in range(seats):
            sent[seat] += sent_to(seat, told)
        ply += 1


NOTHING = chances([0] * 14)


def alone(state: State) -> State:
    """No pile is left: what is in the hand is all there is."""
    state.left, state.open_piles = [0, 0, 0], 0
    return state


def test_at_the_end_points_alone_count() -> None:
    state = stage("Rb", "1- K-", seats=3)
    state.points[:] = [7, 4, 12]
    state.turn, state.phase = NOBODY, OVER
    assert margins(state, NOTHING) == [-5 * POINT, -8 * POINT, 5 * POINT]


def test_two_seats_have_opposite_margins() -> None:
    for options in CLOCKTOWERS.options:
        for position in positions(options, 2, 1, 17):
            first, second = margins(position.state, chances([2] * 14))
            assert first == -second


def test_a_roof_is_hoped_for_once() -> None:
    """The only blue roof finishes one of two towers; the second has no step left either."""
    one = hopes(alone(stage("Rb", "1- K-")), 0, NOTHING)
    assert 0 < one < 5 * POINT
    assert hopes(alone(stage("Rb", "1- K-", "1- K-")), 0, NOTHING) == one
    assert hopes(alone(stage("Rb Rg", "1- K-", "1- K-")), 0, NOTHING) == 2 * one


def test_a_clock_is_hoped_for_once() -> None:
    one = hopes(alone(stage("K- Rb Rg", "1-")), 0, NOTHING)
    assert hopes(alone(stage("K- Rb Rg", "1-", "1-")), 0, NOTHING) == one
    assert hopes(alone(stage("K- K- Rb Rg", "1-", "1-")), 0, NOTHING) == 2 * one


def test_what_comes_too_late_is_worth_nothing() -> None:
    state = alone(stage("K- Rb", "1-", options=Options(first_seat=0)))
    for turns_left, hoped in ((4, True), (3, True), (2, False), (1, False)):
        state.turns_left = turns_left
        assert (hopes(state, 0, NOTHING) > 0) == hoped


def test_an_unseen_card_counts_only_where_cards_are_left() -> None:
    state = alone(stage("1-", "1- K-"))
    some = chances([0] + 13 * [3])
    assert hopes(state, 0, some) == 0
    state.left[2] = 5
    assert hopes(state, 0, some) > 0


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


CHANCE = chances([0] + 13 * [2])


def grown(state: State, simulations: int, turns: int = 4) -> Node:
    """The node of the first legal action after some simulations in the one state."""
    search, node = Search(CHANCE, state.turns_left - turns, Random(1)), Node()
    action = legal_actions(state, state.turn)[0]
    for _ in range(simulations):
        search.simulate(node, copy(state), action)
    return node


@pytest.mark.parametrize("order", list(TurnOrder))
@pytest.mark.parametrize("turns", [1, 3, 57, 58, 70])
def test_simulations_end_between_turns(
    order: TurnOrder, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[State] = []

    def noting(state: State, chance: Any) -> list[int]:
        ends.append(state)
        return margins(state, chance)

    monkeypatch.setattr(tree, "margins", noting)
    fresh = setup(Options(turn_order=order), 2, SEED)
    grown(fresh, 20, turns)
    for state in ends:
        assert state.turns_left == max(0, 58 - turns)
        if state.turns_left and all(state.left):
            assert state.phase == (DRAW if state.draw_first else 0)
        assert (state.phase == OVER) == (state.turns_left == 0)


def test_every_seat_wants_its_own_margin() -> None:
    """The other completes the tower that is worth 5; the tree finds it and counts it against us."""
    state = stage("1- 1- 1-", seats=2)
    add_tower(state, 1, "1- K-")
    state.hands[1] = [9, 13]
    state.turns_left, state.left, state.open_piles = 2, [0, 0, 0], 0
    node = grown(state, 200)
    roof = max(node.children.values(), key=lambda child: child.visits)
    assert node.children[play("Rb", 0)] is roof or node.children[play("Ry", 0)] is roof
    assert roof.mean() == 5 * POINT
    assert node.mean() < -4 * POINT
