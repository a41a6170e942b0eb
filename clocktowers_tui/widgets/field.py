"""The rows of a form: a labelled line to type in, and one of several values; they outlast another
language.

What the terminal cannot show can be neither typed nor pasted.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Click, Key, Paste
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import key_in_words, keymap_of
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.text import cells


class TextLine(Input, inherit_bindings=False):
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

    def on_paste(self, event: Paste) -> None:
        """A line that a terminal has broken is one again; Textual would take its first part."""
        event.text = " ".join(event.text.split())

    def explain(self) -> Sequence[str]:
        sentence = _("Type here: every letter is text, {enter} goes on.")
        return [sentence.format(enter=key_in_words("enter"))]

    def validate_value(self, value: str) -> str:
        """Clean a paste: an escape code in it would act on the player's own terminal."""
        return "".join(char for char in value if unicodedata.category(char)[0] != "C")


_BEFORE: Final = 4
"""Cells beside the label, up to the value."""
_MARGINS: Final = 6
"""The same, and those for the arrow behind the value."""


class Labelled(Widget):
    """A row of a form, whose labels are all as wide as the longest."""

    def __init__(self, label: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.label = label

    def label_cells(self, words: str = "") -> int:
        """A long value takes room from its label, as far as that has some to spare."""
        longest = max(cells(row.label) for row in self.screen.query(Labelled))
        room = max(cells(self.label), self.size.width - cells(words) - _MARGINS)
        return min(longest, self.size.width // 2 - 2, room)


class Field(Labelled):
    """Label and line, in the columns of a form's choices. The line has the id; it shows `hint`
    while it is empty."""

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
        super().__init__(label)
        self._line = TextLine(value, id=id, password=password, max_length=max_length, hint=hint)

    def compose(self) -> ComposeResult:
        yield self._line

    def on_resize(self) -> None:
        self._line.styles.margin = (0, 0, 0, self.label_cells() + _BEFORE)

    def render(self) -> Content:
        return Content(fit(f" {self.label}", self.label_cells() + _BEFORE))


# One row of a form: a label and one of several values, changed with the arrows.


class Choice(Labelled, can_focus=True):
    """`values`: (value, words); the first is the default. The arrows stand at both sides of the
    value; a click on the first goes back.

    With `other` the row can also show that no listed value holds: its value is then None, and
    turning leads to the first or the last. A row without a choice is only read. `sentence`: what is
    chosen here; `steps`: what to say instead of values that go from the least to the most, where
    the arrows stop at both ends.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEFT, "turn(-1)", N_("Previous value"), shown=True),
        bound(actions.RIGHT, "turn(1)", N_("Next value"), shown=True),
        bound(actions.CHOOSE, "go_round", N_("Next value")),
    ]

    @dataclass
    class Changed(Message):
        choice: "Choice"

    def __init__(
        self,
        label: str,
        values: Sequence[tuple[Any, str]],
        value: Any = None,
        *,
        id: str,
        other: str = "",
        sentence: str = "",
        steps: Mapping[Any, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(label, id=id)
        self._sentence = sentence
        self._steps = steps
        self._other = other
        self._values = tuple(values)
        self._at = self._index(value)
        self.can_focus = len(self._values) > 1

    @property
    def sentence(self) -> str:
        """What is chosen here, or what this step is about."""
        # Other values need not be hashable.
        return self._steps.get(self.value, self._sentence) if self._steps else self._sentence

    @property
    def value(self) -> Any:
        return None if self._at is None else self._values[self._at][0]

    def set_value(self, value: Any) -> None:
        """Show this value; if there is no such value, `other` or else the first. Posts nothing."""
        self._at = self._index(value)
        self.refresh()

    def explain(self) -> Sequence[str]:
        keymap = keymap_of(self.app)
        values = ", ".join(words for _value, words in self._values)
        sentence = _("{left} and {right} change it.")
        return [
            *filter(None, [self.sentence]),
            f"{self.label}: {values}.",
            sentence.format(left=keymap.name(actions.LEFT), right=keymap.name(actions.RIGHT)),
        ]

    def set_values(self, values: Sequence[tuple[Any, str]]) -> None:
        """Offer these instead; the chosen value stays if it is among them."""
        chosen = self.value
        self._values = tuple(values)
        self.set_value(chosen)

    def _index(self, value: Any) -> int | None:
        values = [kept for kept, _words in self._values]
        if value in values:
            return values.index(value)
        return None if self._other else 0

    def action_turn(self, by: int) -> None:
        at = (self._at if self._at is not None else -1 if by > 0 else 0) + by
        if not self._steps or 0 <= at < len(self._values):
            self._go(at)

    def action_go_round(self) -> None:
        """One key leads to all values, and so does a click."""
        self._go((-1 if self._at is None else self._at) + 1)

    def _go(self, at: int) -> None:
        self._at = at % len(self._values)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self, event: Click) -> None:
        if self.can_focus and event.x == self.label_cells(self._words) + 2:
            self.action_turn(-1)
        elif self.can_focus:
            self.action_go_round()

    @property
    def _words(self) -> str:
        return self._other if self._at is None else self._values[self._at][1]

    def render(self) -> Content:
        label = pad(self.label, self.label_cells(self._words))
        words = fit(self._words, self.size.width - cells(label) - _MARGINS)
        if not self.can_focus:
            return Content.assemble((f" {label}   {words}", "dim"))
        return Content.assemble(f" {label} ", ("< ", "dim"), (words, "bold"), (" >", "dim"))


async def recompose(screen: Screen[Any]) -> None:
    """Compose it again in the language of now, with what the player typed and chose, the focus, and
    every menu's row."""
    typed = {line.id: line.value for line in screen.query(Input)}
    chosen = {choice.id: choice.value for choice in screen.query(Choice)}
    rows = [menu.highlighted for menu in screen.query(Menu)]
    focused = screen.focused
    await screen.recompose()
    for line in screen.query(Input):
        line.value = typed.get(line.id, line.value)
    for choice in screen.query(Choice):
        choice.set_value(chosen.get(choice.id, choice.value))
    for menu, row in zip(screen.query(Menu), rows, strict=False):
        menu.highlighted = row
    if focused is not None:
        same = f"#{focused.id}" if focused.id else type(focused).__name__
        for widget in list(screen.query(same))[:1]:
            widget.focus()


class Submit(Menu):
    """The single row at the end of a form. An arrow key that changes a value above does not send
    it."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.RIGHT, "move('cursor_down')")]

    def __init__(self, row: Row) -> None:
        super().__init__([row])
