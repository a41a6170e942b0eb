"""The objects as drawings: small, middle and large, two dots of a drawing in each cell.

Law: a drawing has one colour, so it is the same picture in every palette and without colours; in
ASCII other characters stand for the halves of a cell.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from clocktowers_tui.games.spans import centred
from protocol.games.wild_wild_pattern.cards import Object

Dots: TypeAlias = Sequence[str]
"""Rows of dots, `#` or blank; two rows stand in one row of cells."""

_HALVES: Final = {".": "  ", "▀": "# ", "▄": " #", "█": "##"}
"""A cell below → its upper and its lower dot."""


def drawing(obj: Object, width: int, height: int, halves: str) -> list[str]:
    """The largest one that fits, in rows of `width` cells; none where none fits. `halves`: a cell
    with its upper, its lower and both its dots."""
    for size in range(_SIZES)[::-1]:
        dots = _dots(obj, size)
        if len(dots[0]) <= width and len(dots) // 2 <= height:
            return [centred(row, width) for row in _cells(dots, halves)]
    return []


def _cells(dots: Dots, halves: str) -> list[str]:
    signs = dict(zip(((True, False), (False, True), (True, True)), halves, strict=True))
    return [
        "".join(
            signs.get((up != " ", low != " "), " ") for up, low in zip(upper, lower, strict=True)
        )
        for upper, lower in [*pairwise(dots)][::2]
    ]


@cache
def _dots(obj: Object, size: int) -> Dots:
    if size == 0:
        return _SMALL[obj]
    return _MIDDLE[obj] if size == 1 else _doubled(_MIDDLE[obj])


_SIZES: Final = 3


def _doubled(dots: Dots) -> Dots:
    """Twice as large, with slanting edges smooth (Eric's Pixel Expansion)."""
    found: list[str] = []
    for y, row in enumerate(dots):
        upper, lower = "", ""
        for x, own in enumerate(row):
            up, left = _at(dots, x, y - 1, own), _at(dots, x - 1, y, own)
            down, right = _at(dots, x, y + 1, own), _at(dots, x + 1, y, own)
            flat = up == down or left == right
            upper += own if flat or up != left else up
            upper += own if flat or up != right else up
            lower += own if flat or down != left else down
            lower += own if flat or down != right else down
        found += [upper, lower]
    return found


def _at(dots: Dots, x: int, y: int, otherwise: str) -> str:
    return dots[y][x] if 0 <= y < len(dots) and 0 <= x < len(dots[y]) else otherwise


def _drawn(text: str) -> Sequence[Dots]:
    """The dots of drawings that stand below as on a card, one after the other."""
    return [[*_dotted(part.split())] for part in text.split("\n\n")]


def _dotted(cells: Sequence[str]) -> Iterator[str]:
    for row in cells:
        yield from ("".join(dots) for dots in zip(*(_HALVES[cell] for cell in row), strict=True))


_SMALL: Final = _drawn(
    """
███████████▄
.....▀█▀████
.........███

...▀████▀...
.▄██▀.▀███▄.
.▀████▄███▀.

.....██.....
.▀▀██████▀▀.
..▄█▀..▀█▄..

.....██.....
....█▀▀█....
....████....

..▄█▀▀▀▀█▄..
..██....██..
..██▄..▄██..

......▄▀▄▀..
..██▄██▄██..
..██.██.██..

..▄█▀██▀█▄..
..██▀██▀██..
..▀██████▀..

.█▀▀▀██▀▀▀█.
.█.▀████▀.█.
.█▄██████▄█."""
)

_MIDDLE: Final = _drawn(
    """
.▄▄▄▄▄▄▄▄▄▄▄▄▄█▄
▀████████▀██████
.......█▀▀█████▄
........▀▀.█████
...........▀████
............████

....▀██████▀....
....▄▄████▄▄....
..▄██▀▀..▀▀██▄..
.▄███▄.▀▀▀████▄.
.████▀▀▀▀..████.
..▀████▄▄████▀..

.......██.......
▄▄▄▄▄▄████▄▄▄▄▄▄
.▀▀██████████▀▀.
....████████....
...███▀..▀███...
..█▀▀......▀▀█..

......▀██▀......
.......██.......
.....▄████▄.....
....█▀▀▀▀▀▀█....
....█.▀.▀▀.█....
....████████....

..▄▄████████▄▄..
.▄██▀▀....▀▀██▄.
.█▄█........█▄█.
.█▀█........█▀█.
.▀██▄......▄██▀.
.▄█▄█▄....▄█▄█▄.

..........▄.▀▄.▀
.......▄▀▀.▄▀▀▄.
..███.███.███...
..███████████...
..███.███.███...
..███.███.███...

..▄█▀▀█▀▀█▀▀█▄..
..██▄▄█▄▄█▄▄██..
.██...█..█...██.
.██...█..█...██.
..██▀▀█▀▀█▀▀██..
..▀█▄▄█▄▄█▄▄█▀..

█▀▀█▀█▀██▀█▀█▀▀█
█.....▄▄▄▄.....█
█..▄▄▄████▄▄▄..█
█.....█▄▄█.....█
█....▄▄██▄▄....█
█▄▄▄████████▄▄▄█"""
)
