"""The tree: what a simulation leaves behind, where it ends, for whom it counts."""

from random import Random
from typing import Any

import pytest

from protocol.games.clocktowers import Options, TurnOrder
from server.games.clocktowers.legal import legal_actions
from server.games.clocktowers.search import tree
from server.games.clocktowers.search.evaluation import POINT, chances, margins
from server.games.clocktowers.search.tree import Node, Search
from server.games.clocktowers.setup import setup
from server.games.clocktowers.state import DRAW, OVER, State, copy
from tests.games.clocktowers.positions import SEED, add_tower, play, stage

CHANCE = chances([0] + 13 * [2])


def grown(state: State, simulations: int, turns: int = 4) -> Node:
    """The node of the first legal action after some simulations in the one state."""
    search, node = Search(CHANCE, state.turns_left - turns, Random(1)), Node()
    action = legal_actions(state, state.turn)[0]
    for _ in range(simulations):
        search.simulate(node, copy(state), action)
    return node


def test_visits_add_up() -> None:
    node = grown(setup(Options(), 2, SEED), 120)
    assert node.visits == 120
    nodes = [node]
    while nodes:
        at = nodes.pop()
        below = sum(child.visits for child in at.children.values())
        # A node's own first visit, which made it, went no further down the tree.
        assert below in ((at.visits,) if at is node else (at.visits - 1,)) or not at.children
        nodes += at.children.values()


def test_one_action_more_is_tried_with_every_so_many_visits() -> None:
    for simulations in (1, 8, 9, 17, 30):
        node = grown(setup(Options(), 2, SEED), simulations, turns=1)
        assert len(node.children) == min(3, 1 + (simulations - 1) // tree.VISITS_AN_ACTION)


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
