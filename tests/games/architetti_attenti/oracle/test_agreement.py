"""The game's score and the oracle's are the same on any board; a fault in the game's is noticed."""

from collections.abc import Iterator
from random import Random

import pytest

from protocol.games.architetti_attenti import COPIES, TILES, score
from tests.games.architetti_attenti.oracle.boards import (
    KIND_OF,
    MAKERS,
    SHEET,
    bytes_of,
    some_boards,
    with_hall,
)
from tests.games.architetti_attenti.oracle.counts import check
from tests.games.architetti_attenti.oracle.faults import FAULTS, Fault, forget
from tests.games.architetti_attenti.oracle.oracle import best_spread

MOST_GEMS = 30


@pytest.fixture
def fresh() -> Iterator[None]:
    forget()
    yield
    forget()


def test_the_sheets_tiles_are_the_games() -> None:
    tiles = [tuple(KIND_OF[letter] for letter in tile) for tile in SHEET]
    assert sorted(tiles) == sorted(
        tile for tile, copies in zip(TILES, COPIES, strict=True) for _ in range(copies)
    )


@pytest.mark.parametrize("boards", [150, pytest.param(400, marks=pytest.mark.soak)])
def test_both_count_the_same_on_any_board(boards: int) -> None:
    rng = Random("boards")
    totals = [
        check(board, n % (MOST_GEMS + 1), rng) for n, board in enumerate(some_boards(boards, rng))
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


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_a_fault_is_noticed(plant: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    rng = Random("faults")
    with pytest.raises(AssertionError):
        for n, board in enumerate(some_boards(len(MAKERS) * 30, rng)):
            check(board, n % (MOST_GEMS + 1), rng)
