"""What is said of cards, refusals and turns, and the last page with who won, why, and for what."""

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.clocktowers.hand import Held, framed
from clocktowers_tui.games.clocktowers.inks import GLYPHS, PAINTING
from clocktowers_tui.games.clocktowers.pictures import end_art
from clocktowers_tui.games.clocktowers.result import result_lines, tower_lines
from clocktowers_tui.games.clocktowers.sentences import refusal_words
from clocktowers_tui.games.clocktowers.spoken import SPOKEN
from clocktowers_tui.games.clocktowers.towers import HUGE, LARGE, SMALL
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block
from clocktowers_tui.games.standings import ResultLine
from protocol.errors import Param, Refusal
from protocol.games import clocktowers as ct
from tests.games.clocktowers.boards import board, town
from tests.games.clocktowers.matches import TowerMatch
from tests.stage.golden_boards import NAMES

# Why an action is impossible ----------------------------------------------------------------------


def test_the_phase_and_a_height_that_does_not_fit() -> None:
    """That a card has to be drawn is said in `face_case`, with the player's own keys."""
    playing = Refusal(ct.Refused.WRONG_PHASE, {"phase": "play"})
    assert refusal_words(playing) == "You cannot draw yet: play or discard a card."
    params: dict[str, Param] = {"tower": 1, "card": ct.CODES.index("Rb"), "height": 4}
    wrong = Refusal(ct.Refused.WRONG_HEIGHT, {**params, "heights": [1, 2]})
    said = "The blue roof needs 1 or 2 floors; tower 2 has 4."
    assert refusal_words(wrong) == said


# Turns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ct.TurnOrder)
def test_turn_by_turn(order: ct.TurnOrder) -> None:
    match = TowerMatch(3, ct.Options(turn_order=order), seed=4)
    last, turns = None, 0
    while not match.over():
        view = match.view()
        if view.turn != last:
            last, turns = view.turn, turns + 1
        assert FACE.turn(view) == (turns - 1) // 3 + 1
        match.play_one()
    assert match.view().phase is ct.Phase.OVER
    assert turns == 58 and FACE.turn(match.view()) == 20


# What is loud -------------------------------------------------------------------------------------


HELD = Held(1, "1")
CHOSEN = HELD._replace(at=True, chosen=True)


@pytest.mark.parametrize("look", [*map(Look, Palette), *(Look(colours=one) for one in Colours)])
def test_what_is_chosen_is_loud_in_every_look(look: Look) -> None:
    inks = PAINTING.styles(look)
    assert inks[Voice.LOUD].bold and inks[Voice.LOUD] != inks[Voice.DIM]
    assert inks[Voice.MARKED].reverse
    for scale in (SMALL, LARGE, HUGE):
        calm, chosen = (framed(one, scale, GLYPHS[look.glyphs]) for one in (HELD, CHOSEN))
        assert loud(chosen) >= 2 * (scale.card_width + scale.card_height) - 4 > loud(calm)


def loud(card: Block) -> int:
    """Cells that the eye meets first."""
    return sum(len(text) for row in card for text, ink in row if ink in (Voice.LOUD, Voice.MARKED))


# The end ------------------------------------------------------------------------------------------


WIDE = 76


def plain(lines: Sequence[ResultLine]) -> list[str]:
    return [line.plain for line in lines]


def ended(*towns: Sequence[str], points: Sequence[Sequence[int]]) -> ct.View:
    """A last view with these towers, worth this."""
    shown = [
        replace(town(towers), points=bytes(worth))
        for towers, worth in zip(towns, points, strict=True)
    ]
    return replace(board(2), towns=shown)


def test_winner_and_every_tower() -> None:
    outcome = ct.Outcome((9, 6), (0,), ct.DecidedBy.POINTS)
    assert plain(result_lines(board(2), outcome, NAMES, WIDE)) == [
        "You win",
        "You have 3 points more than Björn.",
        "The cards ran out.",
        "",
        "1.  Ann    9 points  3 complete towers",
        "2.  Björn  6 points  2 complete towers",
    ]
    view = ended(
        ["1-.K-.Rr", "2c.2-.K-.Rb", "2-.1m.1-.1c.K-.Ry", "1m.Km.Rg", "1-.1m"],
        [],
        points=[[5, 4, 3, 2, 0], []],
    )
    decided = "You have 3 points more than Björn. Worth most: your tower 1."
    assert plain(result_lines(view, outcome, NAMES, WIDE))[1] == decided
    beside = plain(tower_lines(view, outcome, NAMES, 2 * WIDE))[0]
    assert beside.split()[:2] == ["Your", "towers:"] and "Towers of Björn: 6 points" in beside
    assert plain(tower_lines(view, outcome, NAMES, WIDE)) == [
        "Your towers: 9 points",
        "Tower  Height  Roof    Points  Why",
        " 1     1       Red     5       no animals",
        " 2     4       Blue    4       cats only",
        " 3     5       Yellow  3       cats and mice",
        " 4     1       Green   2       mice only",
        " 5     2       -       -       not complete",
        "",
        "Towers of Björn: 6 points",
        "  no tower",
        "",
    ]
    narrow = plain(tower_lines(view, outcome, NAMES, 40))
    assert narrow[1] == "   1 height 1, Red: 5 points, no animals"
    assert "   5 height 2, not complete" in narrow


