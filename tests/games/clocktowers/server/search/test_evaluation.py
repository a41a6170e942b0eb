"""What a position is worth: nothing is counted twice, and nothing that comes too late."""

from protocol.games.clocktowers import Options
from server.games.clocktowers.search.evaluation import POINT, chances, hopes, margins
from server.games.clocktowers.search.reply import reply
from server.games.clocktowers.state import NOBODY, OVER, State
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.games.clocktowers.positions import stage
from tests.games.clocktowers.server.search.positions import positions

NOTHING = chances([0] * 14)


def alone(state: State) -> State:
    """No pile is left: what is in the hand is all there is."""
    state.left, state.open_piles = [0, 0, 0], 0
    return state


def test_at_the_end_points_alone_count() -> None:
    state = stage("Rb", "1- K-", seats=3)
    state.points[:] = [7, 4, 12]
    state.turn, state.phase = NOBODY, OVER
    assert margins(state, NOTHING) == [-5 * POINT, -8 * POINT, 5 * POINT]


def test_two_seats_have_opposite_margins() -> None:
    for options in CLOCKTOWERS.options:
        for position in positions(options, 2, 1, 17):
            first, second = margins(position.state, chances([2] * 14))
            assert first == -second


def test_a_roof_is_hoped_for_once() -> None:
    """The only blue roof finishes one of two towers; the second has no step left either."""
    one = hopes(alone(stage("Rb", "1- K-")), 0, NOTHING)
    assert 0 < one < 5 * POINT
    assert hopes(alone(stage("Rb", "1- K-", "1- K-")), 0, NOTHING) == one
    assert hopes(alone(stage("Rb Rg", "1- K-", "1- K-")), 0, NOTHING) == 2 * one


def test_a_clock_is_hoped_for_once() -> None:
    one = hopes(alone(stage("K- Rb Rg", "1-")), 0, NOTHING)
    assert hopes(alone(stage("K- Rb Rg", "1-", "1-")), 0, NOTHING) == one
    assert hopes(alone(stage("K- K- Rb Rg", "1-", "1-")), 0, NOTHING) == 2 * one


def test_what_comes_too_late_is_worth_nothing() -> None:
    state = alone(stage("K- Rb", "1-", options=Options(first_seat=0)))
    for turns_left, hoped in ((4, True), (3, True), (2, False), (1, False)):
        state.turns_left = turns_left
        assert (hopes(state, 0, NOTHING) > 0) == hoped


def test_an_unseen_card_counts_only_where_cards_are_left() -> None:
    state = alone(stage("1-", "1- K-"))
    some = chances([0] + 13 * [3])
    assert hopes(state, 0, some) == 0
    state.left[2] = 5
    assert hopes(state, 0, some) > 0


def test_looking_changes_nothing() -> None:
    for position in positions(Options(), 2, 4, 40):
        before = reply(position.state)
        margins(position.state, NOTHING)
        assert reply(position.state) == before
