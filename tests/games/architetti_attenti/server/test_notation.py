"""Records: there and back, and whatever is wrong is said in a sentence."""

from copy import deepcopy
from typing import Any

import pytest

from protocol.games.architetti_attenti import Action, Buy, Options, Place, Refused
from protocol.refusal import Param, Refusal
from server.games.architetti_attenti.notation import NAMES, ArchitettiAttentiNotation
from server.games.architetti_attenti.setup import setup
from server.games.contract import RecordError
from tests.games.architetti_attenti.positions import SEED, place

NOTATION = ArchitettiAttentiNotation()


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_deal_goes_there_and_back(seats: int) -> None:
    dealt = setup(Options(), seats, SEED)
    written = NOTATION.setup_to_record(dealt)
    read = NOTATION.setup_from_record(written, Options(), seats)
    assert NOTATION.same_deal(read, dealt)
    assert not NOTATION.same_deal(setup(Options(), seats, bytes(32)), dealt)
    assert read.deal.first_seat == dealt.deal.first_seat


def test_actions_read_as_the_rules_page_counts() -> None:
    pairs: list[tuple[Action, Any]] = [
        (Buy(3), {"do": "buy", "position": 3}),
        (place("c4 c5"), {"do": "place", "cells": ["c4", "c5"]}),
    ]
    for action, written in pairs:
        assert NOTATION.action_to_record(action) == written
        assert NOTATION.action_from_record(written) == action


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (None, "action is not an object"),
        ({}, "do is missing in action"),
        ({"do": None}, "an action does buy or place, not null"),
        ({"do": "buy"}, "position is missing in action"),
        ({"do": "buy", "position": True}, "position in action is not an integer: true"),
        ({"do": "buy", "position": 0}, "positions are 1 to 4, not 0"),
        ({"do": "buy", "position": 5}, "positions are 1 to 4, not 5"),
        ({"do": "place"}, "cells is missing in action"),
        ({"do": "place", "cells": None}, "a tile is placed on two cells"),
        ({"do": "place", "cells": ["a1"]}, "a tile is placed on two cells"),
        ({"do": "place", "cells": ["a1", "h1"]}, 'there is no such cell: "h1"'),
        ({"do": "place", "cells": ["a1", 2]}, "there is no such cell: 2"),
    ],
)
def test_actions_that_make_no_sense(action: Any, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        NOTATION.action_from_record(action)


def test_deals_that_make_no_sense() -> None:
    good = NOTATION.setup_to_record(setup(Options(), 3, SEED))
    spoilt: list[tuple[str, Any, str]] = [
        ("first_seat", 3, "first_seat 3 is not one of the 3 seats"),
        ("first_seat", "0", 'first_seat in setup is not an integer: "0"'),
        ("row", good["row"][:3], "row in setup has 3 tiles, not 4"),
        ("row", None, "row in setup is not a list"),
        ("pile", good["pile"][:-1], "pile in setup has 65 tiles, not 66"),
        ("removed", [*good["removed"][:1], "house-hall"], 'there is no such tile: "house-hall"'),
        ("removed", [{}, []], "there is no such tile: an object"),
        ("pile", ["house-track"] * 66, "the tiles are not complete"),
    ]
    for name, value, said in spoilt:
        with pytest.raises(RecordError, match=said):
            NOTATION.setup_from_record({**deepcopy(good), name: value}, Options(), 3)
    with pytest.raises(RecordError, match="setup is not an object"):
        NOTATION.setup_from_record([], Options(), 3)


def test_options_go_there_and_back_and_missing_ones_are_the_defaults() -> None:
    written = {"blocks": "all", "parks": "houses", "rails": "stretch", "end": "row"}
    assert NOTATION.options_to_record(NOTATION.options_from_record(written)) == written
    assert NOTATION.options_from_record({"more": 1}) == Options()
    with pytest.raises(RecordError, match='option rails is not network or stretch: "trams"'):
        NOTATION.options_from_record({"rails": "trams"})


@pytest.mark.parametrize("code", Refused)
def test_every_refusal_has_a_sentence(code: Refused) -> None:
    params: dict[str, Param] = {"phase": "buy", "position": 2, "cost": 1, "gems": 0}
    params |= {"cell": 0, "first": 0, "second": 48}
    said = NOTATION.describe(Refusal(code, params))
    assert said != code.replace("_", " ")
    assert "{" not in said


def test_tile_names_are_those_of_the_rules_page() -> None:
    assert NAMES[1:4] == ("house-house", "house-park", "house-school")
    assert NOTATION.action_to_record(Place(0, 48))["cells"] == ["a1", "g7"]
