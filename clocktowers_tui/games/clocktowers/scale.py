"""The two sizes of the pictures, each as one value: how wide things are and who draws them."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers import art, large_art
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.spans import Block


class Scale(NamedTuple):
    """`pitches`: cells from one tower to the next, the roomiest first.

    `storey`: rows a storey takes, all towers of a town considered, in a sky of some rows.
    `tower`: one of them, from the top, in at most some rows, with that storey. `picture`: a card's.
    """

    tower_width: int
    pitches: tuple[int, ...]
    card_width: int
    card_height: int
    storey: Callable[[Sequence[bytes], int], int]
    tower: Callable[[bytes, int, int, Glyphs], Block]
    picture: Callable[[int, Glyphs], Block]


def _small_storey(_towers: Sequence[bytes], _rows: int) -> int:
    return 1


def _small_tower(cards: bytes, rows: int, _storey: int, glyphs: Glyphs) -> Block:
    return art.tower_rows(cards, rows, glyphs)


SMALL: Final = Scale(art.TOWER_WIDTH, (6, 5), 9, 5, _small_storey, _small_tower, art.picture)
LARGE: Final = Scale(
    large_art.TOWER_WIDTH,
    (11, 10, 9),
    11,
    8,
    large_art.storey_rows,
    large_art.tower_rows,
    large_art.picture,
)
