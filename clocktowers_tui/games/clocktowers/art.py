"""The parts of a tower five cells wide, or seven, and what every size shares.

Laws: walls alternate from floor to floor, so that a card of two storeys is seen as one block, and
a clock has walls of its own; the animal stands on the upper storey of its card.
"""

from collections.abc import Callable, Iterator, Sequence

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


def paired(cards: bytes, first: int, width: int, glyphs: Glyphs, *, lit: bool) -> Block:
    """From the top, two storeys a row, of the floors from `first` on: the lower one stands left,
    and an odd one alone. Above them the clock, or it and the roof in one row."""
    storeys = [*_storeys(cards, first, glyphs, lit=lit)]
    has_top = bool(cards) and not STOREYS[cards[-1]]
    if len(storeys) % 2 and has_top:
        storeys.append((Span(" ", WALLS[storeys[-1][1]]), storeys[-1][1]))
    rows = [_pair(storeys[n : n + 2], width - 2, glyphs) for n in range(0, len(storeys), 2)]
    if lit:
        rows.append(_cap(cards, width, glyphs))
    elif has_top:
        tint = (len(cards) - 1) % 2
        left, right = (Span(wall, WALLS[tint]) for wall in glyphs.belfry)
        (face,) = dial(ANIMALS[cards[-1]], tint, glyphs)
        rows.append([left, Span(centred(face.text, width - 2), face.ink), right])
    return rows[::-1]


def _storeys(cards: bytes, first: int, glyphs: Glyphs, *, lit: bool) -> Iterator[tuple[Span, int]]:
    """Each in one cell, with its tint."""
    for place, card in enumerate(cards[first:], first):
        tint, beast = place % 2, ANIMALS[card]
        window = windows(tint, glyphs, lit=lit)
        for storey in range(STOREYS[card]):
            above = storey + 1 == STOREYS[card]
            shown = Span(beast, (CATS if beast == "c" else MICE)[tint]) if beast else None
            yield (shown if shown and above else window._replace(text=window.text[0])), tint


def _pair(storeys: Sequence[tuple[Span, int]], inner: int, glyphs: Glyphs) -> Row:
    """Where the upper one is missing the sky is seen."""
    (lower, tint), upper = storeys[0], storeys[1:]
    half = inner - inner // 2
    left = [Span(glyphs.walls[tint], WALLS[tint]), Span(centred(lower.text, half), lower.ink)]
    if not upper:
        return [*left, Span(" " * (inner - half + 1))]
    right, tint = upper[0]
    text = right.text.ljust(inner - half)
    return [*left, Span(text, right.ink), Span(glyphs.walls[tint], WALLS[tint])]


def _cap(cards: bytes, width: int, glyphs: Glyphs) -> Row:
    """A roof and the clock below it."""
    colour = cards[-1] - FIRST_ROOF
    clock = glyphs.clock_mouse if ANIMALS[cards[-2]] else glyphs.clock
    face = f"{roof_letter(cards[-1])}{glyphs.shapes[colour]}{clock}"
    if width == len(face):
        return [Span(face, ROOFS[colour])]
    left, right = (Span(part, HATS[colour]) for part in glyphs.hat)
    return [left, Span(centred(face, width - 2), ROOFS[colour]), right]


def is_complete(cards: bytes) -> bool:
    return bool(cards) and cards[-1] >= FIRST_ROOF


def hidden(cards: bytes, rows_of: Callable[[bytes], int], rows: int) -> int:
    """How many of the lowest floors must share one row for a tower to fit in `rows`. The top stays,
    since ties are decided there. `rows_of`: what the rest of its cards take."""
    floors = sum(STOREYS[card] > 0 for card in cards)
    count = 0
    while count < floors and rows_of(cards[count:]) + (count > 0) > rows:
        count += 1
    return count


def hidden_text(floors: Sequence[int]) -> str:
    """`+3c`: the storeys of these floors, then c and m for the animals among them."""
    animals = {ANIMALS[card] for card in floors}
    marks = "".join(animal for animal in "cm" if animal in animals)
    return f"+{sum(STOREYS[card] for card in floors)}{marks}"


def hidden_row(floors: bytes, width: int) -> Row:
    return [Span(centred(hidden_text(floors), width), CLOCKS[0])]
