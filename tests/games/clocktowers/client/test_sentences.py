"""Every hint and remark is one line, and says what the play gives."""

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import choosing, sentences
from clocktowers_tui.games.clocktowers.choosing import Remark
from clocktowers_tui.games.clocktowers.needs import needed
from protocol.games.clocktowers import (
    CODES,
    Choice,
    Discard,
    Options,
    Phase,
    Play,
    View,
)
from tests.games.clocktowers.boards import NAMES, board, choosing_tower
from tests.games.clocktowers.matches import some_views

STATUS_CELLS = 80
SMALLEST = 58


@pytest.mark.parametrize("remark", Remark)
def test_remarks_fit_the_status_line(remark: Remark) -> None:
    said = sentences.remark(remark, board(4), choosing_tower(board(4)))
    assert 0 < cell_len(said) <= STATUS_CELLS


def test_a_card_that_fits_nowhere_says_what_it_needs() -> None:
    view = replace(board(4), ladder=[bytes((0, 0b100, 0, 0b1100, 0))])
    blue, green, red = 9, 10, 12
    assert needed(view, red) == "The red roof needs a clock on 2 or 3 floors."
    assert needed(view, green) == "The green roof needs a clock on 2 floors."
    assert needed(view, blue) == "The blue roof fits no tower any more: discard it."
    assert needed(view, 7) == "A clock needs a tower of floors without a clock."


def test_the_hint_says_what_the_play_gives() -> None:
    view = board(4)
    hint = sentences.hint(view, choosing_tower(view))
    assert hint == (
        "A double floor with a cat goes on tower 4, worth up to 4. "
        "No roof fits it yet. Enter: play it."
    )


@pytest.mark.parametrize("room", [SMALLEST, STATUS_CELLS])
def test_a_card_that_a_lesson_wants_out_says_the_key_for_that(room: int) -> None:
    view = board(4)
    at = choosing_tower(view)
    out = Discard(view.hand[at.card])
    assert sentences.hint(view, at, room=room, asked=[out]).endswith("x: discard it.")
    assert "discard" not in sentences.hint(view, at, room=room, asked=[])


def test_a_mouse_clock_says_what_it_takes_away_where_such_mice_count() -> None:
    mouse_clock = CODES.index("Km")
    town = replace(board(4).towns[0], towers=[b"\x04"], points=b"\0")
    legal = [Choice(Play(mouse_clock, 0), 2)]
    view = replace(
        board(4), hand=bytes((mouse_clock,)), towns=[town, *board(4).towns[1:]], legal=legal
    )
    said = {}
    for count in (True, False):
        table = replace(view, count_clock_mice=count)
        said[count] = sentences.hint(table, choosing_tower(table), room=80)
    assert "2 floors, worth 2, not 5" in said[True]
    assert "worth 5 when complete" in said[False] and "not" not in said[False]


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (80, "A double floor with a cat goes on tower 4. No roof fits it yet. Enter: play it."),
        (70, "A double floor with a cat goes on tower 4. No roof fits it yet."),
    ],
)
def test_a_hint_leaves_out_what_the_keys_below_it_say(room: int, said: str) -> None:
    view = board(4)
    assert sentences.hint(view, choosing_tower(view), room=room) == said


def test_on_the_smallest_terminal_hints_of_plays_take_one_line() -> None:
    hints = [hint for seed in range(3) for hint in roof_hints(seed, room=SMALLEST)]
    assert hints and all("point" in hint for hint in hints)
    assert max(map(cell_len, hints)) <= SMALLEST < max(map(cell_len, roof_hints(0)))


def test_hints_of_real_plays_fit_and_say_points_and_the_next_height() -> None:
    whole = [hint for seed in range(3) for hint in roof_hints(seed)]
    assert whole and all("point" in hint and "then needs" in hint for hint in whole)
    fitted = [hint for seed in range(3) for hint in roof_hints(seed, room=STATUS_CELLS)]
    for hint in fitted:
        assert "point" in hint and "Enter" in hint
        assert cell_len(hint) <= STATUS_CELLS


def roof_hints(seed: int, room: int | None = None) -> list[str]:
    return [
        sentences.hint(view, choosing.pick_card(view, at, index).selection, room=room)
        for view in some_views(2, Options(), seed)
        if (at := choosing.settle(view, None, choosing.NOTHING)).stage is choosing.Stage.CARD
        for index, card in enumerate(view.hand)
        if CODES[card][0] == "R" and choosing.pick_card(view, at, index).remark is None
    ]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (board(4), "Your turn: play or discard a card"),
        (board(4, phase=Phase.DRAW), "Your turn: draw a card"),
        (board(4, seat=None), "Ann is choosing a card"),
        (board(4, seat=None, phase=Phase.DRAW), "Ann is drawing a card"),
    ],
)
def test_expected(view: View, line: str) -> None:
    assert sentences.expected(view, NAMES) == line


def test_expected_at_the_end() -> None:
    *_, last = some_views(2, Options(), seed=2)
    assert sentences.expected(last, NAMES) == "The match is over"
