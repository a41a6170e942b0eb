"""The tree: actions that were tried, how often, and what came of them.

One tree serves all imagined states, since a seat cannot tell them apart; in each only the actions
that are legal there are looked at. A node is one action, of whichever seat was to act; every seat
wants its own margin to be large. The first thing tried at a node is the quick reply, others come as
its visits grow; below the tree quick replies go on to the horizon, where margins are estimated.
Law: + − × ÷ and √ alone, which come out the same on every machine.
"""

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final

from protocol.games.clocktowers import Action
from server.games.clocktowers.rules import advance, legal_actions
from server.games.clocktowers.search.evaluation import POINT, margins
from server.games.clocktowers.search.reply import reply
from server.games.clocktowers.state import DRAW, NOBODY, State
from server.games.contract import BEGINNING

VISITS_AN_ACTION: Final = 8
"""A node tries one action more each time it was visited this often."""

CURIOSITY: Final = 2 * POINT
"""How much an action that was hardly tried is favoured."""


class Node:
    """What came of one action; `total` adds up the margins of the seat that did it."""

    __slots__ = ("children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Action, Node] = {}
        self.total = 0
        self.visits = 0

    def mean(self) -> float:
        """Thousandths of a point; it was visited."""
        return self.total / self.visits


class Search:
    """One decision's simulations.

    `chance`: for the estimate (`hopes.chances`). `end`: the turns left at the horizon.
    """

    def __init__(self, chance: Sequence[int], end: int, rng: Random) -> None:
        self._chance = chance
        self._end = end
        self._rng = rng

    def simulate(self, node: Node, state: State, action: Action) -> None:
        """Plays `action`, whose node it is, and on to the horizon; `state` is used up."""
        path = [(state.turn, node)]
        advance(state, state.turn, action, BEGINNING)
        grown = False
        while not grown and not self._is_over(state):
            action, grown = self._choose(node, state)
            node = node.children[action]
            path.append((state.turn, node))
            advance(state, state.turn, action, BEGINNING)
        while not self._is_over(state):
            advance(state, state.turn, reply(state), BEGINNING)
        ends = margins(state, self._chance)
        for seat, visited in path:
            visited.total += ends[seat]
            visited.visits += 1

    def _is_over(self, state: State) -> bool:
        """Only between turns: a player who has not drawn yet looks worse than they stand."""
        if state.turn == NOBODY:
            return True
        return state.turns_left <= self._end and (state.draw_first or state.phase != DRAW)

    def _choose(self, node: Node, state: State) -> tuple[Action, bool]:
        """The next action, and whether it is a new one."""
        children = node.children
        legal = legal_actions(state, state.turn)
        tried = [action for action in legal if action in children]
        if len(tried) == len(legal) or len(tried) > node.visits // VISITS_AN_ACTION:
            return self._most_promising(node, tried), False
        action = reply(state)
        if action in children:
            others = [each for each in legal if each not in children]
            action = others[int(self._rng.random() * len(others))]
        children[action] = Node()
        return action, True

    def _most_promising(self, node: Node, tried: Sequence[Action]) -> Action:
        """By what came of it so far, and how little is known."""
        bonus = CURIOSITY * sqrt(node.visits)
        best, most = tried[0], float("-inf")
        for action in tried:
            child = node.children[action]
            promise = child.total / child.visits + bonus / (1 + child.visits)
            if promise > most:
                best, most = action, promise
        return best
