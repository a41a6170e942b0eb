"""Each lesson in plain mode from its first step to its last, by what it says itself."""

import asyncio
import re
from functools import partial

import pytest

from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.plain.lesson import LessonPlace
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import _
from tests.stage.house import eventually
from tests.stage.typist import Typist, settings


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
        place, asked, mark = typist.playing.place, 0, 0
        typist.type("undo", "autoplay")  # no commands here
        steps = LESSONS[game].steps
        for n, step in enumerate(steps, 1):
            said = _("Step {n} of {steps}.").format(n=n, steps=len(steps))
            await typist.hears(said, mark)
            asked, mark = asked + 1, len(typist.heard)
            command = "" if step.do is None else _command(typist.heard, said)
            if step.is_free:
                typist.type("hint")
                await eventually(partial(_names_one, typist, mark))
                command = _command(typist.heard[mark:], "")
            typist.type(command)
        await eventually(lambda: typist.playing.place is not place)
        assert asked == len(LESSONS[game].steps)
        assert game in typist.client.settings.known
    finally:
        typist.end()
        await running


def _names_one(typist: Typist, mark: int) -> bool:
    return _command(typist.heard[mark:], "") != ""


def _command(heard: str, after: str) -> str:
    """The first command that a line asks for, behind these words, in the language's own words."""
    now = re.escape(_("Now {does}: type {command}").partition("{does}")[2]).split(r"\{")[0]
    type_ = re.escape(_("Type: {command}")).split(r"\{")[0]
    asks = re.compile(f"(?:{now}|^{type_})(.+)$")
    lines = heard[heard.index(after) :].splitlines()
    return next((match[1] for line in lines if (match := asks.search(line))), "")


async def test_a_declaration_is_put_right_and_the_number_of_a_card_says_its_object() -> None:
    """As the lesson of the race tells, and as on the screen."""
    i18n.speak("en")
    typist = Typist(settings())
    running = asyncio.ensure_future(typist.run(lesson_of("wild_wild_pattern")))
    try:
        for n, typed in enumerate(("", "ready", "shoot 4"), 1):
            await typist.hears(f"Step {n} of ")
            typist.type(typed)
        await typist.hears("Step 4 of ")
        await typist.types("after 9 coin", "There is no feature 9.")
        await typist.types(
            "after 1 coin", "You declare: after every star comes a card with a coin."
        )
        for n, typed in enumerate(("ready", "shoot 2"), 5):
            await typist.hears(f"Step {n} of ")
            typist.type(typed)
        await typist.hears("Step 7 of ")
        await typist.types("after star bullets", "You said after. Say before (before).")
        await typist.types("before loot coin", "You said loot. Say star (star).")
        await typist.types("before star coin", "You said coin.")
        await typist.types("before star bullets", "Step 8 of ")
    finally:
        typist.end()
        await running
