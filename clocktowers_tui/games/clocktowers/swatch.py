"""Small streets: one with all that colours and characters have to tell apart, one for the menu."""

from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.paints import PAINTING
from clocktowers_tui.games.clocktowers.scale import SMALL
from clocktowers_tui.games.spans import Span

_TOWERS: Final = tuple(map(bytes, ([1, 7, 9], [2, 8, 10], [3, 7, 11], [1, 8, 12], [2, 7, 13])))
"""Each with another roof; among them plain floors, a cat, a mouse and both clocks."""
_HEIGHT: Final = 3
_GAP: Final = ("  ", Style())
_SKYLINE: Final = tuple(map(bytes, ([4, 7, 9], [2, 8], [6, 8, 12], [1, 7, 11])))
_ROWS: Final = 4


def swatch(look: Look) -> list[list[tuple[str, Style]]]:
    """Rows of (text, style)."""
    inks = PAINTING.styles(look)
    towers = [SMALL.tower(cards, _HEIGHT, 1, GLYPHS[look.glyphs]) for cards in _TOWERS]
    rows: list[list[tuple[str, Style]]] = []
    for level in range(_HEIGHT):
        row = [_GAP]
        for tower in towers:
            row += [*((span.text, inks[span.ink]) for span in tower[level]), _GAP]
        rows.append(row)
    return rows


def card_art(look: Look) -> list[list[tuple[str, Style]]]:
    """A skyline on its ground, in rows of one width."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    rows: list[list[tuple[str, Style]]] = [[] for _ in range(_ROWS)]
    for cards in _SKYLINE:
        tower = SMALL.tower(cards, _ROWS, 1, glyphs)
        sky = [[Span(" " * SMALL.tower_width)] for _ in range(_ROWS - len(tower))]
        for row, spans in zip(rows, [*sky, *tower], strict=True):
            row += [(span.text, inks[span.ink]) for span in spans]
    width = SMALL.tower_width * len(_SKYLINE)
    return [*rows, [(glyphs.ground * width, inks[Ink.GROUND])]]
