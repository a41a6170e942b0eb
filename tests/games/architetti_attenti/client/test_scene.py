"""Whole boards, and what a face makes of a match as it goes: news, peaks, turns."""

import re

import pytest
from msgspec.structs import replace
from rich.color import Color, ColorSystem

from clocktowers_tui.config.look import TONES, GlyphSet, Palette
from clocktowers_tui.games.architetti_attenti import scores
from clocktowers_tui.games.architetti_attenti.choosing import Ghost, inside, points
from clocktowers_tui.games.architetti_attenti.face import FACE
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS, KINDS, PAINTING, Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.log import looked_at, news
from clocktowers_tui.games.architetti_attenti.scene import PARTS, Houses, peak, sight
from clocktowers_tui.games.architetti_attenti.sight import (
    GOAL_ROWS,
    GOAL_WIDTH,
    INSET,
    NAMES_ROWS,
    NAMES_WIDTH,
    PANEL,
    SCALES,
    Arrangement,
    Boxes,
    Layout,
    Scene,
    layout,
)
from clocktowers_tui.games.architetti_attenti.town import (
    LARGE,
    MIDDLE,
    PICTURES,
    SIGNS,
    TALL,
    joins,
    town_block,
)
from clocktowers_tui.games.architetti_attenti.words import kind_letter
from clocktowers_tui.games.motion import Win
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import LEAST, SHELL_ROWS
from clocktowers_tui.games.spans import cells
from clocktowers_tui.text.i18n import SOURCE, languages, speak
from protocol.games import architetti_attenti as aa
from protocol.games.architetti_attenti.board import MEADOW, kinds, with_tile
from tests.games.architetti_attenti.boards import board, draw, scene, town
from tests.games.architetti_attenti.matches import TownMatch
from tests.games.architetti_attenti.meadows import at
from tests.stage.eyes import EYES, PALETTES, nearest
from tests.stage.golden_boards import NAMES, text_of
from tests.stage.staged import Staged

PLAIN, UNICODE = GLYPHS[GlyphSet.ASCII], GLYPHS[GlyphSet.UNICODE]
SIZES = [wish.needs for wish in SCALES]


def test_the_market_keeps_its_title_whosever_town_is_shown() -> None:
    view = board(4, phase=aa.Phase.PLACE)
    heads = []
    for looking in (None, 2):
        seen = Scene(view, NAMES, looking=looking)
        rows = draw(seen, 76, Arrangement.SMALL.needs[1], GLYPHS[GlyphSet.UNICODE])
        assert rows is not None
        heads.append(text_of(rows[0]))
    assert heads[0] == heads[1]
    assert "Market" in heads[0] and "To build" in heads[0]


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


@pytest.mark.parametrize("size", SIZES)
def test_columns_and_rows_keep_their_names_on_a_full_board(size: tuple[int, int]) -> None:
    """Sentences say a2 to the end; below a tile, and below one that is about to be placed."""
    empty = replace(board(4), boards=[MEADOW] * 4)
    full = replace(
        board(4), boards=[bytes([aa.Kind.HOUSE, aa.Kind.PARK] * aa.CELLS)[: aa.CELLS]] * 4
    )
    for shown in (scene(empty), scene(full), scene(empty, up=2, ghost=inside(at("a1"), 0))):
        found = sight(shown, *size, PLAIN)
        rows = draw(shown, *size, PLAIN)
        assert rows is not None and found is not None
        meadow = found.places["meadow"]
        town = [text_of(row)[: meadow.width] for row in rows[: meadow.height]]
        assert "".join(char for char in town[0] if char.islower()) == "abcdefg"
        assert "".join(row[0] for row in town).replace(" ", "") == "1234567"
        if shown.view is full:
            totals = next(text for text in map(text_of, rows) if "Total" in text)
            assert totals.count(f"{points(full, 0).total}") == 4 and points(full, 0).total > 99


def test_what_scores_is_told_where_there_is_room_and_the_reasons_take_its_place() -> None:
    fallen = scene(board(1), up=2, ghost=inside(at("f3"), 1))
    still, up = _told(scene(board(1)), 120), _told(fallen, 120)
    assert "gems rise" in up and "gems rise" not in still
    for told in (still, up):
        assert told.count("9 for 3x3") == 1, "the pane of the rules says it, the table need not"
        assert "most points win" in told and "What scores" in told
    assert "2x2: 4, 3x3: 9" in _told(scene(board(1)), 80), "without that pane the table does"
    assert "most points win" not in _told(scene(board(4)), 80)
    assert "Bea (away)" in _told(Scene(board(2), ["Ann", "Bea (away)"]), 80), "behind is room"


def _told(shown: Scene, width: int) -> str:
    rows = draw(shown, width, 37 if width > 80 else 21, PLAIN)
    assert rows is not None
    return "\n".join(map(text_of, rows))


