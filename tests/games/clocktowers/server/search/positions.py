"""Positions of real matches, with what every seat was sent, for tests of the search."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from protocol.games.clocktowers import Action, Options
from server.games.clocktowers.rules import apply
from server.games.clocktowers.search.levels import hard
from server.games.clocktowers.search.reply import reply
from server.games.clocktowers.setup import opening, setup
from server.games.clocktowers.state import NOBODY, State, copy
from server.games.clocktowers.view import view
from server.games.contract import BEGINNING, Stop, never
from tests.laws.laws import sent_to


class Position(NamedTuple):
    """`state` is a copy; `sent` are the events of the seat to act."""

    state: State
    sent: list[Any]

    def decide(self, number: int = 1, stop: Stop = never) -> Action:
        """What `hard` does here."""
        return hard(view(self.state, self.state.turn), self.sent, Random(number), stop)

    def is_a_choice(self) -> bool:
        return len(view(self.state, self.state.turn).legal) > 1


def positions(options: Options, seats: int, number: int, every: int) -> Iterator[Position]:
    """Now and then on a way on which every seat does what the quick reply says."""
    state = setup(options, seats, number.to_bytes(32, "big"))
    events = opening(state)
    sent = [sent_to(seat, events) for seat in range(seats)]
    ply = 0
    while state.turn != NOBODY:
        if ply % every == number % every:
            yield Position(copy(state), sent[state.turn][:])
        told = apply(state, state.turn, reply(state), BEGINNING)
        for seat in range(seats):
            sent[seat] += sent_to(seat, told)
        ply += 1
