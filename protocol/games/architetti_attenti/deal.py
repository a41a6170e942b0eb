"""The deal of Architetti Attenti: from seats and a seed to the tiles, the same on both sides.

The order, by which a proof deals the same tiles again:
- One pool: every tile of 2, 2, 3, 4 sheets for 1, 2, 3, 4 players, in tile-byte order, each as
  often as those sheets have it.
- The stream out of the seed shuffles the pool. The first four tiles are the row, positions 1-4;
  the next 22 for each player are the pile, top first; what remains is removed unseen.
- Last of all, and only if the table did not choose a first seat: first seat = stream.below(n).
"""

from typing import Final, NamedTuple

from protocol.dealing import Stream
from protocol.games.architetti_attenti.tiles import COPIES, ROW

SHEETS: Final = {1: 2, 2: 2, 3: 3, 4: 4}
"""Players → sheets of 24 tiles (rules: Material)."""

TURNS: Final = 22
"""Tiles in the pile for each player, so turns of each while there is a pile (rules: Material)."""


class Dealing(NamedTuple):
    """`row`: positions 1-4. `pile`: top first. `stream`: what the tiles left of the seed; the first
    seat comes out of it."""

    row: bytes
    pile: bytes
    removed: bytes
    stream: Stream


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
        stream=stream,
    )
