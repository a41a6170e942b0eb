"""The game's score and the oracle's are the same on boards of many kinds, whole and by cells."""

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Final

import pytest
from msgspec.structs import asdict

from protocol.games.architetti_attenti import COPIES, TILES, Blocks, Kind, Parks, Rails, score
from tests.games.architetti_attenti.oracle import oracle
from tests.games.architetti_attenti.oracle.oracle import (
    LETTERS,
    Board,
    Cell,
    best_spread,
    board_of,
    parts,
)

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


MOST_GEMS = 30


def test_the_sheets_tiles_are_the_games() -> None:
    tiles = [tuple(KIND_OF[letter] for letter in tile) for tile in SHEET]
    assert sorted(tiles) == sorted(
        tile for tile, copies in zip(TILES, COPIES, strict=True) for _ in range(copies)
    )


def test_both_count_the_same_on_any_board() -> None:
    rng = Random("boards")
    totals = [
        check(board, n % (MOST_GEMS + 1), rng) for n, board in enumerate(some_boards(150, rng))
    ]
    assert min(totals) < 100 < 2000 < max(totals), "the boards are too much alike"


@pytest.mark.soak
@pytest.mark.parametrize("kind", MAKERS)
def test_both_count_the_same_on_very_many_boards(kind: str) -> None:
    rng = Random(f"many {kind}")
    for _ in range(2000):
        check(MAKERS[kind](rng), rng.randrange(MOST_GEMS + 1), rng)


def test_both_spread_any_gems_over_any_schools_alike() -> None:
    for schools in range(17):
        board = bytes_of(with_hall([*"S" * schools, *"." * (49 - schools)]), Random(schools))
        for gems in range(MOST_GEMS + 1):
            assert score.parts(board, gems).schools == best_spread(schools, gems)


# The oracle itself, against boards counted by hand ------------------------------------------------


def board(*rows: str) -> tuple[str, ...]:
    """A board by its upper rows; what is not said is free."""
    filled = [row.ljust(7, ".") for row in (*rows, *[""] * (7 - len(rows)))]
    filled[3] = filled[3][:3] + "M" + filled[3][4:]
    return board_of(" ".join(filled))


def counted(what: str, *rows: str, **options: str) -> int:
    return parts(board(*rows), 0, options)[what]


@pytest.mark.parametrize(
    ("rows", "network", "stretch"),
    [
        (["X+++++X"], 10, 10),
        # Neighbouring stations are not joined: these are two networks.
        (["X+XX+X"], 4, 4),
        # They may still be joined by tracks.
        (["XX", "++"], 4, 4),
        # Dead: with one station or none, beyond a station, beside the way, corner to corner.
        (["+++"], 0, 0),
        (["+X+X+"], 2, 2),
        (["X+X", ".+.", "++."], 2, 2),
        (["X+", "..+X"], 0, 0),
        # A loop on one station, beside a live track.
        (["++", "+X+X"], 2, 2),
        # A loop that hangs on one track; one through which a way leads; one around stations.
        (["X+X", ".+.", ".++", ".++"], 2, 2),
        (["X+++X", ".+++"], 12, 12),
        (["X+X", "+.+", "+++"], 12, 12),
        # More than two stations: passed on the way, around one track, at a fork.
        (["X+X+X"], 6, 4),
        ([".X.", "X+X", ".X."], 4, 2),
        (["X++X", ".+", "XX"], 9, 6),
        # Two networks are counted apart.
        (["X+X+X", "", "X++X+"], 10, 8),
    ],
)
def test_rails(rows: list[str], network: int, stretch: int) -> None:
    assert counted("rails", *rows) == counted("rails", *rows, rails="network") == network
    assert counted("rails", *rows, rails="stretch") == stretch
