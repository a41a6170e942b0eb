"""Screens at a table with others: their chat is a key away, and new lines are shown."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from textual.app import App
from textual.binding import BindingType

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.deeds.match import hands_over
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, bound
from clocktowers_tui.phrases.chat import line_of, unread_in_words
from clocktowers_tui.phrases.codes import trouble_in_words
from clocktowers_tui.screens.bound_actions import BoundAction, entries, keys_in_help, keys_in_line
from clocktowers_tui.screens.place import PlaceScreen
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State, handed_over, unread, you
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Countdown
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
        found = sorted(self.offered(), key=lambda one: one.action == actions.CHAT)
        return keys_in_line(found, self.short_words())

    def short_words(self) -> dict[Action, str]:
        new = len(unread(self._client.state))
        return {actions.CHAT: unread_in_words(new)} if new else {}

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


def show_clocks(screen: OurScreen[Any], state: State, face: Face) -> None:
    """The clock of the seat to act, and that of a phase that ends by itself."""
    match = state.match
    if match is None or match.view is None:
        return
    certain = not trouble_in_words(state.connection)
    mine = match.clock is not None and match.clock.seat == state.seat
    clock, due = (screen.query_one(id, Countdown) for id in ("#clock", "#due"))
    clock.show(match.ends_s, match.held_s, certain=certain, mine=mine)
    due_ms = None if match.over else face.due_ms(match.view)
    due_s = None if due_ms is None else match.began_s + due_ms / 1000
    due.show(due_s, match.held_s, certain=certain)


# The keys of a match: which of them lead somewhere now, and the words for them.

_OF_TURNS: Final = frozenset({actions.TAKE_BACK, actions.HURRY, actions.HAND_OVER})
"""What all do at once can neither be taken back nor left to bots."""


_ANSWERS_WHY: Final = frozenset({"undo", "hint", "fast", "autoplay"})


class KeyedMatch(AtTableScreen):
    """A screen with the board of a match. The board says which of its own keys lead somewhere."""

    def __init__(self, client: Client, match: Match) -> None:
        super().__init__(client)
        self._face: Face = client.faces[match.game]
        layout = client.settings.layouts.get(match.game, "")
        self._board: Board = self._face.board(client.look, layout)
        self._board.id = "board"

    def game_keys(self) -> Keys:
        match = self._client.state.match
        if match is None or match.over:
            return []
        if handed_over(self._client.state):
            told = [((actions.HAND_OVER,), _("Play on")), ((actions.HURRY,), _("To the end"))]
            return entries(self.keymap, told)
        return [*entries(self.keymap, self._board.actions_now()), *self._key_to_finish()]

    def _key_to_finish(self) -> Keys:
        """Last, so that it is the first to go where the line is short."""
        if not hands_over(self._client) or not self.check_action("do", ("autoplay",)):
            return []
        return entries(self.keymap, [((actions.HAND_OVER,), _("Autoplay"))])

    def help_keys(self) -> Keys:
        """The game has shorter words for its own keys than the registry."""
        told = {action for together, _words in self._face.answers_to() for action in together}
        told |= {*self._face.actions, actions.CHOOSE}
        found = self._never_vain(one for one in self.bound if not one.action.moves)
        others = [one for one in found if one.action not in told]
        return [*entries(self.keymap, self._face.answers_to()), *keys_in_help(others)]

    def palette_actions(self) -> Sequence[BoundAction]:
        """The board's actions that lead somewhere now."""
        match = self._client.state.match
        now = () if match is None or match.over else self._board.actions_now()
        here = {action for together, _words in now for action in together}
        found = self._now(self._never_vain(super().palette_actions()))
        game = self._face.actions
        return [one for one in found if one.action not in game or one.action in here]

    def help_notes(self) -> Sequence[str]:
        return [*self._face.notation(self._client.look), *self._board.legend()]

    def goal(self) -> Sequence[str]:
        return self._board.goal()

    def may(self, deed: Deed) -> bool:
        """What only the match forbids says why when its key is pressed."""
        if deed.word == "earlier":
            return not self._client.journey.teaches
        return deed.word in _ANSWERS_WHY or super().may(deed)

    def offered(self) -> Sequence[BoundAction]:
        return self._now(super().offered())

    def _now(self, found: Iterable[BoundAction]) -> Sequence[BoundAction]:
        """Without those that lead nowhere now; a player who presses such a key is told why."""
        vain = {key for deed in self.deeds if not deed.now(self._client) for key in deed.keys}
        if handed_over(self._client.state):  # the key for autoplay does it, and says so
            vain |= {actions.HURRY, actions.PLAY_ON}
        return [one for one in found if one.action not in vain]

    def _never_vain(self, found: Iterable[BoundAction]) -> Sequence[BoundAction]:
        """Those that work at some moment of this match."""
        vain = set[Action]()
        if not self._face.in_turns:
            vain |= _OF_TURNS
        if not self.has_hints:
            vain.add(actions.HINT)
        return [one for one in found if one.action not in vain]

    @property
    def has_hints(self) -> bool:
        """Whether the key for a hint ever answers here."""
        table = self._client.state.table
        return table is not None and table.info.hints
