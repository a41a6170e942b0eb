"""Architetti Attenti on the wire: tiles, cells, options, actions, events, views.

A tile is one byte, its place in `TILES`; 0 is no tile. The cells of a board are 0-48, row by row
from the top left; 24 is the town hall. Positions in the row of tiles are 1-4, 4 next to the pile.
"""

from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

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


class Blocks(StrEnum):
    PACKED = "packed"
    ALL = "all"


class Parks(StrEnum):
    PAIRS = "pairs"
    HOUSES = "houses"


class Rails(StrEnum):
    NETWORK = "network"
    STRETCH = "stretch"


class End(StrEnum):
    AT_ONCE = "at-once"
    ROW = "row"


class TakeBack(StrEnum):
    ON = "on"
    OFF = "off"


class Options(Struct, frozen=True, kw_only=True):
    """The first four change the rules and stand in records; the others belong to the table.

    `first_seat` None means drawn from the seed.
    """

    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    take_back: TakeBack = TakeBack.ON
    first_seat: Annotated[int, Meta(ge=0, le=3)] | None = None


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "at-once"},
    "letter": {"blocks": "all", "parks": "houses", "rails": "stretch", "end": "at-once"},
    "last-tile": {"blocks": "packed", "parks": "pairs", "rails": "network", "end": "row"},
}
"""`letter` takes the sheet's sentences on houses, parks and rails word for word."""

Position: TypeAlias = Annotated[int, Meta(ge=1, le=ROW)]
Cell: TypeAlias = Annotated[int, Meta(ge=0, le=CELLS - 1)]


# Actions -----------------------------------------------------------------------------------------


class Buy(Struct, frozen=True, array_like=True, tag="buy", gc=False):
    """Costs a gem on each tile before the position. A tile that fits nowhere is discarded by it."""

    position: Position


class Place(Struct, frozen=True, array_like=True, tag="place", gc=False):
    """The cells of the bought tile's first and second half. Where both halves are equal, `first`
    is the smaller cell: one action per pair of cells."""

    first: Cell
    second: Cell


Action: TypeAlias = Buy | Place


# Events ------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, array_like=True, tag="dealt", gc=False):
    """`row`: the four open tiles; `left`: tiles in the pile. `options` are the table's."""

    first_seat: int
    row: bytes
    left: int
    options: Options


class Bought(Struct, frozen=True, array_like=True, tag="bought", gc=False):
    """`paid`: gems, one on each tile before the position; `gained`: those that lay on this one."""

    seat: int
    position: int
    tile: int
    paid: int
    gained: int


class Placed(Struct, frozen=True, array_like=True, tag="placed", gc=False):
    seat: int
    tile: int
    first: int
    second: int


class Discarded(Struct, frozen=True, array_like=True, tag="discarded", gc=False):
    """Follows the `Bought` of a tile for which no two free cells touch."""

    seat: int
    tile: int


class Revealed(Struct, frozen=True, array_like=True, tag="revealed", gc=False):
    """The row has slid together, and this tile lies at its end now."""

    tile: int


Event: TypeAlias = Dealt | Bought | Placed | Discarded | Revealed


# Views -------------------------------------------------------------------------------------------


class Phase(StrEnum):
    BUY = "buy"
    PLACE = "place"
    OVER = "over"


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one seat may see; `seat` None is a spectator's. Everything but the pile is open.

    Lists and bins run by seat, or by position in the row. `row`: a 0 is a gap, where a tile was
    bought or no more come; `on_row`: the gems that lie on each. `left`: tiles in the pile.
    `tile`: the bought one, which `turn` has to place. `boards`: 49 bytes each (see `KIND_BITS`).
    `discarded`: tiles that fitted nowhere, oldest first.
    `removed`: after the end, the tiles that were out of the game unseen.
    What can be chosen is not listed: it follows from the row, the gems and the board.
    """

    seat: int | None = None
    turn: int | None = None
    phase: Phase
    row: bytes
    on_row: bytes
    left: int
    tile: int = 0
    boards: list[bytes]
    gems: bytes
    discarded: list[bytes]
    blocks: Blocks = Blocks.PACKED
    parks: Parks = Parks.PAIRS
    rails: Rails = Rails.NETWORK
    end: End = End.AT_ONCE
    removed: bytes = b""


class DecidedBy(StrEnum):
    POINTS = "points"
    SHARED = "shared"
    ALONE = "alone"


class Parts(Struct, frozen=True):
    """A score, kind by kind (rules: Score)."""

    houses: int = 0
    blocks: int = 0
    parks: int = 0
    rails: int = 0
    shops: int = 0
    schools: int = 0

    @property
    def total(self) -> int:
        return self.houses + self.blocks + self.parks + self.rails + self.shops + self.schools


class Outcome(Struct, frozen=True):
    """Scores and their parts by seat; `winners` ascending."""

    scores: tuple[int, ...]
    parts: tuple[Parts, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


class Refused(StrEnum):
    """Why an action is impossible; parameters stand behind each."""

    WRONG_PHASE = "wrong_phase"  # phase
    NO_TILE_THERE = "no_tile_there"  # position
    TOO_FEW_GEMS = "too_few_gems"  # position, cost, gems
    NOT_NEIGHBOURS = "not_neighbours"  # first, second
    CELL_TAKEN = "cell_taken"  # cell
    TOWN_HALL = "town_hall"  # cell
    SAME_HALVES = "same_halves"  # first, second: the smaller cell goes first
