"""The ceiling: a player who sees all cards and searches as `expert` does. No level can look at what
is hidden; how much this one wins says how much a better level could.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from random import Random
from typing import Any, Final

from protocol.games.clocktowers import Action, Event, View
from protocol.ids import Seat
from server.games.clocktowers.search.levels import EXPERT, decide
from server.games.clocktowers.state import State, copy
from server.games.contract import Game, Stop, never


class Shown:
    """A game's rules, for one match at a time. `state`: that of the newest view, as it was."""

    def __init__(self, game: Game) -> None:
        self._rules: Final = game.rules
        self.state: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def view(self, state: Any, seat: Seat | None) -> Any:
        """The view alone is the bots'; the state is for the seer."""
        self.state = self._rules.copy(state)
        return self._rules.view(state, seat)


def _clocktowers(shown: Shown) -> Callable[..., Action]:
    def seer(view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never) -> Action:
        truth: State = shown.state
        return decide(view, own_events, map(copy, repeat(truth)), EXPERT, rng, stop)

    return seer


SEERS: Final[Mapping[str, Callable[[Shown], Callable[..., Any]]]] = {"clocktowers": _clocktowers}
"""By game, for those that have a level `expert`."""
