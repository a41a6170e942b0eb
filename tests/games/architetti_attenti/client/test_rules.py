"""The rules promise what the program does, and their examples are counted right: in English, for
all pages have the same tables (`test_rules_page.py`)."""

import re
from collections.abc import Sequence
from typing import Final

import pytest

from clocktowers_tui.games.architetti_attenti import actions as board_keys
from clocktowers_tui.keys.actions import BACK, CONFIRM, TAKE_BACK
from protocol.games.architetti_attenti import (
    CELLS,
    COPIES,
    HALL,
    ROW,
    SEATS,
    SHEETS,
    SHOPS,
    SIDE,
    START_GEMS,
    TILES,
    TURNS,
    Blocks,
    Kind,
    Parks,
    Parts,
    Rails,
    dealt,
    pool,
)
from protocol.games.architetti_attenti.board import MEADOW, cell_name
from protocol.games.architetti_attenti.score import Counting, parts, shares
from server.matches.replay import MAX_TAKE_BACKS
from tests.games.architetti_attenti.meadows import at, meadow
from tests.stage.rules_pages import RulesPage, texts_of

PAGE: Final = RulesPage(texts_of("architetti_attenti")["en"])
section, table = PAGE.section, PAGE.table


# Boards as the pages write them -------------------------------------------------------------------


FREE: Final = "-"


def kind_called(word: str) -> Kind:
    """What a word on a page stands for."""
    name = "TOYS" if word == "toy shop" else word.upper()
    return Kind[name] if word != FREE else Kind.FREE


def cells_of(table: Sequence[Sequence[str]]) -> dict[int, str]:
    """Cell → what stands there in a table with column letters above and row numbers at the left."""
    head, *rows = table
    found: dict[int, str] = {}
    for row, *words in rows:
        for column, word in zip(head[1:], words, strict=True):
            found[at(column + row)] = word
    return found


def town(table: Sequence[Sequence[str]]) -> bytes:
    """The board that a table of words shows; what it does not show is free."""
    board = bytearray(MEADOW)
    for cell, word in cells_of(table).items():
        board[cell] = kind_called(word)
    return bytes(board)


# The box -----------------------------------------------------------------------------------------


def test_the_tiles() -> None:
    shown = [
        (*map(kind_called, tile.split(" and ")), int(copies)) for tile, copies in table("The tiles")
    ]
    assert shown == [(*TILES[tile], COPIES[tile]) for tile in range(1, len(TILES))]
    said = section("The tiles")
    assert f" {sum(COPIES)}" in said and f" {len(SHOPS)} " in said


def test_setting_up() -> None:
    rows = []
    for seats in SEATS:
        deal = dealt(seats, bytes(32))
        assert len(deal.row) == ROW
        tiles = len(pool(seats))
        rows.append([seats, SHEETS[seats], tiles, len(deal.pile), len(deal.removed)])
    assert [[int(n) for n in row] for row in table("Setting up")] == rows
    said = section("Setting up")
    assert f"{SIDE} rows of {SIDE} cells" in said and f"on `{cell_name(HALL)}`" in said
    assert f"The other {CELLS - 1} cells are free" in said and MEADOW.count(Kind.FREE) == CELLS - 1
    assert f"Everybody gets {START_GEMS} gems" in said and f"{ROW} of them lie face up" in said
    assert f"there are {TURNS} tiles in the pile" in said


# What is said ------------------------------------------------------------------------------------


def test_the_keys_are_those_of_the_board() -> None:
    said = section("Keys on the board")
    shown = re.findall(r"`([^`]+)`", said)
    keys = [action.keys[0] for action in (*board_keys.TILES[::3], board_keys.TURN)]
    keys += [board_keys.BEST.keys[0], TAKE_BACK.keys[0]]
    assert shown == [*keys, board_keys.OTHERS.keys[0]]
    assert (CONFIRM.keys[0], BACK.keys[0]) == ("enter", "escape")
    assert said.count("Enter") == 2 and said.count("Esc") == 2


SAID: Final = (
    ("The end", f"everybody has had {TURNS} turns"),
    ("The end", f"That makes {ROW} turns more"),
    ("Taking back", f"you can do it {MAX_TAKE_BACKS} times"),
)
"""Section → the numbers of the program that it says; those of examples are counted below."""


@pytest.mark.parametrize(("heading", "words"), SAID)
def test_the_numbers_are_the_programs(heading: str, words: str) -> None:
    assert words in section(heading)


# Points -------------------------------------------------------------------------------------------


def test_the_table_of_points() -> None:
    """That other languages have the same numbers is a law of the pages."""
    values = [int(row[1]) for row in table("Points") if row[1].isdigit()]
    schools = [parts(meadow("s"), gems).schools for gems in range(1, 6)]
    shops = [parts(meadow("blft"[:kinds]), 0).shops for kinds in (2, 3, 4)]
    squares = [parts(meadow(*["h" * side] * side), 0).blocks for side in (2, 3)]
    beside = parts(meadow("h", ".p"), 0)
    assert values == [beside.houses, *squares, beside.parks, *shops, *schools]


COUNTED = [
    ("Houses and blocks", Counting(), Parts(houses=9, blocks=9)),
    ("Houses and blocks", Counting(blocks=Blocks.ALL), Parts(houses=9, blocks=25)),
    ("Parks", Counting(), Parts(houses=4, parks=4)),
    ("Parks", Counting(parks=Parks.HOUSES), Parts(houses=4, parks=3)),
    ("Rails", Counting(), Parts(rails=12)),
    ("Rails", Counting(rails=Rails.STRETCH), Parts(rails=8)),
    ("Shops", Counting(), Parts(shops=20)),
]


@pytest.mark.parametrize(("heading", "counting", "expected"), COUNTED)
def test_the_examples_are_counted_right(heading: str, counting: Counting, expected: Parts) -> None:
    [shown] = PAGE.tables(heading)
    assert parts(town(shown), 0, counting) == expected


def test_the_example_of_rails_counts_its_cells() -> None:
    [rails] = PAGE.tables("Rails")
    stations, tracks = (town(rails).count(kind) for kind in (Kind.STATION, Kind.TRACK))
    assert f"There are {stations} stations and {tracks} tracks" in section("Rails")


def test_the_example_piece_by_piece() -> None:
    said = section("An example")
    [shown] = PAGE.tables("An example")
    whole = parts(town(shown), 7)
    for name in ("houses", "blocks", "parks", "rails", "shops", "schools"):
        assert f"- {name.capitalize()}: {getattr(whole, name)}" in said
    assert f"Together that is {whole.total} points" in said
    tiles = sum(kind != FREE for kind in cells_of(shown).values()) // 2
    assert f"has 7 gems left and has placed {tiles} tiles" in said


def test_the_points_on_the_board() -> None:
    [example], [shown] = PAGE.tables("An example"), PAGE.tables("Points on the board")
    points = cells_of(shown)
    expected = shares(town(example), 7)
    assert {cell: int(text) for cell, text in points.items() if text != FREE} == {
        cell: expected[cell] for cell, text in points.items() if text != FREE
    }
    assert sum(expected) == sum(int(text) for text in points.values() if text != FREE)
