"""When a clock of a match strikes next: that of the rules, or that of the seat to act.

The flag of the latter falls once in a turn, when the time of its seat is up.
"""

from collections.abc import Callable
from typing import Final

from protocol.ids import Seat
from server.matches.course import Course
from server.matches.match_time import MatchTime


class Deadlines:
    """Of one match. `fell` is told whose time is up, and says whether somebody else plays that seat
    now."""

    __slots__ = ("_course", "_fallen", "_fell", "_time")

    def __init__(self, course: Course, time: MatchTime, fell: Callable[[Seat], bool]) -> None:
        self._course: Final = course
        self._time: Final = time
        self._fell: Final = fell
        self._fallen: int | None = None

    def due_ms(self) -> int | None:
        """The next one, in match time."""
        rules_ms, flag_ms = self.rules_ms(), self._flag_ms()
        if rules_ms is None or flag_ms is None:
            return flag_ms if rules_ms is None else rules_ms
        return min(rules_ms, flag_ms)

    def rules_ms(self) -> int | None:
        """When `tick` is due."""
        return self._course.rules.deadline(self._course.state)

    def _flag_ms(self) -> int | None:
        clocks = self._course.clocks
        return None if self._fallen == clocks.turn else clocks.due_ms()

    def in_s(self) -> float | None:
        """How long until the next one; None when there is none, or no time goes by."""
        if not self._time.goes_by or (due_ms := self.due_ms()) is None:
            return None
        return max(0, due_ms - self._time.now_ms()) / 1000

    def fall(self) -> Seat | None:
        """The flag does. The seat that somebody else plays now, if it came to that."""
        clocks = self._course.clocks
        self._fallen = clocks.turn
        return clocks.seat if clocks.seat is not None and self._fell(clocks.seat) else None

    def put_up(self) -> None:
        """A seat is its owner's again, and its time may be up once more."""
        self._fallen = None

    def time_is_up(self, seat: Seat) -> bool:
        """Whether this seat is to act and has no time left."""
        clocks = self._course.clocks
        due_ms = clocks.due_ms()
        return clocks.seat == seat and due_ms is not None and due_ms <= self._time.now_ms()
