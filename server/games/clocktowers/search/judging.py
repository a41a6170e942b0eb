"""What a decision was worth: the action that was played beside the one that `expert` would do.

Both are played on to the end of the match, each in the same imagined states, which are others than
those in which `expert` has chosen: what only looked best there by luck does not look so here.
Law: the same view, events and numbers give the same answer on every machine.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from protocol.games.clocktowers import Action, Event, View
from server.games.clocktowers.planning import unseen_cards
from server.games.clocktowers.rules import outcome
from server.games.clocktowers.search.evaluation import POINT, chances
from server.games.clocktowers.search.levels import expert
from server.games.clocktowers.search.tree import Node, Search
from server.games.clocktowers.state import State, copy
from server.games.clocktowers.view import imagine, survey
from server.games.contract import Judged, Weighed
from server.games.weighing import compared, equal

SIMULATIONS: Final = 400
"""Of each action. A difference then has a standard error of about a third of a point."""

WORLDS: Final = 64

_TO_THE_END: Final = -1
"""The turns that are left at the search's horizon, which is never reached."""


def judge(view: View, own_events: Sequence[Event], played: Action, rng: Random) -> Judged[Action]:
    """See `contract.Judge`."""
    best = expert(view, own_events, rng)
    known = survey(view, own_events)
    worlds = [imagine(known, rng) for _ in range(WORLDS)]
    for world in worlds:
        world.memory = None  # nobody looks at it here
    search = Search(chances(unseen_cards(view, own_events)), _TO_THE_END, rng)
    ends = _ends(search, worlds, played)
    if best == played:
        return equal(played, ends)
    return compared(played, ends, best, _ends(search, worlds, best))


def _ends(search: Search, worlds: Sequence[State], action: Action) -> list[Weighed]:
    """How each simulation ended for the seat to act."""
    node, found = Node(), list[Weighed]()
    for simulation in range(SIMULATIONS):
        world = copy(worlds[simulation % WORLDS])
        seat = world.turn
        search.simulate(node, world, action)
        found.append(_end(world, seat))
    return found


def _end(state: State, seat: int) -> Weighed:
    result = outcome(state)
    assert result is not None
    points = state.points[seat]
    most = max(state.points[:seat] + state.points[seat + 1 :])
    won = POINT // len(result.winners) if seat in result.winners else 0
    return Weighed(points * POINT, (points - most) * POINT, won)
