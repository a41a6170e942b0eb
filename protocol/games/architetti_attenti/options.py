"""The options of an Architetti Attenti table, its presets, and the deal from a seed."""

from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from protocol.dealing import Stream
from protocol.games.architetti_attenti.board import COPIES, ROW

LEVELS: Final = ("random", "easy", "normal", "hard", "expert")
"""Of bots, weakest first."""

SEATS: Final = (1, 2, 3, 4)


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
"""`letter` is closer to the sheet's words; its rails are a reading, and shops have no option."""


# The deal of Architetti Attenti: from seats and a seed to the tiles, the same on both sides.
#
# The order, by which a proof deals the same tiles again:
# - One pool: every tile of 2, 2, 3, 4 sheets for 1, 2, 3, 4 players, in tile-byte order, each as
#   often as those sheets have it.
# - The stream out of the seed shuffles the pool. The first four tiles are the row, positions 1-4;
#   the next 22 for each player are the pile, top first; what remains is removed unseen.
# - Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).


SHEETS: Final = {1: 2, 2: 2, 3: 3, 4: 4}
"""Players → sheets of 24 tiles (rules: Material)."""

TURNS: Final = 22
"""Tiles in the pile for each player, so turns of each while there is a pile (rules: Material)."""


class Dealing(NamedTuple):
    """`row`: positions 1-4. `pile`: top first. `drawn_seat`: who
    begins, if the table did not choose."""

    row: bytes
    pile: bytes
    removed: bytes
    drawn_seat: int

    def first(self, options: Options) -> int:
        """The seat that begins: the table's choice, or the seed's."""
        return self.drawn_seat if options.first_seat is None else options.first_seat


@cache
def pool(seats: int) -> bytes:
    """All tiles before the shuffle, ascending; `seats` is one of SEATS."""
    return bytes(tile for tile, copies in enumerate(COPIES) for _ in range(copies * SHEETS[seats]))


def dealt(seats: int, seed: bytes) -> Dealing:
    """The tiles of a match. The module's docstring has the order."""
    stream = Stream(seed)
    tiles = bytearray(pool(seats))
    stream.shuffle(tiles)
    drawn = ROW + TURNS * seats
    return Dealing(
        row=bytes(tiles[:ROW]),
        pile=bytes(tiles[ROW:drawn]),
        removed=bytes(tiles[drawn:]),
        drawn_seat=stream.below(seats),
    )
