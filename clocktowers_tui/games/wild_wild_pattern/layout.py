"""Where things stand on a board of some size: pure arithmetic, from a size to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Rect
from protocol.games.wild_wild_pattern.pattern import PLACES


class Scale(NamedTuple):
    """How large a card is drawn. `across`, `down`: cells between two cards, for the arrows."""

    width: int
    height: int
    across: int = 2
    down: int = 1


SMALL: Final = Scale(9, 3)
MIDDLE: Final = Scale(13, 4)
LARGE: Final = Scale(18, 8, 3)
OWN: Final = Scale(18, 6)
NARROW: Final = Scale(14, 6)


class Size(NamedTuple):
    """The smallest board (width, height) for a scale of the Wheel, and the scale of the player's
    card with it."""

    least: tuple[int, int]
    wheel: Scale
    own: Scale


SIZES: Final[Sequence[Size]] = (
    Size((110, 39 - SHELL_ROWS), LARGE, LARGE),
    Size((80, 24 - SHELL_ROWS), MIDDLE, OWN),
    Size((60, 20 - SHELL_ROWS), SMALL, NARROW),
)
"""The largest first."""

LEAST: Final = SIZES[-1].least
"""The smallest board: a 60x20 terminal."""

_RING: Final = ((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))
"""Place → column and row of the Wheel's three by three; the middle is the deck's."""


class Layout(NamedTuple):
    """`places`: the cards of the Wheel. `hand` is for the player's card and what to do, `side` for
    the players and all the rest."""

    scale: Scale
    own: Scale
    places: tuple[Rect, ...]
    deck: Rect
    hand: Rect
    side: Rect


def layout(width: int, height: int) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    fitting = (one for one in SIZES if width >= one.least[0] and height >= one.least[1])
    found = next(fitting, None)
    if found is None:
        return None
    scale = found.wheel
    across, down = 3 * scale.width + 2 * scale.across, 3 * scale.height + 2 * scale.down
    own = height - found.own.height
    return Layout(
        scale,
        found.own,
        tuple(_card(scale, *_RING[place]) for place in range(PLACES)),
        _card(scale, 1, 1),
        Rect(0, max(down, min(own, down + 1)), across, found.own.height),
        Rect(across + 1, 0, width - across - 1, height),
    )


def _card(scale: Scale, column: int, row: int) -> Rect:
    x, y = column * (scale.width + scale.across), row * (scale.height + scale.down)
    return Rect(x, y, scale.width, scale.height)


def beside(scale: Scale) -> tuple[tuple[int, int, int, int], ...]:
    """(x, y, cells, way) of the eight arrows, each after the place of its number; ways are right,
    down, left, up."""
    ways = (0, 1, 1, 2, 2, 3, 3, 0)
    found = []
    for place, way in enumerate(ways):
        here, there = (_card(scale, *_RING[(place + step) % PLACES]) for step in (0, 1))
        if way in (0, 2):
            left = min(here, there, key=lambda rect: rect.x)
            found.append((left.x + left.width, left.y + (scale.height - 1) // 2, scale.across, way))
        else:
            upper = min(here, there, key=lambda rect: rect.y)
            found.append((upper.x + scale.width // 2, upper.y + upper.height, 1, way))
    return tuple(found)
