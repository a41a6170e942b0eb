"""The lesson, and what is to be done, in sentences."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti import choosing, hinting, reasons, sentences
from clocktowers_tui.games.architetti_attenti.choosing import (
    NOTHING,
    Remark,
    Selection,
    Stage,
    at_its_best,
    inside,
    settle,
    take_up,
)
from clocktowers_tui.games.architetti_attenti.face import actions_now
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS
from clocktowers_tui.games.architetti_attenti.lesson import LESSON
from clocktowers_tui.games.architetti_attenti.sentences import explain
from clocktowers_tui.games.architetti_attenti.sight import Scene
from clocktowers_tui.games.architetti_attenti.words import kind_letters
from clocktowers_tui.games.face import advice_in_words
from clocktowers_tui.games.lesson import Course, Step
from clocktowers_tui.games.parts import UNTAUGHT, Taught
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import _, languages, speak
from protocol.games.architetti_attenti import (
    HALL,
    Buy,
    Kind,
    Options,
    Phase,
    Place,
    Rails,
    View,
)
from protocol.games.architetti_attenti.board import placements
from protocol.ids import Seat
from server.games.contract import BEGINNING
from tests.games.architetti_attenti.boards import ANN, board, draw
from tests.games.architetti_attenti.matches import RULES
from tests.games.architetti_attenti.meadows import at
from tests.stage.golden_boards import NAMES, text_of

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
            assert begins is not None and Place(*begins) not in wanted
            best = {one for place in wanted for one in (place.first, place.second)}
            assert {*begins} & best, "it begins beside a right place"
        state = after(state, wanted[0])
    assert seen


@pytest.mark.parametrize("size", [(60, 17), (80, 21), (120, 37)])
def test_it_shows_what_it_has_taught(size: tuple[int, int]) -> None:
    view, glyphs = view_of(began()), GLYPHS[GlyphSet.ASCII]

    def shown(taught: Taught) -> str:
        scene = Scene(view, ["Ann"], selection=settle(view, None, NOTHING), taught=taught)
        return "\n".join(map(text_of, draw(scene, *size, glyphs) or []))

    steps = range(len(LESSON.steps))
    taught = [Taught(wanted=(), hidden=Course(LESSON, at).hidden) for at in steps]
    assert "row" in taught[0].hidden - taught[1].hidden, "the market is a part of its own"
    first, second = shown(taught[0]), shown(taught[1])
    assert "Total" in first and "Houses" not in first
    assert "Houses" in second and "Parks" not in second
    rows = ["Houses", "Blocks", "Parks", "Rails", "Shops", "Schools", "Total", "Gems"]
    last = shown(taught[-1])
    assert all(row in last for row in rows)
    assert all(row in shown(UNTAUGHT) for row in rows), "a match shows everything"


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
    english = kind_letters()
    speak(code)
    meant = dict(zip(kind_letters(), english, strict=True))
    assert not [one for one in said if misnamed(one, _(one), meant)]
    assert {*"NR"} <= {letter for one in said for letter in named(one)}
    assert misnamed("Put it beside the track (R).", "Accanto al binario (N).", {"N": "B"})


# Every hint and remark is one line, and says what the placement brings, in every language --------


STATUS_CELLS = 80
SMALLEST = 58


@pytest.fixture(params=["en", "it", "nl"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.speak(request.param)
    yield request.param
    i18n.speak("en")


def up(view: View, position: int = 2) -> Selection:
    return at_its_best(view, take_up(view, settle(view, None, NOTHING), position).selection)


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (50, "Enter buys two houses. Its best place: +5 now."),
        (40, "Enter buys it. Its best place: +5 now."),
        (30, "Its best place: +5 now."),
    ],
)
def test_a_hint_leaves_out_what_the_keys_below_it_say(room: int, said: str) -> None:
    assert sentences.hint(board(4), up(board(4)), room=room, told=True) == said


def test_where_the_board_has_no_room_a_hint_says_why_points_change() -> None:
    view = board(4)
    selection = up(view)._replace(ghost=inside(at("f3"), 1))
    why = " Schools +1: gems rise from 2 to 3."
    said = f"Enter buys two houses. It adds 3 points here.{why}"
    assert sentences.hint(view, selection, room=cell_len(said)) == said
    less = said.replace("two houses", "it")
    assert sentences.hint(view, selection, room=cell_len(less)) == less
    assert sentences.hint(view, selection, room=50) == said.removesuffix(why)


def test_a_loss_names_the_part_that_falls() -> None:
    view = board(4, gems=(5, 5, 0, 7), own=(*ANN, "g7 f7 3"))
    selection = up(view, 4)
    gains = choosing.gains(view, selection)
    assert sum(gains.values()) < 0 < max(gains.values())
    said = sentences.hint(view, selection, room=78)
    assert said.endswith(f"Schools {gains['schools']}: school d5, you pay 3 gems.")


@pytest.mark.parametrize(
    ("cell", "said"),
    [(0, "It does not fit here: move or turn it."), (HALL, "No tile lies on the town hall")],
)
def test_where_it_does_not_fit_no_key_is_said_to_buy_it(cell: int, said: str) -> None:
    view = board(4)
    looked = up(view)._replace(ghost=inside(cell, 0))
    hint = sentences.hint(view, looked, room=78)
    assert hint.startswith(said) and "Enter" not in hint
    assert sentences.remark(Remark.NO_PLACE, view, looked, DEFAULT_KEYS, 78) == hint
    assert actions.CONFIRM not in chain(*(keys for keys, _said in actions_now(view, looked)))


def test_before_a_choice_a_hint_says_what_scores_and_what_the_letters_mean(language: str) -> None:
    first, later = board(4, own=()), board(4, own=ANN[:2])
    for room in (SMALLEST, STATUS_CELLS - 2):
        line = sentences.hint(first, settle(first, None, NOTHING), room=room)
        assert line and line == reasons.tip(first, room)
    assert sentences.hint(first, settle(first, None, NOTHING), room=78, told=True) == ""
    said = sentences.hint(later, settle(later, None, NOTHING), room=STATUS_CELLS - 2)
    assert said.count("=") == len(Kind) - len(("free", "hall")) and said == sentences.letters()


def test_a_tip_is_about_a_tile_in_the_row_and_about_houses_twice_at_most(language: str) -> None:
    houses, told = reasons.tip(board(2, own=()), SMALLEST), []
    for n in range(1, 16):
        built = [f"{column}{row} {column}{row + 1} 1" for row in (1, 6) for column in "abcdefg"]
        built += ["a3 b3 1"]
        view = replace(board(2, own=built[:n]), row=(1, 1, 1, 1), on_row=(0, 0, 0, 0))
        told.append(reasons.tip(view, SMALLEST))
        mixed = replace(view, row=(10, 3, 2, 12))
        others = {reasons.tip(mixed, SMALLEST) for _ in range(2)}
        assert houses not in others and len(others) == 1 and (n >= 12) == ("" in others)
    assert told.count(houses) == 1 and told.count("") == len(told) - 1
    late = sentences.hint(view, settle(view, None, NOTHING), room=SMALLEST)
    assert late.endswith(" +5.")


def test_a_long_hint_keeps_its_points_and_the_best_part(language: str) -> None:
    view = board(4)
    best = at_its_best(view, up(view))
    full, short = hinting.advice(view, best), hinting.advice(view, best, SMALLEST)
    assert full is not None and short is not None
    assert cell_len(advice_in_words(short)) < cell_len(advice_in_words(full))
    assert short.brings == full.brings and short.why[:-1] and short.why[:-1] in full.why


def test_whose_turn_it_is() -> None:
    assert sentences.expected(board(2), NAMES).startswith("Your turn")
    assert sentences.expected(board(2, turn=1), NAMES).startswith("Björn")
    assert sentences.expected(board(2, phase=Phase.OVER), NAMES) == "The match is over"


@pytest.mark.parametrize("stage", Stage)
def test_there_is_help_and_a_key_for_every_moment(stage: Stage) -> None:
    view = board(3, phase=Phase.PLACE if stage is Stage.PLACE else Phase.BUY)
    selection = Selection(stage, ghost=inside(0, 0))
    assert all(explain(view, selection, DEFAULT_KEYS))
    named = [words for keys, words in actions_now(view, selection) if keys]
    assert named and len(named) == len(set(named))
    alone = actions_now(board(1), Selection(Stage.NOTHING))
    assert alone == []


def test_the_help_tells_what_each_part_brings_by_the_rules_of_the_table(language: str) -> None:
    standard, other = board(2), replace(board(2), rails=Rails.STRETCH)
    told, by_stretches = list(sentences.goal(standard)), list(sentences.goal(other))
    assert len(told) == len(by_stretches) == 2 + len(("wins", "gems")) + 5
    assert sum(one != another for one, another in zip(told, by_stretches, strict=True)) == 1


def test_the_best_place_is_told_in_one_way() -> None:
    view = board(4, own=())
    said = sentences.hint(view, up(view), room=STATUS_CELLS - 2, told=True)
    assert said == "Enter buys two houses. Its best place: +2 now."
    lesson = sentences.hint(view, up(view), room=STATUS_CELLS - 2, told=True, taught=True)
    assert lesson == "Enter buys two houses. It adds 2 points here."


def test_the_best_place_comes_with_its_reason(language: str) -> None:
    view = board(4)
    said = sentences.best_place(view, up(view), STATUS_CELLS - 2)
    assert cell_len(said) <= STATUS_CELLS - 2
    assert "+5" in said and "+2" in said
    if language == "en":
        parts = "Parks +2, Houses +2, Schools +1 if you keep 3 gems"
        assert said == f"Its best place: +5 now. {parts}."


def test_a_hint_for_fewer_points_than_elsewhere_says_that_the_place_stays_free_or_nothing() -> None:
    view, said = board(4, phase=Phase.PLACE), {True: set[str](), False: set[str]()}
    for place in placements(choosing.own_board(view), view.tile):
        laid = hinting.towards(view, NOTHING, Place(*place))
        best = choosing.most_at_once(view, laid)
        found = hinting.advice(view, laid)
        assert found is not None
        if choosing.gain(view, laid) < choosing.gain(view, best):
            said[bool({*best.ghost} & {*place})].add(found.why)
            assert advice_in_words(found).endswith(found.brings if not found.why else ")")
    assert said[True] == {""} and len(said[False]) == 1
    assert re.match(r"on .. .. it would bring \+\d points now:", said[False].pop())


def test_a_turn_brings_the_same_before_it_is_bought_and_after() -> None:
    """With the gems that the purchase pays or gets: one rule for the table, the hints and H."""
    view = board(1, own=("a1 b1 14",))
    view = replace(view, gems=bytes([1]), on_row=(4, 0, 0, 0), row=(1, 2, 3, 4))
    before = at_its_best(view, up(view, 1))
    placing = replace(
        view, phase=Phase.PLACE, tile=1, gems=bytes([5]), row=(0, 2, 3, 4), on_row=(0, 0, 0, 0)
    )
    after = settle(placing, view, before)
    bought, built = hinting.advice(view, before), hinting.advice(placing, after)
    assert bought and built and bought.brings == built.brings == "+11 points"
    assert built.why == "Schools +9 if you keep 5 gems, Houses +2"
    assert bought.why == f"{built.why}, 4 gems lie on it"
    assert "Its best place: +11 now" in sentences.hint(placing, after)
    unseen = settle(placing, None, NOTHING)._replace(ghost=after.ghost)
    assert choosing.gain(placing, unseen) == 2


def test_every_part_of_a_sum_is_named_and_gems_count_only_if_they_are_kept() -> None:
    """At the last turn nothing is left to pay for, so nothing has to be kept."""
    view = board(1, phase=Phase.PLACE, own=("a1 b1 12",))
    view = replace(view, tile=14, gems=bytes([5]), left=20)
    best = at_its_best(view, settle(view, None, NOTHING))
    assert "Shops +5" in sentences.best_place(view, best, STATUS_CELLS - 2)
    early, last = (hinting.advice(replace(view, left=left), best) for left in (20, 1))
    assert early is not None and early.why == "Schools +10 if you keep 5 gems, Shops +5"
    assert last is not None and "Schools +10" in last.why and "keep" not in last.why


def test_the_same_question_has_the_same_answer_wherever_the_player_has_looked() -> None:
    view = board(1, own=())
    begun = settle(view, None, NOTHING)
    looked = up(view)._replace(ghost=inside(at("b7"), 0))
    first, second = (hinting.towards(view, seen, Buy(2)) for seen in (begun, looked))
    assert first == second
