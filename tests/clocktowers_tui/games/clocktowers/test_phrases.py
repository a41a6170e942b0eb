"""Every event of real matches becomes a line, and every hint is one."""

from typing import get_args

import pytest
from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import choosing, phrases
from clocktowers_tui.games.clocktowers.choosing import Remark
from protocol.games.clocktowers import (
    CODES,
    Completed,
    Dealt,
    Discarded,
    Drew,
    Event,
    Options,
    Phase,
    Played,
    View,
    YouDiscarded,
)
from protocol.ids import Seat
from tests.clocktowers_tui.games.clocktowers.boards import NAMES, board, choosing_tower
from tests.clocktowers_tui.games.clocktowers.matches import Match, some_views

STATUS_CELLS = 80


def code(card: str) -> int:
    return CODES.index(card)


LINES = [
    (Dealt(1, b"\1\7\x0b", b"\x0f\x0e\x11", Options()), "The cards are dealt; Björn begins"),
    (Played(1, code("2c"), 3, 4), "Björn: floor 2 cat on 4"),
    (Played(1, code("2c"), 3, 2), "Björn starts tower 4: floor 2 cat"),
    (Played(1, code("K-"), 3, 2), "Björn: clock on 4"),
    (Played(1, code("Rb"), 3, 4), ""),
    (Completed(1, 3, code("Rb"), 4, 3, 5), "Björn: blue roof on 4, height 4: 3 points"),
    (Discarded(1), "Björn discards"),
    (Discarded(0), ""),
    (YouDiscarded(code("Km")), "You discard clock mouse"),
    (Drew(1, 2, code("Rg"), code("Rb")), "Björn draws green roof"),
    (Drew(1, 2, code("Rg"), 0), "Björn draws green roof; no more roofs"),
]


@pytest.mark.parametrize(("event", "line"), LINES)
def test_events_in_words(event: Event, line: str) -> None:
    assert phrases.phrase(event, NAMES, Seat(0)) == line


def test_no_event_is_without_an_example() -> None:
    assert {type(event) for event, _ in LINES} == set(get_args(Event))


def test_nothing_of_a_match_goes_untold() -> None:
    match = Match(4, Options(), seed=5)
    while not match.over():
        match.play_one()
    told = [phrases.phrase(event, NAMES, Seat(0)) for event in match.events]
    assert sum(map(bool, told)) > 100
    assert all(line.replace("ö", "o").isascii() for line in told)


def test_a_discard_of_ones_own_is_told_once_and_watchers_see_every_one() -> None:
    assert phrases.phrase(Discarded(0), NAMES, None) == "Ann discards"


@pytest.mark.parametrize("remark", Remark)
def test_remarks_fit_the_status_line(remark: Remark) -> None:
    assert 0 < cell_len(phrases.remark(remark)) <= STATUS_CELLS


def test_the_hint_says_what_the_play_gives() -> None:
    view = board(4)
    hint = phrases.hint(view, choosing_tower(view))
    assert hint == "floor 2 cat on tower 4: height 7. Enter plays, x discards, Esc back"


def test_hints_of_real_plays_fit_and_say_points_and_the_next_height() -> None:
    hints = [hint for seed in range(3) for hint in roof_hints(seed)]
    assert hints
    for hint in hints:
        assert "point" in hint and "next" in hint
        assert cell_len(hint) <= STATUS_CELLS


def roof_hints(seed: int) -> list[str]:
    return [
        phrases.hint(view, choosing.pick_card(view, at, index).selection)
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
        (board(4, seat=None), "Ann is to play a card"),
        (board(4, seat=None, phase=Phase.DRAW), "Ann is to draw a card"),
    ],
)
def test_expected(view: View, line: str) -> None:
    assert phrases.expected(view, NAMES) == line


def test_expected_at_the_end() -> None:
    *_, last = some_views(2, Options(), seed=2)
    assert phrases.expected(last, NAMES) == "The match is over"
