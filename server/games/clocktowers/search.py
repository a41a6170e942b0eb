"""The search: `hard` and `expert` choose by it.

At every decision there are so many simulations, by sequential halving: in each round all remaining
actions get the same number of them, then the better half stays. Imagined states are drawn once and
shared, so that actions are compared on the same cards.

One tree serves all imagined states, since a seat cannot tell them apart; in each only the actions
that are legal there are looked at. A node is one action, of whichever seat was to act; every seat
wants its own margin to be large. The first thing tried at a node is the quick reply, others come as
its visits grow; below the tree quick replies go on to the horizon, where margins are estimated.
Laws: + − × ÷ and √ alone, which come out the same on every machine; the same view, events and
numbers give the same action, unless `stop` cuts in.
"""

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from protocol.games.clocktowers import Action, Draw, Event, View
from server.games.clocktowers.evaluation import POINT, chances, margins, unseen_cards, worths
from server.games.clocktowers.reply import reply
from server.games.clocktowers.rules import advance, legal_actions
from server.games.clocktowers.state import DRAW, NOBODY, State, copy
from server.games.clocktowers.view import imagine, survey
from server.games.contract import BEGINNING, Stop, never

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

    `chance`: for the estimate (`evaluation.chances`). `end`: the turns left at the horizon.
    """

    def __init__(self, chance: Sequence[int], end: int, rng: Random) -> None:
        self.chance = chance
        self._end = end
        self._rng = rng

    def simulate(self, node: Node, state: State, action: Action) -> list[int]:
        """Plays `action`, whose node it is, and on to the horizon, where `state` is then. What it
        is worth there to each seat."""
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
        worth = worths(state, self.chance)
        ends = margins(worth)
        for seat, visited in path:
            visited.total += ends[seat]
            visited.visits += 1
        return worth

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


# The levels --------------------------------------------------------------------------------------


class Effort(NamedTuple):
    """What a level spends on a decision; one with a single action needs nothing.

    `worlds`: imagined states. `rounds_ahead`: rounds, the seat's own turn included, before the
    position is estimated.
    """

    simulations: int
    worlds: int
    rounds_ahead: int


HARD: Final = Effort(simulations=240, worlds=16, rounds_ahead=2)
"""With one round ahead it left out its next turn, and was no better than `normal` among four."""

EXPERT: Final = Effort(simulations=2600, worlds=128, rounds_ahead=6)
"""Looking further gives more than looking more often: `docs/decisions.md` has what was tried."""


class _Arm:
    """An action to choose, with what the search found below it."""

    __slots__ = ("action", "node")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.node = Node()

    def mean(self) -> float:
        return self.node.mean() if self.node.visits else float("-inf")


def hard(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """The action after which the simulations end best; `stop` is asked before each of them."""
    return decide(view, own_events, HARD, rng, stop)


def expert(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """As `hard`, with more effort."""
    return decide(view, own_events, EXPERT, rng, stop)


def decide(
    view: View, own_events: Sequence[Event], effort: Effort, rng: Random, stop: Stop
) -> Action:
    """The action that is best in `effort.worlds` imagined states."""
    arms = [_Arm(choice.action) for choice in view.legal]
    if len(arms) > 1:
        worlds = imagined(view, own_events, effort.worlds, rng)
        end = horizon(worlds[0], effort.rounds_ahead)
        search = Search(chances(unseen_cards(view, own_events)), end, rng)
        arms = _halve(arms, worlds, search, effort.simulations, stop)
    return arms[0].action


def plan(
    view: View, own_events: Sequence[Event], action: Action, rng: Random, stop: Stop
) -> Action | None:
    """What `expert` plays after this draw, if the others do what is likely; None after a play, and
    where the match may be over by then."""
    if not isinstance(action, Draw):
        return None
    worlds = imagined(view, own_events, EXPERT.worlds, rng)
    seat = worlds[0].turn
    for world in worlds:
        advance(world, seat, action, BEGINNING)
        while world.turn not in (seat, NOBODY):
            advance(world, world.turn, reply(world), BEGINNING)
    legal = [legal_actions(world, seat) for world in worlds]
    arms = [_Arm(each) for each in legal[0] if all(each in others for others in legal)]
    if not arms:
        return None
    end = horizon(worlds[0], EXPERT.rounds_ahead)
    search = Search(chances(unseen_cards(view, own_events)), end, rng)
    return _halve(arms, worlds, search, EXPERT.simulations, stop)[0].action


def imagined(view: View, own_events: Sequence[Event], number: int, rng: Random) -> list[State]:
    """So many states that fit what the seat knows."""
    known = survey(view, own_events)
    worlds = [imagine(known, rng) for _ in range(number)]
    for world in worlds:
        # Nobody looks at the marks of an open-memory table here; keeping them up takes time.
        world.memory = None
    return worlds


def horizon(state: State, rounds: int) -> int:
    """The turns left when the search ends; between play and draw the seat's own turn counts."""
    drawing_last = state.phase == DRAW and not state.draw_first
    return state.turns_left - rounds * state.seats + drawing_last


def _halve(
    arms: list[_Arm], worlds: list[State], search: Search, simulations: int, stop: Stop
) -> list[_Arm]:
    """The arms, best first, as far as they were tried when the simulations, or the time, are up."""
    rounds = (len(arms) - 1).bit_length()
    for number in range(rounds):
        share = simulations * (number + 1) // rounds - simulations * number // rounds
        for simulation in range(share):
            if stop():
                return sorted(arms, key=_Arm.mean, reverse=True)
            arm = arms[simulation % len(arms)]
            world = worlds[arm.node.visits % len(worlds)]
            search.simulate(arm.node, copy(world), arm.action)
        arms = sorted(arms, key=_Arm.mean, reverse=True)[: (len(arms) + 1) // 2]
    return arms
