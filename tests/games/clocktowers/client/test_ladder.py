"""Which height the next roof of each colour must have."""

from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.ladder import heights, ladder_rows, rung_rows
from clocktowers_tui.games.spans import cells
from protocol.games.clocktowers import CODES, Choice, Ladder, Options, Play, View
from tests.games.clocktowers.boards import NAMES, board
from tests.games.clocktowers.matches import Match
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


def lines(view: View, width: int = 80) -> list[str]:
    return [text_of(row).rstrip() for row in ladder_rows(view, NAMES, width, GLYPH)]


def test_heights() -> None:
    assert heights(0b110) == [1, 2]
    assert heights(0) == []


def test_one_row_where_there_is_room() -> None:
    assert lines(board(4)) == ["Next roof  R^ 3    Bo 5    Y# 1-2  G* 3    P+ 4"]


def test_rows_break_between_colours() -> None:
    rows = ladder_rows(board(4), NAMES, 24, GLYPH)
    assert [cells(row) for row in rows] == [24, 24, 24]
    assert lines(board(4), 24) == [
        "Next roof  R^ 3",
        "Bo 5    Y# 1-2  G* 3",
        "P+ 4",
    ]


def test_a_roof_that_is_picked_shows_where_its_colour_steps_to() -> None:
    view = board(4)
    picked = Choice(Play(CODES.index("Ry"), 0), 2, 5, 3)
    for width in (24, 80):
        calm, shown = (
            [text_of(row) for row in ladder_rows(view, NAMES, width, GLYPH, one)]
            for one in (None, picked)
        )
        assert [row.replace("Y# 1-2", "Y# 2>3") for row in calm] == shown
    floor = Choice(Play(1, 0), 2)
    assert ladder_rows(view, NAMES, 80, GLYPH, floor) == ladder_rows(view, NAMES, 80, GLYPH)


def test_with_own_ladders_it_is_ones_own() -> None:
    ladder = [bytes((1 << height,) * 5) for height in (1, 2, 3)]
    view = replace(board(3), ladder=ladder)
    assert lines(replace(view, seat=1))[0].startswith("Your next roof  R^ 2")
    assert lines(replace(view, seat=None, turn=2))[0].startswith("Chiara: next roof  R^ 3")


def test_it_begins_as_the_table_says() -> None:
    match = Match(2, Options(first_heights=(2,), ladder=Ladder.OWN), seed=1)
    assert lines(match.view()) == ["Your next roof  R^ 2    Bo 2    Y# 2    G* 2    P+ 2"]


def test_in_rows_each_colour_has_its_name() -> None:
    picked = Choice(Play(CODES.index("Ry"), 0), 2, 5, 3)
    rows = [text_of(row) for row in rung_rows(board(4), 18, GLYPH, picked)]
    assert [len(row) for row in rows] == [18] * 5
    assert rows[2:4] == ["Y# Yellow      2>3", "G* Green         3"]
    assert text_of(rung_rows(board(4), 18, GLYPH)[2]) == "Y# Yellow      1-2"
