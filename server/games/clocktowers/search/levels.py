"""The levels `hard` and `expert`: at every decision so many simulations, by sequential halving.

In each round all remaining actions get the same number of simulations, then the better half stays.
Imagined states are drawn once and shared, so that actions are compared on the same cards.
Law: the same view, events and numbers give the same action on every machine, unless `stop` cuts in.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from protocol.games.clocktowers import Action, Event, View
from server.games.clocktowers.planning import unseen_cards
from server.games.clocktowers.search.evaluation import chances
from server.games.clocktowers.search.tree import Node, Search
from server.games.clocktowers.state import DRAW, State, copy
from server.games.clocktowers.view import imagine, survey
from server.games.contract import Stop, never


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

EXPERT: Final = Effort(simulations=1200, worlds=64, rounds_ahead=6)
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
    return decide(view, own_events, _imagined(view, own_events, rng), HARD, rng, stop)


def expert(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """As `hard`, with more effort."""
    return decide(view, own_events, _imagined(view, own_events, rng), EXPERT, rng, stop)


def _imagined(view: View, own_events: Sequence[Event], rng: Random) -> Iterator[State]:
    known = survey(view, own_events)
    while True:
        yield imagine(known, rng)


def decide(
    view: View,
    own_events: Sequence[Event],
    worlds: Iterator[State],
    effort: Effort,
    rng: Random,
    stop: Stop,
) -> Action:
    """The best action in the next `effort.worlds` of these worlds, which are changed."""
    arms = [_Arm(choice.action) for choice in view.legal]
    if len(arms) > 1:
        looked_at = list(islice(worlds, effort.worlds))
        for world in looked_at:
            # Nobody looks at the marks of an open-memory table here; keeping them up takes time.
            world.memory = None
        end = _horizon(looked_at[0], effort.rounds_ahead)
        search = Search(chances(unseen_cards(view, own_events)), end, rng)
        arms = _halve(arms, looked_at, search, effort.simulations, stop)
    return arms[0].action


def _horizon(state: State, rounds: int) -> int:
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
