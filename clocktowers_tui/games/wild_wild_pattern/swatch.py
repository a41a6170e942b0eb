"""A few cards with all that colours and characters have to tell apart."""

from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.wild_wild_pattern.cards import compact
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.paints import PAINTING
from protocol.games.wild_wild_pattern.cards import Challenge, Colour, Object, card

_ROWS: Final = (
    tuple(card(obj, colour) for obj, colour in zip(Object, Colour, strict=False)),
    (
        *(card(obj, Colour.YELLOW) for obj in tuple(Object)[len(Colour) :]),
        Challenge.HANDS_UP,
        Challenge.ONE_DOLLAR,
    ),
)
_GAP: Final = ("  ", Style())


def swatch(look: Look) -> list[list[tuple[str, Style]]]:
    """Rows of (text, style)."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    rows: list[list[tuple[str, Style]]] = []
    for cards in _ROWS:
        spans = [compact(one, glyphs) for one in cards]
        rows.append([part for span in spans for part in (_GAP, (span.text, inks[span.ink]))])
    return rows
