"""What may be taken back. What is legal, what follows from it and who wins is compared with the
oracle; why an action is impossible is said in `client/test_words.py`."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from protocol.errors import RefusalCode
from protocol.games.architetti_attenti import Buy, End, Options, Phase
from protocol.games.architetti_attenti.board import has_room
from protocol.games.moves import RecordError
from server.games.architetti_attenti.game import GAME as ARCHITETTI_ATTENTI, NOTATION
from server.games.architetti_attenti.state import setup
from tests.games.architetti_attenti.positions import SEED
from tests.laws.laws import walk
from tests.stage import match_stage

RULES = ARCHITETTI_ATTENTI.rules


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("seats", [1, 4])
def test_a_purchase_is_revocable_and_what_shows_a_tile_is_not(seats: int, end: End) -> None:
    """A placed tile shows the next one as long as there is a pile."""
    state = RULES.setup(Options(end=end), seats, SEED)
    expected = None
    for seat, action in walk(RULES, state, Random(seats), 400):
        assert RULES.revocable(state) == expected
        to_be_placed = isinstance(action, Buy) and has_room(state.boards[seat])
        expected = seat if to_be_placed or not state.left else None


async def test_when_no_new_tile_comes_a_placement_can_be_but_not_its_purchase_as_well() -> None:
    async with match_stage.stage(
        rules=RULES, game="architetti_attenti", options=Options(end=End.ROW)
    ) as on:
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


# Its records -------------------------------------------------------------------------------------


def test_deals_that_make_no_sense() -> None:
    good = NOTATION.setup_to_record(setup(Options(), 3, SEED))
    spoilt: list[tuple[str, Any, str]] = [
        ("first_seat", 3, "first_seat in setup must be a whole number, 0 to 2, not 3"),
        ("first_seat", "0", 'first_seat in setup must be a whole number, 0 to 2, not "0"'),
        ("row", good["row"][:3], "row in setup must have 4 tiles, not 3"),
        ("row", None, "row in setup must be a list, not null"),
        ("pile", good["pile"][:-1], "pile in setup must have 66 tiles, not 65"),
        (
            "removed",
            [*good["removed"][:1], "house-hall"],
            'a tile of removed in setup must be .*, not "house-hall"',
        ),
        ("removed", [{}, []], "a tile of removed in setup must be .*, not an object"),
        (
            "pile",
            ["house-track"] * 66,
            "removed in setup must be the whole box: .* is missing, and house-track is there too",
        ),
    ]
    for name, value, said in spoilt:
        with pytest.raises(RecordError, match=said):
            NOTATION.setup_from_record({**deepcopy(good), name: value}, Options(), 3)
    with pytest.raises(RecordError, match="setup must be an object, not a list"):
        NOTATION.setup_from_record([], Options(), 3)
