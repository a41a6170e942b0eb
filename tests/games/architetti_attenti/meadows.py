"""Boards as seven lines of text: a letter a cell, `.` where nothing stands, `#` the town hall; and
cells by their names."""

from typing import Final

from protocol.games.architetti_attenti import HALL, SIDE, Kind
from protocol.games.architetti_attenti.board import cell_named

LETTERS: Final = ".hpsblft=@#"
"""By `Kind`: house, park, school, bakery, bookshop (l), florist, toys, track, station."""


def meadow(*rows: str) -> bytes:
    """The board of these rows, from the top; cells beyond them are free."""
    text = "".join(row.ljust(SIDE, ".") for row in rows).ljust(SIDE * SIDE, ".")
    assert len(text) == SIDE * SIDE
    assert text[HALL] in ".#", "the town hall stands there"
    cells = bytearray(LETTERS.index(letter) for letter in text)
    cells[HALL] = Kind.TOWN_HALL
    return bytes(cells)


def at(name: str) -> int:
    """The cell of this name; asserts that there is one."""
    cell = cell_named(name)
    assert cell is not None, name
    return cell


def text_of(board: bytes) -> list[str]:
    kinds = [LETTERS[byte & 15] for byte in board]
    return ["".join(kinds[start : start + SIDE]) for start in range(0, len(kinds), SIDE)]
