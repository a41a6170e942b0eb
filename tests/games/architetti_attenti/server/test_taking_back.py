"""Whose newest action may be taken back, held against a reading of the rules ply by ply."""

from random import Random

import pytest

from protocol.games.architetti_attenti import Buy, End, Options, Phase, TakeBack
from protocol.games.architetti_attenti.board import has_room
from protocol.refusal import RefusalCode
from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from tests.games.architetti_attenti.positions import SEED
from tests.laws.laws import walk
from tests.stage.match_stage import stage

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


async def test_when_no_new_tile_comes_a_placement_can_be_but_not_its_purchase_as_well() -> None:
    async with stage(rules=RULES, game="architetti_attenti", options=Options(end=End.ROW)) as on:
        while on.boxes[0].update.view.left or on.boxes[0].update.view.phase is Phase.PLACE:
            await on.accepted(on.turn, on.legal())
        seat = on.turn
        await on.accepted(seat, on.legal())
        await on.accepted(seat, on.legal())
        assert on.boxes[0].update.revocable == seat != on.turn
        await on.accepted(seat, None)
        view = on.boxes[0].update.view
        assert (view.turn, view.phase) == (seat, Phase.PLACE)
        assert (await on.denied(seat, None))[0] == RefusalCode.NOTHING_TO_TAKE_BACK
