"""In practice bots of every level let the person go first (rules: Practice)."""

from random import Random

import pytest

from protocol.games.wild_wild_pattern import Options, Pass, Practice, Ready
from protocol.ids import Seat
from server.games.contract import BEGINNING
from server.games.wild_wild_pattern.bots import BOTS
from server.games.wild_wild_pattern.game import WILD_WILD_PATTERN

RULES = WILD_WILD_PATTERN.rules
PERSON, BOT = Seat(0), Seat(1)
SEED = bytes(range(32))


@pytest.mark.parametrize("level", BOTS)
def test_a_bot_waits_for_the_person_in_a_race(level: str) -> None:
    state = RULES.setup(Options(practice=Practice.ON), 2, SEED)
    for seat in (PERSON, BOT):
        RULES.apply(state, seat, Ready(), BEGINNING)
    for number in range(20):
        assert BOTS[level](RULES.view(state, BOT), [], Random(number)) is None
    RULES.apply(state, PERSON, Pass(), BEGINNING)
    chosen = BOTS[level](RULES.view(state, BOT), [], Random(1))
    assert chosen is not None and RULES.refuse(state, BOT, chosen) is None


@pytest.mark.parametrize("level", BOTS)
def test_where_there_is_no_practice_it_waits_for_nobody(level: str) -> None:
    """The control."""
    state = RULES.setup(Options(), 2, SEED)
    for seat in (PERSON, BOT):
        RULES.apply(state, seat, Ready(), BEGINNING)
    choices = [BOTS[level](RULES.view(state, BOT), [], Random(number)) for number in range(20)]
    assert any(choice is not None for choice in choices)
