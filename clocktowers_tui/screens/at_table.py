"""Screens at a table with others: their chat is a key away, and new lines are shown."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual.app import App
from textual.binding import BindingType

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.phrases.chat import line_of, unread_in_words
from clocktowers_tui.screens.bound_actions import BoundAction, keys_in_line
from clocktowers_tui.screens.place import PlaceScreen
from clocktowers_tui.state.store import State, unread, you
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.widgets.key_line import Keys

CHAT: Final = "chat"
"""The name of the screen with the chat."""
LOOKS_BACK: Final = "look back"
"""The name of the screen that shows earlier moments of the match."""


def is_chatting(app: App[Any]) -> bool:
    """Whether the chat is open; what comes unasked must not take the keys away from a player who
    types."""
    return any(screen.name == CHAT for screen in app.screen_stack)


def is_busy(app: App[Any]) -> bool:
    """Whether the player chats or looks back: a result waits till they are done."""
    return any(screen.name in (CHAT, LOOKS_BACK) for screen in app.screen_stack)


class AtTableScreen(PlaceScreen):
    """A place at a table. A new chat line stands where sentences do as long as no sentence does,
    and the key of the chat tells how many are unread."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.CHAT, "app.chat", shown=True)]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._heard = ""
        """The newest line of the chat."""

    def keys(self) -> Keys:
        """The chat's key stands last: actions come before talk."""
        new = len(unread(self._client.state))
        found = sorted(self.offered(), key=lambda one: one.action == actions.CHAT)
        if new and found[-1].action == actions.CHAT:
            found[-1] = found[-1]._replace(words=unread_in_words(new))
        return keys_in_line(found)

    def offered(self) -> Sequence[BoundAction]:
        """What may stand in the key line."""
        return self.bound

    def hear(self, state: State) -> None:
        """Show what is new in the chat; the sentence beside it stays. The caller refreshes the
        bindings, and with them how many lines are unread."""
        new = unread(state)
        line = fit(line_of(new[-1], you(state)), self.room) if new else ""
        if line != self._heard:
            quiet = self._sentence in ("", self._heard)
            self._heard = line
            if quiet:
                self.say(line)
