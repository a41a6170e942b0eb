"""A guided match as data, and how far a player is in it. Pure values and functions.

Laws: the deal and the bots follow from the seed, so the same actions always lead to the same board;
only an action that a step asks for is sent, every other gets a sentence and changes nothing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import N_, _
from protocol.dealing import SEED_BYTES
from protocol.text import cells

MAX_WORDS: Final = 12
MAX_CELLS: Final = 54
"""Of a sentence in one row of a terminal of 60 columns, beside how far the player is."""

COMMON_KEYS: Final[Mapping[str, Action]] = {"confirm": actions.CONFIRM, "hint": actions.HINT}
"""What every lesson's sentences may name."""

TWO_ROWS: Final = 116
"""Cells of a sentence in a terminal of 60 columns."""


class Step(NamedTuple):
    """`say`: what is so. `ask`: what to press, or what to find; "" where the player only reads.
    `why`: more about it, for a player who asks or who pressed another key; where the player finds
    the action, why it is the only one. All are marked with
    `N_`; `{name}` is one of `Lesson.keys` or `COMMON_KEYS`. `lit`: ids of the board's widgets.
    `do`: the action that the keys in `ask` take; or, for the player to find, a function of the view
    that lists the right actions, the best first; None: something to read, and a key goes on.
    `worse`: why the best alone will do, said of the others. `enough`: the player knows enough for a
    match. `shows`: parts and notes of the board, by name, that are not in sight before."""

    say: str
    lit: Sequence[str] = ()
    do: Any = None
    why: str = ""
    worse: str = ""
    ask: str = ""
    enough: bool = False
    shows: Sequence[str] = ()

    @property
    def is_free(self) -> bool:
        """Whether the player finds the action."""
        return callable(self.do)

    def wanted(self, view: Any) -> Sequence[Any]:
        """The actions that will do."""
        if self.do is None:
            return ()
        return self.do(view) if callable(self.do) else (self.do,)


class Lesson(NamedTuple):
    """`number`: of the deal. `bots`: their level, one for each other seat. `options`: as they go
    over the wire. `first_preset`: of a first match, against one bot. `race_options`: of the
    first race after such a practice, and of the tables of a player who listens. `practice`: the
    number of the deal of a first practice, easy to begin with."""

    game: str
    number: int
    steps: Sequence[Step]
    keys: Mapping[str, Action]
    bots: Sequence[str] = ()
    options: Mapping[str, Any] = {}
    preset: str = "standard"
    first_preset: str = "standard"
    race_options: Mapping[str, Any] = {}
    practice: int | None = None

    @property
    def seed(self) -> bytes:
        return seed_of(self.number)

    def pressed(self, step: Step) -> Sequence[Action]:
        """The keys that a step asks for, in their order; none where the player finds them."""
        if step.is_free:
            return ()
        known = {**COMMON_KEYS, **self.keys}
        return [known[name] for name in re.findall(r"{(\w+)}", step.ask)]


def is_short(sentence: str) -> bool:
    """Whether it can be read at a glance, and stands in one row."""
    return len(sentence.split()) <= MAX_WORDS and cells(sentence) <= MAX_CELLS


def seed_of(number: int) -> bytes:
    """Of the deal with this number."""
    return number.to_bytes(SEED_BYTES, "big")


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
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return self.step is None or self.step.do is None

    @property
    def catching_up(self) -> bool:
        """Whether the step was done in an earlier match."""
        return self.at < self.reached

    @property
    def may_play(self) -> bool:
        """Whether the player knows enough for a match."""
        return any(step.enough for step in self.lesson.steps[: self.at + 1])

    @property
    def hidden(self) -> frozenset[str]:
        """Parts and notes of the board that only later steps show."""
        return frozenset(
            name for step in self.lesson.steps[self.at + 1 :] for name in step.shows
        ).difference(*(step.shows for step in self.lesson.steps[: self.at + 1]))

    def onward(self) -> "Course":
        """After the step; what was read in an earlier match need not be read again."""
        course = self._replace(at=self.at + 1)
        while course.catching_up and course.step is not None and course.step.do is None:
            course = course._replace(at=course.at + 1)
        return course

    def words(self, keymap: Keymap) -> str:
        """What the step says."""
        return "" if self.step is None else self._said(self.step.say, keymap)

    def order(self, keymap: Keymap) -> str:
        """What the player is to do."""
        if self.step is None:
            return ""
        ask = self._said(self.step.ask or N_("Press {confirm} to go on."), keymap)
        if not self.step.is_free or "{hint}" in self.step.ask:
            return ask
        helped = " ".join([ask, self._said(N_("{hint} shows it."), keymap)])
        return helped if is_short(helped) else ask

    def reason(self, keymap: Keymap) -> str:
        """What to do, and why that, where the step has more to say; both if they are short."""
        why = "" if self.step is None else self._said(self.step.why, keymap)
        both = " ".join(filter(None, (self.order(keymap), why)))
        return both if cells(both) <= TWO_ROWS else why

    def refusal(
        self, view: Any, action: Any, keymap: Keymap, room: int = TWO_ROWS, wrong: str = ""
    ) -> str:
        """Why an action does not lead on; "" for one that does. `room`: as in `objection`. `wrong`:
        what is wrong with the action, said first."""
        step = self.step
        if step is None or action not in (wanted := step.wanted(view)):
            return self.objection(keymap, against=wrong, room=room)
        return "" if action == wanted[0] else self._said(step.worse, keymap)

    def objection(
        self, keymap: Keymap, follows: str = "", against: str = "", room: int = TWO_ROWS
    ) -> str:
        """What to say of a key that does not lead on, and why if there is `room` for it, in cells;
        `follows`: what to press next
        where the step asks for several keys and some are pressed; `against`: what is wrong with
        the key, said first."""
        if self.step is None:
            return ""
        why = self._said(self.step.why, keymap)
        if self.step.is_free:
            order, why = why or self.order(keymap), ""
        else:
            order = follows or self.order(keymap)
        ways = (f"{against} {order} {why}", f"{against} {order}", order)
        return next((said.strip() for said in ways if cells(said.strip()) <= room), order)

    def key_at(self, keymap: Keymap, row: str, x: int) -> str:
        """By Textual's name, the key that a row of a sentence names at cell `x`, or the only one
        that it names; "" for none."""
        step = self.step
        asked = () if step is None else self.lesson.pressed(step)
        known = [*asked, actions.CONFIRM, actions.HINT]
        keys = {keymap.name(one): keymap.keys(one)[0] for one in known if keymap.keys(one)}
        names = "|".join(map(re.escape, sorted(keys, key=len, reverse=True)))
        found = [*re.finditer(rf"(?<!\w)(?:{names})(?!\w)", row)]
        if len({one[0] for one in found}) == 1:
            return keys[found[0][0]]
        at = (one for one in found if cells(row[: one.start()]) <= x < cells(row[: one.end()]))
        return next((keys[one[0]] for one in at), "")

    def _said(self, sentence: str, keymap: Keymap) -> str:
        keys = {**COMMON_KEYS, **self.lesson.keys}
        named = {name: keymap.name(key) for name, key in keys.items()}
        return _(sentence).format_map(named) if sentence else ""


def course(lesson: Lesson, reached: int) -> Course:
    """Begins where an earlier match of this lesson ended; behind the end there is nothing."""
    return Course(lesson, -1, min(reached, len(lesson.steps) - 1)).onward()
