"""A player's town without edges round its tiles, as the others' are drawn: a sign a square, or a
picture with the letter in it."""

from collections.abc import Iterator

from clocktowers_tui.games.architetti_attenti.glyphs import Glyphs
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Ink
from clocktowers_tui.games.architetti_attenti.scale import SIGNS, Scale
from clocktowers_tui.games.architetti_attenti.sheet import RIGHT
from clocktowers_tui.games.architetti_attenti.town import joins, rail, track_sign
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.spans import Block, Row, Span
from protocol.games.architetti_attenti import KIND_BITS, SIDE, Kind


def small_town(board: bytes, scale: Scale, fresh: frozenset[int], glyphs: Glyphs) -> Block:
    """`fresh`: the squares that were just built on."""
    drawn = _signs if scale is SIGNS else _pictures
    rows = (range(start, start + SIDE) for start in range(0, SIDE * SIDE, SIDE))
    return [line for cells in rows for line in drawn(board, cells, fresh, glyphs)]


def _signs(board: bytes, cells: range, fresh: frozenset[int], glyphs: Glyphs) -> Iterator[Row]:
    found: Row = []
    for cell in cells:
        kind = board[cell] & KIND_BITS
        if kind == Kind.FREE:
            found.append(Span(glyphs.free + " ", Ink.MEADOW))
            continue
        joined_on = joins(board, cell)
        sign = rail(glyphs, joined_on) if kind == Kind.TRACK else glyphs.signs[kind]
        joined = kind != Kind.TOWN_HALL and board[cell] >> 4 == 0
        link = Span(glyphs.link if joined else " ", KINDS[kind])
        if RIGHT in joined_on:
            link = Span(rail(glyphs, [RIGHT]), KINDS[kind])
        if cell in fresh:
            link = Span(glyphs.fresh[1], Ink.FRESH)
        found += [Span(sign, KINDS[kind]), link]
    yield found


def _pictures(board: bytes, cells: range, fresh: frozenset[int], glyphs: Glyphs) -> Iterator[Row]:
    upper: Row = []
    lower: Row = []
    for cell in cells:
        kind = board[cell] & KIND_BITS
        if kind == Kind.FREE:
            upper.append(Span(f" {glyphs.free} ", Ink.MEADOW))
            lower.append(Span("   ", Ink.MEADOW))
            continue
        top, below = glyphs.pictures.small[kind]
        if kind == Kind.TRACK:
            top = track_sign(glyphs, joins(board, cell))
        upper.append(Span(top, KINDS[kind]))
        marks = glyphs.fresh if cell in fresh else (below[0], below[-1])
        ink = Ink.FRESH if cell in fresh else KINDS[kind]
        lower += [Span(marks[0], ink), Span(kind_letter(kind), KINDS[kind]), Span(marks[1], ink)]
    yield upper
    yield lower
