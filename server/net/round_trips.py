"""How long one peer's line takes, by the answers to pings of our own. Time is an argument.

Law: only the first answer to a ping that was sent before is a measurement.
"""

from collections import deque
from typing import Final

KEPT: Final = 20
"""The smallest of so many round trips counts: a busy line, loop or client makes one longer, and
nothing makes one shorter than the line is. At one a second a line that has become slower is
believed after 20 s."""


class RoundTrips:
    """Those of one connection. `cap_ms`: no line counts as longer, one way."""

    __slots__ = ("_cap_ms", "_number", "_sent", "_took_s")

    def __init__(self, cap_ms: int) -> None:
        self._cap_ms: Final = cap_ms
        self._number = 0
        self._sent: dict[int, float] = {}
        self._took_s: deque[float] = deque(maxlen=KEPT)

    def ask(self, now_s: float) -> int:
        """The number of a ping that is sent now; the oldest without an answer are given up."""
        self._number += 1
        self._sent[self._number] = now_s
        if len(self._sent) > KEPT:
            del self._sent[next(iter(self._sent))]
        return self._number

    def answered(self, number: int, now_s: float) -> None:
        """A pong has arrived then; anything but an answer is no news, nor is a guess: one that lay
        here, waiting to be served, when the ping was sent."""
        sent_s = self._sent.pop(number, None)
        if sent_s is not None and sent_s <= now_s:
            self._took_s.append(now_s - sent_s)

    def lag_ms(self) -> int:
        """One way, in milliseconds: half the smallest round trip; 0 before the first one."""
        return min(self._cap_ms, int(min(self._took_s, default=0.0) * 500))
