"""A finished tower in outline, with its parts named, for a street where none is complete yet.

Pure. Law: it stands in the sky, beyond the place of one tower more, and never on the ground.
"""

from typing import Final

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.scale import PAIRED, Scale
from clocktowers_tui.games.clocktowers.words import points_written
from clocktowers_tui.games.spans import Block, Span, cells, line
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import pgettext
from protocol.games.clocktowers import CODES, tower_points

_CARDS: Final = bytes(CODES.index(code) for code in ("1-", "K-", "Rb"))
_NAMED: Final = 9
"""Cells for the name of a part."""


def with_example(
    rows: Block, free: tuple[int, int], scale: Scale, storey: int, glyphs: Glyphs
) -> Block:
    """The sky with the tower at the right end of the `free` columns, if these and the rows have
    room for it."""
    start = free[1] - scale.tower_width - _NAMED
    drawn = [] if storey == PAIRED else _example(scale, storey, glyphs)
    if not drawn or start < free[0] or len(drawn) > len(rows):
        return rows
    top = len(rows) - len(drawn)
    found = zip(rows[top:], drawn, strict=True)
    width = cells(rows[0])
    shown = [line(width, [*line(start, row), Span(text, Ink.NOTE)]) for row, text in found]
    return [*rows[:top], *shown]


def _example(scale: Scale, storey: int, glyphs: Glyphs) -> list[str]:
    """Its rows, the names beside it, what it pays below it."""
    tower = scale.tower(_CARDS, scale.rows(_CARDS, storey), storey, glyphs)
    names = {
        0: pgettext("beside a tower, 8 cells", "roof"),
        scale.roof_rows: pgettext("beside a tower, 8 cells", "clock"),
        scale.roof_rows + scale.clock_rows: pgettext("beside a tower, 8 cells", "floors"),
    }
    pictured = ["".join(span.text for span in row) for row in tower]
    paid = points_written(tower_points(_CARDS, count_clock_mice=True))
    width = scale.tower_width + _NAMED
    named = [pad(f"{row} {names.get(n, '')}", width) for n, row in enumerate(pictured)]
    return [*named, pad(f" {paid}", width)]
