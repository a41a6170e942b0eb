"""Real matches of Wild Wild Pattern to look at, played at random on a clock of their own."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from protocol.games import Switch
from protocol.games.wild_wild_pattern import Declare, Options, View
from protocol.games.wild_wild_pattern.cards import is_object, object_of
from server.games.registry import GAMES
from tests.stage import real_matches

RULES: Final = GAMES["wild_wild_pattern"].rules


class RaceMatch(real_matches.RealMatch):
    def __init__(self, seats: int, seed: int, seat: int | None = 0, **options: Any) -> None:
        practice = Switch.ON if seats == 1 else Switch.OFF
        chosen = Options(**{"practice": practice, **options})
        super().__init__("wild_wild_pattern", seats, chosen, seed, seat)

    def view(self) -> View:
        view: View = super().view()
        return view

    def legal(self) -> Sequence[Any]:
        return () if self.seat is None else RULES.legal_actions(self.state, self.seat)

    def over(self) -> bool:
        return RULES.outcome(self.state) is not None

    def step(self) -> None:
        """One random action of somebody, or what the clock does."""
        due, acting = RULES.deadline(self.state), RULES.to_act(self.state)
        if acting and (due is None or self._random.random() < 0.8):
            seat = self._random.choice(acting)
            self.does(seat, self._random.choice(RULES.legal_actions(self.state, seat)))
        else:
            assert due is not None
            self.now_ms = due
            self._hear(RULES.tick(self.state, due))


def moments(match: RaceMatch) -> Iterator[View]:
    """Every view up to the end."""
    yield match.view()
    while not match.over():
        match.step()
        yield match.view()


def may_hold(view: View, action: Any) -> bool:
    """No pattern is of an object that is not on the Wheel."""
    if not isinstance(action, Declare):
        return True
    there = {*map(object_of, view.wheel)}
    said = (action.pattern.anchor, action.pattern.partner)
    return all(feature in there for feature in said if is_object(feature))
