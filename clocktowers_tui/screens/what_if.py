"""A finished match played on from one of its moves in another way: bots act in the other seats, and
nothing of it is kept.

The process that replays the match plays it; the player's moves are taken from the board, as in a
match, and can all be taken back. Law: what this is stands in the first line.
"""

from typing import Any, ClassVar

from textual import work
from textual.binding import BindingType
from textual.events import Key
from textual.worker import WorkerCancelled

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.finished import WHAT_IF
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Context
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import no_replay_in_words
from clocktowers_tui.phrases.review import tried_in_words
from clocktowers_tui.screens.bound_actions import bound_deeds, entries
from clocktowers_tui.screens.ply_by_ply import PlyByPly
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import Keys


class WhatIf(PlyByPly):
    """`ply`: from where on, in a game in turns. `tries`: the next move is the player's, and is
    judged."""

    deeds = WHAT_IF
    BINDINGS: ClassVar[list[BindingType]] = bound_deeds(WHAT_IF, Context.MATCH)

    def __init__(
        self, client: Client, projector: Projector, seat: int, ply: int, *, tries: bool = False
    ) -> None:
        super().__init__(client, projector, seat, ply)
        self._projector = projector
        self._seat = seat
        self._begun = self._since = ply
        """The ply where it begins; what has happened since this one is said."""
        self._tries = tries
        self._chooses = False
        """The player has done something since the last move."""
        self._plays = False
        """A move, or what bots do after it, is on its way."""
        self._board.can_focus, self._board.disabled = True, False

    def on_mount(self) -> None:
        self._board.focus()
        if not self._tries:
            self._play()

    # What is seen -------------------------------------------------------------------------------

    def _say_where(self, _at_ms: int) -> None:
        what = _("Try again") if self._tries else _("What if")
        expected = self._face.expected(self._match.view, self._names)
        self.query_one(Banner).show([what, expected], "")

    def _sentences(self) -> list[str]:
        ply, eyes = self._at
        told = self._told[eyes][self._since + 1 : ply + 1]
        found = [
            self._face.phrase(one, self._names, self._you) for events in told for one in events
        ]
        outcome = self._projector.opened.outcome
        if ply == self._last and outcome is not None:
            view = self._match.view
            found.append(self._face.result(view, outcome, self._names, 70)[0].plain)
        if not any(found):
            said = _("Nothing of this is kept. {key}: to the replay")
            found = [said.format(key=self.keymap.name(actions.BACK))]
        return [*filter(None, found)]

    def game_keys(self) -> Keys:
        return entries(self.keymap, self._board.actions_now())

    # Up -----------------------------------------------------------------------------------------

    def on_key(self, _event: Key) -> None:
        self._chooses = True

    def on_mouse_down(self) -> None:
        self._chooses = True

    def on_board_hint(self, event: Board.Hint) -> None:
        """What has come of a move is said until the player goes on."""
        if self._chooses:
            self.say(event.text)
        self.show_keys()

    def on_board_arranged(self, event: Board.Arranged) -> None:
        self._client.keep_layout(self._face.game, event.layout)

    def on_board_log_wanted(self) -> None:
        self.do_log()

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """What is chosen on a board that is about to show another move is dropped."""
        if self._at == self._wanted and not self._plays:
            self._play(event.action)
        else:
            self._show_again(self._wanted[0])

    @work(group="act")
    async def _play(self, action: Any = None) -> None:
        """None: bots play until it is the player's turn."""
        ply = self._wanted[0]
        try:
            played = await self._play_after(ply, action)
            if played and self._tries and action is not None and ply == self._begun:
                await self._judge(action)
        except NoReplay as error:
            self.say(no_replay_in_words(str(error)))

    async def _play_after(self, ply: int, action: Any) -> bool:
        """And show what comes of it. Returns whether the action is possible. Raises NoReplay."""
        self._chooses, self._plays = False, True
        try:
            refusal = await self._projector.play(ply, self._seat, action)
            if refusal is not None:
                self._show_again(ply)
                self.object(self._face.refusal(refusal, self.keymap) or refusal.code)
                return False
            self._told = {self._seat: await self._projector.hear(self._seat)}
            self._last, self._since = len(self._projector.opened.seats), ply
            self._show_again(self._last)
            return True
        finally:
            self._plays = False

    async def _judge(self, action: Any) -> None:
        """Say what the move is worth, unless the player has taken it back meanwhile. Raises
        NoReplay."""
        drawing = [worker for worker in self.workers if worker.group == "replay"]
        try:
            if drawing:  # no names would be those of all workers
                await self.workers.wait_for_complete(drawing)
        except WorkerCancelled:
            return  # the player goes back
        self.say(_("A bot looks at your move…"))
        one = await self._projector.weigh(self._begun + 1, self._seat, action)
        if self._wanted[0] > self._begun:
            self.say(self.fitting(tried_in_words(one, self.keymap)))

    # Keys ---------------------------------------------------------------------------------------

    def do_undo(self) -> None:
        """As often as there are moves of the player; not while bots play."""
        if self._plays:
            return
        self._chooses = False
        seats = self._projector.opened.seats
        own = [ply for ply in range(self._begun, self._wanted[0]) if seats[ply] == self._seat]
        if own:
            self._since = own[-1]
            self._show_again(own[-1])
        else:
            self.object(_("This is where you have begun."))
