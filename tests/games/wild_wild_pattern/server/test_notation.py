"""Records of Wild Wild Pattern: written as RECORDS.md says, and each mistake is named.

That records come back is a law; what a spoilt one is called is compared with the oracle.
"""

from copy import deepcopy
from typing import Any

import pytest

from protocol.games.moves import RecordError
from protocol.games.wild_wild_pattern import Options, Use
from protocol.games.wild_wild_pattern.cards import Challenge
from server.games.wild_wild_pattern.game import NOTATION
from server.games.wild_wild_pattern.state import setup

SEED = bytes(range(32))


def test_what_is_null_is_not_there() -> None:
    with_nulls = {"do": "use", "challenge": "10-cents", "wanted": None, "given": None}
    assert NOTATION.moves.from_record(with_nulls) == Use(Challenge.TEN_CENTS)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"do": None}, 'do in action must be "ready", .* or "pass", not null'),
        ({"do": "shoot", "place": -1}, "place in action must be a whole number, 0 to 7, not -1"),
        (
            {"do": "shoot", "place": 1, "clicked": 1},
            "clicked in action must be true or false, not 1",
        ),
        (
            {"do": "declare", "direction": "behind"},
            'direction in action must be "before" or "after", not "behind"',
        ),
        (
            {"do": "declare", "direction": "after", "anchor": "coin", "partner": "1-card"},
            'partner in action must be "pistol", .* or "bullets", not "1-card"',
        ),
        ({"do": "use", "challenge": "trade", "wanted": 3}, "wanted in action must be .*, not 3"),
    ],
)
def test_actions_that_make_no_sense(action: Any, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        NOTATION.moves.from_record(action)


def test_a_setup_has_what_its_seed_deals_and_nothing_else() -> None:
    good = NOTATION.setup_to_record(setup(Options(), 3, SEED))
    no_seed = "seed in setup must be 64 hexadecimal digits, not "
    spoilt: list[tuple[str, Any, str]] = [
        ("seed", None, no_seed),
        ("seed", "00" * 31, no_seed),
        ("seed", "0g" * 32, no_seed),
        ("seed", bytes(32).hex(), "entry 0 of targets in setup must be .*, which the seed deals"),
        ("targets", good["targets"][:2], "targets in setup must have 3 cards, not 2"),
        ("wheel", good["wheel"][::-1], "entry 0 of wheel in setup must be"),
        (
            "deck",
            [*good["deck"][1:], 7],
            "entry 0 of deck in setup must be|deck in setup must have",
        ),
        ("gone", ["1-card"] * 8, "gone in setup must have"),
    ]
    for name, value, said in spoilt:
        with pytest.raises(RecordError, match=said):
            NOTATION.setup_from_record({**deepcopy(good), name: value}, Options(), 3)
    with pytest.raises(RecordError, match="targets in setup"):
        NOTATION.setup_from_record(good, Options(), 4)
