"""The time of a match in whole milliseconds. It stands still while nobody plays."""

from collections.abc import Callable
from typing import Final


class MatchTime:
    """`clock_s`: seconds of a clock that never goes back. `at_ms`: the match time to begin at, more
    than 0 when a match goes on after the server was down."""

    __slots__ = ("_at_ms", "_clock_s", "_since_s")

    def __init__(self, clock_s: Callable[[], float], at_ms: int = 0) -> None:
        self._clock_s: Final = clock_s
        self._at_ms = at_ms
        self._since_s: float | None = clock_s()

    @property
    def goes_by(self) -> bool:
        """Whether the match does not stand still."""
        return self._since_s is not None

    def now_ms(self) -> int:
        """The match time now."""
        if self._since_s is None:
            return self._at_ms
        return self._at_ms + int((self._clock_s() - self._since_s) * 1000)

    def stand_still(self) -> None:
        """Stop the time until `go_on`."""
        self._at_ms, self._since_s = self.now_ms(), None

    def go_on(self) -> None:
        """Undo `stand_still`."""
        self._at_ms, self._since_s = self.now_ms(), self._clock_s()
