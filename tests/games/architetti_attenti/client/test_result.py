"""The last page says who won, why, and for what."""

from collections.abc import Sequence

import pytest

from clocktowers_tui.games.architetti_attenti.result import result_details, result_lines
from clocktowers_tui.games.face import ResultLine
from protocol.games.architetti_attenti import (
    PRESETS,
    DecidedBy,
    Options,
    Outcome,
    Parts,
    Phase,
    View,
)
from protocol.games.architetti_attenti.board import MEADOW, cell_named, with_tile
from protocol.text import cells
from tests.games.architetti_attenti.matches import played

NAMES = ("Ann", "Björn", "Chiara", "Dmitri")
WIDE = 76
NARROW = 55


def plain(lines: Sequence[ResultLine]) -> list[str]:
    return [line.plain for line in lines]


def board(*placed: tuple[int, str, str]) -> bytes:
    """A meadow with these tiles: the byte, and the names of the cells of both halves."""
    built = MEADOW
    for tile, first, second in placed:
        here, there = cell_named(first), cell_named(second)
        assert here is not None and there is not None
        built = with_tile(built, tile, here, there)
    return built


def ended(*boards: bytes, gems: Sequence[int]) -> View:
    return View(
        phase=Phase.OVER,
        row=bytes(4),
        on_row=bytes(4),
        left=0,
        boards=list(boards),
        gems=bytes(gems),
        discarded=[b""] * len(boards),
    )


def of(*scores: int, winners: Sequence[int], by: DecidedBy = DecidedBy.POINTS) -> Outcome:
    return Outcome(scores, tuple(Parts(houses=score) for score in scores), tuple(winners), by)


def test_winner_parts_and_what_each_building_brought() -> None:
    view = ended(
        board((1, "a1", "b1"), (1, "a2", "b2"), (2, "c1", "d1"), (14, "f7", "g7")),
        board((10, "a1", "b1")),
        gems=(3, 1),
    )
    outcome = Outcome(
        (14, 0),
        (Parts(houses=5, blocks=4, parks=1, schools=3, rails=0, shops=1), Parts()),
        (0,),
        DecidedBy.POINTS,
    )
    assert plain(result_lines(view, outcome, NAMES, WIDE)) == [
        "Ann wins",
        "1.  Ann    14 points  3 gems left",
        "2.  Björn  0 points   1 gem left",
    ]
    assert plain(result_details(view, outcome, NAMES, WIDE)) == [
        "         Ann  Björn",
        "Houses    5   0",
        "Blocks    4   0",
        "Schools   3   0",
        "Parks     1   0",
        "Shops     1   0",
        "Rails     0   0",
        "Total    14   0",
        "",
        "Town of Ann: 14 points",
        "  5 houses: 5 points",
        "  1 block of 2x2 houses: 4 points",
        "  1 park: 1 point",
        "  1 school: 3 points",
        "",
        "Town of Björn: 0 points",
        "  2 tracks: 0 points",
        "",
    ]


def test_each_row_of_shops_is_named_with_its_cells_and_points() -> None:
    view = ended(board((14, "a1", "b1"), (15, "a2", "b2")), gems=(0,))
    lines = plain(result_details(view, of(0, winners=(0,), by=DecidedBy.ALONE), NAMES, WIDE))
    assert "  Row of 2 shops on a1 a2: 5 points" in lines
    assert not any(f"Row of {n}" in line for line in lines for n in (3, 4))


def test_a_long_line_goes_on_below_its_beginning() -> None:
    built = board((15, "a1", "a2"), (13, "b1", "b2"))
    details = result_details(ended(built, gems=[0]), of(5, winners=[0]), NAMES[:1], 24)
    lines = plain(details)
    assert max(map(cells, lines)) <= 24
    (at,) = [n for n, line in enumerate(lines) if line.startswith("  Row of 2 shops")]
    assert lines[at + 1].startswith("    ") and lines[at + 1].endswith("5 points")


def test_what_decided_is_said() -> None:
    shared = of(6, 6, 2, winners=(0, 1), by=DecidedBy.SHARED)
    view = ended(MEADOW, MEADOW, MEADOW, gems=(5, 5, 5))
    lines = plain(result_lines(view, shared, NAMES, WIDE))
    assert lines[:2] == [
        "Ann and Björn share the win",
        "Ann and Björn have the same points and share the win.",
    ]
    assert [line[:2] for line in lines[3:]] == ["1.", "1.", "3."]


def test_alone_there_is_nobody_to_win_against() -> None:
    view = ended(MEADOW, gems=(5,))
    lines = plain(result_lines(view, of(1, winners=(0,), by=DecidedBy.ALONE), NAMES, WIDE))
    assert lines == [
        "Town of Ann: 1 point",
        "5 gems left. Next time you can try for 2 points.",
    ]


def test_the_best_comes_first_in_the_table_too() -> None:
    view = ended(MEADOW, MEADOW, MEADOW, gems=(0, 0, 0))
    outcome = of(1, 30, 2, winners=(1,))
    lines = plain(result_details(view, outcome, NAMES, WIDE))
    assert lines[0].split() == ["Björn", "Chiara", "Ann"]
    assert lines[7].split() == ["Total", "30", "2", "1"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [1, 4])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_real_end(width: int, seats: int, preset: str) -> None:
    match = played(seats, Options(**PRESETS[preset]), seed=9)
    view, outcome = match.view(), match.outcome()
    names = [name * 4 for name in NAMES]  # 20 cells and more
    assert len(result_lines(view, outcome, names, width)) == (1 + seats if seats > 1 else 2)
    lines = plain(result_details(view, outcome, names, width))
    assert all(cells(line) <= width for line in lines[:8])
    columns = [line.split()[1:] for line in lines[1:8]]
    for seat, (*parts, total) in enumerate(zip(*columns, strict=True)):
        assert sum(map(int, parts)) == int(total), seat
    assert sorted(map(int, columns[-1])) == sorted(outcome.scores)
    brought = [line for line in lines[8:] if line.startswith("  ")]
    assert sum(int(line.split(": ")[1].split()[0]) for line in brought) == sum(outcome.scores)


def test_a_railway_is_counted_as_the_rules_count_it() -> None:
    view = ended(board((11, "a1", "b1"), (11, "d1", "c1"), (10, "a3", "b3")), gems=(0,))
    lines = plain(result_details(view, of(0, winners=(0,), by=DecidedBy.ALONE), NAMES, WIDE))
    assert "  2 stations times 2 tracks between them: 4 points" in lines
    assert not any("4 tracks" in line for line in lines)
