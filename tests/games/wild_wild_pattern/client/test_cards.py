"""Every card is told apart by its text alone, however it is drawn and in every language."""

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.spans import Block
from clocktowers_tui.games.wild_wild_pattern import cards
from clocktowers_tui.games.wild_wild_pattern.cards import PLAIN, Rim, card_block, compact
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.layout import SMALL, Scale, layout
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    feature_letter,
    feature_short,
    feature_title,
    feature_words,
    features_of,
)
from clocktowers_tui.text.i18n import language, speak
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    FEATURES,
    FIRST_COLOUR,
    FIRST_SUIT,
    PATTERN_CARDS,
)
from tests.stage.golden_boards import text_of

LARGER = [
    found.scale for size in ((80, 21), (120, 37), (200, 57)) if (found := layout(*size)) is not None
]
SCALES = (SMALL, *LARGER)
LANGUAGES = ("en", "it", "nl", "ru")


def shown(block: Block) -> str:
    return "\n".join(map(text_of, block))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("glyphs", GlyphSet)
def test_every_card_is_told_apart_by_text_alone(code: str, glyphs: GlyphSet) -> None:
    speak(code)
    assert language() == code
    for scale in SCALES:
        found = {shown(card_block(card, scale, GLYPHS[glyphs])) for card in PATTERN_CARDS}
        assert len(found) == len(PATTERN_CARDS), scale
    assert len({compact(card, GLYPHS[glyphs]).text for card in CARDS}) == len(CARDS)
    assert len({card_words(card) for card in CARDS}) == len(CARDS)


def test_a_card_without_its_colour_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: two cards of one object and suit differ in colour only."""
    monkeypatch.setattr(
        cards,
        "feature_title",
        lambda one: "" if FIRST_COLOUR <= one < FIRST_SUIT else feature_title(one),
    )
    glyphs = GLYPHS[GlyphSet.UNICODE]
    found = {shown(card_block(card, LARGER[0], glyphs)) for card in PATTERN_CARDS}
    assert len(found) < len(PATTERN_CARDS)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("scale", SCALES)
def test_all_cards_of_a_size_have_one_form_and_nothing_is_cut(code: str, scale: Scale) -> None:
    speak(code)
    glyphs, title = GLYPHS[G], feature_short if scale is SMALL else feature_title
    gaps = set()
    for card in PATTERN_CARDS:
        for label in (Rim(" 7 "), PLAIN):
            obj, colour, suit = features_of(card)
            text = shown(card_block(card, scale, glyphs, label))
            assert title(obj) in text and title(colour) in text and glyphs.signs[suit] in text
            gaps.add(text[text.index(glyphs.signs[obj]) + 1 : text.index(title(obj))])
    assert len(gaps) == 1
    assert all(len(feature_short(one)) <= SMALL.width - 3 for one in range(FIRST_SUIT))


@pytest.mark.parametrize("code", LANGUAGES)
def test_features_are_whole_and_different(code: str) -> None:
    speak(code)
    kinds = (
        range(FIRST_COLOUR),
        range(FIRST_COLOUR, FIRST_SUIT),
        range(FIRST_SUIT, FEATURES),
    )
    for kind in kinds:
        assert len({feature_letter(one) for one in kind}) == len(kind)
        for words in (feature_words, feature_title):
            assert len({words(one) for one in kind}) == len(kind)
    inside = [
        text_of(row) for card in PATTERN_CARDS for row in card_block(card, LARGER[-1], GLYPHS[G])
    ]
    assert all(any(feature_title(one) in row for row in inside) for one in range(FEATURES))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_s_name_is_of_its_object_and_its_suit(code: str) -> None:
    """Small, as in the middle of a sentence; in English with the word of its colour as well."""
    speak(code)
    for card in PATTERN_CARDS:
        obj, colour, suit = map(feature_words, features_of(card))
        name = card_words(card)
        assert obj in name and name.endswith(f" ({suit})") and name == name.lower()
        if code == "en":
            assert name == f"{colour} {obj} ({suit})"


G = GlyphSet.ASCII


@pytest.mark.parametrize("scale", SCALES)
def test_every_row_has_its_width(scale: Scale) -> None:
    for card in (0, *PATTERN_CARDS):
        block = card_block(card, scale, GLYPHS[G])
        assert [len(text_of(row)) for row in block] == [scale.width] * scale.height
