"""What all our screens share: a last line of keys, help on `?`, no repaint for a focus move."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from textual.binding import ActiveBinding, BindingType
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from clocktowers_tui import actions
from clocktowers_tui.actions import Action, bound
from clocktowers_tui.i18n import _
from clocktowers_tui.key_names import key_in_words, types_text
from clocktowers_tui.keymap import NO_KEY, Keymap, keymap_of
from clocktowers_tui.screens.anew import composed_anew
from clocktowers_tui.state.store import State
from clocktowers_tui.widgets.key_line import KeyLine, Keys

Result = TypeVar("Result")
GameKeys: TypeAlias = Sequence[tuple[Sequence[Action], str]]


def possible(screen: Screen[Any]) -> dict[str, ActiveBinding]:
    """By id, what a key does where the focus is; while text is typed, that leaves few.

    Textual hides keys that the line would take before it looks at the keymap, so they are looked at
    once more."""
    typing = isinstance(screen.focused, Input)
    found: dict[str, ActiveBinding] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id and active.enabled and not (typing and types_text(key)):
            found.setdefault(active.binding.id, active)
    return found


def keys_now(screen: Screen[Any]) -> list[tuple[str, str]]:
    """(key, what it does) of all that are to stand in the key line."""
    return [
        (key_in_words(active.binding.key), _(active.binding.description))
        for active in possible(screen).values()
        if active.binding.show and active.binding.key != NO_KEY
    ]


def game_keys_in_words(keymap: Keymap, together: GameKeys) -> Keys:
    """(keys, what they do), without those that have no key."""
    named = ((keymap.names(actions), words) for actions, words in together)
    return [(keys, words) for keys, words in named if keys]


# Textual's own have no ids, so no keymap would reach them.
_FIELDS: Final[list[BindingType]] = [
    bound(actions.NEXT, "app.focus_next"),
    bound(actions.PREVIOUS, "app.focus_previous"),
]


class OurScreen(Screen[Result], inherit_bindings=False):
    """`keys` says what stands in the last line."""

    # Textual repaints the whole screen when the focus moves; the widgets repaint themselves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    BINDINGS: ClassVar[list[BindingType]] = [
        *_FIELDS,
        bound(actions.HELP, "help", shown=True),
    ]

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _screen: self.show_keys())

    @property
    def keymap(self) -> Keymap:
        """The keys that hold."""
        return keymap_of(self.app)

    def keys(self) -> Keys:
        return keys_now(self)

    def show_keys(self) -> None:
        if self.is_active:
            for line in self.query(KeyLine):
                line.show(self.game_keys() or self.keys(), self.keys() if self.game_keys() else ())

    async def say_again(self) -> None:
        """The language is another now."""
        await composed_anew(self)
        self.show_keys()

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

    async def say_again(self) -> None:
        self._sentence = ""
        await super().say_again()


class Dialog(ModalScreen[Result], inherit_bindings=False):
    """On top of a screen, opaque: what lies below is not repainted through it."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    BINDINGS: ClassVar[list[BindingType]] = [*_FIELDS]

    async def say_again(self) -> None:
        """The language is another now; sentences that were handed in stay what they are."""
        await composed_anew(self)
