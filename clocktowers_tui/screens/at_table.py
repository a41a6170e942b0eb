"""Where others are: their chat is one key away, and it is seen that something new was said."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual.app import App
from textual.binding import BindingType

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.phrases.chat import line_of, unread_in_words
from clocktowers_tui.screens.bound_actions import BoundAction, bound_actions, keys_in_line
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.state.hearing import unread, you
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.widgets.key_line import Keys

CHAT: Final = "chat"
"""The name of the screen with the chat."""

_MARGINS: Final = 2
"""Cells beside what is said."""


def is_chatting(app: App[Any]) -> bool:
    """Whether the chat is open; what comes unasked must not take the keys away from who types."""
    return any(screen.name == CHAT for screen in app.screen_stack)


class AtTableScreen(PlaceScreen):
    """A place at a table. A new line stands where sentences do as long as nothing else is said, and
    the key of the chat tells how many are unread."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.CHAT, "app.chat", shown=True)]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client
        self._heard = ""
        """The line of the chat that was said last."""

    @property
    def room(self) -> int:
        """Cells that a sentence may take on its line."""
        return self.size.width - _MARGINS

    def keys(self) -> Keys:
        """The chat's stands last: what can be done comes before what can be said."""
        new = len(unread(self._client.state))
        found = sorted(self.offered(), key=lambda one: one.action == actions.CHAT)
        if new and found[-1].action == actions.CHAT:
            found[-1] = found[-1]._replace(words=unread_in_words(new))
        return keys_in_line(found)

    def offered(self) -> Sequence[BoundAction]:
        """What may stand in the key line."""
        return bound_actions(self)

    def hear(self, state: State) -> None:
        """Whatever is new of the chat; what was said beside it stays."""
        new = unread(state)
        line = fit(line_of(new[-1], you(state)), self.room) if new else ""
        if line != self._heard:
            quiet = self._sentence in ("", self._heard)
            self._heard = line
            if quiet:
                self.say(line)
        self.show_keys()
