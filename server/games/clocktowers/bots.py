"""The levels, weakest first; each sees what its seat's client sees."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeVar

from protocol.games.clocktowers import Action, Choice, Event, Play, View
from server.games.clocktowers.planning import normal
from server.games.clocktowers.search.hard import hard
from server.games.contract import Bot, Stop, never

T = TypeVar("T")


def uniform(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any legal action, all alike."""
    return _one_of(view.legal, rng).action


def easy(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any play, all alike; discards only when nothing can be played; draws anything."""
    plays: list[Choice] = [choice for choice in view.legal if isinstance(choice.action, Play)]
    return _one_of(plays or view.legal, rng).action


def _one_of(things: Sequence[T], rng: Random) -> T:
    return things[int(rng.random() * len(things))]


BOTS: Final[Mapping[str, Bot[Any, Any, Any]]] = {
    "random": uniform,
    "easy": easy,
    "normal": normal,
    "hard": hard,
}
