"""In practice bots let people go first, on any seat (rules: Practice)."""

import pytest

from protocol.games.wild_wild_pattern import Options, Pass, Practice, Ready
from protocol.ids import Seat
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.timing import lets_people_try
from server.games.wild_wild_pattern.view import view
from tests.games.wild_wild_pattern.positions import do, racing, stage

PRACTICE = Options(practice=Practice.ON)


def waits(state: State, bot: int, *people: int) -> bool:
    return lets_people_try(view(state, Seat(bot)), [Seat(seat) for seat in people])


@pytest.mark.parametrize(("person", "bot"), [(0, 1), (1, 0)])
def test_a_bot_waits_until_the_person_has_passed(person: int, bot: int) -> None:
    state = racing(options=PRACTICE)
    assert waits(state, bot, person)
    do(state, person, Pass())
    assert not waits(state, bot, person)


def test_bots_do_not_wait_for_each_other() -> None:
    state = racing(options=PRACTICE)
    assert not waits(state, 0) and not waits(state, 1)


def test_who_has_no_card_and_gets_none_is_not_waited_for() -> None:
    state = racing(options=PRACTICE)
    state.hand[0] = 0
    assert not waits(state, 1, 0)
    state.waits[0] = 1_000
    assert waits(state, 1, 0)


def test_nobody_is_waited_for_outside_the_race() -> None:
    state = stage(options=PRACTICE)
    do(state, 0, Ready())
    assert not waits(state, 0, 1)


def test_where_there_is_no_practice_nobody_is_waited_for() -> None:
    """The control."""
    assert not waits(racing(), 1, 0)
