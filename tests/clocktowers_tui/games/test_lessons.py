"""Each game's lesson as data: short sentences, six minutes, what to press and why."""

import pytest

from clocktowers_tui.games.lesson import COMMON_KEYS, MAX_CELLS, MAX_WORDS, Course, Lesson, course
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text.i18n import SOURCE, languages, speak
from protocol.text import cells

WORDS_A_MINUTE, KEY_S, FINDING_S, LIMIT_S = 200, 2, 6, 336
MOST_STEPS = {"clocktowers": 17, "architetti_attenti": 16, "wild_wild_pattern": 19}

every_game = pytest.mark.parametrize("game", list(LESSONS))


def sentences(lesson: Lesson) -> list[str]:
    """What each step says and asks for, in the language that is spoken."""
    steps = [Course(lesson, at) for at in range(len(lesson.steps))]
    return [say(DEFAULT_KEYS) for step in steps for say in (step.words, step.order)]


def too_long(said: list[str]) -> list[str]:
    return [one for one in said if len(one.split()) > MAX_WORDS or cells(one) > MAX_CELLS]


def lasts_s(lesson: Lesson) -> float:
    """How long it takes to read and do all of it: to press what is named, and to find the rest."""
    words = sum(len(one.split()) for one in sentences(lesson))
    keys = sum(len(lesson.pressed(step)) for step in lesson.steps)
    found = sum(step.is_free for step in lesson.steps)
    return words * 60 / WORDS_A_MINUTE + KEY_S * keys + FINDING_S * found


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_every_sentence_is_short(game: str, code: str) -> None:
    speak(code)
    said = sentences(LESSONS[game])
    assert not too_long(said) and all(said)
    assert too_long([*said, "word " * (MAX_WORDS + 1), "x" * (MAX_CELLS + 1)]) != []


@every_game
def test_a_newcomer_needs_six_minutes_at_most(game: str) -> None:
    """Newcomers take twice the time that reading and pressing keys take."""
    lesson = LESSONS[game]
    assert len(lesson.steps) <= MOST_STEPS.get(game, 14)
    assert 60 < lasts_s(lesson) <= LIMIT_S / 2
    assert lasts_s(lesson._replace(steps=[*lesson.steps] * 2)) > LIMIT_S / 2


@every_game
@pytest.mark.parametrize("code", sorted(languages()))
def test_every_step_says_what_to_press_and_why(game: str, code: str) -> None:
    """In two rows of the smallest terminal."""
    speak(code)
    for at, step in enumerate(LESSONS[game].steps):
        course = Course(LESSONS[game], at)
        keys = [*map(DEFAULT_KEYS.name, course.lesson.pressed(step))]
        said, reason = course.objection(DEFAULT_KEYS), course.reason(DEFAULT_KEYS)
        assert cells(said) <= 116 and cells(reason) <= 116
        if step.do is None:
            assert DEFAULT_KEYS.name(COMMON_KEYS["confirm"]) in said
        elif step.is_free:
            assert step.ask, "names the task"
            assert DEFAULT_KEYS.name(COMMON_KEYS["hint"]) in said and not keys
        else:
            assert step.why and keys and all(key in said for key in keys)
    speak(SOURCE)


@every_game
def test_it_begins_with_the_goal_and_ends_with_something_to_read(game: str) -> None:
    steps = LESSONS[game].steps
    assert steps[0].do is None and steps[-1].do is None
    assert sum(step.do is not None for step in steps) >= len(steps) // 3, "do, do not only read"
    assert next(at for at, step in enumerate(steps) if step.do is not None) <= 2
    assert any(step.is_free for step in steps), "the player finds something"


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


def test_an_objection_keeps_to_its_room_and_says_what_to_press() -> None:
    at = next(n for n, step in enumerate(LESSONS["clocktowers"].steps) if step.do is not None)
    here = Course(LESSONS["clocktowers"], at)
    order, against = here.order(DEFAULT_KEYS), "It does nothing here."
    short, room = f"{against} {order}", cells(f"{against} {order}")
    assert here.objection(DEFAULT_KEYS, against=against, room=1000).startswith(f"{short} ")
    assert here.objection(DEFAULT_KEYS, against=against, room=room) == short
    assert here.objection(DEFAULT_KEYS, against=against, room=room - 1) == order
