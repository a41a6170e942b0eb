"""Whole boards: never wider than the screen, and drawn at every moment."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.clocktowers.actions import DISCARD, NEW_TOWER, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.choosing import NOTHING, Stage, place, targets
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.keys import actions_now
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.marks import NEW, OUT
from clocktowers_tui.games.clocktowers.scene import PARTS, draw, has_codes, sight
from clocktowers_tui.games.clocktowers.sight import Hit, Scene, Spot, seats_in_order
from clocktowers_tui.games.parts import Shared, under, whole
from clocktowers_tui.games.spans import cells, measurable
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.clocktowers import Ladder, OpenMemory, Options, Phase, TurnOrder
from protocol.text import clean
from tests.games.clocktowers.boards import MANY, board, scene
from tests.games.clocktowers.matches import some_views
from tests.stage.golden_boards import text_of

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
PLAIN = GLYPHS[GlyphSet.ASCII]
OTHERS = {"town-1", "town-2", "town-3"}


def drawn_again(before: Scene, after: Scene) -> set[str]:
    """The parts that a board has to draw for another scene."""
    one, other = (sight(shown, 80, 21, PLAIN) for shown in (before, after))
    assert one is not None and other is not None
    return {name for name in one.places if not PARTS[name].same(one, other)}


def test_a_choice_draws_neither_the_other_towns_nor_the_log() -> None:
    shown = scene(board(4), chosen=0)
    own = {"town-0", "hand", "piles", "ladder"}
    assert drawn_again(shown, scene(board(4), chosen=1)) == own
    assert drawn_again(shown, shown._replace(waiting=True)) == own
    assert drawn_again(shown, scene(replace(board(4), turn=1))) == {*own, *OTHERS, "log"}


def hits(shown: Scene, size: tuple[int, int], *cells: tuple[int, int]) -> list[Any]:
    found = sight(shown, *size, PLAIN)
    assert found is not None
    return [under(PARTS, found, at) for at in cells]


@given(
    names=st.lists(NAMES, min_size=4, max_size=4),
    width=st.integers(60, 130),
    height=st.integers(17, 50),
    many=st.booleans(),
    glyphs=st.sampled_from(GlyphSet),
)
def test_hostile_names_never_break_the_frame(
    names: list[str], width: int, height: int, many: bool, glyphs: GlyphSet
) -> None:
    view = board(4, own=MANY) if many else board(4, known=("2c", "", "K-.Rb.1m", ""))
    shown = [measurable(clean(name)) for name in names]
    log = [f"{name}: floor" for name in shown]
    rows = draw(Scene(view, shown, NOTHING, log=log), width, height, GLYPHS[glyphs])
    assert rows is not None
    assert [cells(row) for row in rows] == [width] * height


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("order", TurnOrder)
def test_every_moment_of_a_match_can_be_drawn(seats: int, order: TurnOrder) -> None:
    options = Options(turn_order=order, ladder=Ladder.OWN, open_memory=OpenMemory.ON)
    names = ["Ann", "Björn", "Chiara", "Dmitri"][:seats]
    for seat in (0, seats - 1, None):
        for view in list(some_views(seats, options, seed=7, seat=seat))[::10]:
            for width, height in ((60, 17), (80, 21), (120, 37)):
                rows = draw(Scene(view, names, NOTHING), width, height, PLAIN)
                assert rows is not None
                assert [cells(row) for row in rows] == [width] * height


def test_a_small_board_is_not_drawn() -> None:
    assert draw(scene(board(4)), 59, 17, PLAIN) is None
    assert draw(scene(board(4)), 60, 16, PLAIN) is None


def test_one_comes_first_the_others_clockwise() -> None:
    view = board(4)
    assert seats_in_order(view) == [0, 1, 2, 3]
    assert seats_in_order(board(4, seat=None)) == [0, 1, 2, 3]
    assert seats_in_order(next(some_views(4, Options(), seed=1, seat=2))) == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("size", "wish", "seats"),
    [
        (size, wish, (2, 3, 4)[(row + column) % 3])
        for row, size in enumerate([(60, 17), (80, 21), (110, 33), (120, 37)])
        for column, wish in enumerate(Arrangement)
    ],
)
def test_thirteen_towers_can_be_seen_and_played_on_everywhere(
    size: tuple[int, int], wish: Arrangement, seats: int
) -> None:
    shown = scene(board(seats, own=MANY), chosen=0)._replace(wish=wish)
    rows = draw(shown, *size, PLAIN)
    assert rows is not None
    text = " ".join(text_of(row) for row in rows)
    for label in ("[4]", "<5>", "<+>", "h7", "h2"):
        assert label in text
    found = {*hits(shown, size, *product(range(0, size[0], 2), range(size[1])))}
    assert {Hit(Spot.TOWER, place) for place in (*range(13), NEW, OUT)} <= found


def test_the_heavy_rule_marks_whose_turn_it_is() -> None:
    rows = draw(scene(board(2)), 80, 21, PLAIN)
    assert rows is not None
    marked = [text_of(row) for row in rows if text_of(row).startswith("= > ")]
    assert len(marked) == 1 and "Ann (you)" in marked[0]


def test_the_mouse_finds_what_is_drawn() -> None:
    chosen = scene(board(4), chosen=0)
    assert chosen.selection.stage is Stage.TOWER
    for shown, expected in (
        (
            chosen,
            {
                (3, 17): Hit(Spot.CARD, 0),
                (12, 20): Hit(Spot.CARD, 1),
                (30, 18): Hit(Spot.PILE, 0),
                (21, 7): Hit(Spot.TOWER, 3),
                (33, 7): Hit(Spot.TOWER, NEW),
                (60, 7): None,
                (78, 20): Shared.LOG,
                (78, 16): None,
            },
        ),
        (
            scene(board(4, own=MANY), chosen=0),
            {(2, 3): Hit(Spot.TOWER, 2), (22, 7): Hit(Spot.TOWER, NEW)},
        ),
    ):
        assert hits(shown, (80, 21), *expected) == [*expected.values()]


def test_the_log_shows_whole_lines_only() -> None:
    events = [f"Ann begins {n:02} a line of words that wraps" for n in range(20)]
    shown = scene(board(4))._replace(log=events)
    rows = draw(shown, 80, 24 - SHELL_ROWS, GLYPHS[GlyphSet.UNICODE])
    found = sight(shown, 80, 24 - SHELL_ROWS, PLAIN)
    assert rows is not None and found is not None
    x, y, _width, height = found.places["log"]
    side = [text_of(row)[x:] for row in rows[y:][:height]]
    log = " ".join(" ".join(side).split())
    assert log.endswith(events[-1])
    assert log.count("wraps") == log.count("Ann begins") > 0


def test_keys_on_cards_are_the_players_own() -> None:
    keymap = Keymap({NUMBERS[1].id: ("e",), PILES[0].id: ("f5",), DISCARD.id: ("d",)})
    calm, drawing = board(4), board(4, phase=Phase.DRAW)
    shown = [
        " ".join(text_of(row) for row in whole(PARTS, found, (80, 21)))
        for one in (scene(calm), scene(calm, chosen=0), scene(drawing))
        if (found := sight(one, 80, 21, PLAIN, keymap))
    ]
    for keys in ((".e-",), ("<d>",), (".[F5]", ".[c]-")):
        assert [all(key in text for key in keys) for text in shown].count(True) == 1
    assert "<x>" not in shown[1]


def test_towers_always_have_their_number_and_cards_while_a_digit_picks_one() -> None:
    for one, cards in (
        (scene(board(4)), True),
        (scene(board(4), chosen=0), False),
        (scene(board(4, phase=Phase.DRAW)), False),
        (scene(replace(board(4), turn=1)), False),
    ):
        found = sight(one, 80, 21, PLAIN)
        assert found is not None
        text = " ".join(text_of(row) for row in whole(PARTS, found, (80, 21)))
        assert (".2-" in text, text.count("=1 +3")) == (cards, 4), text


def test_codes_are_drawn_in_ledgers_and_in_known_hands_alone() -> None:
    known = ("", "2c", "", "")
    for view, size, codes in (
        (board(4), (60, 17), True),
        (board(4), (80, 21), False),
        (board(4, own=MANY), (80, 21), True),
        (board(4, known=known), (80, 21), True),
    ):
        found = sight(scene(view), *size, PLAIN)
        assert found is not None and has_codes(found) is codes


def test_for_a_card_that_fits_nowhere_only_what_works_is_offered() -> None:
    fits, fits_not = (scene(board(4), chosen=card) for card in (0, 2))
    for shown, works in ((fits, True), (fits_not, False)):
        offered = [*actions_now(shown.view, shown.selection)]
        keys = {one for some, _words in offered for one in some}
        assert (actions.CONFIRM in keys) is works
        assert {DISCARD, actions.BACK} <= keys
        places = [place(one) for one in targets(shown.view, shown.selection)]
        towers = [NUMBERS[tower] for tower in places if tower != NEW]
        assert ((towers, "Pick tower") if works else ([*NUMBERS[:2]], "Another card")) in offered
        assert not works or 0 < len(towers) < 5, "a complete tower takes no card"


def test_a_new_tower_is_offered_for_a_floor_alone() -> None:
    for card, offered in ((0, True), (1, False), (2, False)):
        shown = scene(board(4), chosen=card)
        keys = [one for some, _words in actions_now(shown.view, shown.selection) for one in some]
        assert (NEW_TOWER in keys) is offered


def test_after_the_match_only_cards_that_are_left_have_places() -> None:
    over = replace(board(4), turn=None, phase=Phase.OVER)
    for view, shown in ((board(4), True), (over, True), (replace(over, hand=b""), False)):
        found = sight(scene(view), 120, 37, PLAIN)
        assert found is not None and ("hand" in found.places) is shown
        assert found.places["town-0"].width == 120, "the towns stand where they stood"
