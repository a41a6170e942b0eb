"""Architetti Attenti read a second time from its rules page; no code of the server's.

The score is found by trying everything: a board is seven words of seven letters, see `LETTERS`,
with the town hall in the middle. A match works on records alone: tiles are their names, actions are
the record's own objects. Where game and oracle differ, the rules page decides.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import TypeAlias

from tests.oracle.judging import Json, OracleTable, Reading, is_int, need, shuffled

Cell: TypeAlias = tuple[int, int]
"""Row and column, from 0."""
Board: TypeAlias = tuple[str, ...]

LETTERS = {
    ".": "free",
    "H": "house",
    "P": "park",
    "S": "school",
    "b": "bakery",
    "k": "bookshop",
    "f": "florist",
    "t": "toys",
    "+": "track",
    "X": "station",
    "M": "town hall",
}
SHOPS = "bkft"
SHOP_POINTS = {2: 5, 3: 10, 4: 15}
SCHOOL_POINTS = (0, 1, 2, 3, 4, 10)
OPTION_VALUES: dict[str, list[str]] = {
    "blocks": ["packed", "all"],
    "parks": ["pairs", "houses"],
    "rails": ["network", "stretch"],
    "end": ["at-once", "row"],
}
"""Option → its values, the default first."""


def board_of(text: str) -> Board:
    """A board from seven words. Raises ValueError when it is none."""
    rows = tuple(text.split())
    if [len(row) for row in rows] != [7] * 7 or any(set(row) - set(LETTERS) for row in rows):
        raise ValueError("not seven words of seven known letters")
    if [(r, c) for r in range(7) for c in range(7) if rows[r][c] == "M"] != [(3, 3)]:
        raise ValueError("the town hall is not in the middle, or not alone")
    return rows


def parts(board: Board, gems: int, options: dict[str, Json]) -> dict[str, int]:
    """The score of one seat, kind by kind; `gems` are those left over at the end."""
    chosen = {name: options.get(name, values[0]) for name, values in OPTION_VALUES.items()}
    houses = frozenset(where(board, "H"))
    return {
        "houses": len(houses),
        "blocks": best_packing(houses) if chosen["blocks"] == "packed" else all_squares(houses),
        "parks": parks(board, chosen["parks"]),
        "rails": rails(board, chosen["rails"]),
        "shops": sum(best_pieces(run) for run in runs(board)),
        "schools": best_spread(len(where(board, "S")), gems),
    }


@cache
def where(board: Board, letters: str) -> tuple[Cell, ...]:
    return tuple((r, c) for r in range(7) for c in range(7) if board[r][c] in letters)


# Houses ------------------------------------------------------------------------------------------


@cache
def square(corner: Cell, side: int) -> frozenset[Cell]:
    """The cells of a square, by its top left one."""
    row, column = corner
    return frozenset((row + r, column + c) for r in range(side) for c in range(side))


@cache
def all_squares(houses: frozenset[Cell]) -> int:
    return sum(side**2 for side in (2, 3) for cell in houses if square(cell, side) <= houses)


@cache
def best_packing(houses: frozenset[Cell]) -> int:
    """The topmost, leftmost house is the corner of no block, or of one of either size."""
    if not houses:
        return 0
    corner = min(houses)
    tried = [best_packing(houses - {corner})]
    for side in (2, 3):
        if square(corner, side) <= houses:
            tried.append(side**2 + best_packing(houses - square(corner, side)))
    return max(tried)


# Parks -------------------------------------------------------------------------------------------


@cache
def parks(board: Board, counted: str) -> int:
    pairs = [
        (house, park)
        for house in where(board, "H")
        for park in where(board, "P")
        if max(abs(house[0] - park[0]), abs(house[1] - park[1])) == 1
    ]
    return len(pairs) if counted == "pairs" else len({house for house, _ in pairs})


# Rails -------------------------------------------------------------------------------------------

Joints: TypeAlias = dict[Cell, frozenset[Cell]]
"""Each track and station → those it is joined to."""


@cache
def joints(board: Board) -> Joints:
    """Side by side are joined, unless both are stations."""
    cells = where(board, "+X")
    stations = set(where(board, "X"))
    return {
        cell: frozenset(
            other
            for other in cells
            if abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 1
            and not (cell in stations and other in stations)
        )
        for cell in cells
    }


def reached(start: Cell, joined: Joints) -> frozenset[Cell]:
    """All cells one comes to from `start`, itself included."""
    seen, waiting = {start}, [start]
    while waiting:
        fresh = [cell for cell in joined[waiting.pop()] if cell not in seen]
        seen.update(fresh)
        waiting += fresh
    return frozenset(seen)


def comes_to(goals: set[Cell], start: Cell, joined: Joints, without: Cell) -> bool:
    """Whether one comes from `start` to any of the goals when one cell is taken away."""
    seen, waiting = {start, without}, [start]
    while waiting:
        cell = waiting.pop()
        if cell in goals:
            return True
        fresh = [other for other in joined[cell] if other not in seen]
        seen.update(fresh)
        waiting += fresh
    return False


def networks(joined: Joints) -> set[frozenset[Cell]]:
    return {reached(cell, joined) for cell in joined}


def cannot_be_cut_off(network: frozenset[Cell], joined: Joints, stations: set[Cell]) -> set[Cell]:
    """The live tracks of a network: a track has disjoint ways to two stations exactly when no
    single cell stands between it and all of them (Menger)."""
    return {
        track
        for track in network - stations
        if stations & network
        and all(comes_to(stations, track, joined, cell) for cell in network - {track})
    }


@cache
def live_tracks(board: Board) -> dict[frozenset[Cell], set[Cell]]:
    """The live tracks of each network."""
    joined, stations = joints(board), set(where(board, "X"))
    return {network: cannot_be_cut_off(network, joined, stations) for network in networks(joined)}


def rails(board: Board, counted: str) -> int:
    joined, stations = joints(board), set(where(board, "X"))
    points = 0
    for network, live in live_tracks(board).items():
        if counted == "network":
            points += len(network & stations) * len(live)
        else:
            without_stations = {cell: joined[cell] & live for cell in live}
            points += sum(2 * len(stretch) for stretch in networks(without_stations))
    return points


# Shops -------------------------------------------------------------------------------------------


def runs(board: Board) -> list[str]:
    """The shops that stand side by side, of all rows and then of all columns."""
    columns = ["".join(row[c] for row in board) for c in range(7)]
    lines = [*board, *columns]
    return [
        run for line in lines for run in "".join(x if x in SHOPS else " " for x in line).split()
    ]


@cache
def best_pieces(run: str) -> int:
    """The first shop is left over, or begins a piece of 2-4 different ones."""
    if not run:
        return 0
    tried = [best_pieces(run[1:])]
    for size, points in SHOP_POINTS.items():
        if len(set(run[:size])) == size:
            tried.append(points + best_pieces(run[size:]))
    return max(tried)


# Schools -----------------------------------------------------------------------------------------


@cache
def best_spread(schools: int, gems: int) -> int:
    """The first school takes each number of gems that it can hold; gems may stay without one."""
    if not schools:
        return 0
    held = range(min(gems, 5) + 1)
    return max(SCHOOL_POINTS[n] + best_spread(schools - 1, gems - n) for n in held)


# Matches -----------------------------------------------------------------------------------------

# rules: Material. Tile → how often it is on a sheet.
SHEET = {
    "house-house": 6,
    "house-park": 2,
    "house-school": 2,
    "house-bakery": 1,
    "house-bookshop": 1,
    "house-florist": 1,
    "house-toys": 1,
    "house-track": 1,
    "house-station": 1,
    "track-track": 2,
    "station-track": 2,
    "bakery-park": 1,
    "bookshop-park": 1,
    "florist-school": 1,
    "toys-school": 1,
}
SHEETS = {1: 2, 2: 2, 3: 3, 4: 4}
TURNS = 22
ROW = 4
LETTER_OF = {name: letter for letter, name in LETTERS.items()}
CELLS = [f"{column}{row}" for row in "1234567" for column in "abcdefg"]
"""a1 is top left, g7 bottom right."""


@cache
def beside(cell: str) -> list[str]:
    """The cells that share a side with this one."""
    column, row = ord(cell[0]), int(cell[1])
    near = [(column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1)]
    return [name for c, r in near if (name := f"{chr(c)}{r}") in CELLS]


class OracleTown:
    """One match as it would lie on a real table."""

    def __init__(self, options: dict[str, Json], seats: int, setup: Json) -> None:
        self.options = {**{name: values[0] for name, values in OPTION_VALUES.items()}, **options}
        self.seats = seats
        self.turn: int = setup["first_seat"]
        self.row = [[tile, 0] for tile in setup["row"]]  # a tile and the gems on it
        self.pile = list(setup["pile"])
        self.gems = [5] * seats
        self.boards = [{cell: "free" for cell in CELLS} for _ in range(seats)]
        for board in self.boards:
            board["d4"] = "town hall"
        self.bought: int | None = None  # where in the row the bought tile lay
        self.discarded: list[str] = []

    def over(self) -> bool:
        """rules: A turn, the last paragraph."""
        return not self.row or (self.options["end"] == "at-once" and not self.pile)

    def legal(self) -> list[Json]:
        if self.over():
            return []
        if self.bought is None:
            return [
                {"do": "buy", "position": position}
                for position in range(1, len(self.row) + 1)
                if position - 1 <= self.gems[self.turn]
            ]
        return [{"do": "place", "cells": cells} for cells in self.places(self.row[self.bought][0])]

    def places(self, tile: str) -> list[list[str]]:
        """Every free pair of neighbours, both ways round if that makes a difference."""
        board = self.boards[self.turn]
        free = dict.fromkeys(cell for cell in CELLS if board[cell] == "free")
        pairs = [[cell, other] for cell in free for other in beside(cell) if other in free]
        first, second = tile.split("-")
        if first == second:
            return [pair for pair in pairs if CELLS.index(pair[0]) < CELLS.index(pair[1])]
        return pairs

    def act(self, action: Json) -> None:
        """Do an action that is legal."""
        if action["do"] == "buy":
            self.buy(action["position"] - 1)
        else:
            assert self.bought is not None
            halves = self.row[self.bought][0].split("-")
            self.boards[self.turn].update(zip(action["cells"], halves, strict=True))
            self.reveal()

    def buy(self, place: int) -> None:
        """rules: A turn, 1 and 2. The gems are paid before those on the tile are taken."""
        for before in self.row[:place]:
            before[1] += 1
        tile, on_it = self.row[place]
        self.gems[self.turn] += on_it - place
        self.bought = place
        if not self.places(tile):
            self.discarded.append(tile)
            self.reveal()

    def reveal(self) -> None:
        """rules: A turn, 3."""
        assert self.bought is not None
        del self.row[self.bought]
        self.bought = None
        if self.pile:
            self.row.append([self.pile.pop(0), 0])
        self.turn = (self.turn + 1) % self.seats

    def outcome(self) -> Json:
        """rules: Score."""
        counted = [self.parts(seat) for seat in range(self.seats)]
        scores = [sum(each.values()) for each in counted]
        winners = [seat for seat in range(self.seats) if scores[seat] == max(scores)]
        decided_by = "points" if len(winners) == 1 else "shared"
        return {
            "scores": scores,
            "parts": counted,
            "winners": winners,
            "decided_by": "alone" if self.seats == 1 else decided_by,
        }

    def parts(self, seat: int) -> dict[str, int]:
        letters = "".join(LETTER_OF[self.boards[seat][cell]] for cell in CELLS)
        words = " ".join(letters[start : start + 7] for start in range(0, 49, 7))
        return parts(board_of(words), self.gems[seat], self.options)


# Records -----------------------------------------------------------------------------------------


def tiles_of(seats: int) -> list[str]:
    return [tile for tile, copies in SHEET.items() for _ in range(copies * SHEETS[seats])]


def laid_out(tiles: list[str], seats: int) -> dict[str, Json]:
    """Four for the row, 22 for each player, and the others stay out."""
    drawn = ROW + TURNS * seats
    return {"row": tiles[:ROW], "pile": tiles[ROW:drawn], "removed": tiles[drawn:]}


def dealt(stream: Iterator[int], seats: int) -> Json:
    return laid_out(shuffled(tiles_of(seats), stream), seats)


def deal(seats: int, rng: Random) -> Json:
    tiles = tiles_of(seats)
    return {"first_seat": rng.randrange(seats), **laid_out(rng.sample(tiles, len(tiles)), seats)}


def check_cards(setup: Json, seats: int) -> None:
    """All tiles of the sheets, as many as belong to each place."""
    given = []
    for part, tiles in laid_out(tiles_of(seats), seats).items():
        some = setup.get(part)
        need(isinstance(some, list) and len(some) == len(tiles), "setup", part)
        need(all(isinstance(tile, str) for tile in some), "setup", part)
        given += some
    need(Counter(given) == Counter(tiles_of(seats)), "setup", "tiles")


def understood(action: Json) -> Json:
    """The parts of an action that mean something, or None when it is none."""
    match action:
        case {"do": "buy", "position": position} if is_int(position):
            return {"do": "buy", "position": position}
        case {"do": "place", "cells": [str(first), str(second)]}:
            return {"do": "place", "cells": [first, second]}
    return None


def choose(table: OracleTable, rng: Random) -> Json:
    """At random, but dear tiles less often, so that there are gems to pay them with."""
    legal = table.legal()
    if legal[0]["do"] == "buy" and rng.random() < 0.5:
        return legal[0]
    return rng.choice(legal)


ATTENTI = Reading(
    game="architetti_attenti",
    options=OPTION_VALUES,
    seats=tuple(SHEETS),
    table=OracleTown,
    check_cards=check_cards,
    dealt=dealt,
    understood=understood,
    deal=deal,
    choose=choose,
)
