"""A line of numbers, drawn with the letters that the terminal has."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.spelling import drawn_with
from protocol.text import cells

_ROWS: Final = 6
_FEWEST: Final = 3
"""Points that a line is drawn through."""
_BLANK: Final = "\N{BRAILLE PATTERN BLANK}"


def plotted(
    values: Sequence[int], words: Callable[[int], str], columns: int, *, cells_each: int = 2
) -> Iterator[str]:
    """One value after the other, between the least and the most, whose `words` stand at the left;
    so does 0 between them. `columns`: at most so many cells. Nothing of fewer than three values,
    nor of equal ones."""
    if len(values) < _FEWEST or min(values) == max(values):
        return
    low, high = min(values), max(values)
    names = {0: words(high), _ROWS - 1: words(low)}
    if low < 0 < high:
        names.setdefault(round(high / (high - low) * (_ROWS - 1)), words(0))
    margin = max(map(cells, names.values()))
    room = max(2, min(len(values) * cells_each, columns - margin - 2))
    for at, row in enumerate(_drawn(values, room)):
        yield f"{pad(names.get(at, ''), margin)} |{row}".rstrip()


def _drawn(values: Sequence[int], room: int) -> Sequence[str]:
    """Rows of so many cells."""
    from plotille import Canvas  # seldom used

    low, high = min(values), max(values)
    # A cell has 2 by 4 dots, and what lies on the upper or right edge would be outside.
    right = (len(values) - 1) * 2 * room / (2 * room - 1)
    top = low + (high - low) * 4 * _ROWS / (4 * _ROWS - 1)
    canvas = Canvas(room, _ROWS, 0, low, right, top)
    if drawn_with() is GlyphSet.UNICODE:
        for at, (one, other) in enumerate(pairwise(values)):
            canvas.line(at, one, at + 1, other)
    else:
        for at, one in enumerate(values):
            canvas.point(at, one, marker="*")
    rows: list[str] = canvas.plot(linesep="\n").replace(_BLANK, " ").split("\n")
    return rows
