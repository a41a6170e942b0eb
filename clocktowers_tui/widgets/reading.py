"""A long text to read: keys and the wheel move it, and what the player searched for is reversed.

One widget of lines, painted only when it moves; bold, underlined and reversed are all it needs.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.markdown import PageLine
from clocktowers_tui.text.search import Match, Part, find

_WHEEL: Final = 3
_ALL: Final = 1_000_000
_BOLD: Final = Style(bold=True)
_HEADINGS: Final = (Style(), _BOLD, Style(bold=True, underline=True), _BOLD)
_FOUND: Final = Style(reverse=True)
_AT: Final = Style(reverse=True, bold=True, underline=True)


class Reading(Widget, can_focus=True, inherit_bindings=False):
    """`top`: the line that stands first. `found`: the matches. `at`: which match the player is
    at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "move(-1)"),
        bound(actions.DOWN, "move(1)"),
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.CHOOSE, "turn(1)"),
        bound(actions.FIRST, f"move(-{_ALL})"),
        bound(actions.LAST, f"move({_ALL})"),
    ]

    class Moved(Message):
        """Other lines are shown, or another match is selected."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: Sequence[PageLine] = ()
        self.top = 0
        self.found: Sequence[Match] = ()
        self.at = 0

    def show(self, lines: Sequence[PageLine]) -> None:
        """Show other lines, or the same lines for another width; clears the search."""
        self._lines = lines
        self.found = ()
        self.jump(self.top)

    def find(self, wanted: str) -> None:
        """Mark every match of this text, and go to the first from here on; "" marks none."""
        self.found = find(self._lines, wanted)
        below = (n for n, match in enumerate(self.found) if match[0].line >= self.top)
        self.at = next(below, 0)
        self._go_to_match()

    def next_match(self, by: int) -> None:
        if self.found:
            self.at = (self.at + by) % len(self.found)
            self._go_to_match()

    def _go_to_match(self) -> None:
        """Scroll as little as shows the match with some lines around it."""
        top = self.top
        if self.found:
            line = self.found[self.at][0].line
            if not top <= line < top + self.size.height:
                top = line - self.size.height // 3
        self.jump(top)

    def jump(self, top: int) -> None:
        """Put this line first, as far as enough lines follow."""
        self.top = max(0, min(top, len(self._lines) - self.size.height))
        self.refresh()
        self.post_message(self.Moved())

    def action_move(self, by: int) -> None:
        self.jump(self.top + by)

    def action_turn(self, pages: int) -> None:
        self.jump(self.top + pages * max(1, self.size.height - 1))

    def on_mouse_scroll_down(self) -> None:
        self.action_move(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-_WHEEL)

    def render_line(self, y: int) -> Strip:
        number = self.top + y
        width = self.size.width
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[number]
        base = self.rich_style + _HEADINGS[min(line.heading, len(_HEADINGS) - 1)]
        styles = [base] * len(line.text)
        for start, end in line.bold:
            styles[start:end] = [base + _BOLD] * (end - start)
        for n, match in enumerate(self.found):
            for part in match:
                if part.line == number:
                    _mark(styles, part, _AT if n == self.at else _FOUND)
        segments = [Segment(*pair) for pair in zip(line.text, styles, strict=True)]
        # The strip counts its own cells: a strip longer than it says stays on the screen.
        return Strip(segments).simplify().adjust_cell_length(width, self.rich_style)


def _mark(styles: list[Style], part: Part, style: Style) -> None:
    styles[part.start : part.end] = [one + style for one in styles[part.start : part.end]]
