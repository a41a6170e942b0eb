"""Where tiles fit, and points cell by cell; that the sums are right is held against the oracle."""

from protocol.games.architetti_attenti import CELLS, HALL, TILES, Blocks, Kind, Parks, Rails
from protocol.games.architetti_attenti.board import (
    MEADOW,
    cell_name,
    cell_named,
    has_room,
    with_tile,
)
from protocol.games.architetti_attenti.score import (
    STANDARD,
    Counting,
    gems_on_schools,
    parts,
    shares,
)
from tests.games.architetti_attenti.meadows import meadow, text_of

MIXED = TILES.index((Kind.HOUSE, Kind.PARK))


def test_each_half_says_where_the_other_lies() -> None:
    across, down = with_tile(MEADOW, MIXED, 0, 1), with_tile(MEADOW, MIXED, 9, 2)
    assert (across[0], across[1]) == (Kind.HOUSE | 0 << 4, Kind.PARK | 2 << 4)
    assert (down[9], down[2]) == (Kind.HOUSE | 3 << 4, Kind.PARK | 1 << 4)
    assert text_of(down)[:2] == ["..p....", "..h...."]


def test_there_is_room_only_where_two_free_cells_touch() -> None:
    full = "h" * 7
    assert not has_room(meadow(full, full, full, "hhh#hhh", full, full, full))
    assert not has_room(meadow(".h.h.h.", "h.h.h.h", ".h.h.h.", "h.h#h.h", *["hhhhhhh"] * 3))
    assert has_room(meadow(full, full, full, "hhh#hhh", full, full, "hhhhh.."))
    assert has_room(meadow(full, full, full, "hhh#hhh", full, "hhhhhh.", "hhhhhh."))


def test_cells_have_a_letter_and_a_number() -> None:
    assert (cell_name(0), cell_name(6), cell_name(HALL), cell_name(48)) == ("a1", "g1", "d4", "g7")
    assert [cell_named(cell_name(cell)) for cell in range(CELLS)] == list(range(CELLS))
    assert [cell_named(name) for name in ("", "a", "a0", "a8", "h1", "a11", "A1", "1a", "a²")] == (
        [None] * 9
    )


LETTER = Counting(Blocks.ALL, Parks.HOUSES, Rails.STRETCH)


def shared(board: bytes, gems: int = 0, counting: Counting = STANDARD) -> list[list[int]]:
    each = shares(board, gems, counting)
    assert sum(each) == parts(board, gems, counting).total
    return [list(each[start : start + 7]) for start in range(0, 49, 7)]


def test_a_park_shows_the_houses_that_it_adds() -> None:
    board = meadow("php", "h..")
    assert parts(board, 0).parks == 3
    assert [shared(board)[0][cell] for cell in (0, 2)] == [2, 1]
    assert parts(board, 0, LETTER).parks == 2
    assert [shared(board, 0, LETTER)[0][cell] for cell in (0, 2)] == [2, 0]


def test_a_row_of_shops_is_shared_out_evenly() -> None:
    board = meadow("bl.blf.", "", "blft")
    assert parts(board, 0).shops == 5 + 10 + 15
    assert shared(board)[::2][:2] == [[3, 2, 0, 4, 3, 3, 0], [4, 4, 4, 3, 0, 0, 0]]


def test_schools_are_filled_one_after_the_other() -> None:
    board = meadow("s.s")
    assert [parts(board, gems).schools for gems in (0, 4, 5, 9, 10, 13)] == [0, 4, 10, 14, 20, 20]
    assert shared(board, 7)[0][:3] == [10, 0, 2]
    assert gems_on_schools(2, 7) == [5, 2]
    assert gems_on_schools(0, 7) == []
