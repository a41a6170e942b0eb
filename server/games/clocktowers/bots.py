"""The levels, weakest first; each sees what its seat's client sees."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, TypeVar

from protocol.games.clocktowers import (
    ANIMALS,
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
    Action,
    Choice,
    Discard,
    Draw,
    Event,
    Play,
    Town,
    View,
    height_of,
    ladder_of,
    tower_points,
)
from server.games.clocktowers.evaluation import chances, unseen_cards, worths
from server.games.clocktowers.rules import advance, legal_actions
from server.games.clocktowers.search import expert, hard
from server.games.clocktowers.state import State, copy
from server.games.clocktowers.view import determinize
from server.games.contract import BEGINNING, Bot, Stop, never

T = TypeVar("T")

_MICE: Final = tower_points(bytes((ANIMALS.index("m"),)), count_clock_mice=True)
"""What a tower scores that has mice alone."""


def uniform(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any legal action, all alike."""
    return _one_of(view.legal, rng).action


def learner(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """A roof before a clock, a clock before a floor, anywhere, whatever the animals and however
    high; any draw, and a discard only where nothing goes on a tower."""
    plays = (one.action for one in view.legal)
    cards = [one.card if isinstance(one, Play) else 0 for one in plays]
    last = PILES[max(cards)]
    wise = zip(view.legal, cards, strict=True)
    return _one_of([one for one, card in wise if PILES[card] == last], rng).action


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Finishes before it builds on, anywhere: a roof before a clock, a clock before a floor, but
    only towers that score more than mice alone do, and no higher than some roof goes now. Draws
    what it could play so, and discards what it could not, mice first."""
    piles = [_finishes(view, choice) for choice in view.legal]
    last = max(piles)
    wise = [one for one, pile in zip(view.legal, piles, strict=True) if pile == last >= 0]
    return _one_of(wise or _mice_out(view) or view.legal, rng).action


def _ladder(view: View) -> bytes:
    assert view.seat is not None
    return ladder_of(view, view.seat)


def _finishes(view: View, choice: Choice) -> int:
    """The pile of the card, floors, clocks, roofs, if a play of it makes, or after a draw could
    make, a tower worth going on with; -1: it does not."""
    match choice.action:
        case Play(card=card, tower=tower):
            begun = b"" if tower is None else _town(view).towers[tower]
            return PILES[card] or 0 if _is_worth(view, begun + bytes((card,))) else -1
        case Draw(pile=pile):
            card = view.piles[pile]
            takes = [tower for tower in _begun(view) if _takes(view, tower, card)]
            return pile if any(_is_worth(view, tower + bytes((card,))) for tower in takes) else -1
        case _:
            return -1


def _is_worth(view: View, tower: bytes) -> bool:
    highest = max(map(int.bit_length, _ladder(view))) - 1
    points = tower_points(tower, view.count_clock_mice)
    return points > _MICE and height_of(tower) <= highest


def _takes(view: View, tower: bytes, card: int) -> bool:
    """Whether the card may go on one of the seat's towers; on none, b"", a floor may."""
    if card >= FIRST_ROOF:
        fits = _ladder(view)[card - FIRST_ROOF] >> height_of(tower) & 1
        return bool(fits) and tower[-1:] >= bytes((FIRST_CLOCK,))
    return tower[-1:] < bytes((FIRST_CLOCK,)) and bool(tower or card < FIRST_CLOCK)


def _town(view: View) -> Town:
    assert view.seat is not None
    return view.towns[view.seat]


def _begun(view: View) -> Sequence[bytes]:
    """The seat's towers that are not complete, and a new one."""
    town = _town(view)
    return [b"", *(t for t, worth in zip(town.towers, town.points, strict=True) if not worth)]


def _mice_out(view: View) -> Sequence[Choice]:
    """The discards of cards with a mouse."""
    return [
        choice
        for choice in view.legal
        if isinstance(choice.action, Discard) and ANIMALS[choice.action.card] == "m"
    ]


def _one_of(things: Sequence[T], rng: Random) -> T:
    return things[int(rng.random() * len(things))]


def normal(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """The action after which the seat holds and hopes for most, beside all others, if it goes on
    with its turn in the best way; equals are decided by `rng.random()`."""
    state, chance = determinize(view, own_events, rng), chances(unseen_cards(view, own_events))
    leads = [(_lead(state, choice.action, chance), rng.random()) for choice in view.legal]
    return view.legal[leads.index(max(leads))].action


def _lead(state: State, action: Action, chance: Sequence[int]) -> int:
    """Of the seat to act over all others together, in thousandths of a point, after its turn."""
    seat, after = state.turn, copy(state)
    advance(after, seat, action, BEGINNING)
    if after.turn == seat:
        return max(_lead(after, more, chance) for more in legal_actions(after, seat))
    worth = worths(after, chance)
    return 2 * worth[seat] - sum(worth)


BOTS: Final[Mapping[str, Bot]] = {
    "random": uniform,
    "learner": learner,
    "easy": easy,
    "normal": normal,
    "hard": hard,
    "expert": expert,
}
