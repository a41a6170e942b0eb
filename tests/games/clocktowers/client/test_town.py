"""The rule above a town: whose it is, what it is worth, and the hand."""

from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.choosing import NOTHING
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.sight import Scene
from clocktowers_tui.games.clocktowers.town import header_row
from protocol.games.clocktowers import View
from tests.games.clocktowers.boards import HOSTILE, NAMES, board, cards
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


def header(view: View, seat: int, width: int = 50) -> str:
    return text_of(header_row(Scene(view, NAMES, NOTHING), seat, width, GLYPH))


def test_it_ends_with_one_back_a_card() -> None:
    assert header(board(4), 0).endswith("= %%%")
    assert header(replace(board(4), hands=bytes((3, 2, 4, 3))), 2).endswith("- %%%%")


def test_on_an_open_memory_table_known_cards_come_first() -> None:
    view = board(2, known=("2c.K-.Rb", "1c.Km"))
    assert header(view, 1).endswith("- 1c Km %")
    view = replace(view, known=[b"", cards("1c.Km.Rb")])
    assert header(view, 1).endswith("- 1c Km Rb")
    assert header(view, 0).endswith("= %%%")


def test_only_the_seat_to_act_is_marked() -> None:
    view = replace(board(2), turn=1)
    assert header(view, 1).startswith("=> Björn  6 pts . 2 done=")
    assert header(view, 0).startswith("- Ann (you)  9 pts . 3 done-")


def test_points_stay_whatever_the_name() -> None:
    for seat, name in enumerate(HOSTILE):
        for width in (29, 39, 80):
            row = text_of(header_row(Scene(board(4), HOSTILE, NOTHING), seat, width, GLYPH))
            assert f"{board(4).points[seat]} pts" in row
            assert name[:3] in row
