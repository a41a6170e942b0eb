"""The levels, weakest first; each sees what its seat's client sees."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from protocol.games.architetti_attenti import Action, Event, View
from server.games.architetti_attenti.choices import choices
from server.games.architetti_attenti.expert import expert
from server.games.architetti_attenti.planning import easy, hard, normal
from server.games.contract import Bot, Stop, never


def uniform(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
    """Any legal action, all alike."""
    legal = choices(view)
    return legal[int(rng.random() * len(legal))]


BOTS: Final[Mapping[str, Bot[Any, Any, Any]]] = {
    "random": uniform,
    "easy": easy,
    "normal": normal,
    "hard": hard,
    "expert": expert,
}
