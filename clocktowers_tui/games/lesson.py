"""A guided match as data, and how far a player is in it. Pure values and functions.

Laws: the deal and the bots follow from the seed, so the same actions always lead to the same board;
only the action that a step asks for is sent, every other gets a sentence and changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import N_, _
from protocol.dealing import SEED_BYTES

MAX_WORDS: Final = 12
MAX_CELLS: Final = 54
"""Of a sentence: it stands in one row of a terminal of 60 columns, beside how far the player is."""

COMMON_KEYS: Final[Mapping[str, Action]] = {"confirm": actions.CONFIRM, "hint": actions.HINT}
"""What every lesson's sentences may name."""

_READ_FIRST: Final = N_("{confirm} goes on.")
_ANOTHER: Final = N_("Not this time: {hint} shows what.")


class Step(NamedTuple):
    """`say`: marked with `N_`; `{name}` is one of `Lesson.keys` or `COMMON_KEYS`. `lit`: ids of the
    board's widgets. `do`: the action asked for; None: something to read, and a key goes on.
    `wrong`: a sentence for each kind of another action, where it differs from `Lesson.wrong`."""

    say: str
    lit: Sequence[str] = ()
    do: Any = None
    wrong: Mapping[type, str] = {}


class Lesson(NamedTuple):
    """`number`: of the deal. `bots`: their level, one for each other seat. `options`: as they go
    over the wire. `wrong`: why a legal action of this kind is not what a step asks for."""

    game: str
    number: int
    steps: Sequence[Step]
    wrong: Mapping[type, str]
    keys: Mapping[str, Action]
    bots: Sequence[str] = ()
    options: Mapping[str, Any] = {}
    preset: str = "standard"

    @property
    def seed(self) -> bytes:
        return self.number.to_bytes(SEED_BYTES, "big")


class Course(NamedTuple):
    """`at`: the step, counted from 0. `reached`: the steps done in an earlier match; their actions
    are done again first."""

    lesson: Lesson
    at: int = 0
    reached: int = 0

    @property
    def step(self) -> Step | None:
        """None: there is no other."""
        steps = self.lesson.steps
        return steps[self.at] if self.at < len(steps) else None

    @property
    def catching_up(self) -> bool:
        """Whether the step was done in an earlier match."""
        return self.at < self.reached

    def onward(self) -> "Course":
        """After the step; what was read in an earlier match need not be read again."""
        course = self._replace(at=self.at + 1)
        while course.catching_up and course.step is not None and course.step.do is None:
            course = course._replace(at=course.at + 1)
        return course

    def words(self, keymap: Keymap) -> str:
        """What the step says."""
        return "" if self.step is None else self._said(self.step.say, keymap)

    def objection(self, action: Any, keymap: Keymap) -> str:
        """Why this is not what the step asks for; "" when it is."""
        step = self.step
        if step is None or step.do is None:
            return self._said(_READ_FIRST, keymap)
        if action == step.do:
            return ""
        kind = type(action)
        return self._said(step.wrong.get(kind) or self.lesson.wrong.get(kind, _ANOTHER), keymap)

    def _said(self, sentence: str, keymap: Keymap) -> str:
        keys = {**COMMON_KEYS, **self.lesson.keys}
        return _(sentence).format_map({name: keymap.name(key) for name, key in keys.items()})


def course(lesson: Lesson, reached: int) -> Course:
    """Begins where an earlier match of this lesson ended; behind the end there is nothing."""
    return Course(lesson, -1, min(reached, len(lesson.steps) - 1)).onward()
