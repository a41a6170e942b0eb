"""The time of the seat to act. For the player's own seat the end is marked, and told once a
turn."""

from collections.abc import Callable
from time import monotonic

from textual.message import Message

from clocktowers_tui.phrases.clocks import SHORT_S
from clocktowers_tui.widgets.countdown import Countdown
from protocol.table import Running


class TurnClock(Countdown):
    """Takes no room when there is no clock."""

    class Short(Message):
        """The player's own time runs out."""

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(now_s, id=id)
        self._clock: Running | None = None
        self._mine = False
        self._told = False
        self.display = False

    def follow(self, clock: Running | None, *, mine: bool) -> None:
        """`clock`: as the server sent it just now, or the same as before."""
        if clock is self._clock and mine == self._mine:
            return
        if clock is None or self._clock is None or clock.seat != self._clock.seat:
            self._told = False
        is_new = clock is not self._clock
        self._clock, self._mine = clock, mine
        self.display = clock is not None
        if is_new:
            self.aim(None if clock is None else self._now_s() + clock.left_ms / 1000)
        else:
            self.tick()

    def go_with(self, other: Countdown | None) -> None:
        """Show what the other clock shows; the other tells the player."""
        beside = other if isinstance(other, TurnClock) else None
        self._clock = None if beside is None else beside._clock
        self._mine, self._told = beside is not None and beside._mine, True
        super().go_with(beside)

    def tick(self) -> None:
        super().tick()
        short = self._mine and self.left_s is not None and self.left_s <= SHORT_S
        self.set_class(short, "-short")
        if short and not self._told:
            self._told = True
            self.post_message(self.Short())
