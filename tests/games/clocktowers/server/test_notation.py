"""Records of Clocktowers: written as RECORDS.md says, and each mistake is named.

That records come back is a law; what a spoilt one is called is compared with the oracle.
"""

import pytest

from protocol.games.clocktowers import Options
from protocol.games.moves import RecordError
from server.games.clocktowers.game import NOTATION
from server.games.clocktowers.rules import refuse
from server.games.clocktowers.state import setup
from tests.games.clocktowers.positions import SEED, play, stage


def test_a_deal_for_another_number_of_seats() -> None:
    record = NOTATION.setup_to_record(setup(Options(first_seat=0), 2, SEED))
    with pytest.raises(RecordError, match=r"floor in piles must have 17 cards, not 19"):
        NOTATION.setup_from_record(record, Options(), 3)


def test_describe_names_cards_by_code() -> None:
    refusal = refuse(stage("Rb", "1- 2- K-"), 0, play("Rb", 0))
    assert refusal is not None
    said = "wrong height (tower 0, card Rb, height 3, heights 1 or 2)"
    assert NOTATION.describe(refusal) == said
