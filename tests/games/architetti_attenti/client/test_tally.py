"""What points are made of adds up: to the points, and to what a placement would change."""

import pytest

from clocktowers_tui.games.architetti_attenti import preview
from clocktowers_tui.games.architetti_attenti.choosing import (
    NOTHING,
    Selection,
    settle,
    take_up,
)
from clocktowers_tui.games.architetti_attenti.placing import Ghost
from clocktowers_tui.games.architetti_attenti.reasons import fitting, what_scores, why
from clocktowers_tui.games.architetti_attenti.tally import changes, tally
from protocol.games.architetti_attenti import STEPS, Blocks, Options, Parks, Rails, View
from protocol.games.architetti_attenti.board import cell_named, placements
from protocol.games.architetti_attenti.score import Counting, parts
from tests.games.architetti_attenti.boards import board
from tests.stage.real_matches import Match

LETTER = Options(first_seat=0, blocks=Blocks.ALL, parks=Parks.HOUSES, rails=Rails.STRETCH)


@pytest.mark.parametrize("options", [Options(first_seat=0), LETTER])
def test_in_a_whole_match_the_reasons_add_up_to_the_preview(options: Options) -> None:
    match, seen = Match("architetti_attenti", 2, options, seed=9), 0
    while not match.over():
        view = match.view()
        counting = Counting.of(view)
        for seat, town in enumerate(view.boards):
            made_of = tally(town, view.gems[seat], counting)
            worth = {part: sum(one.worth for one in made_of[part].elements()) for part in made_of}
            points = parts(town, view.gems[seat], counting)
            assert worth == {part: getattr(points, part) for part in preview.PARTS}
        for selection in _choices(view):
            seen += _adds_up(view, selection)
        match.play_one()
    assert seen > 100


def _choices(view: View) -> list[Selection]:
    """Every fourth place of the row's last tile."""
    up = take_up(view, settle(view, None, NOTHING), 4).selection
    if up.ghost is None:
        return []
    fits = placements(view.boards[0], view.row[3])[::4]
    return [up._replace(ghost=Ghost(first, STEPS.index(second - first))) for first, second in fits]


def _adds_up(view: View, selection: Selection) -> bool:
    then, now = preview.with_ghost(view, selection), preview.points(view, 0)
    assert then is not None
    found = changes(view, selection)
    gains = {part: found[part].gain if part in found else 0 for part in preview.PARTS}
    assert gains == {part: getattr(then, part) - getattr(now, part) for part in preview.PARTS}
    told = why(view, selection, ">")
    assert set(told) == {part for part, gain in gains.items() if gain}
    assert all(text for texts in told.values() for text in texts)
    return bool(told)


def _why(tile: int, cells: str, gems: int = 2) -> dict[str, str]:
    """For the tile of that position placed there, in Ann's town."""
    first, second = map(cell_named, cells.split())
    assert first is not None and second is not None
    view = board(2, gems=(gems, 5))
    up = take_up(view, settle(view, None, NOTHING), tile).selection
    up = up._replace(ghost=Ghost(first, STEPS.index(second - first)))
    return {part: texts[0] for part, texts in why(view, up, "->").items()}


def test_a_reason_names_what_is_built_and_what_becomes_of_gems() -> None:
    assert _why(2, "c4 c5") == {}
    assert _why(2, "f3 f4") == {"houses": "f3 f4", "schools": "gems rise from 2 to 3"}
    assert _why(4, "f3 f4", 5) == {"schools": "school f4, you pay 3 gems"}


def test_the_longest_text_that_has_room_is_told() -> None:
    texts = what_scores("schools", board(2))
    assert fitting(texts, 60) == texts[0] and fitting(texts, len(texts[0]) - 1) == texts[1]
    assert fitting(texts, 5) == ""
