"""The first line of a screen: where the player is, what is expected, how the connection is."""

from collections.abc import Callable, Sequence
from math import ceil
from time import monotonic

from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from clocktowers_tui.phrases.clocks import SHORT_S, time_left
from clocktowers_tui.text.fitting import fit, pad
from protocol.table import Running
from protocol.text import cells


class Banner(Widget):
    """`parts` stand on the left, cut where the width ends; `line` on the right, whole.

    `first_may_go`: where the parts do not all fit, the first is dropped before the last is cut.
    """

    def __init__(self, *, id: str, first_may_go: bool = False) -> None:
        super().__init__(id=id, classes="banner")
        self._first_may_go = first_may_go
        self._parts: tuple[str, ...] = ()
        self._line = ""
        self._loud = ""

    def show(self, parts: Sequence[str], line: str, loud: str = "") -> None:
        """Show these, one of the parts in the colour of the turn; paints nothing when they are the
        same."""
        shown = (tuple(parts), line, loud)
        if shown != (self._parts, self._line, self._loud):
            self._parts, self._line, self._loud = shown
            self.refresh()

    def render(self) -> Content:
        right = f"  {self._line} " if self._line else ""
        room = max(0, self.size.width - cells(right))
        left = _joined(self._parts)
        if self._first_may_go and cells(left) > room:
            left = _joined(self._parts[1:])
        found = Content.styled(pad(fit(left, room), room) + right, "bold")
        at = left.find(self._loud) if self._loud else room
        return found.stylize("$turn", at, min(at + len(self._loud), room)) if at < room else found


def _joined(parts: Sequence[str]) -> str:
    return " " + "  ".join(parts)


# How much time is left: a line that repaints only itself, and only while a clock runs. That of the
# seat to act, and that of a phase that ends by itself.


class Countdown(Widget):
    """`now_s`: the clock on which deadlines are given, in seconds. The countdown may be held for a
    while, and it says so when it is uncertain."""

    DEFAULT_CSS = "Countdown { width: 7; height: 1; }"

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="banner")
        self._now_s = now_s
        self._deadline_s: float | None = None
        self._held_at_s: float | None = None
        self._certain = True
        self._shown = ""
        self._timer: Timer | None = None

    def aim(self, deadline_s: float | None) -> None:
        """Count down to this moment. None: no clock runs, and nothing is shown."""
        self._deadline_s = deadline_s
        if self._held_at_s is not None:
            self._held_at_s = self._now_s()
        self.tick()

    def go_with(self, other: "Countdown | None") -> None:
        """Show what the other countdown shows; take no room where it shows nothing."""
        left_s = None if other is None else other.left_s
        self.display = left_s is not None
        self.aim(None if left_s is None else self._now_s() + left_s)
        if other is not None:
            self.hold(other._held_at_s is not None, certain=other._certain)

    def hold(self, held: bool, *, certain: bool = True) -> None:
        """`held`: time stands still until it is released. `certain`: whether the server's clock is
        known to run as this clock does."""
        if held and self._held_at_s is None:
            self._held_at_s = self._now_s()
        elif not held and self._held_at_s is not None:
            if self._deadline_s is not None:
                self._deadline_s += self._now_s() - self._held_at_s
            self._held_at_s = None
        self._certain = certain
        self.tick()

    @property
    def left_s(self) -> float | None:
        """How much time is left, in seconds."""
        now_s = self._now_s() if self._held_at_s is None else self._held_at_s
        return None if self._deadline_s is None else max(0.0, self._deadline_s - now_s)

    def tick(self) -> None:
        """Show what is left now (0:00 only when nothing is), and call again when that changes."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        left_s = self.left_s
        shown = "" if left_s is None else time_left(ceil(left_s)) + " ?"[not self._certain]
        if shown != self._shown:
            self._shown = shown
            self.refresh()
        if left_s and self._held_at_s is None:
            # Centuries have no fractions of a second left, and a timer of 0 s may divide by it.
            self._timer = self.set_timer(left_s - (ceil(left_s) - 1) or 1.0, self.tick)

    def render(self) -> Content:
        return Content.styled(f"{self._shown:>7}", "bold")


class DueClock(Countdown):
    """Takes no room when nothing is due."""

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(now_s, id=id)
        self._due_s: float | None = None
        self.display = False

    def follow(self, due_s: float | None) -> None:
        """`due_s`: on this machine's clock. The same value again changes nothing."""
        if due_s != self._due_s:
            self._due_s = due_s
            self.display = due_s is not None
            self.aim(due_s)


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
