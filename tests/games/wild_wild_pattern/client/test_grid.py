"""The arrows go where the list is drawn: what is pressed moves what is seen."""

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.picker import picker
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection, on_offer
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import Challenge
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import board, declaring, scene
from tests.stage.golden_boards import text_of

UNICODE = GLYPHS[GlyphSet.UNICODE]
LEFT, RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)
WIDTH = 36
AFTER = Selection(Direction.AFTER)
CHALLENGED = board(4, Phase.CHALLENGE, acting=0)


def where(view: View, selection: Selection) -> tuple[int, int]:
    """Column and row of the cursor as it is drawn."""
    shown = picker(scene(view, selection), WIDTH, UNICODE, DEFAULT_KEYS)
    assert shown is not None
    rows = [text_of(row) for row in shown.rows]
    y = next(y for y, row in enumerate(rows) if UNICODE.turn in row)
    return rows[y].index(UNICODE.turn) // (WIDTH // 2), y


def after(view: View, selection: Selection, *ways: tuple[int, int]) -> Selection:
    for way in ways:
        selection = choosing.move(view, selection, *way).selection
    return selection


@pytest.mark.parametrize(
    ("picked", "ways", "column", "row"),
    [
        (NOTHING, [], 0, 0),
        (NOTHING, [RIGHT], 1, 0),
        (NOTHING, [DOWN], 0, 0),
        (AFTER, [], 0, 1),
        (AFTER, [DOWN], 0, 2),
        (AFTER, [RIGHT, DOWN], 1, 2),
        (AFTER, [RIGHT, RIGHT], 0, 2),
        (AFTER, [RIGHT, DOWN, LEFT], 0, 2),
        (AFTER, [DOWN, UP, UP], 0, 8),
        # Beside White there is nothing.
        (AFTER, [RIGHT, *[DOWN] * 5, DOWN], 1, 8),
        (AFTER, [LEFT], 1, 8),
        (AFTER._replace(anchor=2), [DOWN, DOWN, DOWN], 0, 8),
        (AFTER._replace(anchor=9), [UP], 0, 4),
    ],
)
def test_down_is_the_line_below(
    picked: Selection, ways: list[tuple[int, int]], column: int, row: int
) -> None:
    view = declaring()
    assert where(view, after(view, picked, *ways)) == (column, row)


@pytest.mark.parametrize(
    ("view", "picked"),
    [
        (declaring(), AFTER),
        (CHALLENGED, NOTHING),
        (CHALLENGED, Selection(challenge=Challenge.TRADE)),
    ],
)
def test_one_way_across_goes_through_all(view: View, picked: Selection) -> None:
    offers = on_offer(view, picked)
    seen = [after(view, picked, *[RIGHT] * n).cursor for n in range(len(offers) + 1)]
    assert seen == [*range(len(offers)), 0]


def test_a_list_of_one_column_goes_down_line_by_line() -> None:
    first = where(CHALLENGED, NOTHING)
    for way in (DOWN, RIGHT):
        assert where(CHALLENGED, after(CHALLENGED, NOTHING, way)) == (0, first[1] + 1)
