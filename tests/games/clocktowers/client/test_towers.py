"""Towers, cards and towns are told apart by text alone, and keep to their cells."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games import spans
from clocktowers_tui.games.clocktowers.choosing import NEW, Marks
from clocktowers_tui.games.clocktowers.hand import Held, cards_in_line, framed, framed_cards
from clocktowers_tui.games.clocktowers.inks import GLYPHS, NIGHT, Glyphs, Ink, glyphs_of
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
    without_night,
)
from clocktowers_tui.games.clocktowers.towers import HUGE, LARGE, MIDDLE, PAIRED, SMALL, Scale
from clocktowers_tui.games.clocktowers.town import Form, ledger, town_block
from clocktowers_tui.games.parts import Taught
from clocktowers_tui.games.spans import Block, Row, Span, cells
from protocol.games.clocktowers import CODES, Choice, Play, Town, View
from tests.games.clocktowers.boards import MANY, board, cards, town
from tests.stage.golden_boards import NAMES, text_of

GLYPH = GLYPHS[GlyphSet.ASCII]
PLAY = Play(1, None)
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
    assert texts(SMALL.tower(begun[:-1], 9, PAIRED, glyphs)) == ["!m  !", "|. c|"]
    assert texts(MIDDLE.tower(whole, 3, PAIRED, glyphs)) == ["/Bo(m)\\", "! #   !", " +5mc  "]


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
        marks = Marks({picked: Choice(PLAY, 3)}, picked, False)
        rows = ledger(town(MANY), 29, 3, marks, GLYPH)
        assert f">{picked + 1}" in " ".join(map(text_of, rows))


def test_the_roof_stands_on_its_colour() -> None:
    rows = ledger(Town([cards("1-.K-.Rb")], b"\5"), 40, 1, Marks(), GLYPH)
    assert [span.text for span in rows[0] if span.ink is Ink.ROOF_B] == ["Rb"]


# Towers on a common ground ------------------------------------------------------------------------


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
    marks = Marks({NEW: Choice(PLAY, 1)}, NEW, False) if own else Marks()
    rows = street(town(["1-.K-"] * towers), width, 5, at, marks, GLYPH)
    assert [spans.cells(row) for row in rows] == [width] * 5
    ground = text_of(rows[-1])
    assert all(str(number + 1) in ground for number in range(towers))
    assert (">+" in ground) == own


@given(st.integers(1, 13), st.data())
def test_a_place_is_found_below_its_number(towers: int, data: st.DataObject) -> None:
    at = pitch([b"\1"] * towers, 120, 12, (SMALL,), own=True)
    assert at is not None
    picked = data.draw(st.integers(0, towers - 1))
    marks = Marks({picked: Choice(PLAY, 1)}, picked, False)
    rows = street(town(["1c"] * towers), 120, 4, at, marks, GLYPH)
    x = text_of(rows[-1]).index(f">{picked + 1}")
    assert place_at(towers, 120, at, marks, x) == picked
    assert "^.^" in text_of(rows[-3])[x - 1 : x + 6]


@pytest.mark.parametrize("scale", [SMALL, LARGE])
def test_what_a_play_gives_stands_on_the_tower_however_high(scale: Scale) -> None:
    for tower in ("1-.K-", "2-.2-.2-.2-.2-.2-.K-"):
        at = pitch([b"\1"] * 1, 40, 12, (scale,), own=True)
        assert at is not None
        marks = Marks({0: Choice(PLAY, 3, 5)}, 0, False)
        rows = without_night(street(town([tower]), 40, 9, at, marks, GLYPH))
        shown = [text_of(row).strip() for row in rows if text_of(row).strip()]
        assert shown[0] == "+5"


def test_choosing_moves_no_tower_that_has_room_above_it() -> None:
    at = pitch([b"\1"] * 2, 40, 12, (SMALL,), own=True)
    assert at is not None
    towers = town(["1-.K-", "2c"])
    marks = Marks({0: Choice(PLAY, 1, 5), 1: Choice(PLAY, 3)}, 0, False)
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
        scene = Scene(board(4, own=["1c"] * towers), [name, *NAMES[1:]])
        form = Form(80, 8, Pitch(SMALL, 6, 1))
        edge = text_of(town_block(scene, 0, form, Marks(), GLYPH)[0])
        assert cells([Span(edge)]) == 80
        return ["done" in edge, "4 cats . 3 " in edge]

    assert told("Ann") == [True, True]
    assert told("Massimiliano the 1st") == [towers < 9, towers == 9]


def test_an_empty_street_says_what_scores_until_towers_need_the_room() -> None:
    rows = {}
    for towers in ([], ["1c"], ["1c", "1c"]):
        view = board(4, own=towers)
        begun = [replace(one, points=bytes(len(one.points))) for one in view.towns]
        scene = Scene(replace(view, towns=begun), NAMES)
        for form in (Form(39, 8, Pitch(MIDDLE, 9, 1)), Form(29, 5, None)):
            calm, choosing = (
                [text_of(row) for row in town_block(scene, 0, form, marks, GLYPH)]
                for marks in (Marks(), Marks(legal={NEW: Choice(PLAY, 1)}))
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
        scene = Scene(view if more.get("complete") else replace(view, towns=begun), NAMES)
        scene = scene._replace(taught=Taught(hidden=more.get("hidden", frozenset())))
        rows = town_block(scene, seat, form, Marks(), GLYPH)
        assert {cells(row) for row in rows} == {form.width}
        return "\n".join(map(text_of, rows))

    parts = ("Example of a tower:", "roof", "clock", "floors")
    for form_of in (form, form._replace(height=7)):
        assert all(part in shown([], form=form_of) for part in parts)
    assert "1 h2   height 2" in shown([]) and "h2 " not in shown([], form=form._replace(height=7))
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
        told = [" ".join(notice(place, 18, GLYPH)) for place in range(towns)]
        for fact in ("5 no animals", "Example of a tower:", "as many floors", "colour needs 3"):
            assert [fact in text for text in told].count(True) == 1
    brief = " ".join(notice(0, 6, GLYPH, ("scoring",)))
    assert brief.endswith("“Next roof” shows."), "in 80 columns, at the beginning"


# Which height the next roof must have -------------------------------------------------------------


def ladder(view: View, width: int = 80) -> list[str]:
    return [text_of(row).rstrip() for row in ladder_rows(view, NAMES, width, GLYPH)]


def test_a_roof_that_is_picked_shows_where_its_colour_steps_to() -> None:
    view = board(4)
    picked = Choice(Play(CODES.index("Ry"), 0), 2, 5, 3)
    assert [ladder(view, width)[0][9:] for width in (20, 23)] == ["  R^ 3", " needs floors"]
    for width in (24, 80):
        calm, shown = (
            [text_of(row) for row in ladder_rows(view, NAMES, width, GLYPH, one)]
            for one in (None, picked)
        )
        assert [row.replace("Y# 1-2", "Y# >3 ") for row in calm] == shown
    floor = Choice(Play(1, 0), 2)
    assert ladder_rows(view, NAMES, 80, GLYPH, floor) == ladder_rows(view, NAMES, 80, GLYPH)


def test_with_own_ladders_it_is_ones_own() -> None:
    steps = [bytes((1 << height,) * 5) for height in (1, 2, 3)]
    view = replace(board(3), ladder=steps)
    assert ladder(replace(view, seat=1))[0].startswith("Your next roof needs floors  R^ 2")
    assert ladder(replace(view, seat=None, turn=2))[0].startswith("Chiara: next roof needs")


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
