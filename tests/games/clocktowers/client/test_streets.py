"""Towns, the sky above them, and the ladder of the heights of roofs."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games import spans
from clocktowers_tui.games.clocktowers.choosing import NEW, NOTHING, Effect, Marks
from clocktowers_tui.games.clocktowers.inks import GLYPHS, NIGHT, Ink, glyphs_of
from clocktowers_tui.games.clocktowers.ladder import ladder_rows
from clocktowers_tui.games.clocktowers.sight import Scene
from clocktowers_tui.games.clocktowers.street import (
    Pitch,
    Plot,
    Sky,
    night,
    notice,
    pitches,
    place_at,
    street,
    with_notice,
    without_night,
)
from clocktowers_tui.games.clocktowers.towers import HUGE, LARGE, MIDDLE, PAIRED, SMALL, Scale
from clocktowers_tui.games.clocktowers.town import Form, town_block
from clocktowers_tui.games.scenes import Taught
from clocktowers_tui.games.spans import Block, Span, cells
from protocol.games.clocktowers import CODES, Choice, Play, View
from tests.games.clocktowers.boards import board, cards, town
from tests.stage.golden_boards import NAMES, text_of

# Towers on a common ground ------------------------------------------------------------------------


GLYPH = GLYPHS[GlyphSet.ASCII]
QUARTER = 39
BOTH = (LARGE, SMALL)


def pitch(
    towers: Sequence[bytes], width: int, sky: int, scales: Sequence[Scale], *, own: bool
) -> Pitch | None:
    """Of the only street of a board."""
    return pitches((Plot(tuple(towers), width, sky, own),), scales)[0]


def gap(towers: int, width: int, scales: tuple[Scale, ...] = (SMALL,), *, own: bool) -> object:
    found = pitch([b"\1"] * towers, width, 12, scales, own=own)
    return None if found is None else found.step


def test_the_gap_closes_before_the_ledger_is_needed() -> None:
    assert [gap(towers, QUARTER, own=True) for towers in (5, 6, 7, 8)] == [6, 5, 5, None]
    assert [gap(towers, QUARTER, own=False) for towers in (6, 7, 8)] == [6, 5, None]


def test_where_the_sky_is_too_low_storeys_are_and_then_towers_are_small() -> None:
    high = [cards("2-.2-.2-.K-.Rb")]
    for sky, scale, storey in ((7, SMALL, PAIRED), (8, SMALL, 1), (11, LARGE, 1), (21, HUGE, 2)):
        found = pitch(high, 120, sky, (HUGE, LARGE, SMALL), own=True)
        assert found is not None and (found.scale, found.storey) == (scale, storey)


@given(
    st.lists(st.lists(st.sampled_from(["1-", "2c.K-.Rb", "2-.2-.2m", "1m.K-"]), max_size=7)),
    st.integers(3, 25),
    st.integers(20, 120),
)
def test_on_a_board_storeys_are_of_one_height_and_the_own_towers_the_largest(
    towns: list[list[str]], sky: int, width: int
) -> None:
    plots = [Plot((*town(one).towers,), width, sky, own=not n) for n, one in enumerate(towns)]
    found = pitches(tuple(plots))
    assert len({at.storey for at in found if at is not None}) <= 1
    own = found[0] if found else None
    assert all(at is None or (own is not None and at.width <= own.width) for at in found)


def test_all_others_are_drawn_at_one_scale_however_few_their_towers() -> None:
    own, few, many, most = (
        Plot((b"\1",) * towers, 80, 16, own=not n) for n, towers in enumerate((1, 1, 9, 40))
    )
    (*_one, alone), (_own, one, other, none) = pitches((own, few)), pitches((own, few, many, most))
    assert alone is not None and one is not None and other is not None
    assert one.scale == other.scale and none is None
    assert alone.width > one.width, "the control: without the other it would be larger"


def test_large_towers_come_closer_and_then_get_small() -> None:
    assert [gap(towers, 110, BOTH, own=True) for towers in (9, 10, 11, 12)] == [11, 10, 9, 6]
    assert gap(17, 110, BOTH, own=True) == 6


@given(st.integers(0, 15), st.integers(30, 130), st.booleans())
def test_rows_keep_their_width_and_show_every_number(towers: int, width: int, own: bool) -> None:
    at = pitch([b"\1"] * towers, width, 12, BOTH, own=own)
    if at is None:
        return
    marks = Marks(True, {NEW: Effect(1)}, NEW, False) if own else Marks()
    rows = street(town(["1-.K-"] * towers), width, 5, at, marks, GLYPH)
    assert [spans.cells(row) for row in rows] == [width] * 5
    ground = text_of(rows[-1])
    assert all(str(number + 1) in ground for number in range(towers))
    assert ("[+]" in ground) == own


@given(st.integers(1, 13), st.data())
def test_a_place_is_found_below_its_number(towers: int, data: st.DataObject) -> None:
    at = pitch([b"\1"] * towers, 120, 12, (SMALL,), own=True)
    assert at is not None
    picked = data.draw(st.integers(0, towers - 1))
    marks = Marks(True, {picked: Effect(1)}, picked, False)
    rows = street(town(["1c"] * towers), 120, 4, at, marks, GLYPH)
    x = text_of(rows[-1]).index(f"[{picked + 1}]")
    assert place_at(towers, 120, at, marks, x) == picked
    assert "^.^" in text_of(rows[-3])[x - 1 : x + 6]


@pytest.mark.parametrize("scale", [SMALL, LARGE])
def test_what_a_play_gives_stands_on_the_tower_however_high(scale: Scale) -> None:
    for tower in ("1-.K-", "2-.2-.2-.2-.2-.2-.K-"):
        at = pitch([b"\1"] * 1, 40, 12, (scale,), own=True)
        assert at is not None
        marks = Marks(True, {0: Effect(3, 5)}, 0, False)
        rows = without_night(street(town([tower]), 40, 9, at, marks, GLYPH))
        shown = [text_of(row).strip() for row in rows if text_of(row).strip()]
        assert shown[0] == "+5"


def test_choosing_moves_no_tower_that_has_room_above_it() -> None:
    at = pitch([b"\1"] * 2, 40, 12, (SMALL,), own=True)
    assert at is not None
    towers = town(["1-.K-", "2c"])
    marks = Marks(True, {0: Effect(1, 5), 1: Effect(3)}, 0, False)
    calm, marked = (street(towers, 40, 9, at, one, GLYPH) for one in (Marks(), marks))
    assert [text_of(row) for row in calm[5:8]] != [text_of(row) for row in calm[4:7]]
    assert [text_of(row)[:8].rstrip() for row in calm[6:8]] == [
        text_of(row)[:8].rstrip() for row in marked[6:8]
    ]


# The rule above a town ----------------------------------------------------------------------------


@pytest.mark.parametrize("towers", [1, 9])
def test_what_towers_score_stands_above_the_own_street_as_long_as_the_match(towers: int) -> None:
    """Beside how many are done; with a long name instead of them where the sky has no room."""

    def told(name: str) -> list[bool]:
        scene = Scene(board(4, own=["1c"] * towers), [name, *NAMES[1:]], NOTHING)
        form = Form(80, 8, Pitch(SMALL, 6, 1))
        edge = text_of(town_block(scene, 0, form, Marks(), GLYPH)[0])
        assert cells([Span(edge)]) == 80
        return ["done" in edge, "4 cats . 3 both" in edge]

    assert told("Ann") == [True, True]
    assert told("Massimiliano the 1st") == [towers < 9, towers == 9]


def test_an_empty_street_says_what_scores_until_towers_need_the_room() -> None:
    rows = {}
    for towers in ([], ["1c"], ["1c", "1c"]):
        view = board(4, own=towers)
        begun = [replace(one, points=bytes(len(one.points))) for one in view.towns]
        scene = Scene(replace(view, towns=begun), NAMES, NOTHING)
        for form in (Form(39, 8, Pitch(MIDDLE, 9, 1)), Form(29, 5, None)):
            calm, choosing = (
                [text_of(row) for row in town_block(scene, 0, form, marks, GLYPH)]
                for marks in (Marks(), Marks(choosing=True, legal={NEW: Effect(1)}))
            )
            said = [[line for line in shown if "cats" in line] for shown in (calm, choosing)]
            assert len(said[0]) == len(said[1])
            rows[len(towers), bool(form.pitch)] = len(said[0])
    assert rows == {
        **{(towers, True): 2 * (towers < 2) for towers in range(3)},
        **{(towers, False): 2 * (towers < 1) for towers in range(3)},
    }


def test_an_example_stands_in_the_others_sky_until_a_tower_is_complete_or_needs_the_room() -> None:
    """Whole, with a title, or not at all; from the first step of a lesson on."""
    form = Form(80, 10, Pitch(MIDDLE, 9, 1))

    def shown(others: list[str], *, seat: int = 1, form: Form = form, **more: Any) -> str:
        view = board(2)
        view = replace(view, towns=[view.towns[0], town(others)])
        begun = [replace(one, points=bytes(len(one.points))) for one in view.towns]
        scene = Scene(view if more.get("complete") else replace(view, towns=begun), NAMES, NOTHING)
        scene = scene._replace(taught=Taught(hidden=more.get("hidden", frozenset())))
        rows = town_block(scene, seat, form, Marks(), GLYPH)
        assert {cells(row) for row in rows} == {form.width}
        return "\n".join(map(text_of, rows))

    parts = ("Example of a tower:", "roof", "clock", "floors")
    for form_of in (form, form._replace(height=7)):
        assert all(part in shown([], form=form_of) for part in parts)
    assert all(part in shown(["1c"] * 3, hidden=frozenset({"ladder"})) for part in parts)
    for without in (
        shown(["1c"] * 6),
        shown([], seat=0),
        shown(["1c.K-.Rb"], complete=True),
        shown([], form=form._replace(height=5)),
        shown([], form=form._replace(width=28)),
    ):
        assert parts[0] not in without


def test_the_facts_are_shared_out_among_the_towns() -> None:
    for towns in (2, 3, 4):
        told = [" ".join(notice(place, 18, GLYPH, scores=True)) for place in range(towns)]
        for fact in ("5 no animals", "Example of a tower:", "how many floors", "need 1 floor more"):
            assert [fact in text for text in told].count(True) == 1


def test_what_a_street_says_keeps_to_its_cells() -> None:
    sky = [[Span(" " * 40)] for _ in range(3)]
    rows = with_notice(sky, 40, ["", "two words", "\N{CJK UNIFIED IDEOGRAPH-65E5}" * 30])
    assert [cells(row) for row in rows] == [40] * 3
    assert rows[0] == sky[0] and "two words" in text_of(rows[1])


# Which height the next roof must have -------------------------------------------------------------


def ladder(view: View, width: int = 80) -> list[str]:
    return [text_of(row).rstrip() for row in ladder_rows(view, NAMES, width, GLYPH)]


def test_a_roof_that_is_picked_shows_where_its_colour_steps_to() -> None:
    view = board(4)
    picked = Choice(Play(CODES.index("Ry"), 0), 2, 5, 3)
    for width in (24, 80):
        calm, shown = (
            [text_of(row) for row in ladder_rows(view, NAMES, width, GLYPH, one)]
            for one in (None, picked)
        )
        assert [row.replace("Y# 1-2", "Y# 2>3") for row in calm] == shown
    floor = Choice(Play(1, 0), 2)
    assert ladder_rows(view, NAMES, 80, GLYPH, floor) == ladder_rows(view, NAMES, 80, GLYPH)


def test_with_own_ladders_it_is_ones_own() -> None:
    steps = [bytes((1 << height,) * 5) for height in (1, 2, 3)]
    view = replace(board(3), ladder=steps)
    assert ladder(replace(view, seat=1))[0].startswith("Your next roof  R^ 2")
    assert ladder(replace(view, seat=None, turn=2))[0].startswith("Chiara: next roof  R^ 3")


# The night behind it ------------------------------------------------------------------------------


BARE: Block = [[Span(" " * 20), Span("|::|", Ink.WALL_0), Span(" " * 40)] for _row in range(16)]

MOON = Sky(home=True)


def test_it_fills_blanks_only() -> None:
    for set_ in GLYPHS.values():
        rows = night(BARE, set_, MOON)
        assert rows == night(BARE, set_, MOON)
        assert [cells(row) for row in rows] == [64] * 16
        assert all(text_of(row)[20:24] == "|::|" for row in rows)
        inks = {span.ink for row in rows for span in row}
        assert {Ink.STAR, Ink.MOON} <= inks
        assert [text_of(row) for row in without_night(rows)] == [text_of(row) for row in BARE]


def test_far_roofs_need_shades() -> None:
    assert glyphs_of(Look()).far and glyphs_of(Look(Palette.LIGHT)).far
    for look in (Look(colours=Colours.NONE), Look(colours=Colours.C16), Look(Palette.NATIVE)):
        rows = night(BARE, glyphs_of(look), MOON)
        assert {span.ink for row in rows for span in row} & {*NIGHT} == {Ink.STAR, Ink.MOON}
