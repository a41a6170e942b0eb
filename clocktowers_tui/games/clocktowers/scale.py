"""The four sizes of the pictures, each as one value: how wide things are and who draws them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers import art, huge_art, large_art
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.spans import Block


class Scale(NamedTuple):
    """`pitches`: cells from one tower to the next, the roomiest first. `sky`: rows that it needs at
    least. `highest`: rows of the highest of some towers where storeys are lowest.

    `storey`: rows a storey takes, all towers of a town considered, in a sky of some rows.
    `tower`: one of them, from the top, in at most some rows, with that storey. `picture`: a card's.
    """

    tower_width: int
    pitches: tuple[int, ...]
    sky: int
    highest: Callable[[Sequence[bytes]], int]
    storey: Callable[[Sequence[bytes], int], int]
    tower: Callable[[bytes, int, int, Glyphs], Block]
    card_width: int
    card_height: int
    picture: Callable[[int, Glyphs], Block]


SMALL: Final = Scale(
    art.TOWER_WIDTH,
    (6, 5),
    0,
    lambda _towers: 0,
    art.storey_rows,
    art.tower_rows,
    9,
    5,
    art.picture,
)
LARGE: Final = Scale(
    large_art.TOWER_WIDTH,
    (11, 10, 9),
    9,
    lambda towers: large_art.highest(towers, 1),
    large_art.storey_rows,
    large_art.tower_rows,
    11,
    8,
    large_art.picture,
)
MIDDLE: Final = SMALL._replace(
    tower_width=art.WIDER, pitches=(9, 8), tower=partial(art.tower_rows, width=art.WIDER)
)
HUGE: Final = LARGE._replace(
    tower_width=huge_art.TOWER_WIDTH,
    pitches=(18, 17, 16, 15),
    sky=16,
    highest=lambda towers: huge_art.highest(towers, 2),
    storey=huge_art.storey_rows,
    tower=huge_art.tower_rows,
)
SCALES: Final = (HUGE, LARGE, MIDDLE, SMALL)
"""For towns, the largest first."""
