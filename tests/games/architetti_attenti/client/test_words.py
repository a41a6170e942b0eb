"""What is said of tiles, options and refusals, and the last page: who won, why, and for what."""

from collections.abc import Sequence

import pytest
from msgspec import convert

from clocktowers_tui.games.architetti_attenti import words
from clocktowers_tui.games.architetti_attenti.result import result_details, result_lines
from clocktowers_tui.games.architetti_attenti.sentences import refusal_words
from clocktowers_tui.games.architetti_attenti.words import option_fields
from clocktowers_tui.games.standings import ResultLine
from clocktowers_tui.text import i18n
from protocol.games import architetti_attenti as aa
from protocol.games.architetti_attenti.board import MEADOW, cell_name
from protocol.ids import Seat
from protocol.text import cells
from tests.games.architetti_attenti.boards import town
from tests.games.architetti_attenti.matches import RULES, TownMatch, played
from tests.games.architetti_attenti.meadows import at
from tests.stage.golden_boards import NAMES


def test_a_tile_is_named_by_its_halves() -> None:
    for tile, (first, second) in enumerate(aa.TILES[1:], start=1):
        both = f"a {words.kind_words(first)} and a {words.kind_words(second)}"
        double = f"two {words.kind_words(first)}s"
        assert words.tile_words(tile) == (double if first is second else both)


@pytest.mark.parametrize("tile", [0, -1, 16, 255])
def test_what_is_no_tile_has_a_word_too(tile: int) -> None:
    assert words.tile_words(tile) == "a tile"


@pytest.mark.parametrize(("code", "said"), [("en", "e4 f4"), ("nl", "e4 en f4")])
def test_dutch_joins_two_cells_with_a_word(code: str, said: str) -> None:
    named = [cell_name(cell) for cell in range(49)]
    i18n.speak(code)
    try:
        assert words.cells_words([named.index("f4"), named.index("e4")]) == said
    finally:
        i18n.speak("en")


def test_what_changes_the_rules_is_told_in_a_sentence_each() -> None:
    told = {field.name: field.sentence for field in option_fields() if field.sentence}
    assert set(told) == {field.name for field in option_fields()}
    assert len(set(told.values())) == len(told)


# Why an action is impossible ----------------------------------------------------------------------


def test_the_servers_own_refusals() -> None:
    match = TownMatch(2, aa.Options(first_seat=0), seed=1)
    assert said(match, aa.Place(0, 1)) == "First buy a tile: choose one with 1-4."
    state = match.state
    state.gems[0] = 1
    assert said(match, aa.Buy(3)) == ("Tile 3 costs 2 gems, you have 1: take one that costs less.")
    state.gems[0] = 0
    assert said(match, aa.Buy(2)) == "Tile 2 costs 1 gem, you have 0: take one that costs less."
    state.row = state.row[:3] + b"\0"
    state.gems[0] = 5
    assert said(match, aa.Buy(4)) == "No tile lies there: pick another."


def test_those_of_a_bought_tile() -> None:
    match = TownMatch(2, aa.Options(first_seat=0), seed=1)
    double = next(
        tile for tile in range(1, len(aa.TILES)) if aa.TILES[tile][0] == aa.TILES[tile][1]
    )
    match.state.row = bytes((double,)) * 4
    assert match.act(aa.Buy(1)) is None
    assert said(match, aa.Buy(1)) == "You have bought your tile: build it with Enter."
    assert said(match, aa.Place(at("a1"), at("c1"))) == (
        "a1 and c1 are not side by side: a tile covers two cells that are."
    )
    assert said(match, aa.Place(aa.HALL - 1, aa.HALL)) == (
        "d4 is the town hall's: move the tile (arrows) to free cells."
    )
    assert said(match, aa.Place(at("b1"), at("a1"))) == (
        "Both halves are the same, so the smaller cell comes first: a1, then b1."
    )
    assert match.act(aa.Place(at("a1"), at("b1"))) is None
    match.play_others()
    assert match.act(aa.Buy(1)) is None
    assert said(match, aa.Place(at("b1"), at("b2"))) == (
        "Something stands on b1: move the tile (arrows) to free cells."
    )


def said(match: TownMatch, action: aa.Buy | aa.Place) -> str | None:
    refusal = RULES.refuse(match.state, Seat(0), action)
    assert refusal is not None
    return refusal_words(refusal)


# The end ------------------------------------------------------------------------------------------


WIDE = 76
NARROW = 55


