"""Measures how long a peer's line takes, by its answers to our pings. Time is an argument.

Law: only the first answer to a ping that was sent before is a measurement.
"""

from typing import Final

KEPT: Final = 20
"""The smallest of so many round trips counts: a busy line, loop or client makes a round trip
longer, and nothing makes it shorter than the line is. With one ping a second, a line that becomes
slower is believed after 20 s."""


class RoundTrips:
    """The round trips on a connection. `cap_ms`: the most that a line counts for, one way."""

    __slots__ = ("_cap_ms", "_number", "_sent", "_took_s")

    def __init__(self, cap_ms: int) -> None:
        self._cap_ms: Final = cap_ms
        self._number = 0
        self._sent: dict[int, float] = {}
        self._took_s: list[float] = []

    def ask(self, now_s: float) -> int:
        """A number for a ping that is sent now. The oldest unanswered pings are forgotten."""
        self._number += 1
        self._sent[self._number] = now_s
        if len(self._sent) > KEPT:
            del self._sent[next(iter(self._sent))]
        return self._number

    def answered(self, number: int, now_s: float) -> None:
        """A pong with this number arrived at `now_s`. It is ignored unless it answers a ping, and
        also if it arrived before that ping was sent: then the peer guessed the number."""
        sent_s = self._sent.pop(number, None)
        if sent_s is not None and sent_s <= now_s:
            self._took_s.append(now_s - sent_s)
            del self._took_s[:-KEPT]

    def lag_ms(self) -> int:
        """The delay one way, in milliseconds: half the smallest round trip; 0 before the first."""
        return min(self._cap_ms, int(min(self._took_s, default=0.0) * 500))
