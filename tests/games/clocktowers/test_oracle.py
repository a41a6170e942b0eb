"""The oracle itself, against what the rule sheets say in so many words."""

from random import Random

import pytest

from tests.games.clocktowers.oracle import CLOCKTOWERS, Table, deal
from tests.oracle.judging import Json


def table(seats: int = 2, **options: Json) -> Table:
    return Table(options, seats, {**deal(seats, Random(1)), "first_seat": 0})


@pytest.mark.parametrize(("seats", "plies"), [(2, 52 + 58), (3, 49 + 58), (4, 46 + 58)])
@pytest.mark.parametrize("turn_order", ["play-draw", "draw-play"])
def test_a_match_has_58_turns_and_draws_all_the_piles(
    seats: int, plies: int, turn_order: str
) -> None:
    record = CLOCKTOWERS.record(seats, {"turn_order": turn_order}, Random(2), False)
    draws = [ply for ply in record["plies"] if ply["action"]["do"] == "draw"]
    assert len(record["plies"]) == plies
    assert len(draws) == plies - 58


def test_the_first_turn_of_each_order() -> None:
    assert {action["do"] for action in table().legal()} == {"play", "discard"}
    assert {action["do"] for action in table(turn_order="draw-play").legal()} == {"draw"}


@pytest.mark.parametrize(
    ("tower", "counted", "ignored"),
    [
        ("1- 2- K- Rb", 5, 5),
        ("1- 2c K- Rb", 4, 4),
        ("1m 2c K- Rb", 3, 3),
        ("1m 2- K- Rb", 2, 2),
        ("1- Km Rb", 2, 5),
        ("1c Km Rb", 3, 4),
        ("1- 2- K-", 0, 0),
    ],
)
def test_points(tower: str, counted: int, ignored: int) -> None:
    assert table().points(tower.split()) == counted
    assert table(clock_mice="ignore").points(tower.split()) == ignored


def test_the_sheets_example_of_blue_roofs() -> None:
    """The Italian sheet's: two storeys, then three, four and five."""
    match = table(first_heights=[2])
    for storeys in (2, 3, 4, 5):
        assert match.heights_that_fit("Rb") == [storeys]
        match.completed.append((storeys % 2, "Rb", storeys))
    assert match.heights_that_fit("Rg") == [2]


def test_a_ladder_of_ones_own() -> None:
    match = table(ladder="own")
    match.completed += [(1, "Rb", 1), (0, "Rb", 2)]
    assert match.heights_that_fit("Rb") == [3]
    match.turn = 1
    assert match.heights_that_fit("Rb") == [2]


@pytest.mark.parametrize(
    ("towers", "winners", "decided_by"),
    [
        (["1- K- Rb", "1c K- Rb"], [0], "points"),
        (["2m 1- Km Rb", "1- 1m K- Rg"], [1], "mouse"),
        (["1- 1c K- Rb", "1c 1- K- Rg"], [0], "cat"),
        (["1- K- Rb", "1- K- Rg"], [0, 1], "shared"),
        (["1- 1m K- Rb", "1m K- Rg", "1m 1- K- Ry"], [0, 1], "shared"),
        (["1c 1m K- Rb", "1m 1c K- Ry", "1m 1c K- Rg"], [0], "mouse"),
        (["1c 1c K- Rb", "1c K- Ry", "2c 1- K- Rg"], [0, 1], "shared"),
        (["1-", "1c K-"], [0, 1], "shared"),
    ],
)
def test_ties(towers: list[str], winners: list[int], decided_by: str) -> None:
    match = table(len(towers))
    match.towers = [[tower.split()] for tower in towers]
    outcome = match.outcome()
    assert (outcome["winners"], outcome["decided_by"]) == (winners, decided_by)
