"""Boards of every game as their files have them, and never wider than the screen.

After a wanted change of looks `python -m tests.games.NAME.goldens` writes the files.
"""

import re
from importlib import import_module
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.look import GlyphSet, Look, Palette
from clocktowers_tui.games.parts import SHELL_ROWS
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import Edge, cells, measurable
from protocol.text import cells as text_cells, clean
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Reel
from tests.stage.eyes import EYES, PALETTES, nearest
from tests.stage.golden_boards import SIZES, Goldens, under
from tests.stage.own_files import FaceCase, by_game

OF: dict[str, Goldens] = by_game("goldens", "GOLDENS")
CASES: dict[str, FaceCase] = by_game("face_case", "CASE")
BOARDS = {game: goldens.boards() for game, goldens in OF.items()}
EACH = [(game, name) for game, boards in BOARDS.items() for name in boards]
ROOMS = [*((width, height - SHELL_ROWS) for width, height in SIZES), (200, 57)]
"""Sizes of boards."""
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)

every_game = pytest.mark.parametrize("game", FACES)


# Golden boards -----------------------------------------------------------------------------------


def text(game: str, name: str) -> str:
    return OF[game].text(BOARDS[game][name])


@pytest.mark.parametrize(("game", "name"), EACH)
def test_golden(game: str, name: str) -> None:
    assert text(game, name) == OF[game].kept(name)


@every_game
def test_no_golden_without_a_test(game: str) -> None:
    assert OF[game].names() == set(BOARDS[game]) != set()


@pytest.mark.parametrize(("game", "name"), [each for each in EACH if "ascii" in each[1]])
def test_ascii_is_ascii_but_for_what_is_foreign(game: str, name: str) -> None:
    others = {char for char in text(game, name) if not char.isascii()}
    assert others <= set(OF[game].foreign)


@every_game
def test_the_smallest_board_says_whose_it_is_whatever_the_names(game: str) -> None:
    whose = CASES[game].board.whose.removeprefix("Ann")
    assert whose in OF[game].kept("hostile-names-60x20")


