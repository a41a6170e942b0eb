"""Architetti Attenti in its playthrough: what is played, and how tiles and boards are written.

A cell is two characters: what stands there and where the tile's other half lies, so `H>` is a house
and the half to its right; `..` is free and `##` the town hall.
"""

from typing import Final

from protocol.games.architetti_attenti import KIND_BITS, TILES, Kind, Options
from protocol.games.architetti_attenti.board import cell_name
from tests.playthroughs import Playthrough

LETTERS: Final = ".HPSbkftr@#"
"""Kind → its letter; shops are small, `r` is a track and `@` a station."""

EDGES: Final = ">v<^"


def tile(number: int) -> str:
    return "".join(LETTERS[half] for half in TILES[number]) if number else "--"


def cell(byte: int) -> str:
    kind = Kind(byte & KIND_BITS)
    letter = LETTERS[kind]
    return letter * 2 if kind in (Kind.FREE, Kind.TOWN_HALL) else letter + EDGES[byte >> 4]


PLAYTHROUGH = Playthrough(
    "architetti_attenti",
    {
        "boards": cell,
        **dict.fromkeys(("first", "second"), cell_name),
        **dict.fromkeys(("tile", "row", "removed", "discarded"), tile),
    },
    ["easy"],
    Options(),
    5,
)
