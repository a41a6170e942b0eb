"""A small street with all that colours and characters have to tell apart."""

from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.art import tower_rows
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.paints import PAINTING

_TOWERS: Final = tuple(map(bytes, ([1, 7, 9], [2, 8, 10], [3, 7, 11], [1, 8, 12], [2, 7, 13])))
"""Each with another roof; among them plain floors, a cat, a mouse and both clocks."""
_HEIGHT: Final = 3
_GAP: Final = ("  ", Style())


def swatch(look: Look) -> list[list[tuple[str, Style]]]:
    """Rows of (text, style)."""
    inks = PAINTING.styles(look)
    towers = [tower_rows(cards, _HEIGHT, GLYPHS[look.glyphs]) for cards in _TOWERS]
    rows: list[list[tuple[str, Style]]] = []
    for level in range(_HEIGHT):
        row = [_GAP]
        for tower in towers:
            row += [*((span.text, inks[span.ink]) for span in tower[level]), _GAP]
        rows.append(row)
    return rows
