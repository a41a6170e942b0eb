"""A tower as rows five cells wide, and the picture on a card; colour, animal and height in text.

Laws: one row a storey, walls alternate from card to card, so that a card of two storeys is seen as
one block; the animal stands on the upper storey of its card.
"""

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
from clocktowers_tui.games.clocktowers.spans import Block, Row, Span, centred
from protocol.games.clocktowers import ANIMALS, CODES, FIRST_ROOF, PILES, STOREYS, Pile

TOWER_WIDTH: Final = 5


def roof_row(card: int, glyphs: Glyphs) -> Row:
    colour = card - FIRST_ROOF
    hat = HATS[colour]
    left, right = glyphs.hat
    face = f"{CODES[card][1].upper()} {glyphs.shapes[colour]}"
    return [Span(left, hat), Span(face, ROOFS[colour]), Span(right, hat)]


def upper_row(card: int, tint: int, glyphs: Glyphs) -> Row:
    """The row of a floor or clock that tells it from others: the upper storey, or the dial."""
    if PILES[card] == Pile.CLOCK:
        inner = Span(glyphs.clock_mouse if ANIMALS[card] else glyphs.clock, CLOCKS[tint])
    elif ANIMALS[card] == "c":
        inner = Span(glyphs.cat, CATS[tint])
    elif ANIMALS[card] == "m":
        inner = Span(glyphs.mouse, MICE[tint])
    else:
        inner = Span(glyphs.windows, WINDOWS[tint])
    return _walled(inner, tint, glyphs)


def picture(card: int, glyphs: Glyphs) -> Row:
    """The one row of a card in the hand or on a pile."""
    if PILES[card] == Pile.ROOF:
        return roof_row(card, glyphs)
    return upper_row(card, 0, glyphs)


def tower_rows(cards: bytes, rows: int, glyphs: Glyphs) -> Block:
    """The tower from its top to the ground, in at most `rows` rows.

    Of a tower too high for them the lowest floors share one row: how many storeys it hides, and
    the animals among them (`+3c`). The top stays, since ties are decided there.
    """
    floors = [card for card in cards if STOREYS[card]]
    others = [card for card in cards if not STOREYS[card]]
    hidden = hidden_floors(floors, rows - len(others))
    drawn: Block = [_hidden_row(floors[:hidden])] if hidden else []
    for place in range(hidden, len(cards)):
        drawn += _card_rows(cards[place], place % 2, glyphs)
    return drawn[::-1][: max(0, rows)]


def hidden_floors(floors: list[int], rows: int) -> int:
    """How many of the lowest floor cards must share one row for all to fit in `rows`."""
    storeys = sum(STOREYS[card] for card in floors)
    hidden = 0
    while hidden < len(floors) and storeys + (hidden > 0) > rows:
        storeys -= STOREYS[floors[hidden]]
        hidden += 1
    return hidden


def hidden_text(floors: list[int]) -> str:
    """`+3c`: the storeys of these floors, then c and m for the animals among them."""
    animals = {ANIMALS[card] for card in floors}
    marks = "".join(animal for animal in "cm" if animal in animals)
    return f"+{sum(STOREYS[card] for card in floors)}{marks}"


def _hidden_row(floors: list[int]) -> Row:
    return [Span(centred(hidden_text(floors), TOWER_WIDTH), CLOCKS[0])]


def _card_rows(card: int, tint: int, glyphs: Glyphs) -> Block:
    """From the ground up."""
    if PILES[card] == Pile.ROOF:
        return [roof_row(card, glyphs)]
    upper = upper_row(card, tint, glyphs)
    if STOREYS[card] == 2:
        return [_walled(Span(glyphs.windows, WINDOWS[tint]), tint, glyphs), upper]
    return [upper]


def _walled(inner: Span, tint: int, glyphs: Glyphs) -> Row:
    wall = Span(glyphs.walls[tint], WALLS[tint])
    return [wall, inner, wall]
