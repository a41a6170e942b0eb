"""Places are shared by those who are level, and a line never outgrows its screen."""

from collections.abc import Sequence

import pytest
from msgspec import Struct

from clocktowers_tui.games.standings import (
    level_at_the_top,
    listed,
    ranked,
    standings,
    winners_in_words,
)
from protocol.text import cells

NAMES = ("Ann", "Björn", "Chiara", "Dmitri")


class Outcome(Struct, frozen=True):
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def lines(outcome: Outcome, names: Sequence[str] = NAMES, width: int = 76) -> list[str]:
    more = [f"more of {seat}" for seat in range(len(outcome.scores))]
    return [line.plain for line in standings(outcome, names, more, width)]


def test_best_first_and_level_ones_share_a_place() -> None:
    assert lines(Outcome((1, 30, 7, 7), (1,))) == [
        "1.  Björn   30 points  more of 1",
        "2.  Chiara  7 points   more of 2",
        "2.  Dmitri  7 points   more of 3",
        "4.  Ann     1 point    more of 0",
    ]


def test_a_winner_comes_before_who_has_as_many_points() -> None:
    outcome = Outcome((6, 6), (1,))
    assert ranked(outcome) == [1, 0]
    assert [line[:2] for line in lines(outcome)] == ["1.", "2."]
    assert level_at_the_top(outcome, NAMES, None) == "Ann and Björn"
    assert level_at_the_top(outcome, NAMES, 1) == "Björn and Ann", "the reader comes first"
    assert winners_in_words(outcome, NAMES, None) == "Björn wins"
    assert winners_in_words(outcome, NAMES, 1) == "You win"


@pytest.mark.parametrize("width", [30, 55])
def test_long_names_are_cut(width: int) -> None:
    names = ["漢字" * 10, "x" * 60]
    assert all(cells(line) <= width for line in lines(Outcome((1, 2), (1,)), names, width))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["Ann"], "Ann"),
        (NAMES[:2], "Ann and Björn"),
        (NAMES[:3], "Ann, Björn and Chiara"),
    ],
)
def test_lists_of_names(names: Sequence[str], words: str) -> None:
    assert listed(names) == words


def test_several_winners_share() -> None:
    assert winners_in_words(Outcome((6, 6, 1), (0, 1)), NAMES, 0) == "Ann and Björn share the win"
