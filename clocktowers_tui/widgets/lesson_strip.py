"""The sentence of a lesson above its board, and how far the player is."""

from typing import ClassVar, Final

from textual.binding import BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import N_, _
from protocol.text import cells

_ROOMY: Final = 76
"""Columns from which there is room for a word before how far the player is."""


class LessonStrip(Widget, can_focus=True):
    """One row. It has the focus while there is something to read, and then takes the key that goes
    on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(key, "read", N_("Go on")) for key in (actions.CONFIRM, actions.CHOOSE))
    ]

    class Read(Message):
        """The player has read the sentence."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="banner")
        self._place, self._sentence = "", ""

    def show(self, place: str, sentence: str) -> None:
        """Show these; paints nothing when they are the same."""
        if (place, sentence) != (self._place, self._sentence):
            self._place, self._sentence = place, sentence
            self.refresh()

    def render(self) -> Content:
        width, said = self.size.width, f" {self._sentence}"
        steps = [f" {self._place} ", self._place]
        if width >= _ROOMY:
            steps.insert(0, _(" Step {at} ").format(at=self._place))
        fits = (step for step in steps if cells(step) + cells(said) <= width)
        where = next(fits, steps[-1])
        room = max(0, width - cells(where))
        return Content.assemble((where, "reverse"), pad(fit(said, room), room))

    def action_read(self) -> None:
        self.post_message(self.Read())

    def on_click(self, _event: Click) -> None:
        if self.has_focus:
            self.action_read()
