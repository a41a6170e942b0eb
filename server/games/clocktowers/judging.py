"""What a decision was worth: the action that was played beside the one of which most comes.

A search chooses what is compared. The two are then played on in the same imagined states, by all
seats as `normal` plays, as far ahead as `expert` looks; what comes after that is estimated. A
search is no judge of its own choice: the quick replies below its small tree lose with one action
what a player would not lose.
Laws: + − × ÷ and √ alone, which come out the same on every machine.
"""

from collections.abc import Hashable, Sequence
from functools import partial
from operator import itemgetter
from random import Random
from typing import Final

from protocol.games.clocktowers import Action, Event, Play, View
from server.games.clocktowers.evaluation import POINT, chances, parts, unseen_cards, worths
from server.games.clocktowers.rules import advance, legal_actions, outcome
from server.games.clocktowers.search import EXPERT, Node, Search, horizon, imagined
from server.games.clocktowers.state import DRAW, NOBODY, PLAY, State, copy
from server.games.contract import BEGINNING, Judged, Weighed
from server.games.weighing import (
    ALWAYS,
    TOLD_IN,
    Parts,
    chosen,
    compared,
    equal,
    explained,
    likely,
    mean,
)

FEW: Final = 8
"""Worlds of a sample that chooses, at first,"""

MANY: Final = 32
"""and between the last few actions: with so many a tree finds what `expert` does with an action."""

PLAYED: Final = 2
"""Worlds of a sample that compares; twice as many help to choose between the last few."""

MOST: Final = 160
"""So many samples at most."""

CLOSELY: Final = 3
"""So many actions are looked at with the rest of the turn, where a match is played on."""

EXPLAINED: Final = 128
"""So many worlds say of which towers a mistake takes points."""

SPREAD: Final = POINT * POINT
"""By about a point, times the root of the turns to come, a lead ends elsewhere than where it was
estimated."""


def judge(
    view: View, own_events: Sequence[Event], played: Action, rng: Random, best: Action | None = None
) -> Judged[Action]:
    """See `contract.Judge`."""
    chance = chances(unseen_cards(view, own_events))

    def worlds(number: int) -> tuple[list[State], int]:
        states = imagined(view, own_events, number, rng)
        return states, horizon(states[0], EXPERT.rounds_ahead)

    def searched(number: int, actions: Sequence[Action]) -> list[Weighed]:
        states, end = worlds(number)
        search = Search(chance, end, rng)
        return [_found(search, states, action) for action in actions]

    def played_on(number: int, actions: Sequence[Action]) -> list[Weighed]:
        states, end = worlds(number)
        ended = [[_played_on(each, action, chance, end) for each in states] for action in actions]
        return [mean([_weighed(one, states[0].turn, chance) for one in each]) for each in ended]

    def closely(actions: Sequence[Action]) -> list[Weighed]:
        both = zip(searched(MANY, actions), played_on(2 * PLAYED, actions), strict=True)
        return [mean(one) for one in both]

    kinds = dict[Hashable, Action]()
    for choice in view.legal:
        kinds.setdefault(_kind(view, choice.action), choice.action)
    kind = kinds[_kind(view, played)]
    if best is None:
        best = chosen(kind, [*kinds.values()], partial(searched, FEW), closely)
    if (best := kinds[_kind(view, best)]) == kind:
        # The curve of a match is made of these: a search says the same each time.
        told = equal(kind, [one for _ in range(TOLD_IN) for one in searched(MANY, [kind])])
        return told._replace(best=played)
    found = compared(kind, best, partial(played_on, PLAYED), MOST)
    if not found.lost:
        return found._replace(best=played)
    states, end = worlds(EXPLAINED)
    stand = [len(towers) for towers in states[0].towers]

    def by_seat(action: Action) -> list[list[Parts]]:
        ended = (_played_on(each, action, chance, end) for each in states)
        return [[parts(one, seat, chance, n) for seat, n in enumerate(stand)] for one in ended]

    return explained(found, kind, by_seat)


def _kind(view: View, action: Action) -> Hashable:
    """The same of two actions after which the match stands alike, so that one is judged for both:
    the order of a tower's cards tells nothing but the topmost floor, one of the last two cards."""
    if not isinstance(action, Play) or action.tower is None or view.seat is None:
        return action
    tower = view.towns[view.seat].towers[action.tower]
    return action.card, bytes(sorted(tower)), tower[-2:]


def _found(search: Search, worlds: Sequence[State], action: Action) -> Weighed:
    """What the search finds for an action of the seat to act, on average."""
    node, seat, found = Node(), worlds[0].turn, list[Weighed]()
    for world in worlds:
        search.simulate(node, state := copy(world), action)
        found.append(_weighed(state, seat, search.chance))
    return mean(found)


def _weighed(state: State, seat: int, chance: Sequence[int]) -> Weighed:
    worth = worths(state, chance)
    leads = [worth[seat] - other for other in worth[:seat] + worth[seat + 1 :]]
    return Weighed(min(leads), _wins(state, seat, leads))


def _wins(state: State, seat: int, leads: Sequence[int]) -> int:
    if (result := outcome(state)) is not None:
        return ALWAYS // len(result.winners) if seat in result.winners else 0
    return likely(leads, SPREAD * state.turns_left)


def _played_on(world: State, action: Action, chance: Sequence[int], end: int) -> State:
    """Where it is at the horizon, after this action of the seat to act."""
    state = copy(world)
    advance(state, state.turn, action, BEGINNING)
    begins = DRAW if state.draw_first else PLAY
    while state.turn != NOBODY and (state.turns_left > end or state.phase != begins):
        for each in _as_normal(state, chance):
            advance(state, state.turn, each, BEGINNING)
    return state


def _as_normal(state: State, chance: Sequence[int]) -> Sequence[Action]:
    """What `normal` does in the rest of the turn, but that of many actions only the best few are
    looked at with what follows. It cannot see the second card of a pile: it takes the last one for
    that, which is as likely."""
    seen = copy(state)
    piles = [
        pile[: 1 - left] + pile[-1:] + pile[2 - left :] if left > 2 else pile
        for pile, left in zip(state.piles, state.left, strict=True)
    ]
    seen.piles = piles[0], piles[1], piles[2]
    return _best(seen, chance)[1]


def _best(state: State, chance: Sequence[int]) -> tuple[int, list[Action]]:
    """What the seat to act leads by over all others together after its turn, in thousandths of a
    point, if it goes on in the best way; and that way."""
    seat, most, way = state.turn, 0, list[Action]()
    found = list[tuple[int, int, State]]()
    actions = legal_actions(state, seat)
    for n, action in enumerate(actions):
        after = copy(state)
        advance(after, seat, action, BEGINNING)
        worth = worths(after, chance)
        found.append((2 * worth[seat] - sum(worth), -n, after))
    found.sort(key=itemgetter(0, 1), reverse=True)
    for lead, n, after in found[:CLOSELY]:
        rest = list[Action]()
        if after.turn == seat:
            lead, rest = _best(after, chance)
        if not way or lead > most:
            most, way = lead, [actions[-n], *rest]
    return most, way
