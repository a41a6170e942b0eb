"""What a decision was worth: the action that was played beside the one that `expert` would do.

Each is played on in the same imagined states until the seat has had its next turn, as `expert` does
(`bots.py`); what the turns after it bring is the learnt estimate, and how sure a lead is by then
follows from how many they are. Where the match ends by then, its points count.
Law: the same view, events and numbers give the same answer on every machine.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from protocol.games.architetti_attenti import Action, Buy, Event, Place, View, turns_after
from protocol.games.architetti_attenti.score import Counting
from server.games.architetti_attenti.bots import (
    Estimates,
    best_turn,
    do,
    estimates_of,
    expert,
    own_board,
    purchases,
)
from server.games.architetti_attenti.evaluation import UNIT
from server.games.architetti_attenti.rules import outcome
from server.games.architetti_attenti.state import State, copy
from server.games.architetti_attenti.view import determinize
from server.games.contract import Judged, Weighed
from server.games.weighing import ALWAYS, compared, equal, likely

WORLDS: Final = 16
"""Imagined states for what is played where nothing is better."""

SPREAD: Final = 4 * UNIT
"""By about so much, times the root of the turns to come, a lead ends elsewhere than where it was
estimated: between bots of the level `hard` (`tests/games/architetti_attenti/server/test_judging.py`
measures it)."""


def judge(view: View, own_events: Sequence[Event], played: Action, rng: Random) -> Judged[Action]:
    """See `contract.Judge`."""
    best = expert(view, own_events, rng)
    estimates, turns = estimates_of(Counting.of(view)), turns_after(view)

    def ends(actions: Sequence[Action]) -> list[Weighed]:
        world = determinize(view, own_events, rng)
        rests = [_turn(view, action, estimates) for action in actions]
        return [_end(copy(world), rest, estimates, turns) for rest in rests]

    if best == played:
        return equal(played, [end for _ in range(WORLDS) for end in ends([played])])
    return compared(played, best, ends)


def _turn(view: View, action: Action, estimates: Estimates) -> Sequence[Action]:
    """The rest of a turn that begins so: a tile that is bought goes where it does most good."""
    if not isinstance(action, Buy):
        return (action,)
    purchase = next(each for each in purchases(view) if each.position == action.position)
    _value, site = estimates.best(own_board(view), purchase, turns_after(view))
    return (action, Place(site.first, site.second)) if site else (action,)


def _end(state: State, turn: Sequence[Action], estimates: Estimates, turns: int) -> Weighed:
    """What everybody may expect after the seat's next turn; the state is used up. `turns`: of the
    seat, after this one."""
    seat, worth = state.turn, [0] * state.seats
    do(state, turn)
    while (result := outcome(state)) is None and state.turn != seat:
        acting = state.turn
        worth[acting], actions = best_turn(state, estimates)
        do(state, actions)
    if result is None:
        worth[seat], _actions = best_turn(state, estimates)
    else:
        worth = [UNIT * score for score in result.scores]
    leads = [worth[seat] - other for other in worth[:seat] + worth[seat + 1 :]]
    if not leads:
        return Weighed(worth[seat])
    if result is None:
        return Weighed(min(leads), likely(leads, SPREAD * SPREAD * turns))
    won = ALWAYS // len(result.winners) if seat in result.winners else 0
    return Weighed(min(leads), won)
