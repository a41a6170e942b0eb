"""What a placement would bring is what the server gives for it afterwards."""

from clocktowers_tui.games.architetti_attenti import choosing, preview
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, settle, take_up
from clocktowers_tui.games.architetti_attenti.placing import Ghost
from protocol.games.architetti_attenti import Buy, Options, Parks, Phase, Place
from protocol.games.architetti_attenti.board import is_double
from tests.games.architetti_attenti.boards import NO_ROOM, board
from tests.stage.real_matches import Match


def test_before_buying_and_before_placing_it_says_what_will_be() -> None:
    match = Match("architetti_attenti", 2, Options(first_seat=0, parks=Parks.HOUSES), seed=9)
    for turn in range(10):
        match.play_others()
        view = match.view()
        position = 1 + turn % 2 if view.gems[0] else 1
        up = take_up(view, settle(view, None, NOTHING), position).selection
        foretold = preview.with_ghost(view, up)
        assert foretold is not None and up.ghost is not None
        before, gain = view, preview.gain(view, up)
        assert match.act(Buy(position)) is None
        view = match.view()
        bought = settle(view, before, up)
        assert preview.with_ghost(view, bought) == foretold
        assert preview.gain(view, bought) == gain
        cells = sorted(up.ghost.cells) if is_double(view.tile) else up.ghost.cells
        assert match.act(Place(*cells)) is None
        assert preview.points(match.view(), 0) == foretold


def test_where_it_does_not_fit_it_says_nothing() -> None:
    view = board(2)
    up = take_up(view, settle(view, None, NOTHING), 2).selection
    assert preview.with_ghost(view, up._replace(ghost=Ghost(0, 0))) is None
    assert preview.with_ghost(view, settle(view, None, NOTHING)) is None


def test_without_room_only_the_gems_count() -> None:
    view = board(2, own=NO_ROOM)
    up = take_up(view, settle(view, None, NOTHING), 3).selection
    then, now = preview.with_ghost(view, up), preview.points(view, 0)
    assert then is not None
    assert then.schools > now.schools and then.houses == now.houses
    assert choosing.cost(view, 3) == 2


def test_shares_add_up_to_the_points() -> None:
    view = board(4, phase=Phase.OVER)
    for seat in range(4):
        assert sum(preview.shares(view, seat)) == preview.points(view, seat).total