# Within the frame --------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize(
    "seats", [4, *(pytest.param(seats, marks=pytest.mark.soak) for seats in (2, 3))]
)
def test_every_moment_of_a_match_can_be_drawn(game: str, seats: int) -> None:
    goldens = OF[game]
    for seat in (0, None):
        scenes = [*CASES[game].drawing.moments(seats, seat)]
        some = (*scenes[:: max(1, len(scenes) // 8)], scenes[-1])
        for scene, (width, height) in product(some, ROOMS):
            rows = goldens.draw(scene, width, height, goldens.sets[GlyphSet.ASCII])
            assert rows is not None
            assert [cells(row) for row in rows] == [width] * height
            lines = [span.text for row in rows for span in row if span.ink is Edge.QUIET]
            assert not re.findall(r"[^\Wv]", "".join(lines)), "but for an arrow, v, only lines"


@every_game
@given(
    names=st.lists(NAMES, min_size=4, max_size=4),
    width=st.integers(60, 160),
    height=st.integers(17, 50),
    which=st.integers(0, 99),
    glyphs=st.sampled_from(GlyphSet),
)
def test_hostile_names_never_break_the_frame(
    game: str, names: list[str], width: int, height: int, which: int, glyphs: GlyphSet
) -> None:
    scenes, goldens = CASES[game].drawing.crowded, OF[game]
    shown = [measurable(clean(name)) for name in names]
    log = [f"{name}: what happened" for name in shown]
    scene = scenes[which % len(scenes)]._replace(names=shown, log=log)
    rows = goldens.draw(scene, width, height, goldens.sets[glyphs])
    assert rows is not None
    assert [cells(row) for row in rows] == [width] * height


@every_game
@given(width=st.integers(1, 260), height=st.integers(1, 90))
def test_nothing_overlaps_or_hangs_over(game: str, width: int, height: int) -> None:
    layouts = [*CASES[game].drawing.laid_out(width, height)]
    assert bool(layouts) is (width >= 60 and height >= 17)
    for rects in layouts:
        for rect in rects:
            assert rect.x >= 0 and rect.x + rect.width <= width
            assert rect.y >= 0 and rect.y + rect.height <= height
            assert rect.width > 0 and rect.height > 0
        for one, other in combinations(rects, 2):
            apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
            apart_y = one.y + one.height <= other.y or other.y + other.height <= one.y
            assert apart_x or apart_y, (one, other)


@every_game
@pytest.mark.parametrize("size", ROOMS)
def test_the_mouse_finds_what_is_drawn(game: str, size: tuple[int, int]) -> None:
    module = import_module(f"clocktowers_tui.games.{game}.scene")
    for scene, hits in CASES[game].drawing.hits:
        sight = module.sight(scene, *size, OF[game].sets[GlyphSet.ASCII])
        everywhere = product(range(0, size[0], 2), range(size[1]))
        assert hits <= {under(module.PARTS, sight, at) for at in everywhere}


# Signs and colours -------------------------------------------------------------------------------


def signs(value: Any) -> list[str]:
    """All texts of a set of glyphs, in order."""
    if value is None or isinstance(value, str):
        return [value or ""]
    parts = value.values() if isinstance(value, dict) else value
    return [sign for part in parts for sign in signs(part)]


@every_game
def test_every_sign_takes_the_same_cells_in_every_set(game: str) -> None:
    unicode, safe, ascii_ = (
        signs([value for name, value in OF[game].sets[one]._asdict().items() if name != "far"])
        for one in GlyphSet
    )
    for alike in zip(unicode, safe, ascii_, strict=True):
        assert len({*map(len, alike)} - {0}) <= 1, alike
    for sign in (*unicode, *safe, *ascii_):
        assert measurable(sign) == sign and text_cells(sign) == len(sign)
    assert "".join(ascii_).isascii()


@every_game
@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_keeps_what_has_a_meaning_apart(game: str, eyes: str) -> None:
    drawing = CASES[game].drawing
    assert nearest(drawing.grounds(Palette.COLOUR_BLIND), eyes) >= drawing.apart


@pytest.mark.parametrize("palette", PALETTES)
def test_most_eyes_tell_all_roofs_apart_in_every_palette(palette: Palette) -> None:
    least = 25 if palette in (Palette.CONTRAST, Palette.COLOUR_BLIND) else 15
    roofs = CASES["clocktowers"].drawing.grounds(palette)
    assert min(nearest(roofs, eyes) for eyes in ("normal", "protan", "deutan")) >= least


@every_game
@pytest.mark.parametrize("glyphs", GlyphSet)
def test_a_picture_of_the_menu_fits_into_its_room(game: str, glyphs: GlyphSet) -> None:
    drawn = []
    for width, height in ((20, 5), (24, 9), (32, 20), (38, 21), (58, 36), (62, 44), (96, 44)):
        rows = FACES[game].card_art(Look(glyphs=glyphs), width, height)
        wide = {sum(text_cells(text) for text, _style in row) for row in rows}
        assert len(rows) <= height and len(wide) == 1 and max(wide) <= width, (width, height)
        drawn.append(len(rows))
    assert drawn[-1] > 4 * drawn[0], "where there is room, it is used"


@every_game
@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_match_has_come_to_fits_above_its_result(game: str, seats: int) -> None:
    """With the winner's name, and in all the cells that the game has asked for."""
    played = GAMES[game]
    series = Series(played, played.notation.options_from_record({}), ["easy"] * seats, 7)
    state = Reel(read(line(play(series, 0)), GAMES)).plies[-1].state
    view, outcome = played.rules.view(state, 0), played.rules.outcome(state)
    assert outcome is not None
    shown = 0
    for width, height in ((26, 4), (55, 9), (76, 12), (96, 15), (136, 24), (196, 40)):
        for glyphs in GlyphSet:
            look, names = Look(glyphs=glyphs), ("Ann", "Bob", "Cleo", "Dan")[:seats]
            rows = FACES[game].end_art(look, view, outcome, names, width, height)
            drawn = ["".join(text for text, _style in row) for row in rows]
            assert len(drawn) <= height and all(text_cells(row) <= width for row in drawn)
            assert not drawn or names[outcome.winners[0]] in drawn[0]
            shown += bool(drawn)
    assert shown >= 4 * len(GlyphSet)
