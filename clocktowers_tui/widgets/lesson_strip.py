"""The sentence of a lesson above its board, and how far the player is."""

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import N_
from protocol.text import cells


class LessonStrip(Widget, can_focus=True):
    """One row. It has the focus while there is something to read, and then takes the key that goes
    on; the title goes first where the row is too short."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(key, "read", N_("Go on")) for key in (actions.CONFIRM, actions.CHOOSE))
    ]

    class Read(Message):
        """The player has read the sentence."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="banner")
        self._title, self._place, self._sentence = "", "", ""

    def show(self, title: str, place: str, sentence: str) -> None:
        """Show these; paints nothing when they are the same."""
        if (title, place, sentence) != (self._title, self._place, self._sentence):
            self._title, self._place, self._sentence = title, place, sentence
            self.refresh()

    def render(self) -> Content:
        width = self.size.width
        said = f" {self._sentence}"
        where = f" {self._title} {self._place} "
        if cells(where) + cells(said) > width:
            where = f" {self._place} "
        room = max(0, width - cells(where))
        return Content.assemble((where, "reverse"), pad(fit(said, room), room))

    def action_read(self) -> None:
        self.post_message(self.Read())

    def on_click(self, _event: Click) -> None:
        if self.has_focus:
            self.action_read()
