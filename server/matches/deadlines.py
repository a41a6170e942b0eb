"""When a clock of a match strikes next: the clock of the rules, or the clock of the seat to act.

Like a chess clock, the clock of a seat has a flag: it falls once in a turn, when that seat has run
out of time.
"""

from collections.abc import Callable
from typing import Final

from protocol.ids import Seat
from server.matches.course import Course
from server.matches.match_time import MatchTime


class Deadlines:
    """`fell` is told which seat has run out of time, and returns whether a bot plays it now.
    `never`: there are none in this match, a game in turns without clocks."""

    __slots__ = ("_course", "_fallen", "_fell", "_time", "never")

    def __init__(self, course: Course, time: MatchTime, fell: Callable[[Seat], bool]) -> None:
        self._course: Final = course
        self._time: Final = time
        self._fell: Final = fell
        self._fallen: int | None = None
        self.never: Final = not (course.clocked or course.rules.races)

    def due_ms(self) -> int | None:
        """The next deadline, in match time."""
        rules_ms = self._course.rules.deadline(self._course.state)
        if not self._course.clocked:
            return rules_ms
        flag_ms = self._flag_ms()
        if rules_ms is None or flag_ms is None:
            return flag_ms if rules_ms is None else rules_ms
        return min(rules_ms, flag_ms)

    def passed(self, now_ms: int) -> bool:
        """Whether the next deadline is due by then."""
        return (due_ms := self.due_ms()) is not None and due_ms <= now_ms

    def rules_ms(self) -> int | None:
        """When the rules want a `tick`, in match time."""
        return self._course.rules.deadline(self._course.state)

    def _flag_ms(self) -> int | None:
        clocks = self._course.clocks
        due_ms = clocks.due_ms()
        return None if due_ms is None or self._fallen == clocks.turn else due_ms

    def in_s(self) -> float | None:
        """Seconds until the next deadline; None when there is none, or the match stands still."""
        if (due_ms := self.due_ms()) is None or not self._time.goes_by:
            return None
        return max(0, due_ms - self._time.now_ms()) / 1000

    def fall(self) -> Seat | None:
        """Let the flag fall. Returns the seat if a bot plays it from now on."""
        clocks = self._course.clocks
        self._fallen = clocks.turn
        return clocks.seat if clocks.seat is not None and self._fell(clocks.seat) else None

    def put_up(self) -> None:
        """Raise the flag: the owner plays again, and may run out of time again."""
        self._fallen = None

    def time_is_up(self, seat: Seat) -> bool:
        """Whether this seat is to act and has no time left."""
        clocks = self._course.clocks
        due_ms = clocks.due_ms()
        return clocks.seat == seat and due_ms is not None and due_ms <= self._time.now_ms()
