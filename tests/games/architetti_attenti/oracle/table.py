"""A match of Architetti Attenti read a second time from its rules page; no code of the server's.

Works on records alone: tiles are their names, actions are the record's own objects. The score is
`attenti_oracle`'s.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

from tests.games.architetti_attenti.oracle.oracle import LETTERS, OPTION_VALUES, board_of, parts
from tests.oracle.judging import Json, is_int, need, shuffled
from tests.oracle.reading import Reading, Table

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


class Match:
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


def choose(table: Table, rng: Random) -> Json:
    """At random, but dear tiles less often, so that there are gems to pay them with."""
    legal = table.legal()
    if legal[0]["do"] == "buy" and rng.random() < 0.5:
        return legal[0]
    return rng.choice(legal)


ATTENTI = Reading(
    game="architetti_attenti",
    options=OPTION_VALUES,
    seats=tuple(SHEETS),
    table=Match,
    check_cards=check_cards,
    dealt=dealt,
    understood=understood,
    deal=deal,
    choose=choose,
)
