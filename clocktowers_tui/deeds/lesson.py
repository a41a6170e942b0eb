"""What a player can do in a lesson, and the lesson in their hands: which step it is at, how far it
has been kept."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec.structs import replace

from clocktowers_tui.deeds.asking import Asker
from clocktowers_tui.deeds.client import Client, may_act
from clocktowers_tui.deeds.match import MATCH, takes_back
from clocktowers_tui.games.lesson import course
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.new_table import taught
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.text.i18n import N_, _

_KEPT = {"look", "again", "result", "log", "wait", "leave"}


async def _no_undo(_client: Client, _ask: Asker) -> None:
    raise NotDone(_("You need no take-back in a lesson: a wrong key costs nothing."))


LESSON: Final = (
    Deed("next", N_("go on reading"), (actions.CONFIRM,), waits=True),
    Deed("hint", N_("say why, and what to type"), (actions.HINT,), short="h"),
    Deed("undo", "", (actions.TAKE_BACK,), _no_undo, takes_back),
    Deed("playon", "", (actions.PLAY_ON,)),
    *(deed for deed in MATCH if deed.word in _KEPT),
)
"""A bot that plays on would teach nothing. The keys are those of a match."""


class Teaching:
    """Both faces show the step of `course` as soon as the match waits for the player."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self.course = course(LESSONS[game], client.settings.lessons.get(game, 0))
        self._keep()

    @property
    def title(self) -> str:
        return title_of(self.course.lesson.game)

    @property
    def view(self) -> Any:
        match = self._client.state.match
        return None if match is None else match.view

    def go_on(self) -> bool:
        """To the next step; whether there is one."""
        self.course = self.course.onward()
        if self.course.step is None:
            self._client.keep(taught(self._client.settings, self.course.lesson))
        elif not self.course.catching_up:
            self._keep()
        return self.course.step is not None

    def _keep(self) -> None:
        """How far the player is."""
        settings, game = self._client.settings, self.course.lesson.game
        done = max(self.course.at, self.course.reached)
        self._client.keep(replace(settings, lessons={**settings.lessons, game: done}))

    async def catch_up(self, play: Callable[[Any], Awaitable[bool]]) -> bool:
        """Do a step of an earlier match again. True: that leads elsewhere, and from there the
        player goes on."""
        step = self.course.step
        if step is None or not self.course.catching_up or not may_act(self._client.state):
            return False
        wanted = step.wanted(self.view)
        if wanted and await play(wanted[0]):
            return False
        self.course = self.course._replace(reached=self.course.at)
        return True

    def waits_in_words(self, learn: str) -> str:
        """Said to a player who leaves. `learn`: the key or word for a lesson."""
        said = _("Your lesson in {game} waits: {learn} goes on.")
        return said.format(game=self.title, learn=learn)

    def done_in_words(self, plays: str) -> str:
        """`plays`: the key or word for a match."""
        said = _("You know {game} now: {confirm} plays a match.")
        return said.format(game=self.title, confirm=plays)
