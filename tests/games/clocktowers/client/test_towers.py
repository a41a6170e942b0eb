"""Towers and cards are told apart by text alone, keep to their cells, and show what counts."""

from collections.abc import Callable, Mapping
from itertools import product

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.choosing import Effect, Marks
from clocktowers_tui.games.clocktowers.hand import Held, cards_in_line, framed, framed_cards
from clocktowers_tui.games.clocktowers.inks import GLYPHS, Glyphs, Ink
from clocktowers_tui.games.clocktowers.towers import HUGE, LARGE, MIDDLE, PAIRED, SMALL, Scale
from clocktowers_tui.games.clocktowers.town import ledger
from clocktowers_tui.games.spans import Block, Row, cells
from protocol.games.clocktowers import CODES, Town
from tests.games.clocktowers.boards import MANY, cards, town
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]
TOWERS = st.tuples(
    st.lists(st.integers(1, 6), min_size=1, max_size=20).map(bytes),
    st.sampled_from(["", "K-", "Km", "K-.Rb", "Km.Ry"]).map(cards),
).map(b"".join)


def texts(rows: Block) -> list[str]:
    return [text_of(row) for row in rows]


def test_in_pairs_two_storeys_share_a_row_and_so_do_clock_and_roof() -> None:
    glyphs = GLYPHS[GlyphSet.ASCII]
    whole, begun = cards("2c.1m.2-.1-.Km.Rb"), cards("2c.1m.Km")
    assert texts(SMALL.tower(whole, 9, PAIRED, glyphs)) == ["Bo(m)", "|# #!", "!m #|", "|# c|"]
    assert texts(SMALL.tower(begun, 9, PAIRED, glyphs)) == ["[(m)]", "!m  !", "|. c|"]
    assert texts(SMALL.tower(begun[:-1], 9, PAIRED, glyphs)) == ["!m   ", "|. c|"]
    assert texts(MIDDLE.tower(whole, 3, PAIRED, glyphs)) == ["/Bo(m)\\", "! #   !", " +5cm  "]


@given(
    TOWERS,
    st.integers(0, 30),
    st.sampled_from(
        [
            *((scale, storey) for scale in (SMALL, MIDDLE) for storey in (1, PAIRED)),
            *((LARGE, storey) for storey in (1, 2, 3)),
            *((HUGE, storey) for storey in (2, 3, 4)),
        ]
    ),
    st.sampled_from(GlyphSet),
)
def test_towers_keep_to_their_cells(
    tower: bytes, rows: int, how: tuple[Scale, int], glyphs: GlyphSet
) -> None:
    scale, storey = how
    drawn = scale.tower(tower, rows, storey, GLYPHS[glyphs])
    assert len(drawn) <= rows
    assert all(cells(row) == scale.tower_width for row in drawn)


@given(st.lists(TOWERS, max_size=4), st.integers(10, 60))
def test_with_high_storeys_nothing_is_hidden(towers: list[bytes], rows: int) -> None:
    for tower, scale, storey in product(towers, (LARGE, HUGE), (4, 3, 2)):
        if scale.takes(towers, rows, storey, own=False):
            drawn = scale.tower(tower, rows, storey, GLYPH)
            assert not any("+" in text_of(row) for row in drawn)


@given(TOWERS, st.integers(3, 12))
def test_the_top_of_a_tower_is_always_seen(tower: bytes, rows: int) -> None:
    glyphs = GLYPHS[GlyphSet.ASCII]
    top = SMALL.tower(tower[-1:], rows, 1, glyphs)[0]
    drawn = texts(SMALL.tower(tower, rows, 1, glyphs))
    if CODES[tower[-1]][0] in "KR":
        assert drawn[0].strip("[|!]") == text_of(top).strip("[|!]")


def test_storeys_are_low_where_one_tower_would_not_fit() -> None:
    low, high = cards("1m.Km"), cards("2-.2-.2-.K-.Rb")
    for towers, sky, most in (([low], 9, 3), ([low, high], 17, 2), ([low, high], 16, 1)):
        fitting = [n for n in (3, 2, 1) if LARGE.takes(towers, sky, n, own=True)]
        assert fitting[0] == most
    drawn = texts(LARGE.tower(low, 16, 1, GLYPH))
    assert drawn == [" [.---.] ", " [|oOo|] ", " ['---'] ", " | oOo | "]


# Wherever a card is drawn -------------------------------------------------------------------------


