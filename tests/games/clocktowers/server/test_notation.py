"""Records of Clocktowers as RECORDS.md has them, and sentences for what is wrong.

That records come back is a law; what a spoilt one is called is compared with the oracle.
"""

from typing import Any

import pytest

from protocol.games.clocktowers import Options
from protocol.refusal import Refusal
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.notation import ClocktowersNotation
from server.games.clocktowers.setup import setup
from server.games.contract import RecordError
from tests.games.clocktowers.positions import SEED, play, stage

NOTATION = ClocktowersNotation()


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"first_heights": [1]},
        {"first_heights": [2, 1]},
        {"first_heights": [True, 2]},
        {"first_heights": [1.0, 2]},
        {"first_heights": 2},
        {"turn_order": "play_draw"},
        {"turn_order": None},
        {"ladder": "Shared"},
        {"ladder": ["own"]},
        {"clock_mice": True},
    ],
)
def test_wrong_options(value: Any) -> None:
    with pytest.raises(RecordError):
        NOTATION.options_from_record(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"do": "pass"},
        {"do": ["play"]},
        {"do": "play", "card": "1c"},
        {"do": "play", "card": "1c", "tower": True},
        {"do": "play", "card": "1c", "tower": 0.0},
        {"do": "play", "card": "1c", "tower": "0"},
        {"do": "play", "card": "1c", "tower": -1},
        {"do": "play", "card": "1C", "tower": None},
        {"do": "play", "card": 2, "tower": None},
        {"do": "play", "tower": None},
        {"do": "discard", "card": ["Km"]},
        {"do": "draw"},
        {"do": "draw", "pile": 2},
        {"do": "draw", "pile": "roofs"},
    ],
)
def test_wrong_actions(value: Any) -> None:
    with pytest.raises(RecordError):
        NOTATION.action_from_record(value)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("piles", "clock", ["K-"] * 16),
        ("piles", "clock", "K-"),
        ("piles", "clock", None),
        ("piles", "roof", ["Kx"] * 17),
        ("piles", "floor", [7] * 19),
        ("piles", "floor", [["1-"]] * 19),
        ("removed", "floor", ["Rb"] * 5),
        ("removed", "roof", ["Rb"]),
    ],
)
def test_wrong_setups(part: str, name: str, value: Any) -> None:
    record = NOTATION.setup_to_record(setup(Options(), 2, SEED))
    record[part] = {**record[part], name: value}
    with pytest.raises(RecordError):
        NOTATION.setup_from_record(record, Options(), 2)


def test_a_deal_for_another_number_of_seats() -> None:
    record = NOTATION.setup_to_record(setup(Options(first_seat=0), 2, SEED))
    with pytest.raises(RecordError, match=r"floor in piles must have 17 cards, not 19"):
        NOTATION.setup_from_record(record, Options(), 3)


def test_describe_names_cards_by_code() -> None:
    refusal = refuse(stage("Rb", "1- 2- K-"), 0, play("Rb", 0))
    assert refusal is not None
    assert (
        NOTATION.describe(refusal)
        == "tower 0, counted from 0, is 3 high, the ladder asks for 1 or 2 under Rb"
    )
    assert NOTATION.describe(Refusal("pile_empty", {"pile": 2})) == (
        "pile must have cards left, and roof has none"
    )
