"""Cards, the Wheel and the Bank's sheet, drawn at all sizes."""

import re

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import LEAST, Taught
from clocktowers_tui.games.spans import Block, cells
from clocktowers_tui.games.wild_wild_pattern.cards import PLAIN, Form, Rim, card_block, compact
from clocktowers_tui.games.wild_wild_pattern.choosing import Selection
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, GLYPHS, PAINTING
from clocktowers_tui.games.wild_wild_pattern.sheet import prices_block
from clocktowers_tui.games.wild_wild_pattern.side import Written, player_rows
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scale, Scene, Sheet, layout
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    feature_names,
    line_words,
    money,
)
from clocktowers_tui.text.i18n import language, languages, speak
from protocol.games.wild_wild_pattern import Options, Phase, Take, View
from protocol.games.wild_wild_pattern.bank import Line, in_play
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    FEATURES_OF,
    FIRST_SUIT,
    PATTERN_CARDS,
    Challenge,
    Direction,
)
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    PAYING,
    TARGETS,
    board,
    cards,
    declaring,
    said_on,
    scene,
    visits,
)
from tests.games.wild_wild_pattern.face_case import shell
from tests.stage.board_shell import on_screen
from tests.stage.eyes import PALETTES, nearest
from tests.stage.golden_boards import text_of


async def test_what_the_bank_pays_covers_no_choice() -> None:
    """Beside the Wheel every key still means the choice; where the list is, it stays away."""
    async with on_screen(shell(board(4, Phase.TAKE, acting=0, takes=1))) as (app, pilot):
        await pilot.press("d")
        shown = "\n".join(app.lines())
        assert "4 of one object" in shown and "1-8: take that card" in shown
        await pilot.press("3")
        assert app.chosen == [Take(2)]
        app.show(declaring())
        await pilot.press("d")
        assert app.hints[-1] == "You choose first: the Bank's list would cover the keys."
        assert "BEFORE" in "\n".join(app.lines())


async def test_the_banks_sheet_comes_goes_and_comes_again() -> None:
    async with on_screen(shell(board(4, Phase.LAY, acting=1))) as (app, pilot):
        await pilot.press("d")
        assert "What the Bank pays" in app.lines()[0]
        ready = board(4, Phase.READY, bank=visits(BANKED))
        app.show(ready)
        await pilot.pause()
        assert "What the Bank paid" in app.lines()[0]
        for closes in (["space"], ["enter"], ["escape"], ["d", "d"], ["3"]):
            await pilot.press(*closes)
            assert "What the Bank paid" not in app.lines()[0]
            await pilot.press("d")
            assert "What the Bank paid" in app.lines()[0]
        assert app.chosen == [] and not app.left
        app.show(replace(ready, phase=Phase.RACE))
        await pilot.pause()
        assert "S H O O T !" in "".join(app.lines()), "a race is never covered"
        app.show(board(4, Phase.READY, bank=ready.bank, turn=2))
        await pilot.pause()
        assert "R e a d y ?" in "".join(app.lines()), "it has been seen"
        app.show(ready)
        app.show(board(4, Phase.READY))
        await pilot.pause()
        assert "R e a d y ?" in "".join(app.lines()), "nor does it stay for another match"
        app.show(board(4, Phase.OVER, bank=ready.bank))
        await pilot.pause()
        assert "What the Bank paid" not in app.lines()[0], "the result tells of it"
        await pilot.press("d")
        assert "What the Bank paid" in app.lines()[0]


async def test_what_does_not_fit_on_the_sheet_is_scrolled_to() -> None:
    async with on_screen(shell(board(4, Phase.READY)), (60, 20)) as (app, pilot):
        won = [BANKED[0], *map(cards, ("DGB BGB WGB LRB PAB", "KRC KYC KAB KWB", "HGC HWB"))]
        app.show(board(4, Phase.READY, bank=visits(won)))
        await pilot.pause()
        assert "(1-7/10)" in app.lines()[0] and "3 of the Target" not in "".join(app.lines())
        await pilot.press("down", "down", "down")
        assert "(4-10/10)" in app.lines()[0] and "3 of the Target" in "".join(app.lines())


