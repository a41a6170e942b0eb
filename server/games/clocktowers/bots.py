"""The levels, weakest first; each sees what its seat's client sees."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeVar

from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
    STOREYS,
    Action,
    Choice,
    Draw,
    Event,
    Pile,
    Play,
    View,
)
from server.games.clocktowers.planning import normal
from server.games.clocktowers.search.levels import expert, hard
from server.games.contract import Bot, Stop, never

T = TypeVar("T")


def uniform(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any legal action, all alike."""
    return _one_of(view.legal, rng).action


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Finishes before it builds on, anywhere: a roof before a clock, a clock before a floor, and
    builds no higher than some roof goes now. Draws a roof that fits now, else anything that does;
    discards only when nothing can be played."""
    plays = {c: c.action.card for c in view.legal if isinstance(c.action, Play)}
    last = max((PILES[card] or 0 for card in plays.values()), default=0)
    finishing = [choice for choice, card in plays.items() if PILES[card] == last]
    highest = max(map(int.bit_length, _row(view))) - 1
    wise = [choice for choice in finishing if choice.height <= highest]
    return _one_of(wise or finishing or _fitting_draws(view) or view.legal, rng).action


def _fitting_draws(view: View) -> Sequence[Choice]:
    """The draws of a card that the seat could play at once; only the roof's if that is one."""
    draws = {c: c.action.pile for c in view.legal if isinstance(c.action, Draw)}
    fitting = [choice for choice, pile in draws.items() if _fits(view, view.piles[pile])]
    return [choice for choice in fitting if draws[choice] == Pile.ROOF] or fitting


def _fits(view: View, card: int) -> bool:
    """Whether the seat could play this card."""
    assert view.seat is not None
    town, row = view.towns[view.seat], _row(view)
    begun = [t for t, worth in zip(town.towers, town.points, strict=True) if not worth]
    if card >= FIRST_ROOF:
        heights = (sum(STOREYS[c] for c in t) for t in begun if t[-1] >= FIRST_CLOCK)
        return any(row[card - FIRST_ROOF] >> height & 1 for height in heights)
    return card < FIRST_CLOCK or any(tower[-1] < FIRST_CLOCK for tower in begun)


def _row(view: View) -> bytes:
    """The heights that take a roof of the seat's, by colour, as bits."""
    assert view.seat is not None
    return view.ladder[view.seat % len(view.ladder)]


def _one_of(things: Sequence[T], rng: Random) -> T:
    return things[int(rng.random() * len(things))]


BOTS: Final[Mapping[str, Bot[Any, Any, Any]]] = {
    "random": uniform,
    "easy": easy,
    "normal": normal,
    "hard": hard,
    "expert": expert,
}
