"""Whole boards: never wider than the screen, and drawn at every moment."""

import re

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, settle, take_up
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.layout import NEEDS, Arrangement
from clocktowers_tui.games.architetti_attenti.placing import Ghost, ghost_on
from clocktowers_tui.games.architetti_attenti.scene import PARTS, draw, sight
from clocktowers_tui.games.architetti_attenti.sight import Hit, Scene, Spot
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.parts import Shared, under
from clocktowers_tui.games.spans import Block, cells, measurable
from protocol.games.architetti_attenti import CELLS, End, Kind, Options, Phase, Rails
from protocol.games.architetti_attenti.board import MEADOW, cell_named
from protocol.text import clean
from tests.games.architetti_attenti.boards import NAMES, NEWS, board, scene
from tests.stage.golden_boards import text_of
from tests.stage.real_matches import Match

PLAIN = GLYPHS[GlyphSet.ASCII]
SIZES = [(width, height) for width, height in NEEDS.values()]


def test_every_character_of_every_set_takes_one_cell() -> None:
    for glyphs in GLYPHS.values():
        assert len(glyphs.signs) == 11 and len(set(glyphs.signs)) == 11
        assert len(glyphs.rails) == 16 and len(glyphs.sleepers) == 2
        for pictures, width, height in zip(glyphs.pictures, (3, 5, 10), (2, 2, 4), strict=True):
            assert [[len(row) for row in picture] for picture in pictures] == [
                [width] * height
            ] * 11
        drawn = (row for pictures in glyphs.pictures for picture in pictures for row in picture)
        texts = [glyphs.signs, glyphs.rails, glyphs.sleepers, *drawn, glyphs.becomes]
        texts += [*glyphs.tile, *glyphs.ghost, *glyphs.fresh, glyphs.gem, glyphs.cross]
        assert all(measurable(one) == one for one in texts)


@given(
    names=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
        min_size=4,
        max_size=4,
    ),
    width=st.integers(60, 210),
    height=st.integers(17, 60),
    phase=st.sampled_from(Phase),
    looking=st.sampled_from([None, 1, 3]),
    glyphs=st.sampled_from(GlyphSet),
)
def test_hostile_names_never_break_the_frame(
    names: list[str], width: int, height: int, phase: Phase, looking: int | None, glyphs: GlyphSet
) -> None:
    shown = [measurable(clean(name)) for name in names]
    log = [f"{name}: house and park" for name in shown]
    seen = Scene(board(4, phase=phase), shown, NOTHING, log=log, news=NEWS, looking=looking)
    rows = draw(seen, width, height, GLYPHS[glyphs])
    assert rows is not None
    assert [cells(row) for row in rows] == [width] * height


def test_the_market_keeps_its_title_whosever_town_is_shown() -> None:
    view = board(4, phase=Phase.PLACE)
    heads = []
    for looking in (None, 2):
        seen = Scene(view, NAMES, NOTHING, looking=looking)
        rows = draw(seen, 76, NEEDS[Arrangement.SMALL][1], GLYPHS[GlyphSet.UNICODE])
        assert rows is not None
        heads.append(text_of(rows[0]))
    assert heads[0] == heads[1]
    assert "Market" in heads[0] and "To build" in heads[0]


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_every_moment_of_a_match_can_be_drawn(seats: int) -> None:
    options = Options(end=End.ROW, rails=Rails.STRETCH)
    for seat in (0, None):
        match, turns = Match("architetti_attenti", seats, options, seed=7, seat=seat), 0
        while True:
            view, over = match.view(), match.over()
            selection = settle(view, None, NOTHING)
            if view.turn == seat and view.phase is Phase.BUY:
                selection = take_up(view, selection, 1).selection
            if turns % 14 == 0 or over:
                for width, height in SIZES:
                    rows = draw(Scene(view, NAMES[:seats], selection), width, height, PLAIN)
                    assert rows is not None
                    assert [cells(row) for row in rows] == [width] * height
            if over:
                break
            match.play_one()
            turns += 1


def test_a_small_board_is_not_drawn() -> None:
    assert draw(scene(board(4)), 59, 17, PLAIN) is None
    assert draw(scene(board(4)), 60, 16, PLAIN) is None


@pytest.mark.parametrize("size", SIZES)
def test_the_mouse_finds_what_is_drawn(size: tuple[int, int]) -> None:
    shown = scene(board(4), up=2)._replace(news=NEWS)
    seen = sight(shown, *size, PLAIN)
    rows = draw(shown, *size, PLAIN)
    assert seen is not None and rows is not None
    found = {under(PARTS, seen, (x, y)) for x in range(0, size[0], 2) for y in range(size[1])}
    assert {Hit(Spot.CELL, cell) for cell in range(CELLS)} <= found
    assert {Hit(Spot.TILE, position) for position in range(1, 5)} <= found
    assert {Hit(Spot.PLAYER, seat) for seat in range(4)} <= found
    assert Shared.LOG in found
    lines = [text_of(row) for row in rows]
    for seat, name in enumerate(("You", "Bj", "Chi", "Dmi")):
        y, line = next((y, line) for y, line in enumerate(lines) if "Score" in line)
        at = line.index(name, line.index("Score")), y
        assert under(PARTS, seen, at) == Hit(Spot.PLAYER, seat)


