"""A tower as rows five cells wide, or seven, and the picture on a card, both in text.

Laws: storeys of a town have the same number of rows; walls alternate from card to card, so that a
card of two storeys is seen as one block; the animal stands on the upper storey of its card.
"""

from collections.abc import Callable, Sequence
from typing import Final

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
from protocol.games.clocktowers import ANIMALS, FIRST_ROOF, PILES, STOREYS, Pile

TOWER_WIDTH: Final = 5
WIDER: Final = 7
_MUCH_SKY: Final = 10
_TAG_ROWS: Final = 2
"""What a play gives stands above a tower in so many rows."""


def roof_row(card: int, glyphs: Glyphs) -> Row:
    colour = card - FIRST_ROOF
    hat = HATS[colour]
    left, right = glyphs.hat
    face = f"{roof_letter(card)} {glyphs.shapes[colour]}"
    return [Span(left, hat), Span(face, ROOFS[colour]), Span(right, hat)]


def upper_row(card: int, tint: int, glyphs: Glyphs, *, lit: bool) -> Row:
    """The row of a floor or clock that tells it from others: the upper storey, or the dial."""
    if PILES[card] == Pile.CLOCK:
        inner = Span(glyphs.clock_mouse if ANIMALS[card] else glyphs.clock, CLOCKS[tint])
    else:
        inner = animal(card, tint, glyphs) or windows(tint, glyphs, lit=lit)
    return walled(inner, tint, glyphs)


def windows(tint: int, glyphs: Glyphs, *, lit: bool) -> Span:
    """Lit, or dark: then they look like the wall."""
    return Span(glyphs.windows, WINDOWS[tint]) if lit else Span(glyphs.dark, WALLS[tint])


def animal(card: int, tint: int, glyphs: Glyphs) -> Span | None:
    """The cat or the mouse of a card, three cells wide."""
    if ANIMALS[card] == "c":
        return Span(glyphs.cat, CATS[tint])
    return Span(glyphs.mouse, MICE[tint]) if ANIMALS[card] == "m" else None


def walled(inner: Span, tint: int, glyphs: Glyphs) -> Row:
    wall = Span(glyphs.walls[tint], WALLS[tint])
    return [wall, inner, wall]


def picture(card: int, glyphs: Glyphs) -> Block:
    """The one row of a card in the hand or on a pile."""
    if PILES[card] == Pile.ROOF:
        return [roof_row(card, glyphs)]
    return [upper_row(card, 0, glyphs, lit=True)]


def storey_rows(towers: Sequence[bytes], rows: int) -> int:
    """Two rows a storey where there is much sky above the highest tower, else one."""
    highest = max((sum(STOREYS[card] * 2 or 1 for card in cards) for cards in towers), default=0)
    return 2 if rows >= _MUCH_SKY and highest + _TAG_ROWS <= rows else 1


def tower_rows(
    cards: bytes, rows: int, storey: int, glyphs: Glyphs, width: int = TOWER_WIDTH
) -> Block:
    """The tower from its top to the ground, in at most `rows` rows, `storey` rows a storey."""
    lit = is_complete(cards)

    def drawn(card: int, tint: int) -> Block:
        return [_wide(row, width) for row in _card_rows(card, tint, storey, glyphs, lit)]

    return stacked(cards, rows, width, drawn)


def _wide(row: Row, width: int) -> Row:
    left, inner, right = row
    return [left, Span(centred(inner.text, width - 2), inner.ink), right]


def is_complete(cards: bytes) -> bool:
    return bool(cards) and cards[-1] >= FIRST_ROOF


def stacked(cards: bytes, rows: int, width: int, drawn: Callable[[int, int], Block]) -> Block:
    """Cards on each other, from the top, in at most `rows` rows; `drawn`: one of them, from the
    ground up, in one of the two tints.

    Of a tower too high for them the lowest floors share one row: how many storeys it hides, and
    the animals among them (`+3c`). The top stays, since ties are decided there.
    """
    heights = [len(drawn(card, 0)) for card in cards]
    hidden = _hidden(cards, heights, rows)
    found: Block = [_hidden_row(cards[:hidden], width)] if hidden else []
    for place in range(hidden, len(cards)):
        found += drawn(cards[place], place % 2)
    return found[::-1][: max(0, rows)]


def _hidden(cards: bytes, heights: list[int], rows: int) -> int:
    """How many of the lowest floor cards must share one row for all to fit in `rows`."""
    floors = sum(STOREYS[card] > 0 for card in cards)
    hidden = 0
    while hidden < floors and sum(heights[hidden:]) + (hidden > 0) > rows:
        hidden += 1
    return hidden


def hidden_text(floors: Sequence[int]) -> str:
    """`+3c`: the storeys of these floors, then c and m for the animals among them."""
    animals = {ANIMALS[card] for card in floors}
    marks = "".join(animal for animal in "cm" if animal in animals)
    return f"+{sum(STOREYS[card] for card in floors)}{marks}"


def _hidden_row(floors: bytes, width: int) -> Row:
    return [Span(centred(hidden_text(floors), width), CLOCKS[0])]


def _card_rows(card: int, tint: int, storey: int, glyphs: Glyphs, lit: bool) -> Block:
    """From the ground up."""
    if PILES[card] == Pile.ROOF:
        return [roof_row(card, glyphs)]
    upper = upper_row(card, tint, glyphs, lit=lit)
    below = walled(windows(tint, glyphs, lit=lit), tint, glyphs)
    sill = walled(Span(glyphs.sill * len(glyphs.windows), WALLS[tint]), tint, glyphs)
    rows: Block = []
    for row in (upper, below)[: max(1, STOREYS[card])]:
        rows = [*([sill] if storey == 2 and STOREYS[card] else []), row, *rows]
    return rows
