"""The parts of a tower nine cells wide: a roof of two rows, a dial, storeys with sills."""

from clocktowers_tui.games.clocktowers.art import animal, windows
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import CLOCKS, HATS, MICE, ROOFS, WALLS
from clocktowers_tui.games.clocktowers.words import roof_letter
from clocktowers_tui.games.spans import Block, Span
from protocol.games.clocktowers import FIRST_ROOF


def roof(card: int, glyphs: Glyphs) -> Block:
    colour = card - FIRST_ROOF
    hat, ink, shape = HATS[colour], ROOFS[colour], glyphs.shapes[colour]
    left, right = (Span(part, hat) for part in glyphs.hat)
    top = [Span("  "), left, Span(f" {shape} ", ink), right, Span("  ")]
    return [top, [left, Span(f" {shape} {roof_letter(card)} {shape} ", ink), right]]


def dial(beast: str, tint: int, glyphs: Glyphs) -> list[Span]:
    top, hands, foot = (Span(part, CLOCKS[tint]) for part in glyphs.dial)
    mouse = Span(hands.text[0] + glyphs.mouse + hands.text[-1], MICE[tint])
    return [top, mouse if beast else hands, foot]


def storey(beast: str, tint: int, rows: int, glyphs: Glyphs, lit: bool) -> list[Span]:
    """A sill below, a blank row above, as there is room."""
    pair = windows(tint, glyphs, lit=lit)
    three = Span(f"{pair.text} {pair.text[0]}", pair.ink)
    inner = animal(beast, tint, glyphs) or three
    sill = Span(glyphs.sill * len(three.text), WALLS[tint])
    return [*([Span("", WALLS[tint])] if rows > 2 else []), inner, *([sill] if rows > 1 else [])]
