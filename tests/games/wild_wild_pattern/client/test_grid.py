"""The arrows go where the list is drawn: what is pressed moves what is seen."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.picker import picker
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, WAYS, Selection, on_offer
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import Challenge
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import WHEEL, board, declaring, scene
from tests.stage.golden_boards import text_of

UNICODE = GLYPHS[GlyphSet.UNICODE]
LEFT, RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, -1), (0, 1)
WIDTH = 36
AFTER = Selection(Direction.AFTER)
FIRST = AFTER._replace(cursor=0)
CHALLENGED = board(4, Phase.CHALLENGE, acting=0)


def where(view: View, selection: Selection) -> tuple[int, int]:
    """Column and row of the cursor as it is drawn."""
    shown = picker(scene(view, selection), WIDTH, UNICODE, DEFAULT_KEYS)
    assert shown is not None
    rows = [text_of(row) for row in shown.rows]
    y = next(y for y, row in enumerate(rows) if UNICODE.turn in row)
    return rows[y].index(UNICODE.turn) // (10 if y == 0 else WIDTH // 2), y


@pytest.mark.parametrize(
    ("selection", "head"),
    [
        (NOTHING, "< BEFORE  > AFTER   every:"),
        (AFTER, "< BEFORE  >[AFTER]  every:"),
        (AFTER._replace(anchor=2), "< BEFORE  >[AFTER]  comes:"),
    ],
)
def test_before_and_after_are_no_heads_of_two_columns(selection: Selection, head: str) -> None:
    shown = picker(scene(declaring(), selection), 30, UNICODE, DEFAULT_KEYS)
    assert shown is not None and text_of(shown.rows[0]).rstrip() == head
    found = [shown.at(x, 0) for x in range(30)]
    assert found == [*[WAYS[0]] * 10, *[WAYS[1]] * 10, *[None] * 10]


def after(view: View, selection: Selection, *ways: tuple[int, int]) -> Selection:
    for way in ways:
        selection = choosing.move(view, selection, *way).selection
    return selection


@pytest.mark.parametrize(
    ("picked", "ways", "column", "row"),
    [
        (NOTHING, [RIGHT], 0, 0),
        (NOTHING, [RIGHT, RIGHT], 1, 0),
        (NOTHING, [DOWN, DOWN], 0, 1),
        (AFTER, [DOWN], 0, 1),
        (FIRST, [DOWN], 0, 2),
        (FIRST, [RIGHT, DOWN], 1, 2),
        (FIRST, [RIGHT, RIGHT], 0, 2),
        (FIRST, [RIGHT, DOWN, LEFT], 0, 2),
        (FIRST, [DOWN, UP, UP], 0, 8),
        # Beside White there is nothing.
        (FIRST, [RIGHT, *[DOWN] * 5, DOWN], 1, 8),
        (FIRST, [LEFT], 1, 8),
        (FIRST, [*[DOWN] * 7], 0, 8),
    ],
)
def test_down_is_the_line_below(
    picked: Selection, ways: list[tuple[int, int]], column: int, row: int
) -> None:
    view = replace(declaring(), wheel=WHEEL)
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
    seen = [after(view, picked, *[RIGHT] * n).cursor for n in range(1, len(offers) + 2)]
    assert seen == [*range(len(offers)), 0]


def test_a_list_of_one_column_goes_down_line_by_line() -> None:
    first = Selection(cursor=0)
    for way in (DOWN, RIGHT):
        below = where(CHALLENGED, first)[1] + 1
        assert where(CHALLENGED, after(CHALLENGED, first, way)) == (0, below)
