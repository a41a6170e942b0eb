"""Towns as pictures: in the menu, and those of a match that is over for its result."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti.choosing import shares
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS, KINDS, PAINTING, Glyphs
from clocktowers_tui.games.architetti_attenti.town import (
    LARGE,
    MIDDLE,
    PICTURES,
    SIGNS,
    SMALL,
    VAST,
    Marks,
    Scale,
    town_block,
)
from clocktowers_tui.games.painting import Painted, Voice, painted
from clocktowers_tui.games.spans import Block, Span, cells, cut, line, measurable, side_by_side
from clocktowers_tui.games.standings import ranked
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import CELLS, SIDE, Kind, Outcome, View
from protocol.games.architetti_attenti.board import with_tile

_CORNER: Final = (
    (Kind.HOUSE, Kind.PARK, Kind.SCHOOL, Kind.HOUSE),
    (Kind.BAKERY, Kind.FLORIST, Kind.TOWN_HALL, Kind.PARK),
)
_ACROSS: Final = 5
"""A track that is joined on its right and on its left."""
_SCALES: Final = (VAST, LARGE)
_LEAST: Final = 3
"""A picture of fewer squares across or down is none of a town."""
_LAID: Final = (
    *((1, 0, 1), (2, 9, 2), (10, 3, 4), (11, 6, 5), (3, 7, 14), (13, 8, 15), (14, 10, 17)),
    *((10, 11, 18), (4, 12, 13), (12, 16, 23), (6, 20, 19), (2, 21, 22), (8, 24, 25), (10, 26, 27)),
    *((15, 28, 29), (1, 30, 31), (5, 33, 32), (2, 35, 42), (7, 36, 37), (1, 38, 45), (12, 40, 39)),
)
"""Tiles, and the squares that they lie on."""


def card_art(look: Look, width: int, height: int) -> Painted:
    """Part of a town where there is room for it, or else buildings side by side."""
    inks, glyphs = PAINTING.styles(look), GLYPHS[look.glyphs]
    fitting = (
        one for one in _SCALES if width >= _LEAST * one.width and height >= _LEAST * one.height
    )
    if scale := next(fitting, None):
        across, down = min(SIDE, width // scale.width), min(SIDE, height // scale.height)
        rows = town_block(_town(), scale, glyphs)[: down * scale.height]
        return painted([line(across * scale.width, row) for row in rows], inks)
    small = [
        [(glyphs.pictures.large[kind][half], inks[KINDS[kind]]) for kind in row]
        for row in _CORNER
        for half in range(2)
    ]
    width = sum(len(text) for text, _style in small[0])
    return [*small, [(glyphs.rails[_ACROSS] * width, inks[KINDS[Kind.TRACK]])]]


def _town() -> bytes:
    board = bytes(CELLS)
    for tile, first, second in _LAID:
        board = with_tile(board, tile, first, second)
    return board


# The towns of a match that is over ---------------------------------------------------------------


_APART: Final = 2
"""Cells between two towns."""


def end_art(
    look: Look, view: View, outcome: Outcome, names: Sequence[str], width: int, height: int
) -> Painted:
    """All side by side, the best first, as large as there is room for; at the smallest scale as
    many as have room, the player's own among them."""
    seats, glyphs = ranked(outcome), GLYPHS[look.glyphs]
    own_first = sorted(seats, key=lambda seat: seat != view.seat)
    for scale in (LARGE, MIDDLE, SMALL, PICTURES, SIGNS):
        room = (width + _APART) // (scale.columns + _APART)
        if scale.rows < height and (room >= len(seats) or scale is SIGNS):
            shown = [seat for seat in seats if seat in own_first[:room]]
            towns = [_ended(view, outcome, seat, names, scale, glyphs) for seat in shown]
            return painted(side_by_side(towns, _APART), PAINTING.styles(look)) if towns else []
    return []


def _ended(
    view: View, outcome: Outcome, seat: int, names: Sequence[str], scale: Scale, glyphs: Glyphs
) -> Block:
    """The town below its player's name and points; on it, where there is room, what each square
    has brought."""
    points = Span(f" {outcome.scores[seat]}", Voice.BOLD)
    name = cut(measurable(names[seat]), scale.columns - cells([points]), glyphs.ellipsis)
    title = [Span(name, Voice.LOUD if seat in outcome.winners else Voice.BOLD), points]
    told = Span("  " + _("points by cell"), Voice.DIM)
    if scale.framed and cells([*title, told]) <= scale.columns:
        title.append(told)
    town = town_block(view.boards[seat], scale, glyphs, Marks(shares=shares(view, seat)))
    return [line(scale.columns, title), *town]
