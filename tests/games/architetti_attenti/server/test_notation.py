"""Records of Architetti Attenti as RECORDS.md has them, and sentences for what is wrong.

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


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (None, "action must be an object, not null"),
        ({}, 'action must have the field "do"'),
        ({"do": None}, 'do in action must be "buy" or "place", not null'),
        ({"do": "buy"}, 'action must have the field "position"'),
        (
            {"do": "buy", "position": True},
            "position in action must be a whole number, 1 to 4, not true",
        ),
        ({"do": "buy", "position": 0}, "position in action must be a whole number, 1 to 4, not 0"),
        ({"do": "buy", "position": 5}, "position in action must be a whole number, 1 to 4, not 5"),
        ({"do": "place"}, 'action must have the field "cells"'),
        ({"do": "place", "cells": None}, "cells in action must be a list of 2 cells"),
        ({"do": "place", "cells": ["a1"]}, "cells in action must be a list of 2 cells"),
        ({"do": "place", "cells": ["a1", "h1"]}, 'a cell in action must be "a1" to "g7", not "h1"'),
        ({"do": "place", "cells": ["a1", 2]}, 'a cell in action must be "a1" to "g7", not 2'),
    ],
)
def test_actions_that_make_no_sense(action: Any, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        NOTATION.moves.from_record(action)


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


def test_an_option_that_makes_no_sense() -> None:
    said = 'option rails must be "network" or "stretch", not "trams"'
    with pytest.raises(RecordError, match=said):
        NOTATION.options_from_record({"rails": "trams"})


def test_tile_names_are_those_of_the_rules_page() -> None:
    assert NAMES[1:4] == ("house-house", "house-park", "house-school")
    assert NOTATION.moves.to_record(Place(0, 48))["cells"] == ["a1", "g7"]
