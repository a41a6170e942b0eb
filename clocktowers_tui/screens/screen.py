"""The base of all our screens: a last line of keys, help, a palette, no repaint for a focus
move."""

from collections.abc import Sequence
from typing import ClassVar, Final, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.reactive import Reactive
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import Keymap, keymap_of
from clocktowers_tui.keys.names import key_in_words
from clocktowers_tui.screens.bound_actions import (
    BoundAction,
    bound_actions,
    for_palette,
    keys_in_help,
    keys_in_line,
)
from clocktowers_tui.screens.painted import PaintedOnce
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.explained import Explained
from clocktowers_tui.widgets.key_line import KeyLine, Keys

Result = TypeVar("Result")

_MARGINS: Final = 2
"""Cells beside the sentence."""


# Textual's own bindings have no ids, so no keymap would reach them.
class OurScreen(PaintedOnce[Result], inherit_bindings=False):
    """`keys`: what stands in the last line; `about` and `help_keys`: what the help says."""

    # Textual repaints the whole screen when the focus moves; the widgets repaint themselves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.NEXT, "app.focus_next"),
        bound(actions.PREVIOUS, "app.focus_previous"),
        bound(actions.HELP, "app.help", shown=True),
        bound(actions.PALETTE, "app.palette"),
        bound(actions.THEME, "app.next_palette(1)"),
        bound(actions.THEME_BEFORE, "app.next_palette(-1)"),
        bound(actions.SETTINGS, "app.settings"),
    ]

    _keys_due = False

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _screen: self.show_keys())

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close, once: a second key of those that come together would close the screen below."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @property
    def keymap(self) -> Keymap:
        """The keys in force."""
        return keymap_of(self.app)

    def keys(self) -> Keys:
        return keys_in_line(bound_actions(self))

    def show_keys(self) -> None:
        """Show the keys of now with the next paint."""
        self._keys_due = True
        self._update_timer.resume()

    def before_paint(self) -> None:
        if not self._keys_due or not self.is_active or not (lines := self.query(KeyLine)):
            return
        self._keys_due = False
        game, own = self.game_keys(), self.keys()
        for line in lines:
            line.show(game or own, own if game else ())

    def restyle(self, look: Look) -> None:
        """Draw in the new colours or characters."""
        for board in self.query(Board):
            board.restyle(look)

    async def say_again(self) -> None:
        """Speak the new language; sentences that were handed in stay as they are."""
        from clocktowers_tui.screens.recompose import recompose

        await recompose(self)
        self.show_keys()

    def game_keys(self) -> Keys:
        """A game's entries, which stand before the screen's own; the screen's own are never
        dropped."""
        return ()

    # Help and palette ---------------------------------------------------------------------------

    def about(self) -> Sequence[str]:
        """Sentences on what the focus is on."""
        return self.focused.explain() if isinstance(self.focused, Explained) else ()

    def goal(self) -> Sequence[str]:
        """Sentences on what the game is about."""
        return ()

    def help_keys(self) -> Keys:
        """The actions that the help lists."""
        return keys_in_help(bound_actions(self))

    def help_notes(self) -> Sequence[str]:
        """Lines below the keys in the help."""
        return ()

    def palette_actions(self) -> Sequence[BoundAction]:
        """The actions that the palette lists."""
        return for_palette(bound_actions(self))


class Follows:
    """A screen that is shown every new state, also while something lies on top of it."""

    def show(self, state: State) -> None:
        """Show this state."""
        raise NotImplementedError


class SpeakingScreen(OurScreen[Result]):
    """A screen with a line `#said` for sentences."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.RULES, "app.rules")]

    _sentence = ""
    _objects = False
    """The sentence says why a key did nothing."""

    @property
    def room(self) -> int:
        """Cells that a sentence may take on its line."""
        return self.size.width - _MARGINS

    def say(self, sentence: str) -> None:
        """Show a line above the keys; it stays until the next."""
        self._objects = False
        # A worker may still speak while its screen is being taken away.
        for said in self.query("#said").results(Static):
            if sentence != self._sentence:
                self._sentence = sentence
                content, (width, height) = Content(sentence), said.size
                said.update(content, layout=not width or content.get_height({}, width) != height)

    def tell(self, sentence: str) -> None:
        """Say news, which do not depend on what is shown here."""
        self.say(sentence)

    def object(self, sentence: str) -> None:
        """Say why a key did nothing; the next key that means something takes the sentence away."""
        self.say(sentence)
        self._objects = True

    def on_key(self, event: Key) -> None:
        """A text field keeps what is typed into it; here comes what means nothing, too, and before
        a key does something."""
        active = self.active_bindings.get(event.key)
        if active is None or not active.enabled:
            self.puzzled(key_in_words(event.key))
        elif self._objects:
            self.say("")

    def puzzled(self, key: str) -> None:
        """The player pressed a key that does nothing here."""
        said = _("{key} does nothing here; {help} lists the keys.")
        self.object(said.format(key=key, help=self.keymap.name(actions.HELP)))

    async def say_again(self) -> None:
        self._sentence = ""
        await super().say_again()


class Dialog(ModalScreen[Result], OurScreen[Result]):
    """A panel on top of a screen, which stays in sight around it and goes on being painted."""
