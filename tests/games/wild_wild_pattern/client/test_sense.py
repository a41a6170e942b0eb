"""What real matches say makes sense, in every seat and to those who watch."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.sense import nonsense
from protocol.games.wild_wild_pattern import Mode, Phase
from tests.games.wild_wild_pattern.boards import board
from tests.games.wild_wild_pattern.matches import RULES, Match, moments


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("mode", Mode)
def test_real_matches_make_sense(seats: int, mode: Mode) -> None:
    for seat in (0, seats - 1, None):
        match, told = Match(seats, seed=seats, seat=seat, mode=mode), 0
        for view in moments(match):
            events, told = match.events[told:], len(match.events)
            assert nonsense(seats, events, view, RULES.outcome(match.state)) == ""


def test_what_nobody_can_choose_does_not() -> None:
    assert nonsense(4, (), board(4, Phase.CLICKED), None) == "a choice that nobody has"
    assert nonsense(4, (), board(4, Phase.LAY), None) == "a choice that nobody has"
    laying = board(4, Phase.LAY, acting=0)
    assert nonsense(4, (), laying, None) == ""
    assert nonsense(4, (), replace(laying, card=0), None) == "a choice that nobody has"
    assert nonsense(3, (), laying, None) == "a row of another length than there are seats"
