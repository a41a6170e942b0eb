"""Every game's records: what is written can be read again, and nothing wrong is believed."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.games.moves import RecordError
from protocol.ids import Seat
from server.games.registry import GAMES
from tests.laws.cases import CASES, TABLES, positions, seed
from tests.laws.laws import plain

every_game = pytest.mark.parametrize("game", list(GAMES))


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_options_and_deals_come_back(game: str, seats: int, options: Any) -> None:
    notation, rules = GAMES[game].notation, GAMES[game].rules
    state = rules.setup(options, seats, seed(7))
    written = through_json(notation.options_to_record(options))
    again = notation.options_from_record(written | {"weather": "fair"})
    assert notation.options_to_record(again) == written
    setup = through_json(notation.setup_to_record(state))
    dealt = notation.setup_from_record(setup | {"weather": "fair"}, options, seats)
    assert plain(dealt) == plain(state)
    assert notation.same_deal(dealt, state)
    assert not notation.same_deal(rules.setup(options, seats, seed(8)), state)


@every_game
def test_missing_options_are_the_defaults(game: str) -> None:
    notation = GAMES[game].notation
    defaults = type(CASES[game].options[0])()
    assert notation.options_from_record({"wind": 3}) == defaults


@every_game
def test_every_action_comes_back(game: str) -> None:
    notation = GAMES[game].notation
    for action in CASES[game].actions:
        record = through_json(notation.moves.to_record(action))
        assert notation.moves.from_record(record | {"mood": "good"}) == action


@every_game
def test_a_refusal_is_told_by_its_code_and_parameters(game: str) -> None:
    """Those that come about in a match; of cards and cells no number is told."""
    rules, case, notation = GAMES[game].rules, CASES[game], GAMES[game].notation
    told = dict[str, str]()
    for state, _, _ in positions(rules, case, case.options[0], 2, 3, every=7):
        for refusal in (rules.refuse(state, Seat(0), action) for action in case.actions):
            if refusal is not None:
                told[refusal.code] = said = notation.describe(refusal)
                assert said.startswith(refusal.code.replace("_", " "))
                assert all(f"{name} " in said for name in refusal.params) and "_" not in said
                assert not re.search(r"(card|cell|first|second) \d+[,)]", said)
    assert told


WORDS = st.sampled_from(
    ["do", "card", "tower", "piles", "removed", "first_seat", "floor", "row", "cells", "seed"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@every_game
@given(ANYTHING)
def test_readers_raise_nothing_else(game: str, value: Any) -> None:
    notation, options = GAMES[game].notation, CASES[game].options[0]
    readers: list[Callable[[], Any]] = [
        lambda: notation.options_from_record(value),
        lambda: notation.setup_from_record(value, options, 2),
        lambda: notation.moves.from_record(value),
    ]
    for read in readers:
        try:
            read()
        except RecordError as error:
            assert 0 < len(str(error)) < 200
