"""The time of a match: how much of it has gone by, and how much each seat has left.

Laws: the same entries give the same clocks, whether they came as the match was played or out of the
journal. All match time is charged to the seat whose turn it is, also when a bot plays it. After a
take-back the turn goes on with the time it had left before the undone action, less what has
gone by since; a turn of days has all its days again, since the others have agreed. No seat ever has
less than nothing.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from protocol.ids import Seat
from protocol.table import DAY_S, Bank, Clock, Days, PerTurn, Running


class MatchTime:
    """The time of a match in whole milliseconds, which stands still while nobody plays. `at_ms`:
    the match time to begin at, more than 0 when a match goes on after the server was down."""

    __slots__ = ("_at_ms", "_loop", "_since_s")

    def __init__(self, at_ms: int = 0) -> None:
        self._at_ms = at_ms
        self._loop: Final = asyncio.get_running_loop()
        self._since_s: float | None = self._loop.time()

    @property
    def goes_by(self) -> bool:
        """Whether the match does not stand still."""
        return self._since_s is not None

    def now_ms(self) -> int:
        """The match time now."""
        if self._since_s is None:
            return self._at_ms
        return self._at_ms + int((self._loop.time() - self._since_s) * 1000)

    def until_s(self, due_ms: int) -> float:
        """How long to wait before looking whether that moment has come."""
        return max(0, due_ms - self.now_ms()) / 1000

    def stand_still(self) -> None:
        """Stop the time until `go_on`."""
        self._at_ms, self._since_s = self.now_ms(), None

    def go_on(self) -> None:
        """Undo `stand_still`."""
        self._at_ms, self._since_s = self.now_ms(), self._loop.time()


_LOOK_S: Final = 60.0
"""A wall clock may be set, and a machine may sleep, which no timer hears of."""


class WallTime(MatchTime):
    """The time of a match of days: what has gone by since the wall clock said `began_at`, in
    seconds since 1970, whether a server ran or not. Where that clock is set back it stands still
    for so long."""

    __slots__ = ("_began_at", "_wall")

    def __init__(self, at_ms: int, began_at: int, wall: Callable[[], float]) -> None:
        super().__init__(at_ms)
        self._began_at: Final = began_at
        self._wall: Final = wall

    def now_ms(self) -> int:
        self._at_ms = max(self._at_ms, int((self._wall() - self._began_at) * 1000))
        return self._at_ms

    def until_s(self, due_ms: int) -> float:
        return min(_LOOK_S, super().until_s(due_ms))


class _Reading(NamedTuple):
    """What the clock shows at `at_ms`, in match time. `left_ms`: by seat; without banks only the
    value of `seat`, which is being charged, means anything. `turn`: how many turns have begun; one
    lasts as long as the same seat is to act."""

    at_ms: int
    seat: Seat | None
    left_ms: tuple[int, ...]
    turn: int = 0


Paused: TypeAlias = Callable[[Seat], Sequence[tuple[int, int]]]
"""The match time that does not count for the seat, ascending, from when until when."""


def never_paused(seat: Seat) -> Sequence[tuple[int, int]]:
    return ()


class Clocks:
    """All clocks of a match. `note` must be called for the deal and for every entry, in order."""

    __slots__ = ("_before", "_paused", "_setting", "now")

    def __init__(self, setting: Clock, seats: int, paused: Paused = never_paused) -> None:
        self._setting: Final = setting
        self._paused: Final = paused
        first_ms = setting.bank_s * 1000 if isinstance(setting, Bank) else 0
        self.now = self._before = _Reading(0, None, (first_ms,) * seats)

    def note(self, at_ms: int, to_act: Sequence[Seat], *, takes_back: bool = False) -> None:
        """Take in an entry, or the deal. `to_act`: one seat at most, since games with a clock have
        turns."""
        if takes_back:
            self.now = self._charged(self._before, at_ms)
            if isinstance(self._setting, Days):
                self.now = self._begun(self.now.seat)
            return
        self._before, self.now = self.now, self._charged(self.now, at_ms)
        seat = to_act[0] if to_act else None
        if seat != self.now.seat:
            self.now = self._begun(seat)

    def _begun(self, seat: Seat | None) -> _Reading:
        now, left_ms = self.now, list(self.now.left_ms)
        match self._setting:
            case PerTurn(turn_s=turn_s) if seat is not None:
                left_ms[seat] = turn_s * 1000
            case Days(days=days) if seat is not None:
                left_ms[seat] = days * DAY_S * 1000
            case Bank(increment_s=increment_s) if seat is not None:
                left_ms[seat] += increment_s * 1000
        return _Reading(now.at_ms, seat, tuple(left_ms), now.turn + 1)

    def due_ms(self) -> int | None:
        """The match time at which `seat` runs out of time; None when no clock runs."""
        now = self.now
        if now.seat is None:
            return None
        due_ms = now.at_ms + now.left_ms[now.seat]
        for since_ms, until_ms in self._paused(now.seat):
            if since_ms < due_ms:
                due_ms += max(0, until_ms - max(since_ms, now.at_ms))
        return due_ms

    def ran_out(self, seat: Seat, now_ms: int) -> bool:
        """Whether this seat is to act and has no time left."""
        due_ms = self.due_ms()
        return self.now.seat == seat and due_ms is not None and due_ms <= now_ms

    def bears_take_back(self, at_ms: int) -> bool:
        """Whether the turn that a take-back would resume has any time left at `at_ms`."""
        before = self._before
        if isinstance(self._setting, Days):
            return True
        return before.seat is None or self._charged(before, at_ms).left_ms[before.seat] > 0

    def running(self, now_ms: int) -> Running | None:
        """The clock as updates show it; None when no clock runs."""
        if (seat := self.now.seat) is None:
            return None
        left_ms = self._charged(self.now, now_ms).left_ms
        banks = left_ms if isinstance(self._setting, Bank) else ()
        return Running(seat, left_ms[seat], banks)

    def _charged(self, reading: _Reading, at_ms: int) -> _Reading:
        """The reading at `at_ms`, with the time since charged."""
        at_ms = max(reading.at_ms, at_ms)
        if reading.seat is None:
            return reading._replace(at_ms=at_ms)
        counts_ms = at_ms - reading.at_ms
        for since_ms, until_ms in self._paused(reading.seat):
            counts_ms -= max(0, min(until_ms, at_ms) - max(since_ms, reading.at_ms))
        left_ms = list(reading.left_ms)
        left_ms[reading.seat] = max(0, left_ms[reading.seat] - counts_ms)
        return reading._replace(at_ms=at_ms, left_ms=tuple(left_ms))