@pytest.mark.parametrize("glyphs", GlyphSet)
@pytest.mark.parametrize("wish", list(SCALES))
def test_a_tile_that_does_not_fit_is_said_not_to_and_gains_nothing(
    wish: Arrangement, glyphs: GlyphSet
) -> None:
    """With a cross beside the total, so that no colour is needed; the hint says it in words."""
    view = board(2)
    fits = scene(view, up=2)

    def said(seen: Scene) -> str:
        drawn = draw(seen._replace(wish=wish), *wish.needs, GLYPHS[glyphs]) or []
        return "\n".join(map(text_of, drawn))

    misfit = fits._replace(selection=fits.selection._replace(ghost=inside(0, 0)))
    gains, crossed = re.compile(r" [+]\d"), re.compile(rf"Total +\d+ +{GLYPHS[glyphs].cross}")
    assert crossed.search(said(misfit)) and not gains.search(said(misfit))
    assert not crossed.search(said(fits)) and gains.search(said(fits))


@pytest.mark.parametrize(("tile", "rule"), [(14, "florist:"), (9, "station:"), (1, "Blocks ")])
def test_beside_another_player_the_score_still_says_what_the_tile_in_hand_is_for(
    tile: int, rule: str
) -> None:
    """With the names of its signs; also while the tile adds nothing there."""
    view = replace(board(2, phase=aa.Phase.PLACE, own=()), tile=tile, gems=bytes(2))
    drawn = [text_of(row) for row in draw(scene(view), 80, 21, PLAIN) or []]
    assert any(rule in row and ("2 kinds" in row or "x" in row) for row in drawn)


def test_a_railway_is_told_in_stations_and_tracks() -> None:
    """2x2 is a block of houses."""
    view = replace(board(1, phase=aa.Phase.PLACE, own=("a1 b1 11",)), tile=11)
    ghost = Ghost(at("d1"), at("c1"))
    told = _told(scene(view, ghost=ghost), 120)
    assert "+4  2 stations, 2 tracks" in told and told.count("2x2") == 1, told


# Where the parts stand ----------------------------------------------------------------------------


def test_each_size_has_the_largest_that_fits() -> None:
    for wish, scale in SCALES.items():
        size = wish.needs
        assert _at(*size).scale == scale
        if size != LEAST:
            smaller = _at(size[0] - 1, size[1])
            assert smaller.scale.width < scale.width


def test_from_140_columns_the_others_towns_and_the_tiles_on_offer_have_pictures() -> None:
    full = _at(200, 60 - SHELL_ROWS)
    assert full.scale is TALL and full.places["meadow"].height == 60 - SHELL_ROWS
    assert full.towns is PICTURES and {"goal", "log", "towns"} <= set(full.places)
    assert _at(120, 40 - SHELL_ROWS).towns is SIGNS
    for width, height, seats in ((140, 45, 2), (140, 45, 3), (160, 40, 4), (200, 60, 2)):
        found = _at(width, height - SHELL_ROWS, seats)
        boxes = Boxes.of(found.places["row"].width - 2 * INSET)
        assert found.towns in (PICTURES, MIDDLE) and boxes.scale is SCALES[Arrangement.LARGE]


@pytest.mark.parametrize("width", [NAMES_WIDTH, PANEL[0], GOAL_WIDTH])
def test_where_the_goal_stands_all_of_it_does(width: int) -> None:
    """In every language: a longer sentence would push out the last one."""
    wide, glyphs = width >= GOAL_WIDTH, GLYPHS[GlyphSet.UNICODE]
    word_for_word = {"blocks": aa.Blocks.ALL, "parks": aa.Parks.HOUSES, "rails": aa.Rails.STRETCH}
    for code in languages():
        speak(code)
        for view in (board(2), replace(board(2), **word_for_word)):
            rows = scores.rules(view, width - 2 * INSET, glyphs)
            fits = len(rows) <= GOAL_ROWS[wide]
            assert (len(rows) >= 8 and fits) or width < PANEL[0], [code, *map(text_of, rows)]
        signs = scores.names(scene(view), width - 2 * INSET, 99, glyphs)
        assert len(signs) <= NAMES_ROWS[wide] and max(map(cells, signs)) <= width - 2 * INSET
        told = "".join(map(text_of, signs))
        assert all(glyphs.signs[kind] + kind_letter(kind) in told for kind in aa.Kind if kind)
    speak(SOURCE)


def _at(width: int, height: int, seats: int = 4) -> Layout:
    found = layout(width, height, seats=seats, over=False)
    assert found is not None
    return found


def test_the_name_of_a_player_who_is_away_is_dim() -> None:
    rows = draw(scene(board(2))._replace(away=frozenset({1})), 140, 42, UNICODE) or []
    assert {span.ink for row in rows for span in row if span.text == "Björn"} == {Voice.DIM}


# A town as rows -----------------------------------------------------------------------------------


def test_tracks_join_tracks_and_stations_and_no_station_another() -> None:
    board = town(["a1 b1 11", "a2 b2 11", "c1 c2 10", "d1 d2 1"])
    assert joins(board, at("a1")) == [0], "a station below it, not joined"
    assert joins(board, at("b1")) == [0, 1, 2]
    assert joins(board, at("c2")) == [2, 3]
    assert joins(board, at("d1")) == []


