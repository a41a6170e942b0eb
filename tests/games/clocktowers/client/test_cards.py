"""All thirteen cards are told apart by text alone, wherever a card is drawn and with any glyphs."""

from collections.abc import Callable, Mapping

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.cards import Held, framed, framed_cards
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS, Glyphs
from clocktowers_tui.games.clocktowers.hand import cards_in_line
from clocktowers_tui.games.clocktowers.ledger import ledger
from clocktowers_tui.games.clocktowers.marks import Marks
from clocktowers_tui.games.clocktowers.scale import HUGE, LARGE, SMALL
from clocktowers_tui.games.spans import Block, Row
from protocol.games.clocktowers import Town
from tests.stage.golden_boards import text_of

CARDS = range(1, 14)
_ASCII = GLYPHS[GlyphSet.ASCII]


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


def test_two_that_do_would_be_noticed() -> None:
    """Control: a picture of one row cannot show how many storeys there are."""
    form = FORMS["small picture"]
    assert told_apart(lambda card, glyphs: form(card, glyphs)[:1], _ASCII) < len(CARDS)


@pytest.mark.parametrize("form", FORMS)
def test_the_ascii_set_is_ascii(form: str) -> None:
    for card in CARDS:
        shown = "\n".join(map(text_of, FORMS[form](card, GLYPHS[GlyphSet.ASCII])))
        assert shown.isascii(), shown


@pytest.mark.parametrize("glyphs", GlyphSet)
@pytest.mark.parametrize("storey", [1, 2])
def test_walls_alternate_card_by_card_in_large_art_too(glyphs: GlyphSet, storey: int) -> None:
    small = LARGE.tower(bytes((1, 2)), 20, storey, GLYPHS[glyphs])
    big = LARGE.tower(bytes((5,)), 20, storey, GLYPHS[glyphs])
    assert [text_of(row) for row in small] != [text_of(row) for row in big]


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
