"""The night behind a street: stars, a moon, far roofs. Pure, and the same every time.

Law: it fills blanks only, so it is never where a tower is.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import NIGHT, Ink
from clocktowers_tui.games.spans import Block, Row, Span

_BLANK: Final = Span(" ")
_RARE: Final = 71
"""One cell in so many is a star."""
_MUCH: Final = 9
"""Rows of sky that have room for a moon of three rows."""
_LEAST_FAR: Final = 9, 6
"""Rows of sky that have room for far roofs, and so many at home."""
_FROM_RIGHT: Final = 9
_LAMPS: Final = 19
"""One cell in so many of a far house has a light."""


class Sky(NamedTuple):
    """What one street has behind it: at home, the player's own or the first one, a moon and clear
    roofs. `east`: cells from the sky of another street. `says`: lines that stand in it while the
    street is empty. `near`: cells from the left end without far roofs, for there are towers."""

    home: bool = False
    east: int = 0
    says: Sequence[str] = ()
    near: int = 0


BARE: Final = Sky()


def night(rows: Block, glyphs: Glyphs, sky: Sky) -> Block:
    """The sky of a street, from its top, with the night in its blanks."""
    behind = sky._replace(says=())  # which changes no star
    width = sum(len(span.text) for span in rows[0]) if rows else 0  # all is of one cell here
    drawn = _nights(width, len(rows), glyphs, behind)
    return [_filled(row, night) for row, night in zip(rows, drawn, strict=True)]


def without_night(rows: Block) -> Block:
    """The blanks as they were."""
    return [
        [Span(" " * len(text)) if ink in NIGHT else Span(text, ink) for text, ink in row]
        for row in rows
    ]


class _Night:
    """A row of a night, cell by cell. What fills a blank is kept: few change from view to view."""

    def __init__(self, signs: Sequence[Span]) -> None:
        self._signs = signs
        self._kept: dict[tuple[int, int], Row] = {}

    def between(self, x: int, end: int) -> Row:
        """From one cell up to another, neighbours in the same ink as one span."""
        if (x, end) not in self._kept:
            runs = groupby(self._signs[x:end], key=lambda span: span.ink)
            self._kept[x, end] = [Span("".join(one.text for one in run), ink) for ink, run in runs]
        return self._kept[x, end]


@lru_cache(maxsize=32)
def _nights(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Sequence[_Night]:
    """From the top."""
    return [
        _Night([_sign(x, y, width, height, glyphs, sky) for x in range(width)])
        for y in range(height)
    ]


def _filled(row: Row, night: _Night) -> Row:
    filled: Row = []
    x = 0
    for span in row:
        end = x + len(span.text)
        if span.ink is None and span.text.isspace():
            filled += night.between(x, end)
        else:
            filled.append(span)
        x = end
    return filled


def _sign(x: int, y: int, width: int, height: int, glyphs: Glyphs, sky: Sky) -> Span:
    much = height >= _MUCH
    shape = (glyphs.moon if much else glyphs.small_moon) if sky.home else ()
    down, across = y - much, x - (width - _FROM_RIGHT)
    if 0 <= down < len(shape) and 0 <= across < len(shape[down]) and shape[down][across] != " ":
        return Span(shape[down][across], Ink.MOON)
    far = _far(x, height - 1 - y, (width, height), glyphs, sky)
    return far or _star(x + sky.east, y, glyphs)


def _far(x: int, level: int, size: tuple[int, int], glyphs: Glyphs, sky: Sky) -> Span | None:
    """Of the houses at the horizon, `level` rows above the ground; none is cut."""
    width, height = size
    if not glyphs.far or height < _LEAST_FAR[sky.home]:
        return None
    wide = len(glyphs.far[0][0])
    place, across = divmod(x + sky.east, wide)
    if not sky.near <= x - across <= width - wide:
        return None
    house = _mixed(place, 7)
    above = level - house % max(1, height * 2 // 5 - 1)
    roof = glyphs.far[house // 64 % len(glyphs.far)]
    if 0 <= above < len(roof):
        shown = roof[-1 - above][across]
        return None if shown.isspace() else Span(shown, Ink.FAR)
    if above > 0:
        return None
    if sky.home and 0 < across < wide - 1 and _mixed(x, level) % _LAMPS == 0:
        return Span(glyphs.windows[0], Ink.LAMP)
    return Span("█", Ink.FAR)


def _star(x: int, y: int, glyphs: Glyphs) -> Span:
    star = _mixed(x, y) % _RARE
    return Span(glyphs.stars[star], Ink.STAR) if star < len(glyphs.stars) else _BLANK


def _mixed(x: int, y: int) -> int:
    """A number that looks random, of two small ones."""
    mixed = ((x + 5) * 0x9E3779B1 ^ (y + 3) * 0x85EBCA77) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return mixed >> 16
