"""The first line of a place: where one is, what is expected, how the line is."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from clocktowers_tui.text import fit, pad
from protocol.text import cells


class Banner(Widget):
    """`parts` on the left, cut where the width ends; `line` on the right, whole."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="banner")
        self._parts: tuple[str, ...] = ()
        self._line = ""

    def show(self, parts: Sequence[str], line: str) -> None:
        """Nothing is painted when they are the same."""
        if (tuple(parts), line) != (self._parts, self._line):
            self._parts, self._line = tuple(parts), line
            self.refresh()

    def render(self) -> Content:
        right = f" {self._line} " if self._line else ""
        left = fit(" " + "  ".join(self._parts), max(0, self.size.width - cells(right)))
        return Content.styled(pad(left, max(0, self.size.width - cells(right))) + right, "bold")
