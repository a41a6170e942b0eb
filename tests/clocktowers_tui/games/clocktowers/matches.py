"""Real matches to look at: views, events and refusals out of the server's own rules."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from protocol.games.clocktowers import Event, Options, View
from protocol.ids import Seat
from server.games.registry import GAMES

RULES = GAMES["clocktowers"].rules


class Match:
    """A match in which every seat but one's own plays at random, the same for the same seed."""

    def __init__(self, seats: int, options: Options, seed: int, seat: int | None = 0) -> None:
        self.seat = None if seat is None else Seat(seat)
        self.state = RULES.setup(options, seats, bytes([seed]) * 32)
        self.events: list[Event] = []
        self.refused = 0
        self._random = Random(seed)
        self._hear(RULES.opening(self.state))

    def view(self) -> View:
        view: View = RULES.view(self.state, self.seat)
        return view

    def over(self) -> bool:
        return not RULES.to_act(self.state)

    def play_others(self) -> None:
        """Until it is one's own turn, or the end."""
        while not self.over() and RULES.to_act(self.state)[0] != self.seat:
            self.play_one()

    def play_one(self) -> None:
        """One random action of whoever is to act."""
        seat = RULES.to_act(self.state)[0]
        self._apply(seat, self._random.choice(RULES.legal_actions(self.state, seat)))

    def act(self, action: Any) -> Any:
        """One's own action; the refusal, or None when it was done."""
        assert self.seat is not None
        refusal = RULES.refuse(self.state, self.seat, action)
        if refusal is None:
            self._apply(self.seat, action)
        else:
            self.refused += 1
        return refusal

    def _apply(self, seat: Seat, action: Any) -> None:
        self._hear(RULES.apply(self.state, seat, action, 0))

    def _hear(self, addressed: Sequence[Any]) -> None:
        self.events += [one.event for one in addressed if one.to in (None, self.seat)]


def some_views(seats: int, options: Options, seed: int, seat: int | None = 0) -> Iterator[View]:
    """The views of one seat before every action of a random match, and at its end."""
    match = Match(seats, options, seed, seat)
    while not match.over():
        yield match.view()
        match.play_one()
    yield match.view()