def streets(view: ct.View, outcome: ct.Outcome, width: int = WIDE, height: int = 20) -> list[str]:
    drawn = end_art(Look(), view, outcome, NAMES, width, height)
    return ["".join(text for text, _style in row) for row in drawn]


@pytest.mark.parametrize("size", [(55, 10), (75, 12), (95, 15), (135, 22)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_streets_stand_above_with_their_points(size: tuple[int, int], seats: int) -> None:
    """What decided is marked where there is room, but not what most towers brought."""
    alike = board(seats)
    outcome = ct.Outcome((12, 6, 9, 3)[:seats], (0,), ct.DecidedBy.POINTS)
    assert "*" not in "".join(streets(alike, outcome, *size))
    own, *others = alike.towns
    view = replace(alike, towns=[replace(own, points=[5, *own.points[1:]]), *others])
    rows = streets(view, outcome, *size)
    assert 0 < len(rows) <= size[1] and max(map(cell_len, rows)) <= size[0]
    text = "\n".join(rows)
    assert all(f"{name}  " in text for name in NAMES[:seats])
    complete = sum(bool(points) for town in view.towns for points in town.points)
    assert len(re.findall(r"[1-9*] ?\+[35]", text)) >= complete
    assert size[0] < 135 or re.findall(r"\*([0-9])\*", text) == ["1"]
    assert not re.findall(r"\+[0-9]+[0-9*]|[hv][0-9]+\*", text), "two labels run together"
    assert text.index("Ann  12 points") < text.index("Björn  6 points")
    alone = streets(view, outcome, 30, 5)
    assert "Ann  12 points" in alone[0] and "Björn" not in "".join(alone)


def test_of_level_points_the_animal_is_marked() -> None:
    tied = ct.Outcome((9, 9), (0,), ct.DecidedBy.CAT)
    assert re.findall(r"\*([0-9])\*", "".join(streets(board(2), tied))) == ["1"]
    shared = ct.Outcome((9, 9), (0, 1), ct.DecidedBy.SHARED)
    assert "*" not in "".join(streets(board(2), shared))


def test_without_towers_or_room_there_are_no_streets() -> None:
    outcome = ct.Outcome((9, 6), (0,), ct.DecidedBy.POINTS)
    assert streets(ended([], [], points=[[], []]), outcome) == []
    assert streets(board(2), outcome, 20, 20) == [] == streets(board(2), outcome, 55, 4)


def test_a_clock_mouse_that_does_not_count_is_told() -> None:
    towers = ["1-.Km.Rr", "1c.Km.Rb", "1m.Km.Rg"]
    outcome = ct.Outcome((11, 0), (0,), ct.DecidedBy.POINTS)
    ignored = plain(tower_lines(ended(towers, [], points=[[5, 4, 2], []]), outcome, NAMES, WIDE))
    assert ignored[2].endswith("no animals, clock aside")
    assert ignored[3].endswith("cats only, clock aside")
    assert ignored[4].endswith("mice only")
    counted = plain(tower_lines(ended(towers, [], points=[[2, 3, 2], []]), outcome, NAMES, WIDE))
    assert not any("aside" in line for line in counted)


def test_the_towers_that_decided_are_named() -> None:
    view = ended(
        ["2-.K-.Rr"],
        ["1m.1-.K-.Rr", "1-.2m.K-.Rb", "1m.K-.Rg", "2m.K-"],
        points=[[5], [2, 2, 2, 0]],
    )
    outcome = ct.Outcome((6, 6), (1,), ct.DecidedBy.MOUSE)
    assert "Björn's towers 2, 3" in result_lines(view, outcome, NAMES, WIDE)[1].plain
    view = ended(["2-.K-.Rr"], ["1m.1c.K-.Rr"], points=[[3], [3]])
    outcome = ct.Outcome((3, 3), (1,), ct.DecidedBy.CAT)
    assert "Björn's tower 1" in result_lines(view, outcome, NAMES, WIDE)[1].plain


def test_a_shared_win_names_all() -> None:
    outcome = ct.Outcome((6, 6, 6), (0, 1, 2), ct.DecidedBy.SHARED)
    lines = plain(result_lines(board(3), outcome, NAMES, WIDE))
    assert lines[0] == "Ann, Björn and Chiara share the win"
    assert [line[:2] for line in lines[4:]] == ["1."] * 3


def test_at_a_glance_complete_towers_are_a_sentence() -> None:
    view = replace(board(2), towns=[town(["1-.K-.Rb", "1-.K-.Rr", "2c"]), town([])])
    told = SPOKEN.glance(view, ["Ann", "Wren"])
    assert told[-3:] == [
        "Your tower 3: a double floor with a cat; 2 floors.",
        "You have 2 complete towers: 6 points.",
        "Wren has no tower.",
    ]
    assert len(SPOKEN.parts(view, ["Ann", "Wren"])["towers"]) == 4