def plain(lines: Sequence[ResultLine]) -> list[str]:
    return [line.plain for line in lines]


def ended(*boards: bytes, gems: Sequence[int]) -> aa.View:
    return aa.View(
        phase=aa.Phase.OVER,
        row=bytes(4),
        on_row=bytes(4),
        left=0,
        boards=list(boards),
        gems=bytes(gems),
        discarded=[b""] * len(boards),
    )


def of(*scores: int, winners: Sequence[int], by: aa.DecidedBy = aa.DecidedBy.POINTS) -> aa.Outcome:
    return aa.Outcome(scores, tuple(aa.Parts(houses=score) for score in scores), tuple(winners), by)


def test_winner_parts_and_what_each_building_brought() -> None:
    view = ended(
        town(["a1 b1 1", "a2 b2 1", "c1 d1 2", "f7 g7 14"]), town(["a1 b1 10"]), gems=(3, 1)
    )
    parts = aa.Parts(houses=5, blocks=4, parks=1, schools=3, rails=0, shops=1)
    outcome = aa.Outcome((14, 0), (parts, aa.Parts()), (0,), aa.DecidedBy.POINTS)
    assert plain(result_lines(view, outcome, NAMES, WIDE)) == [
        "Ann wins",
        "Ann has 14 points more than Björn.",
        "",
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
    view = ended(town(["a1 b1 14", "a2 b2 15"]), gems=(0,))
    lines = plain(result_details(view, of(0, winners=(0,), by=aa.DecidedBy.ALONE), NAMES, WIDE))
    assert "  Row of 2 shops on a1 a2: 5 points" in lines
    assert not any(f"Row of {n}" in line for line in lines for n in (3, 4))


def test_a_long_line_goes_on_below_its_beginning() -> None:
    built = town(["a1 a2 15", "b1 b2 13"])
    details = result_details(ended(built, gems=[0]), of(5, winners=[0]), NAMES[:1], 24)
    lines = plain(details)
    assert max(map(cells, lines)) <= 24
    (at,) = [n for n, line in enumerate(lines) if line.startswith("  Row of 2 shops")]
    assert lines[at + 1].startswith("    ") and lines[at + 1].endswith("5 points")


def test_alone_there_is_nobody_to_win_against() -> None:
    view = ended(MEADOW, gems=(5,))
    lines = plain(result_lines(view, of(1, winners=(0,), by=aa.DecidedBy.ALONE), NAMES, WIDE))
    assert lines == ["Town of Ann: 1 point", "5 gems left. Next time you can try for 2 points."]


def test_the_best_comes_first_in_the_table_too() -> None:
    view = ended(MEADOW, MEADOW, MEADOW, gems=(0, 0, 0))
    outcome = of(1, 30, 2, winners=(1,))
    lines = plain(result_details(view, outcome, NAMES, WIDE))
    assert lines[0].split() == ["Björn", "Chiara", "Ann"]
    assert lines[7].split() == ["Total", "30", "2", "1"]


@pytest.mark.parametrize("preset", aa.PRESETS)
@pytest.mark.parametrize("seats", [1, 4])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_real_end(width: int, seats: int, preset: str) -> None:
    match = played(seats, convert(aa.PRESETS[preset], aa.Options), seed=9)
    view, outcome = match.view(), match.outcome()
    names = [name * 4 for name in NAMES]  # 20 cells and more
    assert len(result_lines(view, outcome, names, width)) == (3 + seats if seats > 1 else 2)
    lines = plain(result_details(view, outcome, names, width))
    assert all(cells(line) <= width for line in lines[:8])
    columns = [line.split()[1:] for line in lines[1:8]]
    for seat, (*parts, total) in enumerate(zip(*columns, strict=True)):
        assert sum(map(int, parts)) == int(total), seat
    assert sorted(map(int, columns[-1])) == sorted(outcome.scores)
    brought = [line for line in lines[8:] if line.startswith("  ")]
    assert sum(int(line.split(": ")[1].split()[0]) for line in brought) == sum(outcome.scores)


def test_a_railway_is_counted_as_the_rules_count_it() -> None:
    view = ended(town(["a1 b1 11", "d1 c1 11", "a3 b3 10"]), gems=(0,))
    lines = plain(result_details(view, of(0, winners=(0,), by=aa.DecidedBy.ALONE), NAMES, WIDE))
    assert "  2 stations times 2 tracks between them: 4 points" in lines
    assert not any("4 tracks" in line for line in lines)
