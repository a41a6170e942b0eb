"""One line of cells: a character and its style in each; pure values, changed in place."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.terminal.style import PLAIN, Style

_UNKNOWN: Final = "\x00"
"""Differs from every cell that can be drawn."""


class Line:
    """A wide character is followed by a cell with ""; a cell may hold combining marks too."""

    __slots__ = ("chars", "styles")

    def __init__(self, chars: list[str], styles: list[Style]) -> None:
        self.chars = chars
        self.styles = styles

    @classmethod
    def blank(cls, width: int) -> "Line":
        return cls([" "] * width, [PLAIN] * width)

    @classmethod
    def unknown(cls, width: int) -> "Line":
        return cls([_UNKNOWN] * width, [PLAIN] * width)

    def fitted(self, width: int) -> "Line":
        """This line in another width: cut, or filled up with blanks."""
        missing = width - len(self.chars)
        chars = self.chars[:width] + [" "] * missing
        if width < len(self.chars) and self.chars[width] == "":
            chars[-1] = " "
        return Line(chars, self.styles[:width] + [PLAIN] * missing)

    def put(self, column: int, chars: Sequence[str], style: Style) -> None:
        """Write whole characters: one cell each, or two for a wide character."""
        end = column + len(chars)
        if column == end:
            return
        # Nothing remains of a wide character that is half covered.
        if self.chars[column] == "":
            self.chars[column - 1] = " "
        if end < len(self.chars) and self.chars[end] == "":
            self.chars[end] = " "
        self.chars[column:end] = chars
        self.styles[column:end] = [style] * len(chars)

    def combine(self, column: int, mark: str) -> None:
        """Put a mark on the character before the column."""
        before = column - 1
        if before >= len(self.chars):
            return
        if before > 0 and self.chars[before] == "":
            before -= 1
        if before >= 0:
            self.chars[before] += mark
