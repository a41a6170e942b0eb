"""The lesson: wherever a newcomer builds what a sentence teaches, the rest of it still works; and
it shows no more than it has taught."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, settle
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS
from clocktowers_tui.games.architetti_attenti.lesson import LESSON, in_sight
from clocktowers_tui.games.architetti_attenti.scene import draw
from clocktowers_tui.games.architetti_attenti.sight import Scene
from clocktowers_tui.games.architetti_attenti.words import kind_letters
from clocktowers_tui.games.lesson import Step
from clocktowers_tui.text.i18n import _, languages, speak
from protocol.games.architetti_attenti import Options, Place, View
from protocol.ids import Seat
from server.games.contract import BEGINNING
from tests.games.architetti_attenti.matches import RULES
from tests.stage.golden_boards import text_of

ME = Seat(0)
DONE = [step for step in LESSON.steps if step.do is not None]


def began() -> Any:
    return RULES.setup(Options(first_seat=0), 1, LESSON.seed)


def after(state: Any, action: Any) -> Any:
    then = RULES.copy(state)
    assert RULES.refuse(then, ME, action) is None, action
    RULES.apply(then, ME, action, BEGINNING)
    return then


def view_of(state: Any) -> View:
    view: View = RULES.view(state, ME)
    return view


def ways(state: Any, steps: Sequence[Step], every: int = 1) -> Iterator[int]:
    """How many right actions each step has, on every way through these, or on some: each step with
    the last of its actions and with every so many of the others."""
    if not steps:
        return
    wanted = steps[0].wanted(view_of(state))
    yield len(wanted)
    for action in dict.fromkeys((*wanted[::every], *wanted[-1:])):
        yield from ways(after(state, action), steps[1:], every)


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_every_right_place_leads_through_the_whole_lesson(every: int) -> None:
    found = [*ways(began(), DONE, every)]
    assert min(found) > 0 and max(found) > 9 and len(found) > 500 // every**2


def test_a_place_with_the_points_of_the_sentence_is_taken_wherever_it_is() -> None:
    """The park beside the two houses: every place that adds as many points will do."""
    state, seen = began(), False
    for step in DONE:
        view = view_of(state)
        wanted = step.wanted(view)
        if "beside two houses" in step.ask:
            seen = True
            settled = settle(view, None, NOTHING)
            begins = choosing.away_from(view, settled, wanted).ghost
            assert begins is not None and Place(*begins.cells) not in wanted
            best = {one for place in wanted for one in (place.first, place.second)}
            assert {*begins.cells} & best, "it begins beside a right place"
        state = after(state, wanted[0])
    assert seen


@pytest.mark.parametrize("size", [(60, 17), (80, 21), (120, 37)])
def test_it_shows_what_it_has_taught(size: tuple[int, int]) -> None:
    view, glyphs = view_of(began()), GLYPHS[GlyphSet.ASCII]

    def shown(known: frozenset[str] | None) -> str:
        scene = Scene(view, ["Ann"], settle(view, None, NOTHING), known=known)
        return "\n".join(map(text_of, draw(scene, *size, glyphs) or []))

    first, second = shown(in_sight(0, reads=True)), shown(in_sight(0, reads=False))
    assert "Total" in first and "Market" not in first and "Houses" not in first
    assert "Market" in second and "Houses" in second and "Parks" not in second
    rows = ["Houses", "Blocks", "Parks", "Rails", "Shops", "Schools", "Total", "Gems"]
    last = shown(in_sight(len(DONE) // 2, reads=True))
    assert all(row in last for row in rows)
    assert all(row in shown(None) for row in rows), "a match shows everything"


def named(said: str) -> set[str]:
    """Letters of the board that a translated sentence names."""
    return {*re.findall(r"\((\w)\)", said)}


def misnamed(english: str, said: str, meant: dict[str, str]) -> bool:
    return not {meant.get(letter) for letter in named(said)} <= {*english}


@pytest.mark.parametrize("code", sorted(languages()))
def test_a_letter_in_a_sentence_is_the_letter_on_the_board(code: str) -> None:
    """And stands for what it stands for in English, where a translation names one at all."""
    said = [text for step in LESSON.steps for text in (step.say, step.ask, step.why) if text]
    speak("en")
    english = kind_letters("en")
    speak(code)
    meant = dict(zip(kind_letters(code), english, strict=True))
    assert not [one for one in said if misnamed(one, _(one), meant)]
    assert {*"NR"} <= {letter for one in said for letter in named(one)}
    assert misnamed("Put it beside the track (R).", "Accanto al binario (N).", {"N": "B"})
