"""The same towers fifteen cells wide, for the largest terminals: stepped gables, faces, wide dials.

Law: all towers of a town have storeys of the same height, so that what looks higher is higher.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.art import is_complete, stacked, walled
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import (
    CATS,
    CLOCKS,
    HATS,
    MICE,
    ROOFS,
    WALLS,
    WINDOWS,
    Ink,
)
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import ANIMALS, FIRST_ROOF, PILES, STOREYS, Pile

TOWER_WIDTH: Final = 15
_INNER: Final = 11
_MARGIN: Final = Span(" ")
_ROOF_ROWS: Final = 4
_CLOCK_ROWS: Final = 5
_LEAST_STOREY: Final = 2
_CAT: Final = ("/\\_/\\", "( o.o )")
_MOUSE: Final = ("()_()", "( °.° )")


def storey_rows(towers: Sequence[bytes], rows: int) -> int:
    """Four rows a storey, or three, where the highest tower fits in `rows` then, else two."""
    fitting = (storey for storey in (4, 3) if highest(towers, storey) < rows)
    return next(fitting, _LEAST_STOREY)


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


def _card_rows(card: int, tint: int, storey: int, glyphs: Glyphs, *, lit: bool) -> Block:
    """From the top."""
    if PILES[card] == Pile.ROOF:
        return _roof(card, glyphs)
    if PILES[card] == Pile.CLOCK:
        return [_wall(part, tint, glyphs) for part in _dial(card, tint, glyphs)]
    rows: Block = []
    for level in range(STOREYS[card]):
        beast = ANIMALS[card] if level == 0 else ""
        rows += [_wall(part, tint, glyphs) for part in _storey(beast, tint, storey, glyphs, lit)]
    return rows


def _storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """Two rows of windows or of a face; a blank row above and a sill below, as there is room."""
    body = _face(beast, tint, glyphs) if beast else _windows(tint, glyphs, lit)
    blank = Span(" " * _INNER, WALLS[tint])
    sill = Span(glyphs.sill * _INNER, WALLS[tint])
    return [*([blank] if rows > 3 else []), *body, *([sill] if rows > 2 else [])]


def _face(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    texts, inks = (_CAT, CATS) if beast == "c" else (_MOUSE, MICE)
    plain = glyphs.mouse.isascii()
    return [
        Span(centred(text.replace("°", "o") if plain else text, _INNER), inks[tint])
        for text in texts
    ]


def _windows(tint: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    upper, lower = glyphs.panes if lit else glyphs.dark_panes
    ink = (WINDOWS if lit else WALLS)[tint]
    return [Span(f" {part} {part} {part} "[:_INNER].ljust(_INNER), ink) for part in (upper, lower)]


def _dial(card: int, tint: int, glyphs: Glyphs) -> list[Span]:
    frame, inner = glyphs.light, _INNER - 4
    line = frame.across * inner
    middle = glyphs.mouse if ANIMALS[card] else glyphs.hands
    inks = (CLOCKS, MICE if ANIMALS[card] else CLOCKS, CLOCKS)
    within = [
        Span(f" {frame.down}{centred(text, inner)}{frame.down} ", ink[tint])
        for text, ink in zip(("12", f"9 {middle} 3", "6"), inks, strict=True)
    ]
    top, foot = f" {frame.nw}{line}{frame.ne} ", f" {frame.sw}{line}{frame.se} "
    return [Span(top, CLOCKS[tint]), *within, Span(foot, CLOCKS[tint])]


def _roof(card: int, glyphs: Glyphs) -> Block:
    """A gable in steps of two cells, with the colour's shape and letter."""
    colour = card - FIRST_ROOF
    shape, letter = glyphs.shapes[colour], roof_letter(card)
    texts = ("", shape, f"{shape} {letter} {shape}", "")
    return [
        _step(text, 1 + 4 * level, HATS[colour], ROOFS[colour], glyphs)
        for level, text in enumerate(texts)
    ]


def _step(text: str, inner: int, hat: Ink, roof: Ink, glyphs: Glyphs) -> Row:
    left, right = glyphs.hat
    side = Span(" " * ((TOWER_WIDTH - inner - 2) // 2))
    blank = [side] if side.text else []
    return [*blank, Span(left, hat), Span(centred(text, inner), roof), Span(right, hat), *blank]


def _wall(inner: Span, tint: int, glyphs: Glyphs) -> Row:
    return [_MARGIN, *walled(inner, tint, glyphs), _MARGIN]
