"""Nine cells wide, never higher than the sky, with what counts on top."""

from itertools import product

from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.scale import LARGE
from clocktowers_tui.games.spans import cells
from tests.games.clocktowers.boards import cards
from tests.games.clocktowers.client.test_art import TOWERS
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


def lines(codes: str, rows: int, storey: int = 2) -> list[str]:
    return [text_of(row) for row in LARGE.tower(cards(codes), rows, storey, GLYPH)]


def test_a_whole_tower() -> None:
    assert lines("1m.2c.K-.Rb", 20) == [
        "  / o \\  ",
        "/ o B o \\",
        " [.---.] ",
        " [| L |] ",
        " ['---'] ",
        " ! ^.^ ! ",
        " !_____! ",
        " !# # #! ",
        " !_____! ",
        " | oOo | ",
        " |_____| ",
    ]


def test_storeys_are_low_where_one_tower_would_not_fit() -> None:
    low, high = cards("1m.Km"), cards("2-.2-.2-.K-.Rb")
    for towers, sky, most in (([low], 9, 3), ([low, high], 17, 2), ([low, high], 16, 1)):
        fitting = [n for n in (3, 2, 1) if LARGE.takes(towers, sky, n, own=True)]
        assert fitting[0] == most
    assert lines("1m.Km", 16, 1) == [" [.---.] ", " [|oOo|] ", " ['---'] ", " | oOo | "]


def test_of_a_tower_higher_than_that_the_lowest_floors_share_a_row() -> None:
    assert lines("2c.2m.1-.K-.Rb", 7, 1)[-2:] == [" |# # #| ", "  +4cm   "]


@given(TOWERS, st.integers(0, 20), st.sampled_from((1, 2, 3)), st.sampled_from(GlyphSet))
def test_towers_keep_to_their_cells(tower: bytes, rows: int, storey: int, set_: GlyphSet) -> None:
    drawn = LARGE.tower(tower, rows, storey, GLYPHS[set_])
    assert len(drawn) <= rows
    assert all(cells(row) == 9 for row in drawn)


@given(st.lists(TOWERS, max_size=4), st.integers(10, 40))
def test_with_high_storeys_nothing_is_hidden(towers: list[bytes], rows: int) -> None:
    for tower, storey in product(towers, (3, 2)):
        if not LARGE.takes(towers, rows, storey, own=False):
            continue
        assert not any("+" in text_of(row) for row in LARGE.tower(tower, rows, storey, GLYPH))


@given(st.integers(1, 13), st.sampled_from(GlyphSet))
def test_pictures_are_rectangles(card: int, glyphs: GlyphSet) -> None:
    assert [cells(row) for row in LARGE.picture(card, GLYPHS[glyphs])] == [9] * 3
