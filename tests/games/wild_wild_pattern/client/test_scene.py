"""Whole boards: never wider than the screen, and drawn at every moment."""

from itertools import product

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.parts import Shared, under
from clocktowers_tui.games.spans import cells, measurable
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.offers import Offer, What
from clocktowers_tui.games.wild_wild_pattern.scene import PARTS, draw, sight
from clocktowers_tui.games.wild_wild_pattern.selecting import Selection
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet, Spot
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.pattern import Direction
from protocol.text import clean
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    NAMES,
    TARGETS,
    WHEEL,
    board,
    declaring,
    scene,
    visits,
)
from tests.games.wild_wild_pattern.matches import Match, moments
from tests.stage.golden_boards import text_of

PLAIN = GLYPHS[GlyphSet.ASCII]
SIZES = [(60, 17), (80, 21), (120, 37), (200, 57)]


def hits(shown: Scene, size: tuple[int, int], *cells: tuple[int, int]) -> set[object]:
    found = sight(shown, *size, PLAIN)
    assert found is not None
    return {under(PARTS, found, at) for at in cells}


def test_every_character_of_every_set_takes_one_cell() -> None:
    for glyphs in GLYPHS.values():
        assert len(set(glyphs.signs.values())) == len(glyphs.signs) == 10
        texts = [*glyphs.signs.values(), glyphs.arrows, *glyphs.card, *glyphs.pick]
        texts += [glyphs.halves, glyphs.cross, glyphs.none]
        texts += [*glyphs.fresh, glyphs.back, glyphs.turn]
        assert all(measurable(one) == one for one in texts)


NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(
    names=st.lists(NAME, min_size=4, max_size=4),
    width=st.integers(60, 130),
    height=st.integers(17, 50),
    phase=st.sampled_from([phase for phase in Phase if phase is not Phase.DECLARE]),
    sheet=st.sampled_from([None, *Sheet]),
    glyphs=st.sampled_from(GlyphSet),
)
def test_hostile_names_never_break_the_frame(
    names: list[str], width: int, height: int, phase: Phase, sheet: Sheet | None, glyphs: GlyphSet
) -> None:
    shown = [measurable(clean(name)) for name in names]
    view = board(4, phase, acting=0, bank=visits(BANKED))
    seen = Scene(view, shown, log=[f"{name}: a card" for name in shown], sheet=sheet)
    rows = draw(seen, width, height, GLYPHS[glyphs])
    assert rows is not None
    assert [cells(row) for row in rows] == [width] * height


@pytest.mark.parametrize(
    "seats", [4, *(pytest.param(seats, marks=pytest.mark.soak) for seats in (1, 2))]
)
def test_every_moment_of_a_match_can_be_drawn(seats: int) -> None:
    for seat in (0, None):
        for number, view in enumerate(moments(Match(seats, seed=seats, seat=seat))):
            if number % 10 == 0 or view.phase is Phase.OVER:
                for width, height in SIZES:
                    rows = draw(Scene(view, NAMES[:seats]), width, height, PLAIN)
                    assert rows is not None
                    assert [cells(row) for row in rows] == [width] * height


def test_a_small_board_is_not_drawn() -> None:
    assert draw(scene(board()), 59, 17, PLAIN) is None
    assert draw(scene(board()), 60, 16, PLAIN) is None


@pytest.mark.parametrize("size", SIZES)
def test_the_mouse_finds_what_is_drawn(size: tuple[int, int]) -> None:
    picked = scene(replace(declaring(), wheel=WHEEL), Selection(Direction.AFTER))
    found = hits(picked, size, *product(range(0, size[0], 2), range(size[1])))
    features = {Offer(What.FEATURE, feature) for feature in range(15)}
    assert features | {Offer(What.DIRECTION, number) for number in range(2)} <= found
    assert {Offer(What.PLACE, at) for at in range(8)} <= found
    assert Shared.LOG in hits(scene(board()), size, *product([size[0] - 3], range(size[1])))
    sheet = scene(board(4, Phase.READY), sheet=Sheet.PRICES)
    assert hits(sheet, size, (size[0] // 2, size[1] // 2)) == {Spot.SHEET}


def lines(shown: Scene, size: tuple[int, int] = (80, 21)) -> list[str]:
    rows = draw(shown, *size, GLYPHS[GlyphSet.UNICODE])
    assert rows is not None
    return [text_of(row) for row in rows]


def test_the_picked_direction_is_that_of_the_arrows() -> None:
    """After is clockwise; in the top row that is to the right."""
    assert "│→ │" in lines(scene(declaring()))[2]
    assert "│→ │" in lines(scene(declaring(), Selection(Direction.AFTER)))[2]
    assert "│← │" in lines(scene(declaring(), Selection(Direction.BEFORE)))[2]


def test_who_is_out_has_no_target() -> None:
    """Not the pistol, which is number 0."""
    out = board(3, standing=[True, False, True], targets=TARGETS[:1] + b"\0" + TARGETS[2:3])
    shown = "\n".join(lines(scene(out)))
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
    told = scene(ready, guided=True, led=True, reads=True)
    plain, reads = said_on(scene(ready), size), said_on(told, size)
    for words in ("Space: ready", "?", "Target", "WILD"):
        assert words in plain and words not in reads
    bank = scene(board(1, Phase.READY, bank=visits(BANKED[:1])), sheet=Sheet.PAID)
    assert "Esc: close" in said_on(bank, size)
    assert "Esc: close" not in said_on(bank._replace(guided=True, reads=True), size)


def said_on(shown: Scene, size: tuple[int, int]) -> str:
    drawn = draw(shown, *size, GLYPHS[GlyphSet.UNICODE])
    assert drawn is not None
    return "\n".join(map(text_of, drawn))


def test_a_replay_names_no_key_of_the_board() -> None:
    """Nobody can be ready, shoot or lay a card there."""
    for phase in (Phase.READY, Phase.RACE, Phase.LAY):
        view = board(2, phase, acting=0)
        played, replayed = (said_on(scene(view, replayed=on), (80, 21)) for on in (False, True))
        keys = ("Space: ready", "1-8: cover", "Enter: lay")
        assert any(one in played for one in keys)
        assert not any(one in replayed for one in keys), phase
