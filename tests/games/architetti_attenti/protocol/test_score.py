"""Points cell by cell; that the sums are right is held against an oracle in `tests/oracle`."""

from protocol.games.architetti_attenti import Blocks, Parks, Parts, Rails
from protocol.games.architetti_attenti.score import (
    STANDARD,
    Counting,
    gems_on_schools,
    parts,
    shares,
)
from tests.games.architetti_attenti.meadows import meadow

LETTER = Counting(Blocks.ALL, Parks.HOUSES, Rails.STRETCH)


def shared(board: bytes, gems: int = 0, counting: Counting = STANDARD) -> list[list[int]]:
    each = shares(board, gems, counting)
    assert sum(each) == parts(board, gems, counting).total
    return [list(each[start : start + 7]) for start in range(0, 49, 7)]


def test_houses_have_a_point_of_their_own_and_one_of_their_block() -> None:
    board = meadow("hh", "hhhh", "..hh", "h")
    assert parts(board, 0) == Parts(houses=9, blocks=8)
    rows = shared(board)
    assert sum(row.count(2) for row in rows) == 8
    assert rows[3][0] == 1


def test_nine_houses_in_a_square_are_worth_nine_more() -> None:
    board = meadow("hhh", "hhh", "hhh")
    assert parts(board, 0) == Parts(houses=9, blocks=9)
    assert parts(board, 0, LETTER) == Parts(houses=9, blocks=9 + 4 * 4)
    assert shared(board, 0, LETTER)[1][1] == 1 + 1 + 4


def test_no_square_goes_on_at_the_other_edge() -> None:
    """Three rows of two at each edge, one row lower on the left, hold no square of three."""
    board = meadow(".....hh", "hh...hh", "hh...hh", "hh")
    assert parts(board, 0).blocks == 4 + 4


def test_a_park_shows_the_houses_that_it_adds() -> None:
    board = meadow("php", "h..")
    assert parts(board, 0).parks == 3
    assert [shared(board)[0][cell] for cell in (0, 2)] == [2, 1]
    assert parts(board, 0, LETTER).parks == 2
    assert [shared(board, 0, LETTER)[0][cell] for cell in (0, 2)] == [2, 0]


def test_a_live_track_shows_the_stations_of_its_network() -> None:
    board = meadow("@==@", ".=.=.@=", "...@")
    assert parts(board, 0).rails == 3 * 3
    assert shared(board)[:2] == [[0, 3, 3, 0, 0, 0, 0], [0, 0, 0, 3, 0, 0, 0]]
    assert parts(board, 0, LETTER).rails == 2 * 3
    assert shared(board, 0, LETTER)[0][1] == 2


def test_a_loop_on_one_station_leads_nowhere() -> None:
    assert parts(meadow("@==", "=.=", "==="), 0).rails == 0
    assert parts(meadow("@==", "=.=", "==@"), 0).rails == 2 * 6
    assert parts(meadow("@=.", "@=."), 0).rails == 2 * 2
    assert parts(meadow("@@"), 0).rails == 0


def test_a_row_of_shops_is_shared_out_evenly() -> None:
    board = meadow("bl.blf.", "", "blft")
    assert parts(board, 0).shops == 5 + 10 + 15
    assert shared(board)[::2][:2] == [[3, 2, 0, 4, 3, 3, 0], [4, 4, 4, 3, 0, 0, 0]]


def test_a_shop_serves_a_row_and_a_column() -> None:
    board = meadow("bl", "f")
    assert parts(board, 0).shops == 5 + 5
    assert shared(board)[0][0] == 3 + 3


def test_no_shop_twice_in_one_direction() -> None:
    assert parts(meadow("blfbl"), 0).shops == 10 + 5
    assert parts(meadow("bbl"), 0).shops == 5
    assert parts(meadow("blflbtf"), 0).shops == 10 + 15


def test_schools_are_filled_one_after_the_other() -> None:
    board = meadow("s.s")
    assert [parts(board, gems).schools for gems in (0, 4, 5, 9, 10, 13)] == [0, 4, 10, 14, 20, 20]
    assert shared(board, 7)[0][:3] == [10, 0, 2]
    assert gems_on_schools(2, 7) == [5, 2]
    assert gems_on_schools(0, 7) == []
