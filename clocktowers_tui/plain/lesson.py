"""A guided match in plain mode: what is so, what to type; only what the step asks for is sent.

The lessons are those of the screen. A sentence of theirs that names keys is left out; in its place
stands what is typed.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.deeds.turns import may_act
from clocktowers_tui.games.lesson import course
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.new_table.lessons import taught
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.match import MatchPlace
from clocktowers_tui.plain.saying import WIDE
from clocktowers_tui.text.i18n import N_, _

_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class LessonPlace(MatchPlace):
    """See `screens.lesson`: the step is the course's as soon as the match waits for the player."""

    def __init__(self, client: PlainClient, game: str) -> None:
        super().__init__(client)
        self._course = course(LESSONS[game], client.settings.lessons.get(game, 0))
        self._keep()

    def begins(self) -> list[str]:
        """What is learnt here."""
        return [
            _("Lesson: {game}. Each step says what to type.").format(
                game=title_of(self.match.game)
            ),
            _("look tells what is where, hint says why, leave goes to the menu."),
        ]

    def turn(self) -> list[str]:
        """The step; nothing while an earlier one is done again."""
        if self._course.catching_up:
            self._client.tasks.run_worker(self._catch_up(), group="act")
            return []
        return self._step()

    def _step(self) -> list[str]:
        step = self._course.step
        if step is None:
            return []
        number = _("Step {n} of {steps}.").format(
            n=self._course.at + 1, steps=len(self._course.lesson.steps)
        )
        said = f"{number} {self._course.words(self._client.keys.keymap)}"
        return [said, *self._asked()]

    def _asked(self) -> list[str]:
        """What is to be done."""
        step = self._course.step
        assert step is not None
        told = " ".join(one for one in _SENTENCE.split(_(step.ask)) if "{" not in one and one)
        view = self.match.view
        if step.do is None:
            return [told, _("Press {confirm} to go on.").format(confirm=_("Enter"))]
        if step.is_free:
            find = _("{hint} shows it.").format(hint="hint")
            return [*self.spoken.turn(view, self.names), f"{told} {find}"]
        does = self.spoken.does(view, step.do)
        typed = self.spoken.typed(view, step.do)
        said = _("Now {does}: type {command}").format(does=does, command=typed)
        return [told, said if does else _("Type: {command}").format(command=typed)]

    # Commands -----------------------------------------------------------------------------------

    @property
    def common(self) -> Sequence[Command]:
        """A bot that plays on would teach nothing."""
        kept = {"look", "again", "log", "leave", "wait"}
        found = [command for command in super().common if command.word in kept]
        go_on = Command(
            "next", N_("go on reading"), self.go_on, "", "", (actions.CONFIRM,), waits=True
        )
        why = Command("hint", N_("say why, and what to type"), self._hint, "h", "", (actions.HINT,))
        return [go_on, why, *found]

    async def go_on(self, _rest: Sequence[str] = ()) -> None:
        """After something to read."""
        if self._course.step is not None and self._course.reads:
            await self._onward()
            if self._course.step is not None:
                self._client.say(*self.turn())
        else:
            self._client.cannot(*self._asked())

    async def play(self, action: Any) -> bool:
        step = self._course.step
        if step is None or not may_act(self._state):
            return False
        view, keymap = self.match.view, self._client.keys.keymap
        wanted = step.wanted(view)
        if not wanted or action != wanted[0]:
            wrong = self.spoken.wrong(action, wanted)
            refusal = self._course.refusal(view, action, keymap, WIDE, wrong)
            if step.is_free and refusal:
                self._client.cannot(refusal)
                return False
            if action not in wanted:
                self._client.cannot(wrong, *self._asked())
                return False
        done = await super().play(action)
        if done:
            await self._onward()
        return done

    async def _hint(self, _rest: Sequence[str]) -> None:
        step, view = self._course.step, self.match.view
        if step is None:
            return
        why = self._course.reason(self._client.keys.keymap) if step.why else ""
        if wanted := step.wanted(view):
            typed = _("Type: {command}").format(command=self.spoken.typed(view, wanted[0]))
            self._client.say(why, typed)
        else:
            self._client.say(why, *self._asked())

    async def _leave(self, _rest: Sequence[str]) -> None:
        said = _("Your lesson in {game} waits: {learn} goes on.")
        title = title_of(self.match.game)
        await self._client.journey.end()
        self._client.say(said.format(game=title, learn="learn"))

    # On -----------------------------------------------------------------------------------------

    async def _onward(self) -> None:
        self._course = self._course.onward()
        if self._course.step is None:
            await self._finish()
            return
        if not self._course.catching_up:
            self._keep()

    def _keep(self) -> None:
        """How far the player is."""
        settings, game = self._client.settings, self._course.lesson.game
        done = max(self._course.at, self._course.reached)
        self._client.keep(replace(settings, lessons={**settings.lessons, game: done}))

    async def _catch_up(self) -> None:
        """Do a step of an earlier match again; where that leads elsewhere, go on from there."""
        step = self._course.step
        if step is None or not self._course.catching_up or not may_act(self._state):
            return
        wanted = step.wanted(self.match.view)
        if not wanted or not await self.play(wanted[0]):
            self._course = self._course._replace(reached=self._course.at)
            self._client.say(*self._step())

    async def _finish(self) -> None:
        lesson = self._course.lesson
        self._client.keep(taught(self._client.settings, lesson))
        await self._client.journey.end()
        said = _("You know {game} now: {confirm} plays a match.")
        self._client.say(said.format(game=title_of(lesson.game), confirm="play"))
