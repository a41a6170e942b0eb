"""The art of the game's card in the menu: small streets."""

from typing import Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.choosing import Marks
from clocktowers_tui.games.clocktowers.inks import GLYPHS, PAINTING, Glyphs, Ink
from clocktowers_tui.games.clocktowers.street import Plot, Sky, pitches, street
from clocktowers_tui.games.clocktowers.towers import SMALL
from clocktowers_tui.games.painting import Painted, painted
from clocktowers_tui.games.spans import Block, Span
from protocol.games.clocktowers import Town

_ROWS: Final = 4
_LEAST: Final = (24, 9)
"""A smaller picture has no sky."""
_SKYLINE: Final = tuple(map(bytes, ([4, 7, 9], [2, 8], [6, 8, 12], [1, 7, 11])))
_STREET: Final = tuple(
    map(
        bytes,
        (
            *([1, 5, 4, 7, 9], [3, 4, 8], [1, 2, 7, 12], [4, 2, 7, 13]),
            *([6, 4], [4, 1, 8, 11], [5, 7, 10], [1, 4, 1], [4, 7, 12]),
        ),
    )
)


def card_art(look: Look, width: int, height: int) -> Painted:
    """A street at night where there is room for it, or else a small one on its ground."""
    glyphs = GLYPHS[look.glyphs]
    large = width >= _LEAST[0] and height >= _LEAST[1]
    rows = _night(width, height, glyphs) if large else _skyline(glyphs)
    across = sum(len(span.text) for span in rows[0])
    ground = [Span(glyphs.ground * across, Ink.GROUND)]
    return painted([*rows, ground], PAINTING.styles(look))


def _night(width: int, height: int, glyphs: Glyphs) -> Block:
    """As many towers as fit, three at least, at the largest scale that has room for those."""
    sky = height - 1
    (at,) = pitches((Plot(_STREET[:3], width, sky),))
    assert at is not None
    towers = list(_STREET[: (width - 1) // at.step])
    town = Town(towers, bytes(len(towers)))
    return street(town, width, height, at, Marks(), glyphs, Sky(home=True))[:sky]


def _skyline(glyphs: Glyphs) -> Block:
    rows: Block = [[] for _ in range(_ROWS)]
    for cards in _SKYLINE:
        tower = SMALL.tower(cards, _ROWS, 1, glyphs)
        sky = [[Span(" " * SMALL.tower_width)] for _ in range(_ROWS - len(tower))]
        for row, spans in zip(rows, [*sky, *tower], strict=True):
            row += spans
    return rows
