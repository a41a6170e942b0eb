"""A few cards: all that colours and characters have to tell apart, and a Wheel for the menu."""

from typing import Final

from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.wild_wild_pattern.cards import compact, ink_of
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
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


def card_art(look: Look) -> list[list[tuple[str, Style]]]:
    """A small Wheel, in rows of one width."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    right, down, left, up = ((f" {arrow} ", inks[Ink.DIM]) for arrow in glyphs.arrows)
    wheel = [
        (f" {glyphs.signs[obj]} ", inks[ink_of(card(obj, colour))])
        for obj, colour in zip(Object, (*Colour, *Colour), strict=False)
    ]
    between = (" " * 9, Style())
    return [
        [wheel[0], right, wheel[1], right, wheel[2]],
        [up, between, down],
        [wheel[7], ("?".center(9), inks[Ink.BOLD]), wheel[3]],
        [up, between, down],
        [wheel[6], left, wheel[5], left, wheel[4]],
    ]
