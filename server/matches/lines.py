"""How long the lines to the seats of a match take, asked of whoever plays there at the moment.

Law: a seat's lag is that of its newest occupant; a bot, or nobody, has none.
"""

from collections.abc import Callable
from typing import TypeAlias

from protocol.ids import Seat
from server.matches.fanout import Outbox

Line: TypeAlias = Callable[[], int]
"""How many milliseconds a line takes one way by now, measured and capped."""


class Lines:
    """By seat the outboxes as they came, each with its line."""

    __slots__ = ("_seats",)

    def __init__(self, seats: int) -> None:
        self._seats: list[list[tuple[Outbox, Line | None]]] = [[] for _ in range(seats)]

    def seat(self, seat: Seat, outbox: Outbox, line: Line | None) -> None:
        """From now on this one, and nobody else, plays there."""
        self._seats[seat] = [(outbox, line)]

    def stand_in(self, seat: Seat, outbox: Outbox) -> None:
        """From now on a bot plays there, beside the one who did."""
        self._seats[seat].append((outbox, None))

    def unseat(self, seat: Seat, outbox: Outbox) -> None:
        """This one plays there no more; unknown outboxes are ignored."""
        self._seats[seat] = [one for one in self._seats[seat] if one[0] != outbox]

    def lags_ms(self) -> tuple[int, ...]:
        """As in `Moment`: by seat, empty when all are 0."""
        lags = tuple(
            line() if there and (line := there[-1][1]) is not None else 0 for there in self._seats
        )
        return lags if any(lags) else ()
