"""Each game's lesson as data: short sentences, three minutes, an answer to every other action."""

import re
from typing import get_args

import pytest

from clocktowers_tui.games.lesson import (
    COMMON_KEYS,
    MAX_CELLS,
    MAX_WORDS,
    Course,
    Lesson,
    Step,
    course,
)
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text.i18n import SOURCE, languages, speak
from protocol.games.registry import GAMES
from protocol.text import cells

WORDS_A_MINUTE, ACTION_S, LIMIT_S = 200, 4, 180

every_game = pytest.mark.parametrize("game", list(LESSONS))


def sentences(lesson: Lesson) -> list[str]:
    """What each step says, in the language that is spoken."""
    return [Course(lesson, at).words(DEFAULT_KEYS) for at in range(len(lesson.steps))]


def too_long(said: list[str]) -> list[str]:
    return [one for one in said if len(one.split()) > MAX_WORDS or cells(one) > MAX_CELLS]


def lasts_s(lesson: Lesson) -> float:
    """How long it takes to read and do all of it."""
    words = sum(len(one.split()) for one in sentences(lesson))
    return words * 60 / WORDS_A_MINUTE + ACTION_S * sum(
        step.do is not None for step in lesson.steps
    )


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_every_sentence_is_short(game: str, code: str) -> None:
    speak(code)
    said = sentences(LESSONS[game])
    assert not too_long(said) and all(said)
    assert too_long([*said, "word " * (MAX_WORDS + 1), "x" * (MAX_CELLS + 1)]) != []


@every_game
def test_it_takes_three_minutes_at_most(game: str) -> None:
    lesson = LESSONS[game]
    assert 60 < lasts_s(lesson) <= LIMIT_S
    assert lasts_s(lesson._replace(steps=[*lesson.steps] * 3)) > LIMIT_S


@every_game
def test_every_kind_of_action_has_its_answer(game: str) -> None:
    """Whatever the player does instead, in every language, and while there is something to read."""
    lesson, kinds = LESSONS[game], get_args(GAMES[game].action)
    assert set(lesson.wrong) <= set(kinds)
    for code in languages():
        speak(code)
        for at, step in enumerate(lesson.steps):
            course = Course(lesson, at)
            for kind in kinds:
                wrong = step.wrong.get(kind, lesson.wrong.get(kind, ""))
                assert "{" not in wrong.format_map(dict.fromkeys([*lesson.keys, *COMMON_KEYS], "k"))
            if step.do is None:
                assert course.objection(None, DEFAULT_KEYS)
            else:
                assert not course.objection(step.do, DEFAULT_KEYS)
    speak(SOURCE)


@every_game
def test_it_begins_with_the_goal_and_ends_with_something_to_read(game: str) -> None:
    steps = LESSONS[game].steps
    assert steps[0].do is None and steps[-1].do is None
    assert sum(step.do is not None for step in steps) >= len(steps) // 3, "do, do not only read"
    assert next(at for at, step in enumerate(steps) if step.do is not None) <= 4


def keys_of(lesson: Lesson, step: Step) -> list[str]:
    """The keys that a sentence names, in their order, as Textual calls them."""
    known = {**COMMON_KEYS, **lesson.keys}
    return [known[name].keys[0] for name in re.findall(r"{(\w+)}", step.say)]


def test_what_was_read_in_an_earlier_match_is_not_read_again() -> None:
    lesson = LESSONS["clocktowers"]
    doing = [at for at, step in enumerate(lesson.steps) if step.do is not None]
    begun = course(lesson, 0)
    assert (begun.at, begun.catching_up) == (0, False)
    again = course(lesson, doing[2] + 1)
    passed = []
    while again.catching_up:
        passed.append(again.at)
        again = again.onward()
    assert passed == doing[:3] and again.at == doing[2] + 1
    last = len(lesson.steps) - 1
    assert course(lesson, 1000).reached == last, "a shorter lesson than it was"
