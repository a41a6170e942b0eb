"""What keys make of a view, and what a placement would bring: as the server counts it."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import (
    NOTHING,
    Ghost,
    Remark,
    Selection,
    Stage,
    back,
    confirm,
    inside,
    move,
    pick,
    point,
    settle,
    take_up,
    to_best,
    turn,
)
from clocktowers_tui.games.architetti_attenti.reasons import shut, tally, why
from clocktowers_tui.games.architetti_attenti.spoken import SPOKEN
from clocktowers_tui.games.keys import NOT_YOUR_TURN, OVER, WATCHING, Step
from protocol.games import architetti_attenti as aa
from protocol.games.architetti_attenti.board import NEIGHBOURS, is_double, placements
from protocol.games.architetti_attenti.score import Counting, parts
from server.games.architetti_attenti.bots import BOTS
from tests.games.architetti_attenti.boards import NO_ROOM, board
from tests.games.architetti_attenti.matches import TownMatch
from tests.games.architetti_attenti.meadows import at

BUY = board(2)
PLACE = board(2, phase=aa.Phase.PLACE)


def up(view: aa.View = BUY, position: int = 2) -> Selection:
    found: Selection = take_up(view, settle(view, None, NOTHING), position).selection
    return found


def test_a_town_without_a_name_is_the_player_s_own_and_a_tile_is_bought_first() -> None:
    read = partial(SPOKEN.read, BUY, ["Ann", "Wren"])
    assert read("town", [])[0] == "Your town, row by row:"
    assert read("town", ["e5"]) == [
        "e5: free cell. Around it: d4 town hall, e4 bookshop, e6 school."
    ]
    assert read("place", ["e3", "f3"]) == ["First buy a tile: type buy and its number."]
    assert [one[:7] for one in read("best", [])] == [f"Tile {n}:" for n in (1, 2, 3, 4)]
    rich = replace(BUY, gems=(5, *BUY.gems[1:]))
    *_row, said = SPOKEN.since(rich, rich, ["Ann", "Wren"])
    assert "; 4, a toy shop and a school, for 3 gems, on " in said and " costs 3 points (" in said


def test_of_places_that_bring_as_much_one_shuts_nothing_in_and_takes_nothing_from_the_row() -> None:
    view = replace(board(2, own=("b1 c1 1",)), phase=aa.Phase.PLACE, tile=10, row=(1, 0, 0, 0))
    found, corner = choosing.best(view, view.tile), Ghost(at("a2"), at("b2"))
    near, far = (
        NOTHING._replace(stage=Stage.PLACE, ghost=one or corner) for one in (found, corner)
    )
    assert shut(view, far) == "It shuts in a1, where no tile fits." and not shut(view, near)
    assert choosing.gain(view, near) == choosing.gain(view, far)


def test_in_another_match_the_ghost_begins_anew() -> None:
    moved = turn(BUY, up()).selection
    assert moved.ghost != up().ghost
    over = replace(BUY, phase=aa.Phase.OVER, turn=None)
    assert settle(BUY, PLACE, moved).ghost == moved.ghost
    assert settle(BUY, over, settle(over, BUY, moved)) == settle(BUY, None, NOTHING)


def test_where_it_does_not_fit_enter_buys_nothing_and_brings_a_bought_one_to_a_place() -> None:
    selection = settle(PLACE, None, NOTHING)
    for cell in ("a1", "c4"):
        step = confirm(PLACE, selection._replace(ghost=Ghost(at(cell), at(cell) + 1)))
        assert step.action is None and step.remark is None
        assert choosing.fits(PLACE, step.selection.ghost)
        looked = up()._replace(ghost=Ghost(at(cell), at(cell) + 1))
        assert confirm(BUY, looked) == Step(looked, remark=Remark.NO_PLACE), "it buys nothing"
        assert isinstance(confirm(PLACE, step.selection).action, aa.Place)


def test_four_turns_bring_it_back_where_there_is_room() -> None:
    selection = up()._replace(ghost=inside(aa.HALL, 0))
    seen = []
    for _ in range(4):
        seen.append(selection.ghost.second)
        selection = turn(BUY, selection).selection
    assert seen == [aa.HALL + 1, aa.HALL + 7, aa.HALL - 1, aa.HALL - 7]
    assert selection.ghost == inside(aa.HALL, 0)


def test_a_click_turns_the_tile_where_it_fits_only_so_and_a_second_one_in_the_row_buys() -> None:
    across = up()._replace(ghost=inside(at("e6"), 0))
    assert point(BUY, across, at("f3")).selection.ghost == inside(at("f3"), 1)
    assert point(BUY, across, at("e5")).selection.ghost == inside(at("e5"), 0)
    assert pick(BUY, up(BUY, 1), 2) == Step(up())
    assert pick(BUY, up(), 2).action == aa.Buy(2)


def test_back_puts_the_tile_back_until_it_is_bought() -> None:
    assert back(up()).stage is Stage.CHOOSE
    bought = settle(PLACE, None, NOTHING)
    assert back(bought) == bought
    assert take_up(PLACE, bought, 1).remark is Remark.BOUGHT_ALREADY


def test_a_tile_goes_where_hard_builds_it_or_where_it_brings_more_at_once() -> None:
    match, alike = TownMatch(1, aa.Options(), seed=5), 0
    while not match.over():
        match.act(aa.Buy(1))
        view = match.view()
        found = to_best(view, settle(view, None, NOTHING))
        place = BOTS["hard"](view, [], Random(1))
        hard = found.selection._replace(ghost=Ghost(place.first, place.second))
        assert found.remark is Remark.BEST_PLACE
        assert choosing.gain(view, found.selection) >= choosing.gain(view, hard)
        alike += found.selection == hard
        match.act(place)
    assert alike > choosing.tiles_built(view) / 2


def test_a_tile_floats_at_its_best_place_whichever_was_looked_at_before() -> None:
    """So players compare what the tiles bring."""
    for position in (1, 2, 3, 4):
        first = up(BUY, position)
        for other in (1, 2, 3, 4):
            away = move(BUY, up(BUY, other), 1, 0).selection
            assert take_up(BUY, away, position).selection == first
        assert choosing.gain(BUY, to_best(BUY, first).selection) == choosing.gain(BUY, first)


def test_the_first_tile_is_offered_beside_the_hall() -> None:
    empty = board(2, own=())
    assert {*up(empty, 2).ghost} & {*NEIGHBOURS[aa.HALL]}


def test_what_was_chosen_before_the_tile_was_bought_stays() -> None:
    moved = up()._replace(ghost=inside(at("f3"), 1))
    assert settle(PLACE, BUY, moved).ghost == moved.ghost != up().ghost
    misfit = up()._replace(ghost=inside(at("a1"), 0))
    assert choosing.fits(PLACE, settle(PLACE, BUY, misfit).ghost)


def test_without_room_it_can_be_bought_all_the_same() -> None:
    view = board(2, own=NO_ROOM)
    selection = up(view, 1)
    assert choosing.shown_ghost(view, selection) is None
    assert move(view, selection, 1, 0).remark in (None, Remark.FITS_NOWHERE)
    assert confirm(view, selection).action == aa.Buy(1)


def test_a_gap_in_the_row_is_no_tile() -> None:
    ending = replace(BUY, row=bytes((2, 1, 0, 0)), left=0)
    assert take_up(ending, settle(ending, None, NOTHING), 3).remark is Remark.NO_TILE_THERE


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (board(2, turn=1), NOT_YOUR_TURN),
        (board(2, seat=None), WATCHING),
        (board(2, phase=aa.Phase.OVER), OVER),
    ],
)
def test_when_there_is_nothing_to_choose_it_says_why(view: aa.View, why: str) -> None:
    selection = settle(view, None, NOTHING)
    for step in (
        take_up(view, selection, 1),
        move(view, selection, 1, 0),
        turn(view, selection),
        to_best(view, selection),
        confirm(view, selection),
        point(view, selection, 3),
    ):
        assert step.action is None and step.remark == why


def test_a_choice_outlives_what_does_not_touch_it_but_no_turn() -> None:
    selection = up(BUY, 3)
    assert settle(BUY, BUY, selection) == selection
    after = settle(replace(BUY, gems=bytes((1, 5))), BUY, selection)
    assert after.stage is Stage.CHOOSE
    assert confirm(BUY, after).selection.position == 1, "the tile that costs nothing"


def test_no_key_or_click_makes_an_action_that_is_refused_or_a_ghost_off_the_board() -> None:
    """At random through a whole match."""
    match = TownMatch(2, aa.Options(), seed=5)
    random, selection, before = Random(8), NOTHING, None
    keys: list[Callable[[aa.View, Selection], Step]] = [
        lambda view, at: pick(view, at, random.randint(1, 4)),
        lambda view, at: move(view, at, *random.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])),
        turn,
        to_best,
        lambda view, at: point(view, at, random.randrange(aa.CELLS)),
        confirm,
        confirm,
    ]
    while not match.over():
        match.play_others()
        view = match.view()
        selection, before = settle(view, before, selection), view
        step = random.choice(keys)(view, selection)
        selection = step.selection
        assert selection.ghost.second in NEIGHBOURS[selection.ghost.first]
        if step.action is not None:
            assert match.act(step.action) is None
    assert match.refused == 0


# What it would bring ------------------------------------------------------------------------------


def test_before_buying_and_before_placing_it_says_what_will_be() -> None:
    match = TownMatch(2, aa.Options(first_seat=0, parks=aa.Parks.HOUSES), seed=9)
    for number in range(10):
        match.play_others()
        view = match.view()
        position = 1 + number % 2 if view.gems[0] else 1
        up = take_up(view, settle(view, None, NOTHING), position).selection
        foretold = choosing.with_ghost(view, up)
        assert foretold is not None
        before, gain = view, choosing.gain(view, up)
        assert match.act(aa.Buy(position)) is None
        view = match.view()
        bought = settle(view, before, up)
        assert choosing.with_ghost(view, bought) == foretold
        assert choosing.gain(view, bought) == gain
        cells = sorted(up.ghost) if is_double(view.tile) else up.ghost
        assert match.act(aa.Place(*cells)) is None
        assert choosing.points(match.view(), 0) == foretold


def test_without_room_only_the_gems_count() -> None:
    view = board(2, own=NO_ROOM)
    up = take_up(view, settle(view, None, NOTHING), 3).selection
    then, now = choosing.with_ghost(view, up), choosing.points(view, 0)
    assert then is not None
    assert then.schools > now.schools and then.houses == now.houses
    assert choosing.cost(view, 3) == 2


# What the points are made of ----------------------------------------------------------------------


LETTER = aa.Options(
    first_seat=0, blocks=aa.Blocks.ALL, parks=aa.Parks.HOUSES, rails=aa.Rails.STRETCH
)


@pytest.mark.parametrize("options", [aa.Options(first_seat=0), LETTER])
def test_in_a_whole_match_the_reasons_add_up_to_the_preview(options: aa.Options) -> None:
    match, seen = TownMatch(2, options, seed=9), 0
    while not match.over():
        view = match.view()
        counting = Counting.of(view)
        for seat, town in enumerate(view.boards):
            made_of = tally(town, view.gems[seat], counting)
            worth = {part: sum(one.worth for one in made_of[part].elements()) for part in made_of}
            points = parts(town, view.gems[seat], counting)
            assert worth == {part: getattr(points, part) for part in choosing.PARTS}
        for selection in _choices(view):
            seen += _adds_up(view, selection)
        match.play_one()
    assert seen > 100


def _choices(view: aa.View) -> list[Selection]:
    """Every fourth place of the row's last tile."""
    up = take_up(view, settle(view, None, NOTHING), 4).selection
    if up.stage is not Stage.LOOK:
        return []
    fits = placements(view.boards[0], view.row[3])[::4]
    return [up._replace(ghost=Ghost(first, second)) for first, second in fits]


