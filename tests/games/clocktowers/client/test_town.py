"""The rule above a town: whose it is, what it is worth, and the hand."""

from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.clocktowers.choosing import NOTHING
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.marks import NEW, Effect, Marks
from clocktowers_tui.games.clocktowers.notices import notice, with_notice
from clocktowers_tui.games.clocktowers.scale import MIDDLE, SMALL
from clocktowers_tui.games.clocktowers.sight import Scene
from clocktowers_tui.games.clocktowers.street import Pitch
from clocktowers_tui.games.clocktowers.town import Form, town_block
from clocktowers_tui.games.spans import Span, cells
from protocol.games.clocktowers import View
from tests.games.clocktowers.boards import HOSTILE, NAMES, board, cards, town
from tests.stage.golden_boards import text_of

GLYPH = GLYPHS[GlyphSet.ASCII]


def header(view: View, seat: int, width: int = 50) -> str:
    return above(Scene(view, NAMES, NOTHING), seat, width)


def above(scene: Scene, seat: int, width: int) -> str:
    return text_of(town_block(scene, seat, Form(width, 4, None), Marks(), GLYPH)[0])


def test_it_ends_with_one_back_a_card() -> None:
    assert header(board(4), 0).endswith("- %%%")
    hands = bytes((3, 2, 4, 0))
    assert header(replace(board(4), hands=hands), 2).endswith("- hand %%%%")
    without = header(replace(board(4), hands=hands), 3)
    assert "hand" not in without and without.endswith("--")


def test_on_an_open_memory_table_known_cards_come_first() -> None:
    view = board(2, known=("2c.K-.Rb", "1c.Km"))
    assert header(view, 1).endswith("- hand 1c Km %")
    view = replace(view, known=[b"", cards("1c.Km.Rb")])
    assert header(view, 1).endswith("- hand 1c Km Rb")
    assert header(view, 0).endswith("- %%%")


def test_only_the_seat_to_act_is_marked() -> None:
    view = replace(board(2), turn=1)
    assert header(view, 1).startswith("= > Björn  6 pts . 2 towers done -")
    assert header(view, 0).startswith("- Ann (you)  9 pts . 3 towers done -")


def test_points_stay_whatever_the_name() -> None:
    for seat, name in enumerate(HOSTILE):
        for width in (29, 39, 80):
            row = above(Scene(board(4), HOSTILE, NOTHING), seat, width)
            assert f"{board(4).points[seat]} pts" in row
            assert name[:3] in row


def test_the_own_one_says_what_towers_score_where_there_is_room() -> None:
    scoring = "5 no animals . 4 cats only . 3 cats and mice . 2 mice only"
    assert scoring in header(board(4), 0, 120)
    assert scoring not in header(board(4), 1, 120) and scoring not in header(board(4), 0, 60)


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


def test_a_frame_is_as_large_as_it_is_told() -> None:
    for width, height in ((40, 12), (118, 30)):
        form = Form(width, height, Pitch(SMALL, 6, 1), framed=True)
        rows = town_block(Scene(board(4), NAMES, NOTHING), 0, form, Marks(), GLYPH)
        assert [cells(row) for row in rows] == [width] * height
        assert text_of(rows[-1]) == "'" + "-" * (width - 2) + "'"


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


def test_once_a_tower_is_complete_the_sky_says_only_what_scores() -> None:
    scene = Scene(board(4, own=[]), NAMES, NOTHING)
    form = Form(39, 12, Pitch(SMALL, 6, 1))
    shown = [
        "".join(map(text_of, town_block(scene, seat, form, Marks(), GLYPH))) for seat in range(4)
    ]
    assert "4 cats only" in shown[0]
    assert not any(word in one for one in shown for word in ("then a", "floor higher", "adds no"))


def test_an_example_stands_in_the_others_sky_until_a_tower_is_complete_or_needs_the_room() -> None:
    """Whole, with a title, or not at all; from the first step of a lesson on."""
    form = Form(80, 10, Pitch(MIDDLE, 9, 1))

    def shown(others: list[str], *, seat: int = 1, form: Form = form, **more: Any) -> str:
        view = board(2)
        view = replace(view, towns=[view.towns[0], town(others)])
        begun = [replace(one, points=bytes(len(one.points))) for one in view.towns]
        scene = Scene(view if more.get("complete") else replace(view, towns=begun), NAMES, NOTHING)
        scene = scene._replace(hidden=more.get("hidden", frozenset()))
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
        for fact in (
            "5 no animals",
            "Example of a tower:",
            "how many floors",
            "need 1 floor more",
        ):
            assert [fact in text for text in told].count(True) == 1


def test_what_a_street_says_keeps_to_its_cells() -> None:
    sky = [[Span(" " * 40)] for _ in range(3)]
    rows = with_notice(sky, 40, ["", "two words", "\N{CJK UNIFIED IDEOGRAPH-65E5}" * 30])
    assert [cells(row) for row in rows] == [40] * 3
    assert rows[0] == sky[0] and "two words" in text_of(rows[1])
