"""Small questions and answers on top of a screen."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.i18n import _
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text import as_name
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import Keys
from clocktowers_tui.widgets.menu import Menu, Row


class Question(Dialog[str]):
    """A sentence and what one may answer; Esc is the first answer, which has to be the safe one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "safe", show=False)]

    def __init__(self, sentences: Sequence[str], answers: Sequence[Row]) -> None:
        super().__init__()
        self._sentences = sentences
        self._answers = answers

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            for sentence in self._sentences:
                yield Static(Content(sentence), markup=False)
            yield Static("")
            yield Menu(self._answers)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id or self._answers[0].id)

    def action_safe(self) -> None:
        self.dismiss(self._answers[0].id)


class Quit(Question):
    """Ctrl+C's question."""

    def __init__(self) -> None:
        answers = [Row("stay", _("Stay")), Row("quit", _("Quit"))]
        super().__init__([_("Quit Clocktowers? Ctrl+C once more quits.")], answers)


class Help(Dialog[None]):
    """Which keys do what, here; any key closes it."""

    def __init__(self, keys: Keys) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        rows = [(_("arrows, hjkl"), _("move")), (_("Enter"), _("choose")), *self._keys]
        width = max(len(key) for key, _words in rows)
        lines = [f"{key:<{width}}  {words}" for key, words in rows]
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Static(Content.styled(_("Keys"), "bold"), markup=False)
            yield Static(Content("\n".join(lines)), markup=False)
            yield Static(Content.styled(_("Any key closes this."), "dim"), markup=False)

    def on_key(self, event: Key) -> None:
        event.stop()
        self.dismiss()


class Pages(Dialog[None]):
    """Lines to scroll through, the last ones first in view."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,L", "close", show=False),
        Binding("j", "lines.scroll_down", show=False),
        Binding("k", "lines.scroll_up", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._heading = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(self._heading, "bold"), classes="banner", markup=False)
        with VerticalScroll(id="lines"):
            yield Static(Content("\n".join(self._lines)), markup=False)
        yield Static(Content(_("Esc closes this.")), markup=False)

    def on_mount(self) -> None:
        lines = self.query_one("#lines", VerticalScroll)
        lines.focus()
        lines.scroll_end(animate=False)

    def action_close(self) -> None:
        self.dismiss()


class NameForm(Dialog[str]):
    """Asks for the player's name; "" when nothing is to change."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._old = name

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Field(_("Your name"), self._old, id="name", max_length=20)
            yield Static(Content.styled(_("Enter keeps it, Esc does not."), "dim"), markup=False)
            yield Static("", id="complaint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if name := as_name(event.value):
            self.dismiss(name)
        else:
            complaint = _("Type at least one visible character.")
            self.query_one("#complaint", Static).update(Content(complaint))

    def action_close(self) -> None:
        self.dismiss("")


class TooSmall(Dialog[None]):
    """Covers everything until the terminal is large enough again."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._needed = (width, height)

    def compose(self) -> ComposeResult:
        sentence = _("Make this window larger: {width}x{height} cells are needed.")
        width, height = self._needed
        text = sentence.format(width=width, height=height)
        yield Static(Content(text), id="too-small", markup=False)
