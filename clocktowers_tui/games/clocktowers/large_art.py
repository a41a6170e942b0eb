"""The same towers and cards nine cells wide: a roof of two rows, a dial, storeys with sills.

Law: all towers of a town have storeys of the same height, so that what looks higher is higher.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.art import animal, is_complete, stacked, walled, windows
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import CLOCKS, HATS, MICE, ROOFS, WALLS
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import ANIMALS, FIRST_ROOF, PILES, STOREYS, Pile

TOWER_WIDTH: Final = 9
PICTURE_HEIGHT: Final = 4
_INNER: Final = 5
_MARGIN: Final = Span(" ")
_ROOF_ROWS: Final = 2
_CLOCK_ROWS: Final = 3


def storey_rows(towers: Sequence[bytes], rows: int) -> int:
    """Three rows a storey, or two, where the highest tower fits in `rows` then, else one."""
    fitting = (storey for storey in (3, 2) if highest(towers, storey) < rows)
    return next(fitting, 1)


def highest(towers: Sequence[bytes], storey: int) -> int:
    """Rows of the highest tower."""
    return max((_rows_of(cards, storey) for cards in towers), default=0)


def _rows_of(cards: bytes, storey: int) -> int:
    tops = {Pile.FLOOR: 0, Pile.CLOCK: _CLOCK_ROWS, Pile.ROOF: _ROOF_ROWS}
    return sum(STOREYS[card] * storey + tops[Pile(PILES[card] or 0)] for card in cards)


def tower_rows(cards: bytes, rows: int, storey: int, glyphs: Glyphs) -> Block:
    """The tower from its top to the ground, in at most `rows` rows, `storey` rows a storey."""
    lit = is_complete(cards)
    return stacked(
        cards,
        rows,
        TOWER_WIDTH,
        lambda card, tint: _card_rows(card, tint, storey, glyphs, lit=lit)[::-1],
    )


def picture(card: int, glyphs: Glyphs) -> Block:
    """A card's picture: `PICTURE_HEIGHT` rows, the last one blank."""
    rows = _card_rows(card, 0, 2, glyphs, lit=True)[: PICTURE_HEIGHT - 1]
    blank: Row = [Span(" " * TOWER_WIDTH)]
    return [*[blank] * (PICTURE_HEIGHT - 1 - len(rows)), *rows, blank]


def _card_rows(card: int, tint: int, storey: int, glyphs: Glyphs, *, lit: bool) -> Block:
    """From the top."""
    if PILES[card] == Pile.ROOF:
        return _roof(card, glyphs)
    if PILES[card] == Pile.CLOCK:
        return [_wall(part, tint, glyphs) for part in _dial(card, tint, glyphs)]
    pair = windows(tint, glyphs, lit=lit)
    three = Span(f"{pair.text} {pair.text[0]}", pair.ink)
    blank = Span(" " * _INNER, WALLS[tint])
    beast = animal(card, tint, glyphs)
    upper = Span(centred(beast.text, _INNER), beast.ink) if beast else three
    sill = Span(glyphs.sill * _INNER, WALLS[tint])
    parts: list[Span] = []
    for inner in (upper, three)[: STOREYS[card]]:
        parts += [[inner], [inner, sill], [blank, inner, sill]][storey - 1]
    return [_wall(part, tint, glyphs) for part in parts]


def _roof(card: int, glyphs: Glyphs) -> Block:
    colour = card - FIRST_ROOF
    hat, ink, shape = HATS[colour], ROOFS[colour], glyphs.shapes[colour]
    left, right = (Span(part, hat) for part in glyphs.hat)
    top = [Span("  "), left, Span(f" {shape} ", ink), right, Span("  ")]
    return [top, [left, Span(f" {shape} {roof_letter(card)} {shape} ", ink), right]]


def _dial(card: int, tint: int, glyphs: Glyphs) -> Sequence[Span]:
    top, hands, foot = glyphs.dial
    if not ANIMALS[card]:
        return [Span(part, CLOCKS[tint]) for part in (top, hands, foot)]
    mouse = hands[0] + glyphs.mouse + hands[-1]
    return Span(top, CLOCKS[tint]), Span(mouse, MICE[tint]), Span(foot, CLOCKS[tint])


def _wall(inner: Span, tint: int, glyphs: Glyphs) -> Row:
    return [_MARGIN, *walled(inner, tint, glyphs), _MARGIN]
