"""Whole boards: what stands where, and in which form."""

from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.inks import GLYPHS
from clocktowers_tui.games.clocktowers.layout import Arrangement, after, layout
from clocktowers_tui.games.clocktowers.scene import PARTS, draw, has_codes, sight
from clocktowers_tui.games.clocktowers.sight import seats_in_order
from clocktowers_tui.games.clocktowers.towers import LARGE, SMALL
from clocktowers_tui.games.parts import whole
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.clocktowers import Options, Phase
from tests.games.clocktowers.boards import MANY, board, scene
from tests.games.clocktowers.matches import some_views
from tests.stage.golden_boards import text_of

PLAIN = GLYPHS[GlyphSet.ASCII]


def test_one_comes_first_the_others_clockwise() -> None:
    view = board(4)
    assert seats_in_order(view) == [0, 1, 2, 3]
    assert seats_in_order(board(4, seat=None)) == [0, 1, 2, 3]
    assert seats_in_order(next(some_views(4, Options(), seed=1, seat=2))) == [2, 3, 0, 1]


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


def test_after_the_match_only_cards_that_are_left_have_places() -> None:
    over = replace(board(4), turn=None, phase=Phase.OVER)
    for view, shown in ((board(4), True), (over, True), (replace(over, hand=b""), False)):
        found = sight(scene(view), 120, 37, PLAIN)
        assert found is not None and ("hand" in found.places) is shown
        assert found.places["town-0"].width == 120, "the towns stand where they stood"


# Where the parts stand ----------------------------------------------------------------------------


def test_one_column_less_and_it_is_text() -> None:
    found = layout(79, 21, 4, 3)
    assert found is not None and found.scale is None


def test_large_from_110_by_36_on() -> None:
    for width, height, scale in ((110, 33, LARGE), (109, 33, SMALL), (110, 32, SMALL)):
        for slots in (0, 4):
            found = layout(width, height, 4, slots)
            assert found is not None and found.scale is scale
            assert found.framed == (scale is LARGE)


def test_the_log_stands_beside_the_ladder_where_both_have_room() -> None:
    for width, beside in ((200, True), (110, False)):
        found = layout(width, 37, 4, 4)
        assert found is not None
        places = found.places(3)
        assert (places["log"].y == places["ladder"].y) is beside


def test_the_key_goes_round_what_fits_and_says_what_does_not() -> None:
    auto, pictures, large, ledger = Arrangement
    assert after(auto, 120, 37) == (pictures, [])
    assert after(pictures, 120, 37) == (large, [])
    assert after(large, 120, 37) == (ledger, [])
    assert after(ledger, 120, 37) == (auto, [])
    assert after(pictures, 80, 21) == (ledger, [large])
    assert after(auto, 60, 17) == (ledger, [pictures, large])
