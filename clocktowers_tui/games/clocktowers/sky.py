"""The night behind a street: stars, a moon, far roofs. Pure, and the same every time.

Law: it fills blanks only, so it is never where a tower is.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import NIGHT, Ink
from clocktowers_tui.games.spans import Block, Row, Span

_BLANK: Final = Span(" ")
_TEXT, _INK = itemgetter(0), itemgetter(1)
"""Of a span."""
_RARE: Final = 71
"""One cell in so many is a star."""
_MUCH: Final = 9
"""Rows of sky that have room for a moon of three rows."""
_LEAST_FAR: Final = 9, 6
"""Rows of sky that have room for far roofs, and so many at home."""
_FROM_RIGHT: Final = 9
_WALL: Final = Span("█", Ink.FAR)
_HOUSES: Final = 7
_LAMPS: Final = 19
"""One cell in so many of a far house has a light."""


Sign: TypeAlias = tuple[int, int, Span]
"""What stands in a cell of the night, by column and row."""


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
            runs = groupby(self._signs[x:end], key=_INK)
            self._kept[x, end] = [Span("".join(map(_TEXT, run)), ink) for ink, run in runs]
        return self._kept[x, end]


@lru_cache(maxsize=32)
def _nights(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Sequence[_Night]:
    """From the top."""
    rows = [[*_stars(width, y, sky.east, glyphs)] for y in range(height)]
    for x, y, sign in (*_far(width, height, glyphs, sky), *_moon(width, height, glyphs, sky)):
        rows[y][x] = sign
    return [*map(_Night, rows)]


@lru_cache(maxsize=512)
def _stars(width: int, y: int, east: int, glyphs: Glyphs) -> Sequence[Span]:
    """A row of them, which stays when a tower is built."""
    stars = [*(Span(star, Ink.STAR) for star in glyphs.stars), *[_BLANK] * _RARE][:_RARE]
    return [stars[star % _RARE] for star in _mixed(range(east, east + width), y)]


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


def _moon(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Iterator[Sign]:
    much = height >= _MUCH
    shape = (glyphs.moon if much else glyphs.small_moon) if sky.home else ()
    for y, row in enumerate(shape[: height - much], much):
        for x, char in enumerate(row, width - _FROM_RIGHT):
            if char != " " and 0 <= x < width:
                yield x, y, Span(char, Ink.MOON)


def _far(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Iterator[Sign]:
    """The houses at the horizon; none is cut."""
    if not glyphs.far or height < _LEAST_FAR[sky.home]:
        return
    wide = len(glyphs.far[0][0])
    first, end = -(-(sky.near + sky.east) // wide), (width + sky.east) // wide
    for place, house in enumerate(_mixed(range(first, end), _HOUSES), first):
        x, walls = place * wide - sky.east, house % max(1, height * 2 // 5 - 1)
        for level in range(walls):
            for across, lamp in enumerate(_mixed(range(x, x + wide), level)):
                lit = sky.home and 0 < across < wide - 1 and lamp % _LAMPS == 0
                sign = Span(glyphs.windows[0], Ink.LAMP) if lit else _WALL
                yield x + across, height - 1 - level, sign
        roof = glyphs.far[house // 64 % len(glyphs.far)]
        for level, row in enumerate(reversed(roof), walls):
            for across, char in enumerate(row):
                if not char.isspace():
                    yield x + across, height - 1 - level, Span(char, Ink.FAR)


def _mixed(xs: Iterable[int], y: int) -> list[int]:
    """Numbers that look random, of two small ones each."""
    found = []
    for x in xs:
        mixed = ((x + 5) * 0x9E3779B1 ^ (y + 3) * 0x85EBCA77) & 0xFFFFFFFF
        mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
        found.append(mixed >> 16)
    return found
