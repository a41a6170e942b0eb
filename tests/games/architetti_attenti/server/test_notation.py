"""Records of Architetti Attenti: written as RECORDS.md says, and each mistake is named.

That records come back is a law; what a spoilt one is called is compared with the oracle.
"""

from copy import deepcopy
from typing import Any

import pytest

from protocol.games.architetti_attenti import Options, Place
from protocol.games.moves import RecordError
from server.games.architetti_attenti.game import NAMES, NOTATION
from server.games.architetti_attenti.state import setup
from tests.games.architetti_attenti.positions import SEED


def test_deals_that_make_no_sense() -> None:
    good = NOTATION.setup_to_record(setup(Options(), 3, SEED))
    spoilt: list[tuple[str, Any, str]] = [
        ("first_seat", 3, "first_seat in setup must be a whole number, 0 to 2, not 3"),
        ("first_seat", "0", 'first_seat in setup must be a whole number, 0 to 2, not "0"'),
        ("row", good["row"][:3], "row in setup must have 4 tiles, not 3"),
        ("row", None, "row in setup must be a list, not null"),
        ("pile", good["pile"][:-1], "pile in setup must have 66 tiles, not 65"),
        (
            "removed",
            [*good["removed"][:1], "house-hall"],
            'a tile of removed in setup must be .*, not "house-hall"',
        ),
        ("removed", [{}, []], "a tile of removed in setup must be .*, not an object"),
        (
            "pile",
            ["house-track"] * 66,
            "removed in setup must be the whole box: .* is missing, and house-track is there too",
        ),
    ]
    for name, value, said in spoilt:
        with pytest.raises(RecordError, match=said):
            NOTATION.setup_from_record({**deepcopy(good), name: value}, Options(), 3)
    with pytest.raises(RecordError, match="setup must be an object, not a list"):
        NOTATION.setup_from_record([], Options(), 3)


def test_tile_names_are_those_of_the_rules_page() -> None:
    assert NAMES[1:4] == ("house-house", "house-park", "house-school")
    assert NOTATION.moves.to_record(Place(0, 48))["cells"] == ["a1", "g7"]
