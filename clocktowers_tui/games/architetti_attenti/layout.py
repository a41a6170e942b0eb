"""Where things stand on a board of some size: pure arithmetic, from a size to rectangles.

Sizes are the board's own; the shell around it takes three rows of the terminal (banner, hint,
footer). Law: the rectangles lie inside the board and never overlap.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games import arranging
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.spans import Rect
from protocol.games.architetti_attenti import SIDE


class Scale(NamedTuple):
    """How large a cell of a board is drawn. `pictures`: with pictures and words in it."""

    width: int
    height: int
    pictures: bool = False

    @property
    def across(self) -> int:
        """The column of a cell in which its sign stands; the letter stands to the right of it."""
        return (self.width - 1) // 2

    @property
    def down(self) -> int:
        """The row of a cell in which its sign stands."""
        return (self.height - 1) // 2


class Arrangement(StrEnum):
    """What the player wants; what does not fit is as good as automatic."""

    AUTOMATIC = "automatic"
    LARGE = "large"
    MIDDLE = "middle"
    SMALL = "small"


SCALES: Final[Mapping[Arrangement, Scale]] = {
    Arrangement.LARGE: Scale(9, 5, pictures=True),
    Arrangement.MIDDLE: Scale(6, 3),
    Arrangement.SMALL: Scale(4, 2),
}

NEEDS: Final[Mapping[Arrangement, tuple[int, int]]] = {
    Arrangement.LARGE: (110, 39 - SHELL_ROWS),
    Arrangement.MIDDLE: (80, 24 - SHELL_ROWS),
    Arrangement.SMALL: (60, 20 - SHELL_ROWS),
}
"""The smallest board for each, the largest first."""

NUMBERS: Final = 1
"""Columns of the rows' numbers."""

LEAST: Final = NEEDS[Arrangement.SMALL]
"""The smallest board: a 60x20 terminal."""


class Layout(NamedTuple):
    """`headed`: the columns' letters stand in a row above the town, or else in its upper edge. The
    rows' numbers stand in the column to its left. `side` is for all the rest."""

    scale: Scale
    headed: bool
    town: Rect
    side: Rect


fits: Final = partial(arranging.fits, NEEDS)
after: Final = partial(arranging.after, NEEDS)


def layout(width: int, height: int, wish: Arrangement = Arrangement.AUTOMATIC) -> Layout | None:
    """None when the board is smaller than `LEAST`."""
    if not fits(Arrangement.SMALL, width, height):
        return None
    wished = wish is not Arrangement.AUTOMATIC and fits(wish, width, height)
    scale = SCALES[wish if wished else next(one for one in NEEDS if fits(one, width, height))]
    town_width, town_height = SIDE * scale.width, SIDE * scale.height
    headed = height > town_height
    side = NUMBERS + town_width + 1
    return Layout(
        scale,
        headed,
        Rect(NUMBERS, int(headed), town_width, town_height),
        Rect(side, 0, width - side, height),
    )
