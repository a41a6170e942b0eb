"""Whole boards: what stands where, how cards are drawn, and in which colours."""

import pytest

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games.scenes import Taught
from clocktowers_tui.games.spans import Block
from clocktowers_tui.games.wild_wild_pattern.cards import PLAIN, Rim, card_block, compact
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, GLYPHS
from clocktowers_tui.games.wild_wild_pattern.offers import Selection
from clocktowers_tui.games.wild_wild_pattern.paints import PAINTING
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scale, Scene, Sheet, layout
from clocktowers_tui.games.wild_wild_pattern.words import card_words, feature_names, features_of
from clocktowers_tui.text.i18n import language, speak
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.cards import CARDS, FIRST_SUIT, PATTERN_CARDS
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    TARGETS,
    board,
    declaring,
    said_on,
    scene,
    visits,
)
from tests.stage.eyes import PALETTES, nearest
from tests.stage.golden_boards import text_of

SIZES = [(60, 17), (80, 21), (120, 37), (200, 57)]


def lines(shown: Scene) -> list[str]:
    return said_on(shown).split("\n")


def test_who_is_out_has_no_target() -> None:
    """Not the pistol, which is number 0."""
    out = board(3, standing=[True, False, True], targets=TARGETS[:1] + b"\0" + TARGETS[2:3])
    shown = said_on(scene(out))
    assert shown.count("Target ") == 2
    assert "Target ⌐P" not in shown


def test_only_what_can_be_picked_has_a_key() -> None:
    for shown, keys in (
        (scene(board()), "12345678"),
        (scene(board(4, Phase.LAY, acting=0)), "3"),
        (scene(board(4, Phase.TAKE, acting=0, takes=2, barred=2)), "1245678"),
        (scene(declaring()), "12345678"),
    ):
        rims = [row[:49] for row in lines(shown)[:17] if "╭" in row or "╔" in row]
        assert sorted(filter(str.isdigit, "".join(rims))) == list(keys)


def test_choosing_moves_nothing() -> None:
    """While one declares every feature keeps its place."""
    plain, picked = (
        lines(scene(declaring(), selection))
        for selection in (Selection(Direction.AFTER), Selection(Direction.AFTER, anchor=2))
    )
    for word in ("Pistol", "Star", "Azure", "Coin"):
        here = [(y, line.find(word, 50)) for y, line in enumerate(plain) if word in line[50:]]
        then = [(y, line.find(word, 50)) for y, line in enumerate(picked) if word in line[50:]]
        assert here == then


@pytest.mark.parametrize("size", SIZES)
def test_a_lesson_shows_nothing_before_it_is_told(size: tuple[int, int]) -> None:
    """While one reads no key is named, and the Target waits for the Bank."""
    ready = board(1, Phase.READY, round=1, won=[b""], challenges=[b""])
    told = scene(ready, taught=Taught(wanted=()))
    plain, reads = said_on(scene(ready), size), said_on(told, size)
    for words in ("Space: ready", "?", "Target", "WILD"):
        assert words in plain and words not in reads
    bank = scene(board(1, Phase.READY, bank=visits(BANKED[:1])), sheet=Sheet.PAID)
    assert "Esc: close" in said_on(bank, size)
    assert "Esc: close" not in said_on(bank._replace(taught=Taught(wanted=())), size)


def test_a_replay_names_no_key_of_the_board() -> None:
    """Nobody can be ready, shoot or lay a card there."""
    for phase in (Phase.READY, Phase.RACE, Phase.LAY):
        view = board(2, phase, acting=0)
        played, replayed = (said_on(scene(view, replayed=on)) for on in (False, True))
        keys = ("Space: ready", "1-8: cover", "Enter: lay")
        assert any(one in played for one in keys)
        assert not any(one in replayed for one in keys), phase


# Where the parts stand ----------------------------------------------------------------------------


def test_the_ring_fills_the_height() -> None:
    """But for a few rows below it, which say what goes on."""
    for size, most in (((80, 21), 4), ((120, 37), 8), ((160, 47), 9), ((200, 57), 8)):
        found = layout(*size)
        assert found is not None
        assert found.wheel.height >= size[1] - most
        assert found.wheel.y + found.wheel.height == found.told.y


# Cards --------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("scale", SCALES)
def test_all_cards_of_a_size_have_one_form_and_nothing_is_cut(code: str, scale: Scale) -> None:
    speak(code)
    glyphs, form = GLYPHS[G], "short" if scale is SMALL else "title"
    gaps = set()
    for card in PATTERN_CARDS:
        for label in (Rim(" 7 "), PLAIN):
            obj, colour, suit = features_of(card)
            object_name, colour_name = (getattr(feature_names(n), form) for n in (obj, colour))
            text = shown(card_block(card, scale, glyphs, label))
            assert object_name in text and colour_name in text and glyphs.signs[suit] in text
            gaps.add(text[text.index(glyphs.signs[obj]) + 1 : text.index(object_name)])
    assert len(gaps) == 1
    assert all(len(feature_names(one).short) <= SMALL.width - 3 for one in range(FIRST_SUIT))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_s_name_is_of_its_object_and_its_suit(code: str) -> None:
    """Small, as in the middle of a sentence; in English with the word of its colour as well."""
    speak(code)
    for card in PATTERN_CARDS:
        obj, colour, suit = (feature_names(each).words for each in features_of(card))
        name = card_words(card)
        assert obj in name and name.endswith(f" ({suit})") and name == name.lower()
        if code == "en":
            assert name == f"{colour} {obj} ({suit})"


G = GlyphSet.ASCII


# Colours ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("palette", PALETTES)
def test_the_five_colours_are_told_apart(palette: Palette) -> None:
    """By 15 (CIE76) at least."""
    assert nearest([card.colour for card in PAINTING.paints[palette].cards], "normal") >= 15


@pytest.mark.parametrize("look", [Look(Palette.NATIVE), Look(colours=Colours.C16)])
def test_of_sixteen_colours_each_has_its_own(look: Look) -> None:
    assert len({PAINTING.styles(look)[ink].bgcolor for ink in COLOURS}) == len(COLOURS)
