"""What all our screens share: a last line of keys, help on `?`, no repaint for a focus move."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from clocktowers_tui.i18n import N_, _
from clocktowers_tui.state.store import State
from clocktowers_tui.widgets.key_line import KeyLine, Keys

Result = TypeVar("Result")

_NAMES = {
    "question_mark": "?",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "slash": "/",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}


def keys_now(screen: Screen[Result]) -> list[tuple[str, str]]:
    """(key, what it does) of all bindings that have words and work where the focus is."""
    typing = isinstance(screen.focused, Input)
    found: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if not (binding.show and active.enabled) or (typing and len(_name(key)) == 1):
            continue
        found.setdefault(_(binding.description), []).append(binding.key_display or _name(key))
    return [(keys[0], words) for words, keys in found.items()]


def _name(key: str) -> str:
    return _NAMES.get(key, key)


class OurScreen(Screen[Result]):
    """`keys` says what stands in the last line."""

    # Textual repaints the whole screen when the focus moves; the widgets repaint themselves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", N_("Help")),
    ]

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _screen: self.show_keys())

    def keys(self) -> Keys:
        return keys_now(self)

    def show_keys(self) -> None:
        if self.is_active:
            for line in self.query(KeyLine):
                line.show(self.game_keys() or self.keys(), self.keys() if self.game_keys() else ())

    def game_keys(self) -> Keys:
        """Those of a game, which stand before the screen's own; the latter are never dropped."""
        return ()

    def help_keys(self) -> Keys:
        """What `?` lists."""
        return [*self.game_keys(), *self.keys()]

    def help_notes(self) -> Sequence[str]:
        """Lines below them."""
        return ()

    def action_help(self) -> None:
        # Dialogs are made of what stands here.
        from clocktowers_tui.screens.dialogs import Help

        self.app.push_screen(Help(self.help_keys(), self.help_notes()))


class PlaceScreen(OurScreen[None]):
    """Where the player is; is shown every new state."""

    _sentence = ""

    def show(self, state: State) -> None:
        """Show this state."""
        raise NotImplementedError

    def say(self, sentence: str) -> None:
        """One line above the keys; stays until the next one."""
        said = self.query_one("#said", Static)
        if sentence != self._sentence:
            self._sentence = sentence
            said.update(Content(sentence))


class Dialog(ModalScreen[Result]):
    """On top of a screen, opaque: what lies below is not repainted through it."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