def _adds_up(view: aa.View, selection: Selection) -> bool:
    then, now = choosing.with_ghost(view, selection), choosing.points(view, 0)
    assert then is not None
    gains = {part: getattr(then, part) - getattr(now, part) for part in choosing.PARTS}
    town = choosing.town_after(view, selection)
    assert town is not None
    for part, found in tally(*town, Counting.of(view)).items():
        assert sum(thing.worth * n for thing, n in found.items()) == getattr(then, part)
    told = why(view, selection, ">")
    assert set(told) == {part for part, gain in gains.items() if gain}
    assert all(text for texts in told.values() for text in texts)
    return bool(told)


def _why(tile: int, cells: str, gems: int = 2) -> dict[str, str]:
    """For the tile of that position placed there, in Ann's town."""
    first, second = map(at, cells.split())
    view = board(2, gems=(gems, 5))
    up = take_up(view, settle(view, None, NOTHING), tile).selection
    up = up._replace(ghost=Ghost(first, second))
    return {part: texts[0] for part, texts in why(view, up, "->").items()}


def test_a_reason_names_what_is_built_and_what_becomes_of_gems() -> None:
    assert _why(2, "c4 c5") == {}
    assert _why(2, "f3 f4") == {"houses": "f3 f4", "schools": "gems rise from 2 to 3"}
    assert _why(4, "f3 f4", 5) == {"schools": "school f4, you pay 3 gems"}
