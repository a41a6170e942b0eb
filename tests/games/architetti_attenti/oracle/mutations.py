"""Ways to spoil a record of Architetti Attenti: its tiles, cells and gems."""

from random import Random
from typing import Final

from tests.games.architetti_attenti.oracle.table import CELLS, SHEET
from tests.oracle.judging import Json
from tests.oracle.mutations import Mutation


def done(record: Json, rng: Random, do: str) -> Json:
    """An action of one sort."""
    return rng.choice([ply["action"] for ply in record["plies"] if ply["action"]["do"] == do])


def other_position(record: Json, rng: Random) -> None:
    done(record, rng, "buy")["position"] = rng.choice([1, 2, 3, 4, 0, 5, -1, True, 1.0, "1"])


def other_cell(record: Json, rng: Random) -> None:
    cells = done(record, rng, "place")["cells"]
    cells[rng.randrange(2)] = rng.choice([*CELLS, "d4", "h1", "a8", "a0", "A1", "", "a11", None, 3])


def turn_round(record: Json, rng: Random) -> None:
    done(record, rng, "place")["cells"].reverse()


def other_pair(record: Json, rng: Random) -> None:
    done(record, rng, "place")["cells"] = done(record, rng, "place")["cells"]


def more_or_fewer_cells(record: Json, rng: Random) -> None:
    cells = done(record, rng, "place")["cells"]
    rng.choice([cells.pop, cells.clear, lambda: cells.append(cells[0])])()


def other_do(record: Json, rng: Random) -> None:
    rng.choice(record["plies"])["action"]["do"] = rng.choice(["buy", "place", "discard", "pass"])


def swap_in_setup(record: Json, rng: Random) -> None:
    """Two tiles of any places, which may be the same."""
    setup = record["setup"]
    some, others = (setup[rng.choice(places(record))] for _ in range(2))
    a, b = rng.randrange(len(some)), rng.randrange(len(others))
    some[a], others[b] = others[b], some[a]


def places(record: Json) -> list[str]:
    """With two players no tile is removed."""
    return [part for part in ("row", "pile", "removed") if record["setup"][part]]


def other_tile(record: Json, rng: Random) -> None:
    tiles = record["setup"][rng.choice(places(record))]
    tiles[rng.randrange(len(tiles))] = rng.choice([*SHEET, "park-house", "free-free", "", None, 1])


def move_between_places(record: Json, rng: Random) -> None:
    setup = record["setup"]
    setup[rng.choice(["row", "pile", "removed"])].append(setup[rng.choice(places(record))].pop())


def other_points(record: Json, rng: Random) -> None:
    """Change the points of one kind; the scores stay."""
    parts = rng.choice(record["outcome"]["parts"])
    parts[rng.choice(list(parts))] += rng.choice([-1, 0, 1, 0.0])


def other_parts(record: Json, rng: Random) -> None:
    parts = record["outcome"]["parts"]
    change = rng.choice([parts.pop, parts.reverse, lambda: parts[0].popitem(), parts[0].clear])
    change()


MUTATIONS: Final[list[Mutation]] = [
    other_position,
    other_cell,
    turn_round,
    other_pair,
    more_or_fewer_cells,
    other_do,
    swap_in_setup,
    other_tile,
    move_between_places,
    other_points,
    other_parts,
]
