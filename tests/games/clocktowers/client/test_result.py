"""The last page says who won, why, and for what."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.result import result_lines, tower_lines
from clocktowers_tui.games.face import ResultLine
from protocol.games.clocktowers import ClockMice, DecidedBy, Options, Outcome, View
from protocol.text import cells
from tests.games.clocktowers.boards import NAMES, board, town
from tests.games.clocktowers.matches import RULES, Match

WIDE = 76
NARROW = 55


def plain(lines: Sequence[ResultLine]) -> list[str]:
    return [line.plain for line in lines]


def ended(*towns: Sequence[str], points: Sequence[Sequence[int]]) -> View:
    """A last view with these towers, worth this."""
    shown = [
        replace(town(towers), points=bytes(worth))
        for towers, worth in zip(towns, points, strict=True)
    ]
    return replace(board(2), towns=shown)


def test_winner_and_every_tower() -> None:
    outcome = Outcome((9, 6), (0,), DecidedBy.POINTS)
    assert plain(result_lines(board(2), outcome, NAMES, WIDE)) == [
        "You win",
        "You have 3 points more than Björn.",
        "The cards ran out.",
        "",
        "1.  Ann    9 points  3 complete towers",
        "2.  Björn  6 points  2 complete towers",
    ]
    view = ended(
        ["1-.K-.Rr", "2c.2-.K-.Rb", "2-.1m.1-.1c.K-.Ry", "1m.Km.Rg", "1-.1m"],
        [],
        points=[[5, 4, 3, 2, 0], []],
    )
    assert plain(tower_lines(view, outcome, NAMES, WIDE)) == [
        "Your towers: 9 points",
        "Tower  Height  Roof    Points  Why",
        " 1     1       Red     5       no animals",
        " 2     4       Blue    4       cats only",
        " 3     5       Yellow  3       cats and mice",
        " 4     1       Green   2       mice only",
        " 5     2       -       -       not complete",
        "",
        "Towers of Björn: 6 points",
        "  no tower",
        "",
    ]
    narrow = plain(tower_lines(view, outcome, NAMES, 40))
    assert narrow[1] == "   1 height 1, Red: 5 points, no animals"
    assert "   5 height 2, not complete" in narrow


def test_a_clock_mouse_that_does_not_count_is_told() -> None:
    towers = ["1-.Km.Rr", "1c.Km.Rb", "1m.Km.Rg"]
    outcome = Outcome((11, 0), (0,), DecidedBy.POINTS)
    ignored = plain(tower_lines(ended(towers, [], points=[[5, 4, 2], []]), outcome, NAMES, WIDE))
    assert ignored[2].endswith("no animals, clock aside")
    assert ignored[3].endswith("cats only, clock aside")
    assert ignored[4].endswith("mice only")
    counted = plain(tower_lines(ended(towers, [], points=[[2, 3, 2], []]), outcome, NAMES, WIDE))
    assert not any("aside" in line for line in counted)


@pytest.mark.parametrize("decided_by", DecidedBy)
def test_what_decided_is_said(decided_by: DecidedBy) -> None:
    lines = {
        step: plain(result_lines(board(2), Outcome((6, 6), (1,), step), NAMES, WIDE))[1]
        for step in DecidedBy
    }
    assert [line for line in lines.values()].count(lines[decided_by]) == 1
    assert ("Ann and Björn are tied" in lines[decided_by]) is (decided_by is not DecidedBy.POINTS)


def test_the_towers_that_decided_are_named() -> None:
    view = ended(
        ["2-.K-.Rr"],
        ["1m.1-.K-.Rr", "1-.2m.K-.Rb", "1m.K-.Rg", "2m.K-"],
        points=[[5], [2, 2, 2, 0]],
    )
    outcome = Outcome((6, 6), (1,), DecidedBy.MOUSE)
    assert "the winner's towers 2, 3" in result_lines(view, outcome, NAMES, WIDE)[1].plain
    view = ended(["2-.K-.Rr"], ["1m.1c.K-.Rr"], points=[[3], [3]])
    outcome = Outcome((3, 3), (1,), DecidedBy.CAT)
    assert "the winner's tower 1" in result_lines(view, outcome, NAMES, WIDE)[1].plain


def test_a_shared_win_names_all() -> None:
    outcome = Outcome((6, 6, 6), (0, 1, 2), DecidedBy.SHARED)
    lines = plain(result_lines(board(3), outcome, NAMES, WIDE))
    assert lines[0] == "Ann, Björn and Chiara share the win"
    assert [line[:2] for line in lines[4:]] == ["1."] * 3


def test_the_winner_comes_first_also_when_a_tie_was_broken() -> None:
    outcome = Outcome((6, 6, 2, 2), (1,), DecidedBy.MOUSE)
    lines = plain(result_lines(board(4), outcome, NAMES, WIDE))
    assert [line.split()[:2] for line in lines[4:]] == [
        ["1.", "Björn"],
        ["2.", "Ann"],
        ["3.", "Chiara"],
        ["3.", "Dmitri"],
    ]


@pytest.mark.parametrize("mice", ClockMice)
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_real_end(width: int, mice: ClockMice) -> None:
    match = Match(4, Options(clock_mice=mice), seed=9)
    while not match.over():
        match.play_one()
    view, outcome = match.view(), RULES.outcome(match.state)
    assert outcome is not None
    assert len(result_lines(view, outcome, NAMES, width)) == 4 + 4
    lines = plain(tower_lines(view, outcome, NAMES, width))
    towers = [cards for town in view.towns for cards in town.towers]
    assert len(lines) == 4 + 4 + len(towers) + lines[1].startswith("Tower")
    assert all(cells(line) <= width for line in lines)
    complete = sum(map(bool, (points for town in view.towns for points in town.points)))
    assert (
        sum(any(why in line for why in ("animals", "cats", "mice")) for line in lines) == complete
    )
