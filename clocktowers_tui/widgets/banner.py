"""The first line of a screen: where the player is, what is expected, how the connection is."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from clocktowers_tui.text.fitting import fit, pad
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
