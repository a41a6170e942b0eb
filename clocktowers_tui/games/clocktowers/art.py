"""The parts of a tower five cells wide, or seven, and what every size shares.

Laws: walls alternate from card to card, so that a card of two storeys is seen as one block; the
animal stands on the upper storey of its card.
"""

from collections.abc import Sequence

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import (
    CATS,
    CLOCKS,
    HATS,
    MICE,
    ROOFS,
    WALLS,
    WINDOWS,
)
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import ANIMALS, FIRST_ROOF, STOREYS


def roof(card: int, glyphs: Glyphs, width: int) -> Block:
    """One row."""
    colour = card - FIRST_ROOF
    left, right = (Span(part, HATS[colour]) for part in glyphs.hat)
    face = f"{roof_letter(card)} {glyphs.shapes[colour]}"
    return [[left, Span(centred(face, width - 2), ROOFS[colour]), right]]


def dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    """One row."""
    return [Span(glyphs.clock_mouse if beast else glyphs.clock, CLOCKS[tint])]


def storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """One row, or two with a sill."""
    inner = animal(beast, tint, glyphs) or windows(tint, glyphs, lit=lit)
    return [inner, Span(glyphs.sill * len(glyphs.windows), WALLS[tint])][:rows]


def windows(tint: int, glyphs: Glyphs, *, lit: bool) -> Span:
    """Lit, or dark: then they look like the wall."""
    return Span(glyphs.windows, WINDOWS[tint]) if lit else Span(glyphs.dark, WALLS[tint])


def animal(beast: str, tint: int, glyphs: Glyphs) -> Span | None:
    """A cat or a mouse, three cells wide."""
    animals = {"c": Span(glyphs.cat, CATS[tint]), "m": Span(glyphs.mouse, MICE[tint])}
    return animals.get(beast)


def is_complete(cards: bytes) -> bool:
    return bool(cards) and cards[-1] >= FIRST_ROOF


def hidden(cards: bytes, heights: Sequence[int], rows: int) -> int:
    """How many of the lowest floors must share one row for a tower to fit in `rows`. The top stays,
    since ties are decided there. `heights`: rows of each card."""
    floors = sum(STOREYS[card] > 0 for card in cards)
    count = 0
    while count < floors and sum(heights[count:]) + (count > 0) > rows:
        count += 1
    return count


def hidden_text(floors: Sequence[int]) -> str:
    """`+3c`: the storeys of these floors, then c and m for the animals among them."""
    animals = {ANIMALS[card] for card in floors}
    marks = "".join(animal for animal in "cm" if animal in animals)
    return f"+{sum(STOREYS[card] for card in floors)}{marks}"


def hidden_row(floors: bytes, width: int) -> Row:
    return [Span(centred(hidden_text(floors), width), CLOCKS[0])]