@pytest.mark.parametrize("size", SIZES)
def test_choosing_moves_nothing_but_the_ghost_and_numbers(size: tuple[int, int]) -> None:
    view = board(4)
    still = sight(scene(view), *size, PLAIN)
    assert still is not None
    for up in (1, 2, 3):
        seen = sight(scene(view, up=up), *size, PLAIN)
        assert seen is not None and seen.places == still.places
        for name in {"towns", "log", "goal"} & set(seen.places):
            _x, _y, *room = seen.places[name]
            assert PARTS[name].drawn(seen, (room[0], room[1])) == PARTS[name].drawn(
                still, (room[0], room[1])
            )


def test_what_does_not_fit_is_crossed() -> None:
    taken = cell_named("a1")
    assert taken is not None
    view = board(4)
    rows = [text_of(row) for row in _rows(scene(view, up=2, ghost=Ghost(taken, 0)))]
    assert rows[0].startswith(" x a --- b -x") and rows[2].startswith(" x-^H----^H-x")
    under = text_of(_rows(scene(view))[1])[2:12]
    assert under in rows[1] and "^H" in under, "what stands there is seen"
    assert " x-" not in "".join(map(text_of, _rows(scene(view, up=2))))


@pytest.mark.parametrize("size", SIZES)
def test_columns_and_rows_keep_their_names_on_a_full_board(size: tuple[int, int]) -> None:
    """Sentences say a2 to the end; below a tile, and below one that is about to be placed."""
    empty = replace(board(4), boards=[MEADOW] * 4)
    full = replace(board(4), boards=[bytes([Kind.HOUSE] * CELLS)] * 4)
    taken = cell_named("a1")
    assert taken is not None
    for shown in (scene(empty), scene(full), scene(empty, up=2, ghost=Ghost(taken, 0))):
        found = sight(shown, *size, PLAIN)
        rows = draw(shown, *size, PLAIN)
        assert rows is not None and found is not None
        meadow = found.places["meadow"]
        town = [text_of(row)[: meadow.width] for row in rows[: meadow.height]]
        assert "".join(char for char in town[0] if char.islower()) == "abcdefg"
        assert "".join(row[0] for row in town).replace(" ", "") == "1234567"


def test_what_scores_is_told_where_there_is_room_and_the_reasons_take_its_place() -> None:
    fallen = scene(board(1), up=2, ghost=Ghost(cell_named("f3") or 0, 1))
    still, up = _told(scene(board(1)), 120), _told(fallen, 120)
    assert "gems rise" in up and "gems rise" not in still
    for told in (still, up):
        assert told.count("9 for 3x3") == 1, "the pane of the rules says it, the table need not"
        assert "most points win" in told and "What scores" in told
    assert "2x2: 4, 3x3: 9" in _told(scene(board(1)), 80), "without that pane the table does"
    assert "most points win" not in _told(scene(board(4)), 80)


def _told(shown: Scene, width: int) -> str:
    rows = draw(shown, width, 37 if width > 80 else 21, PLAIN)
    assert rows is not None
    return "\n".join(map(text_of, rows))


def _rows(shown: Scene) -> Block:
    rows = draw(shown, 80, 24 - SHELL_ROWS, PLAIN)
    assert rows is not None
    return rows


@pytest.mark.parametrize("glyphs", GlyphSet)
@pytest.mark.parametrize("wish", list(NEEDS))
def test_a_tile_that_does_not_fit_is_said_not_to_and_gains_nothing(
    wish: Arrangement, glyphs: GlyphSet
) -> None:
    """With a cross beside the total, so that no colour is needed; the hint says it in words."""
    view = board(2)
    fits = scene(view, up=2)

    def said(seen: Scene) -> str:
        drawn = draw(seen._replace(wish=wish), *NEEDS[wish], GLYPHS[glyphs]) or []
        return "\n".join(map(text_of, drawn))

    misfit = fits._replace(selection=fits.selection._replace(ghost=Ghost(0, 0)))
    gains, crossed = re.compile(r" [+]\d"), re.compile(rf"Total +\d+ +{GLYPHS[glyphs].cross}")
    assert crossed.search(said(misfit)) and not gains.search(said(misfit))
    assert not crossed.search(said(fits)) and gains.search(said(fits))


@pytest.mark.parametrize(("tile", "rule"), [(14, "florist:"), (9, "station:"), (1, "Blocks ")])
def test_beside_another_player_the_score_still_says_what_the_tile_in_hand_is_for(
    tile: int, rule: str
) -> None:
    """With the names of its signs; also while the tile adds nothing there."""
    view = replace(board(2, phase=Phase.PLACE, own=()), tile=tile, gems=bytes(2))
    drawn = [text_of(row) for row in draw(scene(view), 80, 21, PLAIN) or []]
    assert any(rule in row and ("2 kinds" in row or "x" in row) for row in drawn)


def test_a_railway_is_told_in_stations_and_tracks() -> None:
    """2x2 is a block of houses."""
    view = replace(board(1, phase=Phase.PLACE, own=("a1 b1 11",)), tile=11)
    ghost = ghost_on(cell_named("d1") or 0, cell_named("c1") or 0)
    told = _told(scene(view, ghost=ghost), 120)
    assert "+4  2 stations, 2 tracks" in told and told.count("2x2") == 1, told
