"""A rectangle of cells to draw on, cell by cell, before it becomes rows."""

from itertools import groupby

from clocktowers_tui.games.architetti_attenti.inks import Ink
from clocktowers_tui.games.architetti_attenti.scale import Scale
from clocktowers_tui.games.frames import Frame
from clocktowers_tui.games.spans import Block, Row, Span

RIGHT, BELOW, LEFT, ABOVE = range(4)
"""Sides of a cell, as `STEPS` has them."""


class Sheet:
    """Every character that is put on it takes one cell; what lies outside is the caller's error."""

    def __init__(self, width: int, height: int) -> None:
        self._chars = [[" "] * width for _ in range(height)]
        self._inks: list[list[Ink | None]] = [[None] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: Ink | None) -> None:
        for at, char in enumerate(text, x):
            self._chars[y][at] = char
            self._inks[y][at] = ink

    def over(self, x: int, y: int, char: str) -> None:
        """In the ink of what stands there; a blank without one is dim."""
        self._chars[y][x] = char
        self._inks[y][x] = self._inks[y][x] or Ink.DIM

    def frame(self, x: int, y: int, size: Scale, frame: Frame, ink: Ink | None, way: int) -> None:
        """Three sides of a cell's edge, that towards `way` left open; -1 draws all four."""
        right, low = x + size.width - 1, y + size.height - 1
        for side, row in ((ABOVE, y), (BELOW, low)):
            if side != way:
                self.put(x, row, frame.across * size.width, ink)
        for side, column in ((LEFT, x), (RIGHT, right)):
            if side != way:
                for row in range(y, low + 1):
                    self.put(column, row, frame.down, ink)
        for sides, at, corner in (
            ((ABOVE, LEFT), (x, y), frame.nw),
            ((ABOVE, RIGHT), (right, y), frame.ne),
            ((BELOW, RIGHT), (right, low), frame.se),
            ((BELOW, LEFT), (x, low), frame.sw),
        ):
            if way not in sides:
                self.put(*at, corner, ink)

    def rows(self) -> Block:
        return [_row(*both) for both in zip(self._chars, self._inks, strict=True)]


def _row(chars: list[str], inks: list[Ink | None]) -> Row:
    found: Row = []
    end = 0
    for ink, group in groupby(inks):
        first, end = end, end + len([*group])
        found.append(Span("".join(chars[first:end]), ink))
    return found
