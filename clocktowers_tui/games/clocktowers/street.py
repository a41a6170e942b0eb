"""A town as towers side by side on a common ground line."""

from typing import Final

from clocktowers_tui.games.clocktowers.art import TOWER_WIDTH, tower_rows
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.marks import Marks, label, places
from clocktowers_tui.games.clocktowers.spans import Block, Row, Span, cells, line
from protocol.games.clocktowers import Town

_MARGIN: Final = 1
_NEW_WIDTH: Final = 3


def pitch(towers: int, width: int, *, own: bool) -> int | None:
    """Cells from one tower to the next, None when so many don't fit.

    One's own town always has room for one more to be started, so that choosing moves nothing.
    """
    new = _NEW_WIDTH if own else 0
    for step in (TOWER_WIDTH + 1, TOWER_WIDTH):
        if _MARGIN + towers * step + new <= width:
            return step
    return None


def street(town: Town, width: int, height: int, step: int, marks: Marks, glyphs: Glyphs) -> Block:
    """`height` rows: the sky with the towers, and the ground; `step` comes from `pitch`."""
    sky = height - 1
    towers = [tower_rows(cards, sky, glyphs) for cards in town.towers]
    rows = [line(width, _sky_row(towers, sky - y, step)) for y in range(sky)]
    return [*rows, _ground(len(towers), width, step, marks, glyphs)]


def place_at(towers: int, width: int, step: int, marks: Marks, x: int) -> int | None:
    """Which place stands at column `x`."""
    drawn = places(towers, marks)
    slot = (x - _MARGIN) // step
    return drawn[slot] if 0 <= slot < len(drawn) and x < width else None


def _sky_row(towers: list[Block], level: int, step: int) -> Row:
    """The row `level` rows above the ground."""
    row: Row = [Span(" " * _MARGIN)]
    for tower in towers:
        art = tower[-level] if level <= len(tower) else [Span(" " * TOWER_WIDTH)]
        row += [*art, Span(" " * (step - TOWER_WIDTH))]
    return row


def _ground(towers: int, width: int, step: int, marks: Marks, glyphs: Glyphs) -> Row:
    row: Row = []
    for slot, place in enumerate(places(towers, marks)):
        number = label(place, marks, glyphs)
        start = _MARGIN + slot * step
        middle = start + max(0, (min(TOWER_WIDTH, width - start) - len(number.text)) // 2)
        row += [Span(glyphs.ground * (middle - cells(row)), Ink.GROUND), number]
    return line(width, row, Span(glyphs.ground, Ink.GROUND))
