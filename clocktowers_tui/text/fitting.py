"""Text in cells: cut or padded to a number of them, in columns, in large letters; and numbers as a
line."""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import drawn_with, ellipsis, spelt
from protocol.text import cells, clean, cut

_TYPED_CELLS: Final = 40
"""A sentence repeats so much of what somebody has typed."""


def fit(text: str, width: int) -> str:
    """A clean `text` in at most `width` cells; what was cut off shows as an ellipsis."""
    if cells(text) <= width:
        return text
    return cut(text, max(0, width - 1)).rstrip() + ellipsis()[: max(0, width)]


def shown(typed: str) -> str:
    """Something that was typed, clean and short enough for a sentence."""
    return fit(clean(typed), _TYPED_CELLS)


def pad(text: str, width: int) -> str:
    """A clean `text` in exactly `width` cells, blanks behind."""
    fitted = fit(text, width)
    return fitted + " " * (width - cells(fitted))


def day_of(at_s: float) -> str:
    """The day of a moment in seconds since 1970; "?" of one that no calendar has."""
    try:
        # TRANSLATORS: a date in digits, as your language writes it: %d day, %m month, %Y year.
        return time.strftime(_("%Y-%m-%d"), time.localtime(at_s))
    except (OverflowError, OSError, ValueError):
        return "?"


def moment_of(at_s: float) -> str:
    """The same, and its time of the day."""
    return day_of(at_s) + time.strftime(" %H:%M", time.localtime(at_s))


def time_left(left_s: int) -> str:
    """Minutes and seconds; of much time the hours, too, or the days, to the nearest."""
    if (hours := (left_s + 1800) // 3600) >= 24:
        days = (hours + 12) // 24
        return ngettext("{n} day left", "{n} days left", days).format(n=days)
    minutes, seconds = divmod(left_s, 60)
    if minutes <= 60:
        return f"{minutes}:{seconds:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


# Texts side by side: every column as wide as it needs, long texts cut where the width ends.


GAP: Final = 2
"""Blanks between two columns."""


def widths(rows: Sequence[Sequence[str]], shares: Sequence[int], room: int) -> list[int]:
    """Cells for each column, together with the gaps at most `room`.

    A column of share 0 gets what it needs. The others divide the rest by their shares; what a
    column does not need goes to the others.
    """
    given = [max((cells(row[at]) for row in rows), default=0) for at in range(len(shares))]
    rest = room - GAP * (len(shares) - 1)
    rest -= sum(need for need, share in zip(given, shares, strict=True) if not share)
    sharing = [at for at, share in enumerate(shares) if share]
    sharing.sort(key=lambda at: given[at] / shares[at])
    for done, at in enumerate(sharing):
        parts = sum(shares[later] for later in sharing[done:])
        given[at] = min(given[at], max(0, rest) * shares[at] // parts)
        rest -= given[at]
    return given


def row_of(texts: Sequence[str], given: Sequence[int]) -> str:
    """Clean `texts` in columns of these widths."""
    filled = [pad(text, width) for text, width in zip(texts, given, strict=True)]
    return (" " * GAP).join(filled).rstrip()


def aligned(rows: Sequence[Sequence[str]], shares: Sequence[int], room: int) -> list[str]:
    """Each row in one line of at most `room` cells; see `widths`."""
    given = widths(rows, shares, room)
    return [fit(row_of(row, given), room) for row in rows]


# A table's code in letters of five rows, to be read out or seen from afar.


_DRAWN: Final = {
    "ABCDEFGHJKLMNPQR": (
        " #  ##   ## ##  ### ###  ## # #   # # # #   # # ##  ##   #  ## ",
        "# # # # #   # # #   #   #   # #   # # # #   ### # # # # # # # #",
        "### ##  #   # # ##  ##  # # ###   # ##  #   ### # # ##  # # ## ",
        "# # # # #   # # #   #   # # # # # # # # #   # # # # #   ### # #",
        "# # ##   ## ##  ### #    ## # #  #  # # ### # # # # #    ## # #",
    ),
    "STUVWXYZ23456789": (
        " ## ### # # # # # # # # # # ### ##  ##  # # ###  ## ###  #   # ",
        "#    #  # # # # # # # # # #   #   #   # # # #   #     # # # # #",
        " #   #  # # # # ###  #   #   #   #   #  ### ##  ###   #  #  ###",
        "  #  #  # # # # ### # #  #  #   #     #   #   # # #  #  # #   #",
        "##   #  ###  #  # # # #  #  ### ### ##    # ##   #   #   #  ## ",
    ),
}
"""The letters that codes have, three cells each."""
_LETTERS: Final = {
    letter: [row[4 * at : 4 * at + 3] for row in rows]
    for letters, rows in _DRAWN.items()
    for at, letter in enumerate(letters)
}


def large(code: str) -> list[str]:
    """Five rows of eight cells a letter; none where a letter is not known."""
    if not set(code) <= _LETTERS.keys():
        return []
    full, rows = spelt("█") * 2, zip(*(_LETTERS[letter] for letter in code), strict=True)
    return [" ".join(row).replace(" ", "  ").replace("#", full) for row in rows]


# A line of numbers, drawn with the letters that the terminal has.


_ROWS: Final = 6
_FEWEST: Final = 3
"""Points that a line is drawn through."""
_BLANK: Final = "\N{BRAILLE PATTERN BLANK}"
MARKED: Final = "○"
"""The sign of the point that is marked."""


def plotted(
    values: Sequence[int],
    words: Callable[[int], str],
    columns: int,
    *,
    cells_each: int = 2,
    at: int | None = None,
) -> Iterator[str]:
    """One value after the other, between the least and the most, whose `words` stand at the left;
    so does 0 between them. `columns`: at most so many cells. `at`: which of them is marked. Nothing
    of fewer than three values, nor of equal ones."""
    if len(values) < _FEWEST or min(values) == max(values):
        return
    low, high = min(values), max(values)
    names = {0: words(high), _ROWS - 1: words(low)}
    if low < 0 < high:
        names.setdefault(round(high / (high - low) * (_ROWS - 1)), words(0))
    margin = max(map(cells, names.values()))
    room = max(2, min(len(values) * cells_each, columns - margin - 2))
    rows = [*_drawn(values, room)]
    if at is not None:
        column = round(at * (2 * room - 1) / (len(values) - 1)) // 2
        level = round((values[at] - low) * (4 * _ROWS - 1) / (high - low)) // 4
        row = rows[_ROWS - 1 - level].ljust(room)
        rows[_ROWS - 1 - level] = row[:column] + spelt(MARKED) + row[column + 1 :]
    for y, row in enumerate(rows):
        yield f"{pad(names.get(y, ''), margin)} |{row}".rstrip()


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
