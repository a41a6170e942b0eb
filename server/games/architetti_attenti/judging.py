"""What a decision was worth: the action that was played beside the one that `expert` would do.

Each is played on in the same imagined states until the seat has had its next turn, as `expert` does
(`expert.py`); what the turns after it bring is the learnt estimate. Where the match ends by then,
its points count.
Law: the same view, events and numbers give the same answer on every machine.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from protocol.games.architetti_attenti import Action, Buy, Event, Place, View
from protocol.games.architetti_attenti.score import Counting
from protocol.games.architetti_attenti.views import turns_after
from server.games.architetti_attenti.choices import own_board, purchases
from server.games.architetti_attenti.determinize import determinize
from server.games.architetti_attenti.expert import Estimates, best_turn, do, expert
from server.games.architetti_attenti.learnt import UNIT
from server.games.architetti_attenti.scoring import outcome
from server.games.architetti_attenti.state import State, copy
from server.games.contract import Judged, Weighed
from server.games.weighing import compared, equal

WORLDS: Final = 16
"""Imagined states, the same for both actions."""


def judge(view: View, own_events: Sequence[Event], played: Action, rng: Random) -> Judged[Action]:
    """See `contract.Judge`."""
    best = expert(view, own_events, rng)
    worlds = [determinize(view, own_events, rng) for _ in range(WORLDS)]
    estimates = Estimates(Counting.of(view))

    def ends(action: Action) -> list[Weighed]:
        turn = _turn(view, action, estimates)
        return [_end(copy(world), turn, estimates) for world in worlds]

    if best == played:
        return equal(played, ends(played))
    return compared(played, ends(played), best, ends(best))


def _turn(view: View, action: Action, estimates: Estimates) -> Sequence[Action]:
    """The rest of a turn that begins so: a tile that is bought goes where it does most good."""
    if not isinstance(action, Buy):
        return (action,)
    purchase = next(each for each in purchases(view) if each.position == action.position)
    _value, site = estimates.best(own_board(view), purchase, turns_after(view))
    return (action, Place(site.first, site.second)) if site else (action,)


def _end(state: State, turn: Sequence[Action], estimates: Estimates) -> Weighed:
    """What everybody may expect after the seat's next turn; the state is used up."""
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
    return Weighed(worth[seat], worth[seat] - max(worth[:seat] + worth[seat + 1 :], default=0))
