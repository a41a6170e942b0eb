"""The last page says who won, why, and for what."""

import pytest

from clocktowers_tui.games.clocktowers.result import result_lines, tower_lines
from protocol.games.clocktowers import DecidedBy, Options, Outcome
from tests.clocktowers_tui.games.clocktowers.boards import NAMES, board
from tests.clocktowers_tui.games.clocktowers.matches import RULES, Match


def test_winner_and_every_tower() -> None:
    outcome = Outcome((9, 6), (0,), DecidedBy.POINTS)
    assert result_lines(board(2), outcome, NAMES) == [
        "Ann wins",
        "Most points decide.",
        "",
        "Ann: 9 points, 3 complete towers",
        "Björn: 6 points, 2 complete towers",
    ]
    assert tower_lines(board(2), outcome, NAMES) == [
        "Towers of Ann:",
        "   1 2c.K-.Rr  3 points",
        "   2 2-.1m.1-.K-.Rb  3 points",
        "   3 1-.K-.Ry  3 points",
        "   4 2-.1c.2-  not complete",
        "   5 1-.1m  not complete",
        "Towers of Björn:",
        "   1 2-.K-.Rg  3 points",
        "   2 1c.1-.2m.Km.Rp  3 points",
        "   3 2-.2-.1-  not complete",
        "   4 1m  not complete",
    ]


@pytest.mark.parametrize("decided_by", DecidedBy)
def test_what_decided_is_said(decided_by: DecidedBy) -> None:
    lines = {
        step: result_lines(board(2), Outcome((6, 6), (1,), step), NAMES)[1] for step in DecidedBy
    }
    assert [line for line in lines.values()].count(lines[decided_by]) == 1


def test_a_shared_win_names_all() -> None:
    outcome = Outcome((6, 6, 6), (0, 1, 2), DecidedBy.SHARED)
    first = result_lines(board(3), outcome, NAMES)[0]
    assert first == "Ann, Björn and Chiara share the win"


def test_the_winner_comes_first_also_when_a_tie_was_broken() -> None:
    lines = result_lines(board(2), Outcome((6, 6), (1,), DecidedBy.MOUSE), NAMES)
    assert lines[3].startswith("Björn: 6 points")


def test_a_real_end() -> None:
    match = Match(4, Options(), seed=9)
    while not match.over():
        match.play_one()
    view, outcome = match.view(), RULES.outcome(match.state)
    assert outcome is not None
    towers = sum(len(town.towers) or 1 for town in view.towns)
    assert len(result_lines(view, outcome, NAMES)) == 3 + 4
    assert len(tower_lines(view, outcome, NAMES)) == 4 + towers
