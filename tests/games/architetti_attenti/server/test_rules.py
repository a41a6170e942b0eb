"""A turn, line by line of the rules page."""

from random import Random

import pytest

from protocol.errors import Param, Refusal, RefusalCode
from protocol.games.architetti_attenti import (
    Bought,
    Buy,
    Discarded,
    End,
    Options,
    Phase,
    Placed,
    Revealed,
)
from protocol.games.architetti_attenti.board import has_room
from server.games.architetti_attenti.game import ARCHITETTI_ATTENTI
from server.games.architetti_attenti.rules import legal_actions, outcome, to_act
from server.games.architetti_attenti.state import OVER, setup
from tests.games.architetti_attenti.meadows import meadow
from tests.games.architetti_attenti.positions import (
    FIRST,
    SEED,
    do,
    place,
    play,
    stage,
    tile,
    tiles,
    why_not,
)
from tests.laws.laws import walk
from tests.stage import match_stage

RULES = ARCHITETTI_ATTENTI.rules

# Buying ------------------------------------------------------------------------------------------


def test_everybody_begins_with_five_gems_and_position_one_is_free() -> None:
    state = stage()
    assert state.gems == [5, 5]
    assert do(state, Buy(1)) == [Bought(0, 1, tile("house-house"), 0, 0)]
    assert (state.gems, state.on_row) == ([5, 5], bytes(4))


def test_a_position_costs_a_gem_on_each_tile_before_it() -> None:
    state = stage()
    assert do(state, Buy(4)) == [Bought(0, 4, tile("house-school"), 3, 0)]
    assert (state.gems[0], state.on_row) == (2, bytes((1, 1, 1, 0)))


def test_the_gems_on_the_tile_are_ones_own_after_paying() -> None:
    """The sheet's example: position 3 with a gem on it costs two and brings one."""
    state = stage(on_row=(0, 0, 1, 0))
    assert do(state, Buy(3)) == [Bought(0, 3, tile("track-track"), 2, 1)]
    assert (state.gems[0], state.on_row) == (4, bytes((1, 1, 0, 0)))


def test_one_cannot_pay_with_the_gems_on_the_tile() -> None:
    state = stage(on_row=(0, 0, 9, 0))
    state.gems[0] = 1
    refusal = Refusal("too_few_gems", {"position": 3, "cost": 2, "gems": 1})
    assert why_not(state, Buy(3)) == refusal
    assert legal_actions(state, state.turn) == [Buy(1), Buy(2)]  # type: ignore[arg-type]


# Placing -----------------------------------------------------------------------------------------


def test_a_tile_is_placed_then_the_row_slides_and_a_new_tile_comes() -> None:
    state = stage(on_row=(0, 0, 0, 2))
    new = state.pile[0]
    events = play(state, 2, "a1 a2")
    bought, placed = Bought(0, 2, tile("house-park"), 1, 0), Placed(0, tile("house-park"), 0, 7)
    assert events == [bought, placed, Revealed(new)]
    assert state.row == tiles("house-house track-track house-school") + bytes((new,))
    assert state.on_row == bytes((1, 0, 2, 0))
    assert (state.turn, state.left, state.tile) == (1, 43, 0)


@pytest.mark.parametrize(
    ("cells", "code", "params"),
    [
        ("a1 c1", "not_neighbours", {"first": 0, "second": 2}),
        ("a1 b2", "not_neighbours", {"first": 0, "second": 8}),
        ("g1 a2", "not_neighbours", {"first": 6, "second": 7}),
        ("a1 a1", "not_neighbours", {"first": 0, "second": 0}),
        ("d3 d4", "town_hall", {"cell": 24}),
        ("a1 a2", "cell_taken", {"cell": 7}),
        ("b1 a1", "same_halves", {"first": 1, "second": 0}),
    ],
)
def test_where_a_tile_may_not_lie(cells: str, code: str, params: dict[str, Param]) -> None:
    state = stage()
    state.boards[0] = meadow("", "h")
    do(state, Buy(1))
    assert why_not(state, place(cells)) == Refusal(code, params)


def test_each_phase_has_its_action() -> None:
    state = stage()
    assert why_not(state, place("a1 b1")) == Refusal("wrong_phase", {"phase": "buy"})
    do(state, Buy(1))
    assert why_not(state, Buy(1)) == Refusal("wrong_phase", {"phase": "place"})


def test_what_fits_nowhere_is_discarded_and_its_gems_are_taken() -> None:
    state = stage(on_row=(3, 0, 0, 0))
    full = "h" * 7
    state.boards[0] = meadow(".h.h.h.", full, full, "hhh#hhh", full, full, full)
    new = state.pile[0]
    assert do(state, Buy(1)) == [
        Bought(0, 1, tile("house-house"), 0, 3),
        Discarded(0, tile("house-house")),
        Revealed(new),
    ]
    assert (state.gems[0], state.discarded[0], state.turn) == (8, tiles("house-house"), 1)
    assert state.row[0] == tile("house-park")


# The end -----------------------------------------------------------------------------------------


def turns(options: Options, seats: int) -> list[int]:
    """How often each seat bought, in a match at random; asserts that it ends."""
    state = setup(options, seats, SEED)
    bought = [0] * seats
    for seat, action in walk(RULES, state, Random(seats), 400):
        bought[seat] += isinstance(action, Buy)
    assert state.phase == OVER
    assert not to_act(state)
    return bought


@pytest.mark.parametrize(
    ("seats", "to_the_last"), [(1, [26]), (2, [24, 24]), (3, [24, 23, 23]), (4, [23] * 4)]
)
def test_the_match_ends_with_the_pile_or_with_the_row(seats: int, to_the_last: list[int]) -> None:
    """With three players and the row the first has one turn more."""
    assert turns(FIRST, seats) == [22] * seats
    assert turns(Options(first_seat=0, end=End.ROW), seats) == to_the_last


def test_without_a_pile_the_row_grows_shorter() -> None:
    state = stage(options=Options(first_seat=0, end=End.ROW))
    state.drawn = len(state.pile)
    assert play(state, 2, "a1 b1")[-1] == Placed(0, tile("house-park"), 0, 1)
    assert state.row == tiles("house-house track-track house-school") + b"\0"
    assert why_not(state, Buy(4)) == Refusal("no_tile_there", {"position": 4})


def test_the_row_and_its_gems_are_out() -> None:
    state = stage(on_row=(0, 0, 0, 5))
    state.drawn = len(state.pile) - 1
    play(state, 1, "a1 b1")
    assert state.phase == OVER
    result = outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.decided_by) == ((2, 0), (0,), "points")


def test_level_is_a_shared_win_and_alone_nobody_is_beaten() -> None:
    state = stage()
    state.phase = OVER
    assert outcome(state).decided_by == "shared"  # type: ignore[union-attr]
    assert outcome(state).winners == (0, 1)  # type: ignore[union-attr]
    alone = stage(seats=1)
    alone.phase = OVER
    assert outcome(alone).decided_by == "alone"  # type: ignore[union-attr]


# Taking back -------------------------------------------------------------------------------------


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
