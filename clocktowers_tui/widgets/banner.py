"""The first line of a screen: what is expected, where the player is, how the connection is."""

from collections.abc import Callable, Sequence
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from clocktowers_tui.text.fitting import fit, pad, time_left
from protocol.text import cells

if TYPE_CHECKING:  # what a match hands down
    from clocktowers_tui.games.face import Face
    from clocktowers_tui.state.match import Match


class Banner(Widget):
    """`parts` stand on the left, `line` on the right, whole. Where they do not all fit, the last
    parts are dropped before the first is cut.

    `last_may_go`: only the first part stands on the left, so the others stay where they are when it
    changes.
    """

    _shown = reactive[tuple[tuple[str, ...], str, str]](((), "", ""))

    def __init__(self, *, last_may_go: bool = False) -> None:
        super().__init__(id="banner", classes="banner")
        self._last_may_go = last_may_go

    def show(self, parts: Sequence[str], line: str, loud: str = "") -> None:
        """Show these, one of the parts in the colour of the turn."""
        self._shown = tuple(parts), line, loud

    def render(self) -> Content:
        parts, line, loud = self._shown
        aside = [line] if line else []
        while len(parts) > 1 and cells(_joined((*parts, *aside))) >= self.size.width:
            parts = parts[:-1]
        if self._last_may_go:
            parts, aside = parts[:1], [*parts[1:], *aside]
        left, right = _joined(parts), f" {_joined(aside)} " if aside else ""
        room = max(0, self.size.width - cells(right))
        found = Content.styled(pad(fit(left, room), room) + right, "bold")
        at = left.find(loud) if loud else -1
        return found.stylize("$turn", at, min(at + len(loud), room)) if at >= 0 else found


def _joined(parts: Sequence[str]) -> str:
    return " " + "  ".join(parts)


_CELLS: Final = 7
_SHORT_S: Final = 10
"""With so little left the player is told that time runs out."""

# How much time is left: a line that repaints only itself, and only while a clock runs.


class Countdown(Widget):
    """`now_s`: the clock on which deadlines are given, in seconds. It takes no room where nothing
    is due."""

    DEFAULT_CSS = "Countdown { height: 1; }"
    _shown = reactive("")

    class Short(Message):
        """The player's own time runs out."""

    def __init__(self, now_s: Callable[[], float] = monotonic, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="banner")
        self._now_s = now_s
        self._timer: Timer | None = None
        self.show(None)

    def show(
        self,
        deadline_s: float | None,
        held_s: float | None = None,
        *,
        certain: bool = True,
        mine: bool = False,
    ) -> None:
        """Count down to this moment; None: nothing is due. `held_s`: when time began to stand
        still; None: it runs. `certain`: whether the server's clock is known to run as this clock
        does. `mine`: it is the player's own time."""
        self._deadline_s, self._held_s = deadline_s, held_s
        self._certain, self._mine = certain, mine
        self.display = deadline_s is not None
        self.tick()

    def tick(self) -> None:
        """Show what is left now (0:00 only when nothing is), and call again when that changes."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        now_s = self._now_s() if self._held_s is None else self._held_s
        left_s = None if self._deadline_s is None else max(0.0, self._deadline_s - now_s)
        self._shown = "" if left_s is None else time_left(ceil(left_s)) + " ?"[not self._certain]
        self.styles.width = max(_CELLS, cells(self._shown))
        if left_s and self._held_s is None:
            # Centuries have no fractions of a second left, and a timer of 0 s may divide by it.
            self._timer = self.set_timer(left_s - (ceil(left_s) - 1) or 1.0, self.tick)
        short = self._mine and left_s is not None and left_s <= _SHORT_S
        if short and not self.has_class("-short"):
            self.post_message(self.Short())
        self.set_class(short, "-short")

    def render(self) -> Content:
        return Content.styled(f"{self._shown:>{_CELLS}}", "bold")


class MatchTop(Horizontal):
    """The first line of a match, and of a chat over it: what is expected, and how long."""

    def __init__(self) -> None:
        super().__init__(id="top")

    def compose(self) -> ComposeResult:
        # What is expected is worth more than where the player is.
        yield Banner(last_may_go=True)
        yield Countdown(id="due")
        yield Countdown(id="clock")

    def show_clocks(self, match: "Match", face: "Face", seat: int | None, *, certain: bool) -> None:
        """The clock of the seat to act, and that of a phase that ends by itself. `seat`: the
        player's; `certain`: as of a `Countdown`. The match has a view."""
        mine = match.clock is not None and match.clock.seat == seat
        clock, due = (self.query_one(id, Countdown) for id in ("#clock", "#due"))
        clock.show(match.ends_s, match.held_s, certain=certain, mine=mine)
        due_ms = None if match.over else face.due_ms(match.view)
        due_s = None if due_ms is None else match.began_s + due_ms / 1000
        due.show(due_s, match.held_s, certain=certain)
