"""The time of a match: whole milliseconds that go by only while the match is played."""

from collections.abc import Callable
from typing import Final


class MatchTime:
    """`clock_s`: seconds of a clock that never goes back. `at_ms`: where the match is in it, more
    than 0 when it goes on after the server was down."""

    __slots__ = ("_at_ms", "_clock_s", "_since_s")

    def __init__(self, clock_s: Callable[[], float], at_ms: int = 0) -> None:
        self._clock_s: Final = clock_s
        self._at_ms = at_ms
        self._since_s: float | None = clock_s()

    @property
    def goes_by(self) -> bool:
        """Whether it does not stand still."""
        return self._since_s is not None

    def now_ms(self) -> int:
        """Where it is."""
        if self._since_s is None:
            return self._at_ms
        return self._at_ms + int((self._clock_s() - self._since_s) * 1000)

    def stand_still(self) -> None:
        """Until `go_on`."""
        self._at_ms, self._since_s = self.now_ms(), None

    def go_on(self) -> None:
        """Undo `stand_still`."""
        self._at_ms, self._since_s = self.now_ms(), self._clock_s()