CARDS = range(1, 14)


def in_ledger(card: int, glyphs: Glyphs) -> Block:
    return ledger(Town([bytes([card])], b"\0"), 29, 1, Marks(), glyphs)


def in_line(card: int, glyphs: Glyphs) -> list[Row]:
    return [cards_in_line("Hand", [Held(card, "1")], glyphs, 40)]


FORMS: Mapping[str, Callable[[int, Glyphs], Block]] = {
    "small hand card": lambda card, glyphs: framed(Held(card, "1"), SMALL, glyphs),
    "large hand card": lambda card, glyphs: framed(Held(card, "1"), LARGE, glyphs),
    "small picture": SMALL.picture,
    "small tower": lambda card, glyphs: SMALL.tower(bytes([card]), 9, 1, glyphs),
    "large tower": lambda card, glyphs: LARGE.tower(bytes([card]), 9, 2, glyphs),
    "large tower, low storeys": lambda card, glyphs: LARGE.tower(bytes([card]), 9, 1, glyphs),
    "huge tower": lambda card, glyphs: HUGE.tower(bytes([card]), 9, 2, glyphs),
    "small pile": lambda card, glyphs: framed_cards([Held(card, "f", 3)], 0, SMALL, glyphs),
    "large pile": lambda card, glyphs: framed_cards([Held(card, "f", 3)], 0, LARGE, glyphs),
    "line of codes": in_line,
    "ledger": in_ledger,
}


def told_apart(form: Callable[[int, Glyphs], Block], glyphs: Glyphs) -> int:
    return len({"\n".join(map(text_of, form(card, glyphs))) for card in CARDS})


@pytest.mark.parametrize("glyphs", GlyphSet)
@pytest.mark.parametrize("form", FORMS)
def test_no_two_cards_look_alike(form: str, glyphs: GlyphSet) -> None:
    assert told_apart(FORMS[form], GLYPHS[glyphs]) == len(CARDS)


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_two_small_floors_do_not_look_like_a_big_one(glyphs: GlyphSet) -> None:
    """The tie-break asks for the topmost floor card, so cards must be seen as such."""
    for scale, storey in ((SMALL, 1), (LARGE, 1), (LARGE, 2)):
        small, big = (scale.tower(one, 20, storey, GLYPHS[glyphs]) for one in (b"\1\2", b"\5"))
        assert texts(small) != texts(big)


@pytest.mark.parametrize("glyphs", GlyphSet)
def test_the_card_drawn_last_is_marked_wherever_the_cursor_is(glyphs: GlyphSet) -> None:
    signs, held = GLYPHS[glyphs], Held(1, "1", fresh=True)
    for one in (held, held._replace(at=True), held._replace(at=True, chosen=True)):
        for scale in (SMALL, LARGE, HUGE):
            shown = "".join(map(text_of, framed(one, scale, signs)))
            assert signs.fresh[0] + "new" in shown
            assert "new" not in "".join(
                map(text_of, framed(one._replace(fresh=False), scale, signs))
            )
    assert "1".join(signs.fresh) in text_of(cards_in_line("Hand", [held], signs, 40))


# One line a tower ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (40, " 1  1-.2c.1-.K-.Rb"),
        (17, " 1  +3c.1-.K-.Rb"),
        (15, " 1  +4c.K-.Rb"),
        (12, " 1  +4cK-Rb"),
        (10, " 1 +4cK-Rb"),
        (9, " 1 +4cKRb"),
        (7, " 1 +4Rb"),
    ],
)
def test_shorter_and_shorter(width: int, line: str) -> None:
    rows = ledger(town(["1-.2c.1-.K-.Rb"]), width, 1, Marks(), GLYPH)
    assert text_of(rows[0]).rstrip() == line


def test_what_does_not_fit_gives_way_to_what_is_picked() -> None:
    for picked in range(len(MANY)):
        marks = Marks(True, {picked: Effect(3)}, picked, False)
        rows = ledger(town(MANY), 29, 3, marks, GLYPH)
        assert f"[{picked + 1}]" in " ".join(map(text_of, rows))


def test_the_roof_stands_on_its_colour() -> None:
    rows = ledger(Town([cards("1-.K-.Rb")], b"\5"), 40, 1, Marks(), GLYPH)
    assert [span.text for span in rows[0] if span.ink is Ink.ROOF_B] == ["Rb"]
