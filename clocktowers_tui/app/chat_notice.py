"""Rings when somebody else says something, for players who have switched that on."""

from collections.abc import Callable

from clocktowers_tui.config.settings import Settings
from clocktowers_tui.state.hearing import unread
from clocktowers_tui.state.store import State
from protocol.from_server import Said


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
