"""Each player's turns are counted the same way in both orders, to the last one."""

import pytest

from clocktowers_tui.games.clocktowers.face import FACE
from protocol.games.clocktowers import Options, Phase, TurnOrder
from tests.games.clocktowers.matches import Match


@pytest.mark.parametrize("order", TurnOrder)
def test_turn_by_turn(order: TurnOrder) -> None:
    match = Match(3, Options(turn_order=order), seed=4)
    last, turns = None, 0
    while not match.over():
        view = match.view()
        if view.turn != last:
            last, turns = view.turn, turns + 1
        assert FACE.turn(view) == (turns - 1) // 3 + 1
        match.play_one()
    assert match.view().phase is Phase.OVER
    assert turns == 58 and FACE.turn(match.view()) == 20
