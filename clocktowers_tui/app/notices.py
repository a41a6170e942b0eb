"""Tells the terminal of the player's turn, in the window's title, by the bell and by a message on
the desktop, and of the chat.

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


class Notices:
    """`set_title`, `ring`, `pop_up`: what the terminal does. A title that has not changed is not
    sent."""

    def __init__(
        self,
        set_title: Callable[[str], None],
        ring: Callable[[], None],
        pop_up: Callable[[str, str], None],
    ) -> None:
        self._set_title = set_title
        self._ring = ring
        self._pop_up = pop_up
        self._title = ""
        self._was_mine = False
        self._newest: Said | None = None

    def follow(self, state: State, settings: Settings, faces: Mapping[str, Face]) -> None:
        """Tell the terminal what is new in this state: the player's turn, or a line of the chat
        that they have not read."""
        mine = is_my_turn(state, faces) and not handed_over(state)
        newest = state.chat.lines[-1] if state.chat.lines else None
        turn = mine and not self._was_mine and not state.alone
        said = newest is not self._newest and settings.chat_bell and newest in unread(state)
        self._was_mine, self._newest = mine, newest
        if said or (turn and settings.bell):
            self._ring()
        if turn:
            self._pop_up(_NAME, _("Your turn"))
        new = title(state, mine=mine) if settings.title else _NAME
        if new != self._title and (settings.title or self._title):
            self._title = new
            self._set_title(new)

    def hurry(self, state: State, settings: Settings) -> None:
        """Ring, because the player's time runs out."""
        if settings.bell and not state.alone:
            self._ring()


def title(state: State, *, mine: bool) -> str:
    """The window's title; its texts are clean."""
    if mine:
        return _("● Your turn - {game}").format(game=_NAME)
    if state.table is None or state.alone:
        return _NAME
    info = state.table.info
    return f"{info.title or info.table} - {_NAME}"
