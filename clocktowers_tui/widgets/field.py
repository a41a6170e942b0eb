"""A labelled line to type in; what the terminal cannot show can be neither typed nor pasted."""

import unicodedata
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.widget import Widget
from textual.widgets import Input

from clocktowers_tui.keys.names import key_in_words
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _


class Line(Input, inherit_bindings=False):
    """Never blinks: nothing is painted while nobody acts.

    Its editing keys and its Enter are no actions of ours; up and down belong to the form.
    """

    BINDINGS: ClassVar[list[BindingType]] = Input.BINDINGS

    def __init__(self, value: str, *, id: str, password: bool, max_length: int, hint: str) -> None:
        super().__init__(
            value,
            placeholder=hint,
            id=id,
            password=password,
            max_length=max_length,
            compact=True,
        )
        self.cursor_blink = False

    def on_key(self, event: Key) -> None:
        """Typing replaces what stands here when the line gets the focus; Space begins no text, and
        keeps it."""
        if event.key == "space" and self.value and self.selected_text == self.value:
            event.stop()
            event.prevent_default()
            self.cursor_position = len(self.value)

    def explain(self) -> Sequence[str]:
        sentence = _("Type here: every letter is text, {enter} goes on.")
        return [sentence.format(enter=key_in_words("enter"))]

    def validate_value(self, value: str) -> str:
        """Clean a paste: an escape code in it would act on the player's own terminal."""
        return "".join(char for char in value if unicodedata.category(char)[0] != "C")


class Label(Widget):
    """One line, cut with the ellipsis that the terminal has."""

    def __init__(self, text: str) -> None:
        super().__init__(classes="label")
        self._text = text

    def render(self) -> Content:
        return Content(fit(self._text, self.size.width))


class Field(Widget):
    """Label and line, half the width each. The line has the id; it shows `hint` while it is
    empty."""

    def __init__(
        self,
        label: str,
        value: str = "",
        *,
        id: str,
        password: bool = False,
        max_length: int = 80,
        hint: str = "",
    ) -> None:
        super().__init__()
        self._label = label
        self._line = Line(value, id=id, password=password, max_length=max_length, hint=hint)

    def compose(self) -> ComposeResult:
        yield Label(f" {self._label}")
        yield self._line
