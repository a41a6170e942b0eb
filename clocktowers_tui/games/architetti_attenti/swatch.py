"""Corners of a town: all that colours and characters have to tell apart, and one for the menu."""

from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.inks import KINDS
from clocktowers_tui.games.architetti_attenti.paints import PAINTING
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from protocol.games.architetti_attenti import Kind

_ROWS: Final = (
    (Kind.HOUSE, Kind.PARK, Kind.SCHOOL, Kind.TRACK, Kind.STATION),
    (Kind.BAKERY, Kind.BOOKSHOP, Kind.FLORIST, Kind.TOYS, Kind.TOWN_HALL),
)
_CORNER: Final = (
    (Kind.HOUSE, Kind.PARK, Kind.SCHOOL, Kind.HOUSE),
    (Kind.BAKERY, Kind.FLORIST, Kind.TOWN_HALL, Kind.PARK),
)
_ACROSS: Final = 5
"""A track that is joined on its right and on its left."""
_MARGIN: Final = ("  ", Style())


def swatch(look: Look) -> list[list[tuple[str, Style]]]:
    """Rows of (text, style)."""
    inks, signs = PAINTING.styles(look), GLYPHS[look.glyphs].signs
    return [
        [_MARGIN, *((f" {signs[kind]}{kind_letter(kind)} ", inks[KINDS[kind]]) for kind in row)]
        for row in _ROWS
    ]


def card_art(look: Look) -> list[list[tuple[str, Style]]]:
    """Buildings side by side, in rows of one width."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    rows = [
        [(glyphs.pictures.large[kind][half], inks[KINDS[kind]]) for kind in row]
        for row in _CORNER
        for half in range(2)
    ]
    width = sum(len(text) for text, _style in rows[0])
    return [*rows, [(glyphs.rails[_ACROSS] * width, inks[KINDS[Kind.TRACK]])]]
