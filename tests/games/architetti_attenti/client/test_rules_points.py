"""The examples and points of the rules pages are those that the software counts."""

import re

import pytest

from protocol.games.architetti_attenti import (
    SHOPS,
    SIDE,
    Blocks,
    Kind,
    Parks,
    Parts,
    Rails,
)
from protocol.games.architetti_attenti.board import MEADOW, cell_name, cell_named
from protocol.games.architetti_attenti.score import Counting, parts, shares
from tests.games.architetti_attenti.pages import PAGE, PAGES, same_heading
from tests.games.architetti_attenti.towns import (
    FREE,
    cells_of,
    town,
)

section = PAGE.section


@pytest.mark.parametrize("code", PAGES)
def test_the_table_of_points(code: str) -> None:
    values = [
        int(row[1]) for row in PAGES[code].table(same_heading("Points", code)) if row[1].isdigit()
    ]
    schools = [parts(_board(a1=Kind.SCHOOL), gems).schools for gems in range(1, 6)]
    row = dict(zip(("a1", "b1", "c1", "d1"), SHOPS, strict=True))
    shops = [parts(_board(**dict(list(row.items())[:n])), 0).shops for n in (2, 3, 4)]
    squares = [parts(_square(side), 0).blocks for side in (2, 3)]
    beside = parts(_board(a1=Kind.HOUSE, b2=Kind.PARK), 0)
    assert values == [beside.houses, *squares, beside.parks, *shops, *schools]


def _board(**kinds: Kind) -> bytes:
    board = bytearray(MEADOW)
    for name, kind in kinds.items():
        cell = cell_named(name)
        assert cell is not None
        board[cell] = kind
    return bytes(board)


def _square(side: int) -> bytes:
    return _board(
        **{
            cell_name(row * SIDE + column): Kind.HOUSE
            for row in range(side)
            for column in range(side)
        }
    )


COUNTED = [
    ("Houses and blocks", 0, Counting(), Parts(houses=9, blocks=9)),
    ("Houses and blocks", 0, Counting(blocks=Blocks.ALL), Parts(houses=9, blocks=25)),
    ("Parks", 0, Counting(), Parts(houses=4, parks=4)),
    ("Parks", 0, Counting(parks=Parks.HOUSES), Parts(houses=4, parks=3)),
    ("Rails", 0, Counting(), Parts(rails=12)),
    ("Rails", 0, Counting(rails=Rails.STRETCH), Parts(rails=8)),
    ("Shops", 0, Counting(), Parts(shops=20)),
    (
        "An example",
        7,
        Counting(),
        Parts(houses=6, blocks=4, parks=3, rails=2, shops=10, schools=10),
    ),
]


@pytest.mark.parametrize("code", PAGES)
@pytest.mark.parametrize(("heading", "gems", "counting", "expected"), COUNTED)
def test_the_examples_are_counted_right(
    heading: str, gems: int, counting: Counting, expected: Parts, code: str
) -> None:
    [shown] = PAGES[code].tables(same_heading(heading, code))
    assert parts(town(shown, code), gems, counting) == expected


def test_what_is_said_of_the_examples() -> None:
    for heading, said in (
        ("Houses and blocks", "the 9 houses bring 9 points, and the block of 3 by 3 brings 9 more"),
        ("Houses and blocks", "which bring 25 points together"),
        ("Parks", "on `a1` and `b3`: 4 points"),
        ("Parks", "this makes 3 points, for 3 of the 4 houses"),
        ("Rails", "That makes 3 times 4, which is 12 points"),
        ("Rails", "The 4 live tracks above then bring 8 points"),
        ("Shops", "That makes 20 points"),
    ):
        assert said in section(heading)
    [rails] = PAGE.tables("Rails")
    counts = {kind: town(rails).count(kind) for kind in (Kind.STATION, Kind.TRACK)}
    assert f"There are {counts[Kind.STATION]} stations and {counts[Kind.TRACK]} tracks" in section(
        "Rails"
    )


def test_a_wrong_example_is_found() -> None:
    """The control: one shop that is another, and the count of the page is not that of the code."""
    [shown] = PAGE.tables("Shops")
    spoilt = [[word.replace("florist", "bakery") for word in row] for row in shown]
    assert parts(town(spoilt), 0) != Parts(shops=20)


def test_schools() -> None:
    two = _board(a1=Kind.SCHOOL, c1=Kind.SCHOOL)
    assert "With 9 gems and 2 schools, one school gets 5 gems and the other 4, which makes 14" in (
        section("Schools")
    )
    assert parts(two, 9).schools == 14
    assert [shares(two, 9)[cell] for cell in (0, 2)] == [10, 4]
    assert parts(two, 10).schools == parts(two, 30).schools == 20


def test_the_example_piece_by_piece() -> None:
    said = section("An example")
    [shown] = PAGE.tables("An example")
    whole = parts(town(shown), 7)
    for name in ("houses", "blocks", "parks", "rails", "shops", "schools"):
        assert f"- {name.capitalize()}: {getattr(whole, name)}" in said
    assert f"Together that is {whole.total} points" in said
    tiles = sum(kind != FREE for kind in cells_of(shown).values()) // 2
    assert f"has 7 gems left and has placed {tiles} tiles" in said


@pytest.mark.parametrize("code", PAGES)
def test_the_points_on_the_board(code: str) -> None:
    page = PAGES[code]
    [example] = page.tables(same_heading("An example", code))
    [shown] = page.tables(same_heading("Points on the board", code))
    points = cells_of(shown)
    expected = shares(town(example, code), 7)
    assert {cell: int(text) for cell, text in points.items() if text != FREE} == {
        cell: expected[cell] for cell, text in points.items() if text != FREE
    }
    assert sum(expected) == sum(int(text) for text in points.values() if text != FREE)


def test_how_points_are_shared_out() -> None:
    line = [Kind.BAKERY, Kind.BOOKSHOP, Kind.FLORIST, Kind.TOYS]
    said = section("Points on the board")
    for length, words in ((2, "3 and 2 of 5"), (3, "4, 3 and 3 of 10"), (4, "4, 4, 4 and 3 of 15")):
        across = _board(**{f"{'abcd'[n]}1": line[n] for n in range(length)})
        down = _board(**{f"a{n + 1}": line[n] for n in range(length)})
        numbers = [int(n) for n in re.findall(r"\d+", words)]
        assert words in said
        assert list(shares(across, 0)[:length]) == numbers[:-1]
        assert list(shares(down, 0)[: length * SIDE : SIDE]) == numbers[:-1]
    every = shares(_square(3), 0, Counting(blocks=Blocks.ALL))
    assert every[SIDE + 1] == 1 + 5 and every[0] == 1 + 2
    between = _board(a1=Kind.PARK, b1=Kind.HOUSE, c1=Kind.PARK)
    assert shares(between, 0)[:3] == (1, 1, 1)
    assert shares(between, 0, Counting(parks=Parks.HOUSES))[:3] == (1, 1, 0)
    live = _board(a1=Kind.STATION, b1=Kind.TRACK, c1=Kind.STATION, c2=Kind.TRACK, c3=Kind.STATION)
    assert shares(live, 0)[:3] == (0, 3, 0)
    assert shares(live, 0, Counting(rails=Rails.STRETCH))[:3] == (0, 2, 0)