@pytest.mark.parametrize("glyphs", GLYPHS.values())
def test_a_track_that_joins_no_two_stations_is_thin(glyphs: Glyphs) -> None:
    board = town(["a1 b1 11", "d1 c1 11", "b2 b3 10"])
    for scale in (SIGNS, MIDDLE, LARGE):
        shown = "".join(text_of(row) for row in town_block(board, scale, glyphs))
        assert glyphs.rails[7] in shown, "between two stations"
        assert glyphs.thin[10] in shown, "a dead end below it"


# Colours ------------------------------------------------------------------------------------------


TOLD_APART = 15.0
"""CIE76, between the grounds of houses, parks, schools, shops, tracks and stations."""


@pytest.mark.parametrize("palette", PALETTES)
def test_whose_turn_it_is_has_a_colour_of_its_own(palette: Palette) -> None:
    paint, turn = PAINTING.paints[palette], TONES[palette].turn
    eyes = EYES if palette is Palette.COLOUR_BLIND else ("normal",)
    for kind in KINDS[1:]:
        ground = paint[kind.name.lower()].colour
        assert min(nearest([turn, ground], one) for one in eyes) >= TOLD_APART, ground


def test_with_256_colours_no_two_kinds_share_a_ground() -> None:
    paint = PAINTING.paints[Palette.DARK]
    kinds = [paint[kind.name.lower()] for kind in KINDS[1:-1] if kind is not Ink.TRACK]
    grounds = [Color.parse(kind.colour).downgrade(ColorSystem.EIGHT_BIT).number for kind in kinds]
    assert len({*grounds}) == len(grounds), grounds


# What a face makes of a match as it goes: news, peaks, and turns ---------------------------------


def built(view: aa.View, seat: int, first: str, second: str) -> aa.View:
    boards = list(view.boards)
    boards[seat] = with_tile(boards[seat], 1, at(first), at(second))
    return replace(view, boards=boards)


def named_cells(*names: str) -> frozenset[int]:
    return frozenset(map(at, names))


def test_who_watches_sees_the_last_tile() -> None:
    start = board(2, seat=None)
    since = looked_at(start, None, None)
    first = built(replace(start, turn=1), 0, "f5", "g5")
    since = looked_at(first, start, since)
    assert news(first, since)[0] == named_cells("f5", "g5")
    choosing = replace(first, phase=aa.Phase.PLACE)
    since = looked_at(choosing, first, since)
    assert news(choosing, since)[0] == named_cells("f5", "g5")
    second = built(replace(choosing, turn=0), 1, "g6", "g7")
    since = looked_at(second, choosing, since)
    assert news(second, since) == {0: frozenset(), 1: named_cells("g6", "g7")}


def test_another_match_has_no_news() -> None:
    full, empty = board(2), board(2, own=())
    assert looked_at(empty, full, full) is empty
    assert looked_at(board(3), full, full).boards == board(3).boards


# Peaks --------------------------------------------------------------------------------------------


def test_every_block_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 21, game="architetti_attenti")
    found, before = [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        shown = peak(before, after)
        placed = [one for one in staged.heard()[heard:] if isinstance(one, aa.Placed)]
        if isinstance(shown, Houses):
            seat = placed[0].seat
            had, has = (points(view, seat).blocks for view in (before, after))
            assert shown.seat == seat and shown.points == has - had
            assert {kinds(after.boards[seat])[cell] for cell in shown.cells} == {aa.Kind.HOUSE}
            assert {placed[0].first, placed[0].second} & {*shown.cells}
        elif not staged.over and placed:
            seat = placed[0].seat
            assert points(after, seat).blocks <= points(before, seat).blocks
        found.append(shown)
        before = after
    assert any(isinstance(one, Houses) for one in found)
    assert found[-1] == Win(staged.outcome().winners[0])


# Turns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", aa.End)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_turn_by_turn(seats: int, end: aa.End) -> None:
    match = TownMatch(seats, aa.Options(end=end), seed=4)
    while not match.over():
        done = sum(isinstance(event, aa.Placed | aa.Discarded) for event in match.events)
        assert FACE.turn(match.view()) == done // seats + 1
        mover = replace(match.view(), seat=match.view().turn)
        if "Your turn" in (said := FACE.expected(mover, ())):
            assert f"Your turn {FACE.turn(mover)} of " in said
        last = done >= 22 * seats + (4 if end is aa.End.ROW else 0) - seats
        assert ("last turn" in FACE.expected(mover, ())) == last
        match.play_one()
    assert match.view().phase is aa.Phase.OVER
    assert FACE.turn(match.view()) == 22 + (-(-4 // seats) if end is aa.End.ROW else 0)
    assert any(match.view().discarded) or (seats, end) != (1, aa.End.ROW)  # 26 tiles, 24 fit
