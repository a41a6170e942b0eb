"""Earlier moments of a match that runs, as they were sent to this player, on the board.

Law: while this lies on the match nothing can be played, and the first line says so. The match goes
on below: what the player must know of it is said here, and one key leads there.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.phrases.history import moment_in_words, needed_in_words, way_back_in_words
from clocktowers_tui.phrases.match import names_of
from clocktowers_tui.screens.at_table import LOOK_BACK
from clocktowers_tui.screens.bound_actions import each_named, entries
from clocktowers_tui.screens.ply_by_ply import PlyByPly
from clocktowers_tui.screens.screen import Follows
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.moments import joined
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _, pgettext
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import Keys
from protocol.recording import Opened, Shown


class Sent:
    """The moments of a match as they were sent to this client; a ply is the place of one."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.seen = match.seen

    @property
    def opened(self) -> Opened:
        acted = [_actor(events) for events in self.events()[1:]]
        return Opened(self._match.game, names_of(self._match), acted, None, opens=False)

    def take(self, match: Match) -> None:
        """The same match later. What was there when the player began to look back stays there."""
        self._match, self.seen = match, joined(self.seen, match.seen)

    async def show(self, ply: int, _eyes: int) -> Shown:
        return Shown(ply, self.seen[ply].at_ms, self.seen[ply].view)

    async def hear(self, _eyes: int) -> list[list[Any]]:
        return self.events()

    async def stop(self) -> None:
        """Nothing runs."""

    def events(self) -> list[list[Any]]:
        """What happened before each moment, since the one before it."""
        ends = [moment.told for moment in self.seen]
        told = self._match.events
        return [list(told[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


def _actor(events: Sequence[Any]) -> int:
    """The seat that acted; -1 = the clock."""
    seats = (getattr(event, "seat", None) for event in events)
    return next((seat for seat in seats if seat is not None), -1)


class LookBackScreen(PlyByPly, Follows):
    """Opens a step before the newest moment."""

    called: ClassVar[str | None] = LOOK_BACK

    def __init__(self, client: Client, match: Match) -> None:
        self._sent = Sent(match)
        super().__init__(client, self._sent, client.state.seat, len(match.seen) - 2)
        self._client = client
        self._live = match
        self._left = False

    def show(self, state: State) -> None:
        """The match has gone on."""
        match = state.match
        if self._left:
            return
        if match is None or match.id != self._live.id or self._face.races(match.view):
            self._leave()
            return
        before, self._live = self._sent.seen, match
        self._sent.take(match)
        self._last = len(self._sent.seen) - 1
        at, eyes = self._at
        self._told.clear()
        if at > self._last or before[at : at + 1] != self._sent.seen[at : at + 1]:
            self._at = (-1, eyes)  # it has been taken back
        self._go(self._wanted[0])
        if self._at[0] >= 0:
            self._show_words()

    def _leave(self) -> None:
        """As soon as nothing lies on top; once."""
        if self.app.screen is self and not self._left:
            self._left = True
            self.dismiss()

    def on_screen_resume(self) -> None:
        self.show(self._client.state)

    # What is seen -------------------------------------------------------------------------------

    def _show_words(self) -> None:
        self._told[self._at[1]] = self._sent.events()
        self._say_where(0)
        self.say(self._what_happened())

    def _say_where(self, _at_ms: int) -> None:
        turn = self._face.turn(self._sent.seen[self._at[0]].view)
        place = moment_in_words(turn, self._face.turn(self._live.view))
        back = way_back_in_words(self.keymap)
        self.query_one(Banner).show([place, back], "")

    def _sentences(self) -> list[str]:
        found = self._phrases() or [self._face.expected(self._match.view, self._names)]
        return [*needed_in_words(self._live, self._face), *found]

    # Keys ---------------------------------------------------------------------------------------

    def keys(self) -> Keys:
        named, turn = self.keymap, pgettext("in a replay", "Turn")
        others = [
            ((actions.OWN_TURN,), _("Own turn")),
            ((actions.LOG,), _("Log")),
            ((actions.HELP,), _("Help")),
        ]
        return [
            *entries(named, [((actions.BACK,), _("To the match"))]),
            *each_named(named, (actions.LEFT, actions.RIGHT), pgettext("in a replay", "Move")),
            *each_named(named, (actions.UP, actions.DOWN), turn),
            *entries(named, others),
        ]
