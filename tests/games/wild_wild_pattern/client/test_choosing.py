"""Keys make just the actions that the server allows, and none by accident; arrows go as is seen."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.keys import Step
from clocktowers_tui.games.parts import LEAST
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.actions import COLOURS, DIRECTIONS, PLACES, SUITS
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NOTHING,
    WAYS,
    Offer,
    Remark,
    Selection,
    What,
    asked,
    back,
    on_offer,
    settle,
)
from clocktowers_tui.games.wild_wild_pattern.face import actions_now, declaring as declaring_keys
from clocktowers_tui.games.wild_wild_pattern.hinting import towards
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.scene import sight
from clocktowers_tui.games.wild_wild_pattern.side import Picker, picked, picker
from clocktowers_tui.games.wild_wild_pattern.spoken import SPOKEN
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games import Switch
from protocol.games.wild_wild_pattern import Lay, Options, Pass, Phase, Take, Use, View
from protocol.games.wild_wild_pattern.cards import Challenge, Direction, Object, Pattern
from tests.games.wild_wild_pattern.boards import (
    MINE,
    RIGHT,
    WHEEL,
    WILD,
    board,
    cards,
    clicked,
    declaring,
    scene,
    told,
)
from tests.games.wild_wild_pattern.matches import RaceMatch, may_hold, moments
from tests.stage.golden_boards import text_of

AFTER = Selection(Direction.AFTER)
SWAPS = Selection(challenge=Challenge.TRADE)
TRADING = board(4, Phase.CHALLENGE, acting=0, challenges=[bytes((Challenge.TRADE,)), b"", b"", b""])


def reachable(view: View) -> Iterator[Any]:
    """Every action that picking leads to."""
    known, todo = {NOTHING}, [NOTHING]
    while todo:
        selection = todo.pop()
        for offer in on_offer(view, selection):
            step = choosing.pick(view, selection, offer)
            if step.action is not None:
                yield step.action
            elif step.selection not in known:
                known.add(step.selection)
                todo.append(step.selection)


def all_ways(view: View) -> set[Any]:
    keys = [choosing.click(view, NOTHING), choosing.decline(view, NOTHING._replace(warned=True))]
    if asked(view) is Phase.READY:
        keys.append(choosing.confirm(view, NOTHING))
    pressed = {step.action for step in keys if step.action is not None}
    return pressed | set(reachable(view))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_what_can_be_picked_is_what_the_server_allows(seats: int) -> None:
    for seed in range(3):
        match = RaceMatch(seats, seed=10 * seats + seed)
        seen: set[Phase | None] = set()
        for number, view in enumerate(moments(match)):
            new = asked(view) not in seen
            seen.add(asked(view))
            if new or number % 7 == 0:
                assert all_ways(view) == set(filter(partial(may_hold, view), match.legal())), view


def digit(view: View, selection: Selection, number: int) -> Step:
    return choosing.press(view, selection, PLACES[number])


def press(view: View, *keys: tuple[Any, ...]) -> Any:
    """The action that these keys lead to, one after the other."""
    selection = NOTHING
    for number, (key, *args) in enumerate(keys):
        step = key(view, selection, *args)
        if step.action is not None:
            assert number == len(keys) - 1, "nothing is left to press"
            return step.action
        assert step.remark is None, step.remark
        selection = step.selection
    return None


def test_a_digit_pressed_twice_declares_nothing() -> None:
    """The second one is an object for the declaration, which can still be another."""
    step = digit(declaring(), NOTHING, 2)
    assert (step.action, step.remark) == (None, None)
    assert choosing.press(declaring(), step.selection, COLOURS[1]).remark is Remark.DIRECTION_FIRST


def test_only_an_object_with_a_colour_or_a_suit() -> None:
    """What goes with no first half takes its place."""
    view, picked = declaring(), Selection(Direction.AFTER, anchor=2)
    assert digit(view, picked, 3).selection.anchor == Object.WANTED
    assert choosing.point(view, picked, Offer(What.PLACE, 3)).selection.anchor == Object.WANTED
    assert choosing.press(view, picked, DIRECTIONS[0]).selection == Selection(
        Direction.BEFORE, anchor=2
    )
    other = Selection(Direction.AFTER, anchor=9)
    assert choosing.press(view, other, SUITS[1]).selection.anchor == 14
    for again in (Selection(Direction.AFTER, anchor=2), other):
        offer = Offer(What.FEATURE, again.anchor or 0)
        assert choosing.pick(view, again, offer).action is None, "Enter twice declares nothing"


def test_to_declare_nothing_is_asked_for_twice() -> None:
    view = declaring()
    once = choosing.decline(view, NOTHING)
    assert (once.action, once.remark) == (None, Remark.SURE)
    assert choosing.decline(view, once.selection).action == Pass()
    hinted = towards(view, NOTHING, Pass())
    assert choosing.confirm(view, hinted).action == Pass(), "a hint's Enter does it at once"


def test_rewards() -> None:
    view = board(4, Phase.TAKE, acting=0, takes=1, barred=2)
    assert digit(view, NOTHING, 3).action == Take(3)
    assert digit(view, NOTHING, 2).remark is Remark.BARRED
    gone = replace(view, wheel=WHEEL[:5] + b"\0" + WHEEL[6:])
    assert digit(gone, NOTHING, 5).remark is Remark.GAP_THERE
    assert press(view, *[(choosing.move, 1, 0)] * 3, (choosing.confirm,)) == Take(3)


def test_laying() -> None:
    gap = board(4, Phase.LAY, acting=0)
    assert digit(gap, NOTHING, 2).action == Lay(2), "nothing to choose: one key"
    assert choosing.confirm(gap, NOTHING).action == Lay(2)
    assert digit(gap, NOTHING, 3).remark is Remark.FILL_A_GAP
    two = replace(gap, wheel=gap.wheel[:6] + b"\0" + gap.wheel[7:])
    once = digit(two, NOTHING, 2)
    assert once.action is None, "it may have been meant for the race"
    assert digit(two, once.selection, 2).action == Lay(2)
    assert choosing.confirm(two, once.selection).action == Lay(2)
    full = board(4, Phase.LAY, acting=0, wheel=WHEEL)
    white = press(full, (digit, 4), (choosing.confirm,))
    assert white == Lay(4), "white on white"
    assert digit(full, NOTHING, 3).remark is Remark.SAME_COLOUR
    none = board(4, Phase.LAY, acting=0, wheel=cards("PRC SYC LYB WGB BRB KAB HAB DRB"))
    assert all(press(none, *[(digit, at)] * 2) == Lay(at) for at in range(8))


def test_challenge_cards_by_key() -> None:
    view = board(4, Phase.CHALLENGE, acting=0)
    assert press(view, (digit, 1)) == Use(Challenge.FIFTY_CENTS)
    wheel = press(view, (digit, 0), (digit, 1))
    assert wheel == Use(Challenge.ONE_CARD, WHEEL[1])
    theirs = press(view, (digit, 0), *[(choosing.move, 0, 1)] * 8, (choosing.confirm,))
    assert theirs == Use(Challenge.ONE_CARD, cards("DGB")[0])
    assert choosing.decline(view, NOTHING).action == Pass()


def test_who_has_wild_wins_the_match_by_confirming() -> None:
    view = board(4, Phase.CHALLENGE, acting=0, won=WILD)
    assert press(view, (choosing.confirm,)) == Pass()
    assert press(view, (choosing.move, 0, 1), (choosing.confirm,)) is None, "it asks which card"


def test_a_trade_takes_three_picks() -> None:
    trade = press(TRADING, (digit, 0), (digit, 1), (digit, 2))
    assert trade == Use(Challenge.TRADE, cards("KRC")[0], cards("BAC")[0])
    names = ["Ann", "Bo", "Cy", "Di"]
    typed = [SPOKEN.read(TRADING, names, "use", [card, "2", "1"]) for card in ("1", "trade")]
    assert isinstance(typed[0], Use) and typed[0].given and typed[0] == typed[1]
    assert SPOKEN.read(TRADING, names, "use", ["trade", "2", "1", "1"]) == [
        "Type it so: use trade 2 1"
    ]
    ready, taking = board(4, Phase.READY), board(4, Phase.TAKE, acting=0, takes=1)
    why = SPOKEN.read(ready, names, "click", [])
    assert why == ["Your card is still face down: ready turns it up."]
    assert SPOKEN.read(taking, names, "before", ["star", "coin"]) == ["Take 1 card (15 s at most)."]


DIGIT = partial(digit, number=3)
TWO_TAKEN = replace(RIGHT, seat=0, anchors=3)
CHOICE = {"acting": 0, "takes": 1}


@pytest.mark.parametrize(
    ("key", "view", "selection", "why"),
    [
        (DIGIT, board(4, Phase.OVER), NOTHING, Remark.OVER),
        (DIGIT, board(3, seat=None), NOTHING, Remark.WATCHING),
        (DIGIT, board(4, standing=[False, True, True, True]), NOTHING, Remark.OUT),
        (DIGIT, board(4, Phase.READY), NOTHING, Remark.NOT_READY),
        (DIGIT, board(4, Phase.READY, done=[True, False, False, False]), NOTHING, Remark.NOT_YET),
        (DIGIT, board(4, card=0, waiting=[True, False, False, False]), NOTHING, Remark.WAITING),
        (DIGIT, board(4, aimed=-1), NOTHING, Remark.ALREADY_SHOT),
        (DIGIT, board(4, done=[True, False, False, False]), NOTHING, Remark.PASSED),
        (DIGIT, clicked(0, card=0), NOTHING, Remark.OWN_CLICK),
        (DIGIT, declaring(2), NOTHING, Remark.TOO_LATE),
        (DIGIT, board(4, Phase.TAKE, acting=1, takes=1), NOTHING, Remark.NOT_YOUR_TURN),
        (choosing.click, declaring(), NOTHING, Remark.NO_CLICK),
        (choosing.decline, board(), NOTHING, Remark.NOBODY_PASSES),
        (choosing.decline, board(4, Phase.READY, **CHOICE), NOTHING, Remark.NOT_READY),
        (choosing.decline, board(4, Phase.TAKE, **CHOICE), NOTHING, Remark.NO_PASS),
        (choosing.decline, board(4, Phase.LAY, **CHOICE), NOTHING, Remark.NO_PASS),
        (choosing.confirm, board(), NOTHING, Remark.PRESS_A_DIGIT),
        # Confirming too soon says what is chosen and what is missing.
        (choosing.confirm, declaring(), NOTHING, Remark.MOVE_FIRST),
        (choosing.confirm, declaring(), AFTER, Remark.WAY_CHOSEN),
        (choosing.confirm, declaring(), Selection(anchor=Object.BOTTLE), Remark.HALF_CHOSEN),
        (choosing.confirm, declaring(), AFTER._replace(anchor=3), Remark.OBJECT_CHOSEN),
        (choosing.confirm, declaring(), AFTER._replace(anchor=9), Remark.OTHER_CHOSEN),
        (choosing.confirm, told(TWO_TAKEN, acting=0, takes=2), NOTHING, Remark.MOVE_FIRST),
        (choosing.confirm, told(TWO_TAKEN, acting=0, takes=1), NOTHING, Remark.SECOND_CARD),
        (choosing.confirm, TRADING, SWAPS, Remark.CHALLENGE_CHOSEN),
    ],
)
def test_why_a_key_does_nothing(
    key: Callable[[View, Selection], Step], view: View, selection: Selection, why: Remark
) -> None:
    step = key(view, selection)
    assert (step.action, step.remark, step.selection) == (None, why, selection)


def test_backspace_takes_one_back_at_a_time() -> None:
    picked = Selection(Direction.AFTER, anchor=2)
    assert back(picked) == Selection(Direction.AFTER)
    assert back(back(picked)) == NOTHING
    trading = SWAPS._replace(wanted=5)
    assert back(trading) == SWAPS
    assert back(SWAPS) == NOTHING == back(NOTHING)


def test_an_unfinished_choice_outlives_a_view_that_does_not_touch_it() -> None:
    view, picked = declaring(), Selection(Direction.AFTER)
    assert settle(replace(view, due_ms=5), view, picked) == picked
    assert settle(board(card=MINE), view, picked) == NOTHING


# The line of keys ---------------------------------------------------------------------------------


def test_keys_of_the_line_follow_the_choice() -> None:
    def words(view: View, selection: Selection = NOTHING) -> list[str]:
        return [said for _actions, said in actions_now(view, selection)]

    assert words(board()) == ["Shoot", "Give up: Click!"]
    assert words(board(2, options=Options(practice=Switch.ON))) == [
        "Shoot",
        "Give up: Click!",
        "Pass",
    ]
    assert words(clicked()) == ["Shoot", "Pass"]
    (shoots,) = actions_now(board(), NOTHING, shoots=True)
    assert shoots[1] == "Shoot", "in a lesson, where only a shot leads on"
    assert words(declaring()) == ["Before", "After", "Object", "Pass"]
    assert words(declaring(), AFTER) == ["Object", "Colour", "Suit", "Back", "Pass"]
    hinted = AFTER._replace(anchor=9, cursor=Offer(What.FEATURE, 3))
    assert words(declaring(), hinted) == ["Choose", "Object", "Back", "Pass"]
    asked, trade = board(4, Phase.CHALLENGE, acting=0), NOTHING._replace(challenge=Challenge.TRADE)
    assert words(asked, trade) == ["Card it works on", "Move", "Back"]
    assert words(asked, trade._replace(wanted=1)) == ["Card you give", "Move", "Back"]
    marked = Selection(cursor=Offer(What.PLACE, 0))
    take, *_rest = actions_now(board(4, Phase.TAKE, acting=0, takes=1), marked)
    assert take[0][0].id == "confirm" and take[1] == "Take"
    assert words(board(4, Phase.LAY, acting=0)) == ["Lay"], "the only gap"
    two = board(4, Phase.LAY, acting=0, wheel=cards("PRC SYC . WGB BWC KAB . DRB"))
    assert words(two) == ["Place", "Move"]
    assert words(two, Selection(cursor=Offer(What.PLACE, 2))) == ["Place", "Move", "Lay", "Back"]
    assert words(declaring(2)) == ["Bank prices"]


def test_only_digits_that_pick_something_stand_in_the_line() -> None:
    def digits(view: View, selection: Selection = NOTHING) -> str:
        return DEFAULT_KEYS.names(actions_now(view, selection)[0][0])

    assert digits(board()) == "1-8"
    assert digits(board(4, Phase.TAKE, acting=0, takes=1, barred=2)) == "1 2 4 5 6 7 8"
    few = cards(". SYC . . . . HWB .")
    assert digits(board(4, Phase.TAKE, acting=0, takes=1, wheel=few)) == "2 7"
    gaps = cards("PRC SYC . WGB BWC KAB . DRB")
    assert digits(board(4, Phase.LAY, acting=0, wheel=gaps)) == "3 7", "the gaps"
    assert digits(board(4, Phase.CHALLENGE, acting=0)) == "1 2", "two cards"


def test_a_lesson_names_only_the_keys_of_its_pattern() -> None:
    """On the Wheel of `declaring`, bottles lie on 5 and 8."""

    def keys(selection: Selection) -> str:
        led = declaring_keys(declaring(), selection, Pattern(Direction.AFTER, 3, 9))
        return "; ".join(f"{DEFAULT_KEYS.names(together)} {words}" for together, words in led)

    assert keys(NOTHING) == "> After"
    assert keys(AFTER) == "5 Object; a Colour"
    assert keys(AFTER._replace(anchor=3)) == "a Colour"
    assert keys(AFTER._replace(anchor=9)) == "5 Object"


# The list beside the Wheel ------------------------------------------------------------------------


UNICODE = GLYPHS[GlyphSet.UNICODE]
TO_LEFT, TO_RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)
LIST_WIDTH = 36
AT_FIRST = AFTER._replace(cursor=Offer(What.FEATURE, Object.PISTOL))
CHALLENGED = board(4, Phase.CHALLENGE, acting=0)


def listed(view: View, selection: Selection, width: int) -> Picker:
    seen = sight(scene(view, selection), *LEAST, UNICODE)
    assert seen is not None
    return picker(seen, width)


def where(view: View, selection: Selection) -> tuple[int, int]:
    """Column and row of the cursor as it is drawn."""
    lines = listed(view, selection, LIST_WIDTH)
    rows = ["".join(text_of(row) for _offer, row in line) for line in lines]
    y = next(y for y, row in enumerate(rows) if UNICODE.turn in row)
    return rows[y].index(UNICODE.turn) // (10 if y == 0 else LIST_WIDTH // 2), y


@pytest.mark.parametrize(
    ("selection", "head"),
    [
        (NOTHING, "< BEFORE  > AFTER   every:"),
        (AFTER, "< BEFORE  >[AFTER]  every:"),
        (AFTER._replace(anchor=2), "< BEFORE  >[AFTER]  comes:"),
    ],
)
def test_before_and_after_are_no_heads_of_two_columns(selection: Selection, head: str) -> None:
    lines = listed(declaring(), selection, 30)
    assert "".join(text_of(row) for _offer, row in lines[0]).rstrip() == head
    found = [picked(lines, x, 0) for x in range(30)]
    before, after = WAYS.values()
    assert found == [*[before] * 10, *[after] * 10, *[None] * 10]


def after(view: View, selection: Selection, *ways: tuple[int, int]) -> Selection:
    for way in ways:
        selection = choosing.move(view, selection, *way).selection
    return selection


@pytest.mark.parametrize(
    ("picked", "ways", "column", "row"),
    [
        (NOTHING, [TO_RIGHT], 0, 0),
        (NOTHING, [TO_RIGHT, TO_RIGHT], 1, 0),
        (NOTHING, [DOWN, DOWN], 0, 1),
        (AFTER, [DOWN], 0, 1),
        (AT_FIRST, [DOWN], 0, 2),
        (AT_FIRST, [TO_RIGHT, DOWN], 1, 2),
        (AT_FIRST, [TO_RIGHT, TO_RIGHT], 0, 2),
        (AT_FIRST, [TO_RIGHT, DOWN, TO_LEFT], 0, 2),
        (AT_FIRST, [DOWN, UP, UP], 0, 8),
        # Beside White there is nothing.
        (AT_FIRST, [TO_RIGHT, *[DOWN] * 5, DOWN], 1, 8),
        (AT_FIRST, [TO_LEFT], 1, 8),
        (AT_FIRST, [*[DOWN] * 7], 0, 8),
    ],
)
def test_down_is_the_line_below(
    picked: Selection, ways: list[tuple[int, int]], column: int, row: int
) -> None:
    view = replace(declaring(), wheel=WHEEL)
    assert where(view, after(view, picked, *ways)) == (column, row)


@pytest.mark.parametrize(
    ("view", "picked"), [(declaring(), AFTER), (CHALLENGED, NOTHING), (CHALLENGED, SWAPS)]
)
def test_one_way_across_goes_through_all(view: View, picked: Selection) -> None:
    offers = on_offer(view, picked)
    seen = [after(view, picked, *[TO_RIGHT] * n).cursor for n in range(1, len(offers) + 2)]
    assert seen == [*offers, offers[0]]


def test_a_list_of_one_column_goes_down_line_by_line() -> None:
    first = Selection(cursor=on_offer(CHALLENGED, NOTHING)[0])
    for way in (DOWN, TO_RIGHT):
        below = where(CHALLENGED, first)[1] + 1
        assert where(CHALLENGED, after(CHALLENGED, first, way)) == (0, below)
