"""Towers and cards can be told apart by text alone, in every glyph set."""

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.cards import Held, framed
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.scale import LARGE, MIDDLE, PAIRED, SMALL, Scale
from clocktowers_tui.games.spans import Block, Span, cells
from protocol.games.clocktowers import CODES
from tests.games.clocktowers.boards import cards
from tests.stage.golden_boards import text_of

SCALES = (SMALL, LARGE)
TOWERS = st.tuples(
    st.lists(st.integers(1, 6), min_size=1, max_size=20).map(bytes),
    st.sampled_from(["", "K-", "Km", "K-.Rb", "Km.Ry"]).map(cards),
).map(b"".join)


def lines(rows: Block) -> list[str]:
    return [text_of(row) for row in rows]


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_two_small_floors_do_not_look_like_a_big_one(glyphs: GlyphSet) -> None:
    """The tie-break asks for the topmost floor card, so cards must be seen as such."""
    small, big = cards("1-.1c"), cards("2c")
    assert lines(SMALL.tower(small, 9, 1, GLYPHS[glyphs])) != lines(
        SMALL.tower(big, 9, 1, GLYPHS[glyphs])
    )


def test_the_animal_stands_on_the_upper_storey() -> None:
    rows = lines(SMALL.tower(cards("2c.2m"), 9, 1, GLYPHS[GlyphSet.ASCII]))
    assert rows == ["!oOo!", "!. .!", "|^.^|", "|. .|"]


def test_of_a_high_tower_the_lowest_floors_share_a_row() -> None:
    rows = lines(SMALL.tower(cards("2c.1m.2-.1-.Km.Rb"), 6, 1, GLYPHS[GlyphSet.ASCII]))
    assert rows == ["/B o\\", "[(m)]", "!# #!", "|# #|", "|# #|", "+3cm "]


def test_in_pairs_two_storeys_share_a_row_and_so_do_clock_and_roof() -> None:
    glyphs = GLYPHS[GlyphSet.ASCII]
    whole, begun = cards("2c.1m.2-.1-.Km.Rb"), cards("2c.1m.Km")
    assert lines(SMALL.tower(whole, 9, PAIRED, glyphs)) == ["Bo(m)", "|# #!", "!m #|", "|# c|"]
    assert lines(SMALL.tower(begun, 9, PAIRED, glyphs)) == ["[(m)]", "!m  !", "|. c|"]
    assert lines(SMALL.tower(begun[:-1], 9, PAIRED, glyphs)) == ["!m   ", "|. c|"]
    assert lines(MIDDLE.tower(whole, 3, PAIRED, glyphs)) == ["/Bo(m)\\", "! #   !", " +5cm  "]


@given(TOWERS, st.integers(0, 12), st.sampled_from((1, PAIRED)), st.sampled_from(GlyphSet))
def test_towers_keep_to_their_cells(tower: bytes, rows: int, storey: int, glyphs: GlyphSet) -> None:
    for scale in (SMALL, MIDDLE):
        drawn = scale.tower(tower, rows, storey, GLYPHS[glyphs])
        assert len(drawn) <= rows
        assert all(cells(row) == scale.tower_width for row in drawn)


@given(TOWERS, st.integers(3, 12))
def test_the_top_of_a_tower_is_always_seen(tower: bytes, rows: int) -> None:
    glyphs = GLYPHS[GlyphSet.ASCII]
    top = SMALL.tower(tower[-1:], rows, 1, glyphs)[0]
    drawn = lines(SMALL.tower(tower, rows, 1, glyphs))
    if CODES[tower[-1]][0] in "KR":
        assert drawn[0].strip("[|!]") == text_of(top).strip("[|!]")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("card", range(14))
def test_cards_are_rectangles(card: int, scale: Scale) -> None:
    helds = (
        Held(card, "1"),
        Held(card, "f", 12, at=True, fresh=True),
        Held(card, "2", chosen=True, out=Span("<x>")),
    )
    for glyphs in GlyphSet:
        for held in helds:
            rows = framed(held, scale, GLYPHS[glyphs])
            assert [cells(row) for row in rows] == [scale.card_width] * scale.card_height


def test_a_chosen_card_is_told_by_its_frame() -> None:
    for glyphs in GLYPHS.values():
        assert lines(framed(Held(1, "1"), SMALL, glyphs)) != lines(
            framed(Held(1, "1", chosen=True), SMALL, glyphs)
        )


def test_all_glyph_sets_take_the_same_cells() -> None:
    def widths(value: object) -> object:
        return len(value) if isinstance(value, str) else [widths(part) for part in value]  # type: ignore[attr-defined]

    shapes = [widths(tuple(glyphs._replace(far=()))) for glyphs in GLYPHS.values()]
    assert shapes[0] == shapes[1] == shapes[2]