async def test_the_prices_are_on_the_table_before_anybody_has_been_at_the_bank() -> None:
    """In the smallest terminal whole; a round later behind what was paid."""
    async with on_screen(shell(board(options=PAYING)), (60, 20)) as (app, pilot):
        await pilot.press("d")
        shown = "\n".join(app.lines())
        for line in in_play(five_colours_win=False):
            price = "WINS" if line is Line.WILD else money(line.cents)
            assert re.search(rf"{line_words(line)} +[$]?{price.lstrip('$')}", shown)
        assert "Esc: close" in shown and "╭ 8 ─" in shown, "beside the Wheel while there is a race"
        await pilot.press("d")
        assert "Ann (you)" in "".join(app.lines())
        app.show(board(phase=Phase.READY, bank=visits(BANKED)))
        await pilot.pause()
        assert app.find("What the Bank paid")
        assert [words for _actions, words in app.board.actions_now()] == ["Close", "Prices"]
        await pilot.press("d")
        assert app.find("What the Bank pays after")
        await pilot.press("d")
        assert app.find("Ann (you)")


async def test_the_prices_stay_while_nothing_is_asked() -> None:
    async with on_screen(shell(declaring(1))) as (app, pilot):
        await pilot.press("d")
        app.show(board(phase=Phase.TAKE, acting=1, takes=1))
        await pilot.pause()
        assert app.find("What the Bank pays after")
        app.show(board(phase=Phase.TAKE, acting=0, takes=1))
        await pilot.pause()
        assert not [line for line in app.lines() if "The Bank pays" in line], "what is to do now"
        app.show(board())
        await pilot.pause()
        assert app.find("Ann (you)"), "a race is on"


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize(
    ("view", "targets"),
    [(board(options=Options()), 1), (board(options=PAYING), 1), (board(3, seat=None), 0)],
)
def test_all_of_it_has_room(code: str, view: View, targets: int) -> None:
    speak(code)
    rows = prices_block(view, LEAST[0], GLYPHS[GlyphSet.UNICODE], "closes")
    assert len(rows) <= LEAST[1] and max(map(cells, rows)) <= LEAST[0]
    assert sum("★" in span.text for row in rows for span in row) == targets


# Whole boards: what stands where, how cards are drawn, and in which colours ----------------------


SIZES = [(60, 17), (80, 21), (120, 37), (200, 57)]


def lines(shown: Scene) -> list[str]:
    return said_on(shown).split("\n")


def test_who_is_out_has_no_target_and_who_is_away_is_dim() -> None:
    """Not the pistol, which is number 0."""
    codes, glyphs = Written(Form.CODE), GLYPHS[GlyphSet.UNICODE]
    rows = player_rows(scene(board(2), away=frozenset({1})), 40, glyphs, codes)
    assert {span.ink for row in rows for span in row if span.text == "Björn"} == {Voice.DIM}
    out = board(3, standing=[True, False, True], targets=TARGETS[:1] + b"\0" + TARGETS[2:3])
    shown = said_on(scene(out))
    assert shown.count("Target ") == 2
    assert "Target ⌐P" not in shown


def test_what_a_challenge_card_does_stands_below_it() -> None:
    """Also where Click! takes the rows below the Wheel, in the race in which it is drawn."""
    kept = [bytes((Challenge.PIANO_PLAYER,)), b"", b"", b""]
    for seats, size in ((2, (80, 21)), (4, (100, 27)), (4, (120, 37)), (4, (160, 47))):
        said = said_on(scene(board(seats, challenges=kept[:seats])), size)
        assert "Challenge: Piano player" in said and "an opponent's card" in said


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
    told = scene(ready, taught=Taught(wanted=(), hidden=frozenset({"wild"})))
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
        keys = ("Space: ready", "1-8: shoot", "Enter: lay")
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
    found = layout(100, 27)
    assert found is not None and found.side.x + found.side.width == 98, "text ends before the edge"


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
            obj, colour, suit = FEATURES_OF[card]
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
        obj, colour, suit = (feature_names(each).words for each in FEATURES_OF[card])
        name = card_words(card)
        assert obj in name and name.endswith(f" ({suit})") and name == name.lower()
        if code == "en":
            assert name == f"{colour} {obj} ({suit})"


G = GlyphSet.ASCII


# Colours ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("palette", PALETTES)
def test_the_five_colours_are_told_apart(palette: Palette) -> None:
    """By 15 (CIE76) at least."""
    paint = PAINTING.paints[palette]
    assert nearest([paint[ink.name.lower()].colour for ink in COLOURS], "normal") >= 15


@pytest.mark.parametrize("look", [Look(Palette.NATIVE), Look(colours=Colours.C16)])
def test_of_sixteen_colours_each_has_its_own(look: Look) -> None:
    assert len({PAINTING.styles(look)[ink].bgcolor for ink in COLOURS}) == len(COLOURS)
