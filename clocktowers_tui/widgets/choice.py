"""One row of a form: a label and one of several values, changed with the arrows."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from clocktowers_tui import actions
from clocktowers_tui.actions import bound
from clocktowers_tui.i18n import N_, _
from clocktowers_tui.keymap import keymap_of
from clocktowers_tui.text import pad


class Choice(Widget, can_focus=True):
    """`values`: (value, words); the first is the default."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEFT, "turn(-1)", N_("Value before")),
        bound(actions.RIGHT, "turn(1)", N_("Next value")),
        bound(actions.CHOOSE, "turn(1)", N_("Next value")),
    ]

    class Changed(Message):
        def __init__(self, choice: "Choice") -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> "Choice":
            return self.choice

    def __init__(
        self, label: str, values: Sequence[tuple[Any, str]], value: Any = None, *, id: str
    ) -> None:
        super().__init__(id=id)
        self._label = label
        self._values = tuple(values)
        self._at = self._index(value)

    @property
    def value(self) -> Any:
        return self._values[self._at][0]

    def set_value(self, value: Any) -> None:
        """Show this value, or the first if there is no such one; nothing is posted."""
        self._at = self._index(value)
        self.refresh()

    def explain(self) -> Sequence[str]:
        keymap = keymap_of(self.app)
        values = ", ".join(words for _value, words in self._values)
        sentence = _("{left} and {right} change it.")
        return [
            f"{self._label}: {values}.",
            sentence.format(left=keymap.name(actions.LEFT), right=keymap.name(actions.RIGHT)),
        ]

    def _index(self, value: Any) -> int:
        values = [kept for kept, _words in self._values]
        return values.index(value) if value in values else 0

    def action_turn(self, by: int) -> None:
        self._at = (self._at + by) % len(self._values)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self) -> None:
        self.action_turn(1)

    def render(self) -> Content:
        label = pad(self._label, 27)
        words = self._values[self._at][1]
        return Content.assemble(f" {label} ", ("< ", "dim"), (words, "bold"), (" >", "dim"))
