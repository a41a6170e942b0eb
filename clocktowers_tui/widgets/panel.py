"""A titled frame round widgets that belong together; the one with the focus is lit."""

from typing import Final

from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize

from clocktowers_tui.text.fitting import fit

_CORNERS: Final = 6
"""Cells of the frame's upper line beside its title."""


class Panel(Vertical):
    """`title` and `foot` stand in the frame itself, cut where it ends; neither is markup."""

    def __init__(
        self, title: str = "", *, id: str | None = None, classes: str = "", foot: str = ""
    ) -> None:
        super().__init__(id=id, classes=f"panel {classes}")
        self._title = title
        self._foot = foot

    def entitle(self, title: str, foot: str = "") -> None:
        """Show these; paints nothing when they are the same."""
        if (title, foot) != (self._title, self._foot):
            self._title, self._foot = title, foot
            self._write()

    def on_resize(self, _event: Resize) -> None:
        self._write()

    def _write(self) -> None:
        room = max(0, self.outer_size.width - _CORNERS)
        self.border_title = Content(fit(self._title, room))
        self.border_subtitle = Content(fit(self._foot, room))
