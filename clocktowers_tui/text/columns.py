"""Texts side by side: every column as wide as it needs, long texts cut where the width ends."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.text.fitting import fit, pad
from protocol.text import cells

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
