"""Tells the terminal of the player's turn, in the window's title and by the bell, and of the chat.

The bell rings once for each turn that comes, not at each action of it. It does not ring in a match
against bots alone: they are so fast that it would ring at every other key.
"""

from collections.abc import Callable, Mapping
from typing import Final

from clocktowers_tui.config.settings import Settings
from clocktowers_tui.deeds.client import is_my_turn
from clocktowers_tui.games.face import Face
from clocktowers_tui.state.store import State, handed_over, unread
from clocktowers_tui.text.i18n import _
from protocol.from_server import Said

_NAME: Final = "Clocktowers"


class TurnNotice:
    """`set_title`, `ring`: what the terminal does. A title that has not changed is not sent."""

    def __init__(self, set_title: Callable[[str], None], ring: Callable[[], None]) -> None:
        self._set_title = set_title
        self._ring = ring
        self._title = ""
        self._was_mine = False

    def follow(self, state: State, settings: Settings, faces: Mapping[str, Face]) -> None:
        """Tell the terminal what is new in this state."""
        mine = is_my_turn(state, faces) and not handed_over(state)
        if mine and not self._was_mine and settings.bell and not state.alone:
            self._ring()
        self._was_mine = mine
        if settings.title:
            self._tell(title(state, mine=mine))
        elif self._title:
            self._tell(_NAME)

    def hurry(self, state: State, settings: Settings) -> None:
        """Ring, because the player's time runs out."""
        if settings.bell and not state.alone:
            self._ring()

    def _tell(self, title: str) -> None:
        if title != self._title:
            self._title = title
            self._set_title(title)


def title(state: State, *, mine: bool) -> str:
    """The window's title; its texts are clean."""
    if mine:
        return _("● Your turn - {game}").format(game=_NAME)
    if state.table is None or state.alone:
        return _NAME
    info = state.table.info
    return f"{info.title or info.table} - {_NAME}"


# Rings when somebody else says something, for players who have switched that on.


class ChatNotice:
    """`ring`: what the terminal does, once for lines that come together."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._newest: Said | None = None

    def follow(self, state: State, settings: Settings) -> None:
        """Ring if there is a new line that the player has not read."""
        newest = state.chat.lines[-1] if state.chat.lines else None
        if newest is not self._newest and settings.chat_bell and newest in unread(state):
            self._ring()
        self._newest = newest
