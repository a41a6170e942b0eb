"""Each lesson in plain mode from its first step to its last, by what it says itself."""

import asyncio
import re
from functools import partial

import pytest

from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.plain.lesson import LessonPlace
from clocktowers_tui.text import i18n
from tests.stage.house import eventually
from tests.stage.typist import Typist, settings

TYPED = {
    "en": re.compile(r"(?:: type|^Type:) (.+)$"),
    "it": re.compile(r"(?:: scrivi|^Scrivi:) (.+)$"),
    "ru": re.compile(r"(?:: введите|^Введите:) (.+)$"),
    "nl": re.compile(r"(?:: typ|^Typ:) (.+)$"),
}


@pytest.mark.parametrize(
    ("game", "language"),
    [
        ("clocktowers", "en"),
        ("architetti_attenti", "it"),
        ("wild_wild_pattern", "ru"),
        ("clocktowers", "nl"),
    ],
)
async def test_a_whole_lesson(game: str, language: str) -> None:
    """An action of its own is named by the step, or by the hint; what is read goes on by an empty
    line. Other words lead nowhere."""
    i18n.speak(language)
    typist = Typist(settings())
    running = asyncio.ensure_future(typist.run(lesson_of(game)))
    try:
        await eventually(lambda: isinstance(typist.playing.place, LessonPlace))
        place, at, asked = typist.playing.place, -1, 0
        typist.type("undo", "autoplay")  # no commands here
        while typist.playing.place is place:
            await eventually(partial(_stands, typist, place, at))
            if typist.playing.place is not place:
                break
            at, asked = place._course.at, asked + 1
            before = len(typist.lines)
            step = place._course.step
            if step.do is None:
                typist.type("")
                continue
            if step.is_free:
                typist.type("hint")
                await eventually(partial(_names_one, typist, before, language))
            command = _command(typist.lines, language)
            typist.type(command)
        assert asked == len(LESSONS[game].steps)
        assert game in typist.client.settings.known
    finally:
        typist.end()
        await running


def _stands(typist: Typist, place: LessonPlace, before: int) -> bool:
    """Whether the next step is said, or the lesson is over."""
    if typist.playing.place is not place:
        return True
    at = place._course.at
    return at > before and any(f" {at + 1} " in line for line in typist.lines[-12:])


def _names_one(typist: Typist, before: int, language: str) -> bool:
    return _command(typist.lines[before:], language) != ""


def _command(lines: list[str], language: str) -> str:
    """What the newest line that names a command asks for."""
    found = [match[1] for line in lines if (match := TYPED[language].search(line))]
    return found[-1] if found else ""
