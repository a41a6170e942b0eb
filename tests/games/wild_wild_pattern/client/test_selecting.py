"""What has been picked stays while it makes sense, and is given back a step at a time."""

from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection, back, settle
from protocol.games.wild_wild_pattern.cards import Challenge
from protocol.games.wild_wild_pattern.pattern import Direction
from tests.games.wild_wild_pattern.boards import MINE, board, declaring


def test_backspace_takes_one_back_at_a_time() -> None:
    picked = Selection(Direction.AFTER, anchor=2)
    assert back(picked) == Selection(Direction.AFTER)
    assert back(back(picked)) == NOTHING
    trading = Selection(challenge=Challenge.TRADE, wanted=5)
    assert back(trading) == Selection(challenge=Challenge.TRADE)
    assert back(back(trading)) == NOTHING == back(NOTHING)


def test_an_unfinished_choice_outlives_a_view_that_does_not_touch_it() -> None:
    view, picked = declaring(), Selection(Direction.AFTER)
    assert settle(replace(view, due_ms=5), view, picked) == picked
    assert settle(board(card=MINE), view, picked) == NOTHING
