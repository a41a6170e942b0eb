"""Columns stand below each other whatever is in them."""

import pytest

from clocktowers_tui.text.columns import aligned, widths
from protocol.text import cells

ROWS = [["Code", "Title", "Who"], ["ABCD", "鐘楼の夜", "Ann, Björn, Chiara"], ["X", "", "Ann"]]


@pytest.mark.parametrize("room", [12, 20, 36, 60])
def test_each_column_begins_at_the_same_cell(room: int) -> None:
    given = widths(ROWS, (0, 1, 1), room)
    lines = aligned(ROWS, (0, 1, 1), room)
    assert all(cells(line) <= room for line in lines)
    assert [line[:4] for line in lines] == ["Code", "ABCD", "X   "]
    before = given[0] + given[1] + 4
    starts = [line for line in lines if "A" in line[4:] or "W" in line]
    assert all(cells(line[: line.rindex("  ") + 2]) == before for line in starts if room >= 20)


def test_what_one_does_not_need_the_others_get() -> None:
    assert widths([["a" * 30, "b" * 3]], (1, 1), 30) == [25, 3]
    assert widths([["a" * 3, "b" * 30]], (1, 1), 30) == [3, 25]
    assert widths([["a" * 30, "b" * 30]], (2, 1), 32) == [20, 10]


def test_without_room_there_is_nothing_and_no_error() -> None:
    assert aligned(ROWS, (0, 1, 1), 0) == ["", "", ""]
