"""One board counted by the game and by the oracle: they must say the same, whole and by cells."""

from itertools import product
from random import Random
from typing import Final

from msgspec.structs import asdict

from protocol.games.architetti_attenti import Blocks, Parks, Rails, score
from tests.games.architetti_attenti.oracle import oracle
from tests.games.architetti_attenti.oracle.boards import bytes_of
from tests.games.architetti_attenti.oracle.oracle import Board, Cell

COUNTINGS: Final = [score.Counting(*values) for values in product(Blocks, Parks, Rails)]
STANDS_ON: Final = {
    "H": "houses blocks",
    "P": "parks",
    "+": "rails",
    "bkft": "shops",
    "S": "schools",
}
"""What stands on a cell → the kinds of points that it shows; other cells show none."""


def check(board: Board, gems: int, rng: Random) -> int:
    """The sum of all scores, so that a test can see that there were some. Raises AssertionError."""
    scored, total = bytes_of(board, rng), 0
    for counting in COUNTINGS:
        options = {name: str(value) for name, value in counting._asdict().items()}
        expected = oracle.parts(board, gems, options)
        counted = score.parts(scored, gems, counting)
        assert asdict(counted) == expected, f"{options}, {gems} gems on\n" + "\n".join(board)
        assert counted.total == sum(expected.values())
        check_shares(board, score.shares(scored, gems, counting), gems, expected, options)
        total += counted.total
    return total


def check_shares(
    board: Board,
    shares: tuple[int, ...],
    gems: int,
    expected: dict[str, int],
    options: dict[str, str],
) -> None:
    """Each kind's points stand on that kind's cells, as many as the rules give to each."""
    on = {(cell // 7, cell % 7): share for cell, share in enumerate(shares)}
    assert len(on) == 49
    for letters, kinds in STANDS_ON.items():
        there = sum(on[cell] for cell in oracle.where(board, letters))
        assert there == sum(expected[kind] for kind in kinds.split()), (kinds, board)
    assert not any(on[cell] for cell in oracle.where(board, ".XM"))
    check_houses(board, on, options["blocks"])
    check_parks(board, on, options["parks"])
    check_rails(board, on, options["rails"])
    check_shops(board, on)
    check_schools(board, on, gems)


def check_houses(board: Board, on: dict[Cell, int], option: str) -> None:
    houses = frozenset(oracle.where(board, "H"))
    squares = [oracle.square(cell, side) for side in (2, 3) for cell in houses]
    holding = {
        house: sum(house in square for square in squares if square <= houses) for house in houses
    }
    for house in houses:
        assert on[house] in ({1 + holding[house]} if option == "all" else {1, 2})
        assert on[house] == 1 or holding[house]


def check_parks(board: Board, on: dict[Cell, int], option: str) -> None:
    houses = oracle.where(board, "H")
    for row, column in oracle.where(board, "P"):
        touched = sum(max(abs(row - r), abs(column - c)) == 1 for r, c in houses)
        share = on[row, column]
        assert share == touched if option == "pairs" else share <= touched


def check_rails(board: Board, on: dict[Cell, int], option: str) -> None:
    stations = set(oracle.where(board, "X"))
    for network, live in oracle.live_tracks(board).items():
        each = 2 if option == "stretch" else len(network & stations)
        assert all(on[track] == (each if track in live else 0) for track in network - stations)


def check_shops(board: Board, on: dict[Cell, int]) -> None:
    """A shop has something of a piece of its row, of its column, or of both; 2 of 5 at least."""
    lines = [[(r, c) for c in range(7)] for r in range(7)]
    lines += [[(r, c) for r in range(7)] for c in range(7)]
    for shop in oracle.where(board, oracle.SHOPS):
        assert on[shop] in (0, 2, 3, 4, 5, 6, 7, 8)
        lone = [line for line in lines if shop in line and not beside_another(board, shop, line)]
        assert not (len(lone) == 2 and on[shop])


def beside_another(board: Board, shop: Cell, line: list[Cell]) -> bool:
    """Whether a shop of another type stands next to it in this line."""
    at = line.index(shop)
    near = [board[r][c] for r, c in line[max(at - 1, 0) : at + 2]]
    return any(letter in oracle.SHOPS and letter != board[shop[0]][shop[1]] for letter in near)


def check_schools(board: Board, on: dict[Cell, int], gems: int) -> None:
    held = [oracle.SCHOOL_POINTS.index(on[school]) for school in oracle.where(board, "S")]
    assert sum(held) <= gems
