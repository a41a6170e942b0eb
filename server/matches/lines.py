"""How long the lines to the seats of a match take.

Law: a seat's lag is the lag of its newest occupant. Bots and empty seats have none.
"""

from collections.abc import Callable
from typing import TypeAlias

from protocol.ids import Seat
from server.matches.ports import Outbox

Line: TypeAlias = Callable[[], int]
"""Returns how many milliseconds the line takes one way, as measured so far and capped."""


class Lines:
    """By seat, the outboxes in the order in which they came, each with its line. Before anybody
    has come with a line, nothing is remembered: a thousand matches are no races."""

    __slots__ = ("_measured", "_seats")

    def __init__(self, seats: int) -> None:
        self._measured = False
        """Whether anybody came with a line, as in a race."""
        self._seats: list[tuple[tuple[Outbox, Line | None], ...]] = [()] * seats

    def seat(self, seat: Seat, outbox: Outbox, line: Line | None) -> None:
        """Give the seat to this outbox alone."""
        self._measured |= line is not None
        if self._measured:
            self._seats[seat] = ((outbox, line),)

    def stand_in(self, seat: Seat, outbox: Outbox) -> None:
        """Let a bot play the seat while its owner stays."""
        if self._measured:
            self._seats[seat] += ((outbox, None),)

    def unseat(self, seat: Seat, outbox: Outbox) -> None:
        """Remove an outbox; unknown ones are ignored."""
        there = self._seats[seat]
        self._seats[seat] = tuple(one for one in there if one[0] != outbox)

    def lags_ms(self) -> tuple[int, ...]:
        """The lag of each seat, as in `Moment`; empty when all are 0."""
        if not self._measured:
            return ()
        lags = tuple(
            line() if there and (line := there[-1][1]) is not None else 0 for there in self._seats
        )
        return lags if any(lags) else ()
