"""The reference for `hard`: flat Monte Carlo, no tree, no estimate, no policy.

Each decision takes 100 playouts. Playout N (from 0) imagines a state of its own that fits what the
seat was sent, takes there the legal action number N modulo their count, and plays to the end of the
match at random in every seat: any play, all alike; a discard, all alike, only where
nothing can be played; any draw. It counts 1 for a win alone, 1/k for a win shared by k, else 0;
points do not count. The action with the best mean is chosen; of equals the first in legal order. A
decision with a single legal action has no playouts.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from protocol.games.clocktowers import Action, Event, Play, View
from server.games.clocktowers.determinize import imagine, survey
from server.games.clocktowers.rules import advance, legal_actions, outcome
from server.games.clocktowers.state import NOBODY, State
from server.games.contract import BEGINNING, Stop, never

PLAYOUTS: Final = 100


def flat(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """A bot, as the levels are."""
    assert view.seat is not None
    legal = [choice.action for choice in view.legal]
    if len(legal) == 1:
        return legal[0]
    known = survey(view, own_events)
    won, tried = [0.0] * len(legal), [0] * len(legal)
    for playout in range(PLAYOUTS):
        which = playout % len(legal)
        state = imagine(known, rng)
        state.memory = None
        advance(state, view.seat, legal[which], BEGINNING)
        won[which] += _share_of_win(state, view.seat, rng)
        tried[which] += 1
    means = [share / times for share, times in zip(won, tried, strict=True) if times]
    return legal[means.index(max(means))]


def _share_of_win(state: State, seat: int, rng: Random) -> float:
    """Plays the state to its end: any play, or a discard where there is none."""
    while state.turn != NOBODY:
        legal = legal_actions(state, state.turn)
        # Plays stand first in the list; a list never holds both draws and plays.
        plays = sum(type(action) is Play for action in legal) or len(legal)
        advance(state, state.turn, legal[int(rng.random() * plays)], BEGINNING)
    result = outcome(state)
    assert result is not None
    return (seat in result.winners) / len(result.winners)
