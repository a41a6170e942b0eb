"""Each player's turns are counted to the last one, tiles that fit nowhere among them: as the line
above the board counts them."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.face import FACE
from protocol.games.architetti_attenti import Discarded, End, Options, Phase, Placed
from tests.games.architetti_attenti.matches import Match


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_turn_by_turn(seats: int, end: End) -> None:
    match = Match(seats, Options(end=end), seed=4)
    while not match.over():
        done = sum(isinstance(event, Placed | Discarded) for event in match.events)
        assert FACE.turn(match.view()) == done // seats + 1
        mover = replace(match.view(), seat=match.view().turn)
        if "Your turn" in (said := FACE.expected(mover, ())):
            assert f"Your turn {FACE.turn(mover)} of " in said
        last = done >= 22 * seats + (4 if end is End.ROW else 0) - seats
        assert ("last turn" in FACE.expected(mover, ())) == last
        match.play_one()
    assert match.view().phase is Phase.OVER
    assert FACE.turn(match.view()) == 22 + (-(-4 // seats) if end is End.ROW else 0)
    assert any(match.view().discarded) or (seats, end) != (1, End.ROW)  # 26 tiles, 24 fit
