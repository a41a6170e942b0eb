"""Whose newest action may be taken back, held against a reading of the rules ply by ply."""

from random import Random

import pytest

from protocol.games.architetti_attenti import Buy, End, Options, TakeBack
from protocol.games.architetti_attenti.board import has_room
from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from tests.games.laws import walk
from tests.server.games.architetti_attenti.staging import SEED

RULES = ARCHITETTI_ATTENTI.rules


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_purchase_is_revocable_and_what_shows_a_tile_is_not(seats: int, end: End) -> None:
    """A placed tile shows the next one as long as there is a pile."""
    state = RULES.setup(Options(end=end), seats, SEED)
    expected = None
    for seat, action in walk(RULES, state, Random(seats), 400):
        assert RULES.revocable(state) == expected
        to_be_placed = isinstance(action, Buy) and has_room(state.boards[seat])
        expected = seat if to_be_placed or not state.left else None
    assert RULES.revocable(state) is None, "the match is over"


def test_a_table_may_do_without() -> None:
    state = RULES.setup(Options(take_back=TakeBack.OFF), 2, SEED)
    for _ in walk(RULES, state, Random(1), 400):
        assert RULES.revocable(state) is None
