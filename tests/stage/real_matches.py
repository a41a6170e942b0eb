"""Real matches to look at: views, events and refusals out of the server's own rules."""

from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.ids import Seat
from server.games.contract import Moment
from server.games.registry import GAMES


class RealMatch:
    """A match in which every seat but the player's plays at random; the same seed gives the same
    match."""

    now_ms = 0

    def __init__(
        self, game: str, seats: int, options: Any, seed: int, seat: int | None = 0
    ) -> None:
        self.rules = GAMES[game].rules
        self.seat = None if seat is None else Seat(seat)
        self.state = self.rules.setup(options, seats, bytes([seed]) * 32)
        self.events: list[Any] = []
        self.refused = 0
        self._random = Random(seed)
        self._hear(self.rules.opening(self.state))

    def view(self) -> Any:
        return self.rules.view(self.state, self.seat)

    def over(self) -> bool:
        return not self.rules.to_act(self.state)

    def play_others(self) -> None:
        """Play until it is the player's turn, or to the end."""
        while not self.over() and self.rules.to_act(self.state)[0] != self.seat:
            self.play_one()

    def play_one(self) -> None:
        """A random action of the seat to act."""
        seat = self.rules.to_act(self.state)[0]
        self.does(seat, self._random.choice(self.rules.legal_actions(self.state, seat)))

    def act(self, action: Any) -> Any:
        """The player's own action; the refusal, or None when it was done."""
        assert self.seat is not None
        refusal = self.rules.refuse(self.state, self.seat, action)
        if refusal is None:
            self.does(self.seat, action)
        else:
            self.refused += 1
        return refusal

    def does(self, seat: int, action: Any) -> None:
        """Any seat, what it may."""
        self._hear(self.rules.apply(self.state, Seat(seat), action, Moment(self.now_ms)))

    def _hear(self, addressed: Sequence[Any]) -> None:
        self.events += [one.event for one in addressed if one.to in (None, self.seat)]
