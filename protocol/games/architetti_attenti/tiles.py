"""The tiles of Architetti Attenti, and the board that they are placed on.

A tile is one byte, its place in `TILES`; 0 is no tile. The cells of a board are 0-48, row by row
from the top left; 24 is the town hall. Positions in the row of tiles are 1-4, 4 next to the pile.
"""

from enum import IntEnum
from typing import Final

SIDE: Final = 7
CELLS: Final = SIDE * SIDE
HALL: Final = 24
"""The town hall's cell; the other 48 are free at the start (rules: Material)."""

ROW: Final = 4
"""Tiles that lie face up (rules: A turn)."""

START_GEMS: Final = 5


class Kind(IntEnum):
    """What stands on a cell; half a tile shows one of 1-9."""

    FREE = 0
    HOUSE = 1
    PARK = 2
    SCHOOL = 3
    BAKERY = 4
    BOOKSHOP = 5
    FLORIST = 6
    TOYS = 7
    TRACK = 8
    STATION = 9
    TOWN_HALL = 10


SHOPS: Final = (Kind.BAKERY, Kind.BOOKSHOP, Kind.FLORIST, Kind.TOYS)

TILES: Final = (
    (Kind.FREE, Kind.FREE),
    (Kind.HOUSE, Kind.HOUSE),
    (Kind.HOUSE, Kind.PARK),
    (Kind.HOUSE, Kind.SCHOOL),
    (Kind.HOUSE, Kind.BAKERY),
    (Kind.HOUSE, Kind.BOOKSHOP),
    (Kind.HOUSE, Kind.FLORIST),
    (Kind.HOUSE, Kind.TOYS),
    (Kind.HOUSE, Kind.TRACK),
    (Kind.HOUSE, Kind.STATION),
    (Kind.TRACK, Kind.TRACK),
    (Kind.STATION, Kind.TRACK),
    (Kind.BAKERY, Kind.PARK),
    (Kind.BOOKSHOP, Kind.PARK),
    (Kind.FLORIST, Kind.SCHOOL),
    (Kind.TOYS, Kind.SCHOOL),
)
"""Tile byte → its first and its second half."""

COPIES: Final = (0, 6, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1)
"""Tile byte → how many there are on a sheet; 24 in all (rules: Material)."""

KIND_BITS: Final = 0b1111
"""The bits of a board's byte that say what stands there; the two above say where the tile's other
half lies, 0 right, 1 below, 2 left, 3 above (`STEPS`)."""

STEPS: Final = (1, SIDE, -1, -SIDE)
