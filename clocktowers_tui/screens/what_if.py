"""A finished match played on from one of its moves in another way: bots act in the other seats, and
nothing of it is kept.

The process that replays the match plays it; the player's moves are taken from the board, as in a
match, and can all be taken back. Law: what this is stands in the first line.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import work
from textual.binding import BindingType
from textual.events import Key
from textual.worker import WorkerCancelled

from clocktowers_tui.deeds.by_mail import ByMail
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.finished import WHAT_IF
from clocktowers_tui.deeds.replay import Trial
from clocktowers_tui.games.board import Board
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Context, Deed, bound
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.screens.bound_actions import Keys, bound_deeds, entries
from clocktowers_tui.screens.ply_by_ply import PlyByPly, in_a_row
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner


class WhatIf(PlyByPly):
    """Begins by itself where the next move need not be the player's."""

    deeds = WHAT_IF
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(WHAT_IF, Context.MATCH),
        bound(actions.BACK, "do('leave')", at_once=True),  # with a card in hand, too
    ]

    def __init__(self, client: Client, trial: Trial) -> None:
        super().__init__(client, trial, trial.begun)
        self._trial = trial
        self._since = trial.since
        """What has happened since this ply is said."""
        self._chooses = False
        """The player has done something since the last move."""
        self._plays = False
        """A move, or what bots do after it, is on its way."""
        self._verdicts: dict[int, Sequence[str]] = {-1: ()}
        """Of the moves that were judged, by the ply before each, and how to go on; the newest stays
        in sight."""
        self._board.can_focus, self._board.disabled = True, False
        self.set_class(trial.tries and self._face.in_turns, "-told")

    def on_mount(self) -> None:
        self._board.focus()
        if not self._trial.tries:
            self._play(self._trial.first)

    # What is seen -------------------------------------------------------------------------------

    def _say_where(self, _at_ms: int) -> None:
        view, face = self._match.view, self._face
        asks = face.in_turns or face.is_my_turn(view)
        expected = [face.expected(view, self._names)] if asks else []
        self.query_one(Banner).show([_(self._trial.title), *expected], "")
        self.show_keys()

    def _phrases(self) -> list[str]:
        """Below a verdict how to go on: the board has the rest."""
        if how := [*self._verdicts.values()][-1][1:]:
            return [*how]
        (ply, eyes), trial = self._at, self._trial
        return trial.phrases(trial.told[eyes][self._since + 1 : ply + 1], eyes)

    def _sentences(self) -> list[str]:
        said = _("Nothing of this is kept. {key}: to the replay")
        return self._phrases() or [said.format(key=self.keymap.name(actions.BACK))]

    def game_keys(self) -> Keys:
        return entries(self.keymap, self._board.actions_now())

    def say(self, sentence: str) -> None:
        """The newest verdict stays above the sentence until the player takes that try back."""
        verdict = [*self._verdicts.values()][-1][:1]
        super().say("\n".join(filter(None, [*verdict, sentence])))

    def puzzled(self, key: str) -> None:
        said = _("{key} does nothing here. Make a move; {undo} takes it back.")
        self.object(said.format(key=key, undo=self.keymap.name(actions.TAKE_BACK)))

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
            if played and self._trial.is_judged(ply, action):
                await self._judge(ply, action)
        except NoReplay as error:
            self._verdicts.pop(ply, None)
            self.say(str(error))

    async def _play_after(self, ply: int, action: Any) -> bool:
        """And show what comes of it. Returns whether the action is possible. Raises NoReplay."""
        self._chooses, self._plays = False, True
        try:
            if why := await self._trial.play(ply, action, self.keymap):
                self._show_again(ply)
                self.object(why)
                return False
            self._since = self._since if action is None else ply
            self._show_again(self._trial.last)
            return True
        finally:
            self._plays = False

    async def _judge(self, ply: int, action: Any) -> None:
        """Say what the move is worth, unless the player has taken it back meanwhile. Raises
        NoReplay."""
        self._verdicts[ply] = [_("A bot looks at your move…")]
        drawing = [worker for worker in self.workers if worker.group == "replay"]
        try:
            if drawing:  # no names would be those of all workers
                await self.workers.wait_for_complete(drawing)
        except WorkerCancelled:
            return  # the player goes back
        self.say(self._what_happened())
        judged = await self._trial.judged(ply, action, self.keymap)
        if self._wanted[0] > ply:
            self._verdicts[ply] = judged
            self.say(self._what_happened())

    # Keys ---------------------------------------------------------------------------------------

    def may(self, deed: Deed) -> bool:
        return super().may(deed) and (deed.word != "hint" or self._trial.tries)

    def do_hint(self) -> None:
        said = _("Make a move first; {key} then says whether another is better.")
        if found := self._trial.hint(self._wanted[0]):
            self.say(found)
        else:
            self.object(said.format(key=self.keymap.name(actions.HINT)))

    def do_undo(self) -> None:
        """As often as there are moves of the player; not while bots play."""
        if self._plays:
            return
        self._chooses = False
        if (ply := self._trial.taken_back(self, self._wanted[0])) is not None:
            self._since = ply
            self._verdicts = {at: said for at, said in self._verdicts.items() if at < ply}
            self._show_again(ply)


class ByMailScreen(WhatIf):
    """A match that goes by mail: each move stands in its file."""

    _trial: ByMail

    def _what_happened(self) -> str:
        happened = self._result()[:1] if self._trial.source.opened.outcome else self._phrases()
        said = [one for one in (self._trial.sends(), *happened) if one]
        why = _("Only games that hide nothing go by mail.")
        return in_a_row(said or [_("Each move stands in the file at once."), why], self.room)

    def do_undo(self) -> None:
        at, eyes = self._wanted
        if not self._plays and (ply := self._trial.taken_back(self, at)) is not None:
            self._wanted = (ply, eyes)
            self._play()

    def do_leave(self) -> None:
        """The command line has begun it."""
        self._client.leave_program()
