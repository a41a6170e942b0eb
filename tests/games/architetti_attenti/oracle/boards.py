"""Boards of many kinds for the two readings of Architetti Attenti's score to be compared on."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from protocol.games.architetti_attenti import Kind
from tests.games.architetti_attenti.oracle.oracle import LETTERS, Board, board_of

KIND_OF: Final = {
    letter: Kind.TOWN_HALL if name == "town hall" else Kind[name.upper()]
    for letter, name in LETTERS.items()
}

SHEET: Final = (
    *("HH " * 6 + "HP " * 2 + "HS " * 2 + "Hb Hk Hf Ht H+ HX").split(),
    *("++ " * 2 + "X+ " * 2 + "bP kP fS tS").split(),
)
"""rules: Material. The 24 tiles of a sheet, each by the letters of its halves."""


def bytes_of(board: Board, rng: Random) -> bytes:
    """The board as the game has it; which way the tiles lie is no matter, so it is any."""
    return bytes(KIND_OF[letter] | rng.randrange(4) << 4 for row in board for letter in row)


def mixed(letters: str, weights: tuple[float, ...]) -> Callable[[Random], Board]:
    """Boards whose cells are drawn one by one."""

    def made(rng: Random) -> Board:
        cells = rng.choices(letters, weights, k=49)
        return with_hall(cells)

    return made


def with_hall(cells: list[str]) -> Board:
    cells[24] = "M"
    return board_of(" ".join("".join(cells[row : row + 7]) for row in range(0, 49, 7)))


def played(turns: int) -> Callable[[Random], Board]:
    """Boards that can come about: tiles of two sheets, each laid where it still fits."""

    def made(rng: Random) -> Board:
        cells = ["."] * 49
        cells[24] = "M"
        for tile in rng.sample(SHEET * 2, turns):
            if pairs := list(free_pairs(cells)):
                first, second = rng.choice(pairs)
                cells[first], cells[second] = rng.sample(tile, 2)
        return with_hall(cells)

    return made


def free_pairs(cells: list[str]) -> Iterator[tuple[int, int]]:
    for cell in range(49):
        for other in (cell + 1, cell + 7):
            in_line = other < 49 and (other % 7 != 0 or other == cell + 7)
            if in_line and cells[cell] == cells[other] == ".":
                yield cell, other


MAKERS: Final = {
    "thin": mixed(".HPSbkft+X", (20, *[1] * 9)),
    "even": mixed(".HPSbkft+X", (5, *[1] * 9)),
    "full": mixed("HPSbkft+X", (1,) * 9),
    "town": mixed(".HPS", (1, 5, 2, 1)),
    "houses": mixed(".HP", (1, 8, 1)),
    "all houses": mixed("HP", (30, 1)),
    "rails": mixed(".+X", (4, 6, 2)),
    "dense rails": mixed(".+XH", (1, 12, 2, 1)),
    "stations": mixed("+X", (1, 1)),
    "shops": mixed(".bkft", (1, 2, 2, 2, 2)),
    "two shops": mixed("bk.", (5, 5, 1)),
    "schools": mixed(".SH", (4, 2, 1)),
    "few turns": played(10),
    "whole match": played(22),
}


def some_boards(number: int, rng: Random) -> Iterator[Board]:
    """So many boards, of all the kinds in turn."""
    makers = list(MAKERS.values())
    for n in range(number):
        yield makers[n % len(makers)](rng)
