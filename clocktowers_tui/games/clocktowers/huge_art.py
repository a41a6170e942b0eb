"""The parts of a tower fifteen cells wide, for the largest terminals: stepped gables, faces, wide
dials.
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
    Ink,
)
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Row, Span, centred
from protocol.games.clocktowers import FIRST_ROOF

_TOWER: Final = 15
_INNER: Final = 11
_CAT: Final = ("/\\_/\\", "( o.o )")
_MOUSE: Final = ("()_()", "( °.° )")


def storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """Two rows of windows or of a face; a blank row above and a sill below, as there is room."""
    body = _face(beast, tint, glyphs) if beast else _windows(tint, glyphs, lit)
    sill = Span(glyphs.sill * _INNER, WALLS[tint])
    return [*([Span("", WALLS[tint])] if rows > 3 else []), *body, *([sill] if rows > 2 else [])]


def _face(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    texts, inks = (_CAT, CATS) if beast == "c" else (_MOUSE, MICE)
    plain = glyphs.mouse.isascii()
    return [Span(text.replace("°", "o") if plain else text, inks[tint]) for text in texts]


def _windows(tint: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    upper, lower = glyphs.panes if lit else glyphs.dark_panes
    ink = (WINDOWS if lit else WALLS)[tint]
    return [Span(f" {part} {part} {part} ", ink) for part in (upper, lower)]


def dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    frame, inner = glyphs.light, _INNER - 4
    line = frame.across * inner
    middle = glyphs.mouse if beast else glyphs.hands
    inks = (CLOCKS, MICE if beast else CLOCKS, CLOCKS)
    within = [
        Span(f" {frame.down}{centred(text, inner)}{frame.down} ", ink[tint])
        for text, ink in zip(("12", f"9 {middle} 3", "6"), inks, strict=True)
    ]
    top, foot = f" {frame.nw}{line}{frame.ne} ", f" {frame.sw}{line}{frame.se} "
    return [Span(top, CLOCKS[tint]), *within, Span(foot, CLOCKS[tint])]


def roof(card: int, glyphs: Glyphs) -> Block:
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
    side = Span(" " * ((_TOWER - inner - 2) // 2))
    blank = [side] if side.text else []
    return [*blank, Span(left, hat), Span(centred(text, inner), roof), Span(right, hat), *blank]
