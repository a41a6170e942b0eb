"""A guided match in plain mode: what is so, what to type; only what the step asks for is sent.

The lessons are those of the screen. A sentence of theirs that names keys is left out; in its place
stands what is typed.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clocktowers_tui.deeds.client import may_act
from clocktowers_tui.deeds.match import LESSON, MATCH, Teaching
from clocktowers_tui.games.lesson import Course
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.games.spoken import read_out, sentence
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.plain.match import MatchPlace
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CLAUSE = re.compile(r"(?<=[.!?:])\s+")
_KEY = re.compile(r"{(?!hint})")
_SIGN = re.compile(r" \([^\W\d_]\)")
"""The letter that stands for something on a board."""


def _heard(said: str) -> str:
    """Without the clauses that name keys, and without signs."""
    clauses = [one for one in _CLAUSE.split(_(said)) if one and "{" not in one]
    heard = sentence(re.sub(r":$", ".", " ".join(clauses))) if clauses else ""
    return _SIGN.sub("", heard)


class LessonPlace(MatchPlace):
    """See `screens.lesson`: the step is the course's as soon as the match waits for the player."""

    def __init__(self, client: "PlainClient") -> None:
        super().__init__(client)
        self._teaching = Teaching(client, self.match.game)

    @property
    def deeds(self) -> Sequence[Deed]:
        common = [deed for deed in super().deeds if deed not in MATCH]
        return [*common, *(deed for deed in LESSON if deed.told)]

    @property
    def _course(self) -> Course:
        return self._teaching.course

    def begins(self) -> list[str]:
        """What is learnt here."""
        return [
            _("Lesson: {game}. Each step says what to type.").format(
                game=title_of(self.match.game)
            ),
            _("look tells what is where, hint says why, leave goes to the menu."),
            *self.spoken.ground(self.match.view),
        ]

    def turn(self) -> list[str]:
        """The step; nothing while an earlier one is done again."""
        if self._course.catching_up:
            self.client.run_worker(self._catch_up(), group="act")
            return []
        return self._step()

    def _step(self) -> list[str]:
        step = self._course.step
        if step is None:
            return []
        number = _("Step {n} of {steps}.").format(
            n=self._course.at + 1, steps=len(self._course.lesson.steps)
        )
        said = f"{number} {self._course.words(self.client.keymap)}"
        return [_SIGN.sub("", said), *self._asked()]

    def _asked(self, *, alone: bool = False) -> list[str]:
        """What is to be done; `alone`: without what lies there."""
        step = self._course.step
        assert step is not None
        asks = [one for one in _SENTENCE.split(_(step.ask)) if one and not _KEY.search(one)]
        told = _SIGN.sub("", " ".join(asks).format(hint="hint"))
        view = self.match.view
        if step.do is None:
            return [told, _("Press {confirm} to go on.").format(confirm=_("Enter"))]
        if step.is_free:
            find = "" if "hint" in told else _("{hint} shows it.").format(hint="hint")
            word = self.spoken.typed(view, step.wanted(view)[0]).split()[0]
            takes = next(one.takes for one in self.spoken.deeds if one.word == word)
            like = [one.word for one in self.spoken.deeds if one.waits and one.takes == takes]
            like = [word] if takes == "CARD" else like  # its number is what the player finds
            either = _(" or ")
            ways = f"{either.join(like)} {read_out(takes)}".strip()
            there = [] if alone else self.spoken.turn(view, self.names)
            return [*there, f"{told} {find}", _("Type: {command}").format(command=ways)]
        does = self.spoken.does(view, step.do)
        typed = self.spoken.typed(view, step.do)
        said = _("Now {does}: type {command}").format(does=does, command=typed)
        own = () if alone else self.spoken.parts(view, self.names).get("card", ())
        return [*own, told, said if does else _("Type: {command}").format(command=typed)]

    # Commands -----------------------------------------------------------------------------------

    async def do_next(self) -> None:
        """After something to read."""
        if self._course.step is not None and self._course.reads:
            await self._onward()
            if self._course.step is not None:
                self.client.say(*self.turn())
        else:
            self.client.object(*self._asked(alone=True))

    async def play(self, action: Any) -> bool:
        step = self._course.step
        if step is None or not may_act(self._state):
            return False
        wanted = step.wanted(self.match.view)
        if action in wanted[1:] and step.worse:
            self.client.object(_(step.worse))
            return False
        if action not in wanted:
            wrong = self.spoken.wrong(action, wanted) or _("That is not it.")
            why = [_heard(step.why or step.ask), _("{hint} shows it.").format(hint="hint")]
            self.client.object(wrong, *(why if step.is_free else self._asked()))
            return False
        done = await super().play(action)
        if done:
            await self._onward()
        return done

    async def do_hint(self) -> None:
        step, view = self._course.step, self.match.view
        if step is None:
            return
        why = (step.why and _heard(step.why)) or _heard(step.say)
        if wanted := step.wanted(view):
            typed = _("Type: {command}").format(command=self.spoken.typed(view, wanted[0]))
            self.client.say(why, typed)
        else:
            self.client.say(why, *self._asked())

    async def do_leave(self) -> None:
        await self.client.journey.end()
        self.client.say(self._teaching.waits_in_words("learn"))

    async def nothing(self) -> None:
        """Goes on reading."""
        await self.client.until(self.needs_nobody_else)
        await self.do_next()

    # On -----------------------------------------------------------------------------------------

    async def _onward(self) -> None:
        if not self._teaching.go_on():
            await self.client.journey.end()
            self.client.say(self._teaching.done_in_words("play"))

    async def _catch_up(self) -> None:
        if await self._teaching.catch_up(self.play):
            self.client.say(*self._step())
