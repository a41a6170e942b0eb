"""Records: everything written can be read again, and nothing wrong is believed."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.games.clocktowers import (
    CODES,
    ClockMice,
    DecidedBy,
    Discard,
    Draw,
    Ladder,
    OpenMemory,
    Options,
    Outcome,
    Play,
    Refused,
    TurnOrder,
)
from protocol.refusal import Refusal, RefusalCode
from server.games.clocktowers.legal import refuse
from server.games.clocktowers.notation import ClocktowersNotation
from server.games.clocktowers.setup import setup
from server.games.contract import RecordError
from tests.games.clocktowers.case import CASE as CLOCKTOWERS
from tests.games.clocktowers.positions import SEED, add_tower, play, stage
from tests.laws.laws import plain

NOTATION = ClocktowersNotation()

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["do", "card", "tower", "pile", "piles", "removed", "first_seat", "floor"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


# Options -----------------------------------------------------------------------------------------


def test_the_four_options_are_written() -> None:
    options = Options(open_memory=OpenMemory.ON, first_seat=1)
    assert NOTATION.options_to_record(options) == {
        "first_heights": [1, 2],
        "turn_order": "play-draw",
        "ladder": "shared",
        "clock_mice": "count",
    }


def test_options_come_back() -> None:
    options = Options(
        first_heights=(2,),
        turn_order=TurnOrder.DRAW_PLAY,
        ladder=Ladder.OWN,
        clock_mice=ClockMice.IGNORE,
    )
    text = json.dumps(NOTATION.options_to_record(options))
    assert NOTATION.options_from_record(json.loads(text)) == options


def test_missing_options_are_defaults_and_unknown_fields_are_left_alone() -> None:
    assert NOTATION.options_from_record({}) == Options()
    read = NOTATION.options_from_record({"ladder": "own", "wind": 3, "first_seat": 9})
    assert read == Options(ladder=Ladder.OWN)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "standard",
        {"first_heights": [1]},
        {"first_heights": [2, 1]},
        {"first_heights": [True, 2]},
        {"first_heights": [1.0, 2]},
        {"first_heights": 2},
        {"first_heights": None},
        {"first_heights": "2"},
        {"turn_order": "play_draw"},
        {"turn_order": None},
        {"ladder": "Shared"},
        {"ladder": ["own"]},
        {"clock_mice": True},
        {"clock_mice": {}},
    ],
)
def test_wrong_options(value: Any) -> None:
    with pytest.raises(RecordError):
        NOTATION.options_from_record(value)


# Setup -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_deal_comes_back(seats: int) -> None:
    state = setup(Options(), seats, SEED)
    record = json.loads(json.dumps(NOTATION.setup_to_record(state)))
    again = NOTATION.setup_from_record(record, Options(), seats)
    assert plain(again) == plain(state)
    assert NOTATION.same_deal(again, state)


def test_piles_are_top_card_first() -> None:
    state = setup(Options(first_seat=1), 2, SEED)
    record = NOTATION.setup_to_record(state)
    assert record["first_seat"] == 1
    assert record["piles"]["roof"][0] == CODES[state.deal.piles[2][0]]
    assert [len(record["removed"][name]) for name in ("floor", "roof")] == [5, 3]


def test_same_deal_is_about_the_cards_only() -> None:
    state = setup(Options(first_seat=0), 2, SEED)
    assert NOTATION.same_deal(state, setup(Options(first_seat=1), 2, SEED))
    assert not NOTATION.same_deal(state, setup(Options(first_seat=0), 2, bytes(32)))


def swap_removed(record: Any) -> None:
    record["removed"]["floor"][0], record["piles"]["floor"][0] = "1-", "1-"
    record["piles"]["floor"][1], record["piles"]["floor"][2] = "1-", "1-"


WRONG_SETUPS: dict[str, Callable[[Any], Any]] = {
    "first_seat out of range": lambda r: r.update(first_seat=2),
    "first_seat negative": lambda r: r.update(first_seat=-1),
    "first_seat true": lambda r: r.update(first_seat=True),
    "first_seat 0.0": lambda r: r.update(first_seat=0.0),
    "first_seat missing": lambda r: r.pop("first_seat"),
    "piles missing": lambda r: r.pop("piles"),
    "piles a list": lambda r: r.update(piles=[]),
    "removed missing": lambda r: r.pop("removed"),
    "a pile missing": lambda r: r["piles"].pop("clock"),
    "a pile a string": lambda r: r["piles"].update(clock="K-"),
    "a card short": lambda r: r["piles"]["floor"].pop(),
    "a card too many": lambda r: r["piles"]["roof"].append("Rb"),
    "too few removed": lambda r: r["removed"]["roof"].pop(),
    "an unknown card": lambda r: r["piles"]["clock"].__setitem__(0, "Kx"),
    "no card": lambda r: r["piles"]["clock"].__setitem__(0, ""),
    "a number": lambda r: r["piles"]["clock"].__setitem__(0, 7),
    "a list for a card": lambda r: r["piles"]["clock"].__setitem__(0, ["K-"]),
    "the wrong kind": lambda r: r["piles"]["clock"].__setitem__(0, "Rb"),
    "the wrong kind removed": lambda r: r["removed"]["floor"].__setitem__(0, "Rb"),
    "not complete": swap_removed,
    "one clock twice": lambda r: r["piles"].update(clock=["K-"] * 16),
}


@pytest.mark.parametrize("spoil", WRONG_SETUPS.values(), ids=WRONG_SETUPS)
def test_wrong_setups(spoil: Callable[[Any], Any]) -> None:
    record = NOTATION.setup_to_record(setup(Options(), 2, SEED))
    NOTATION.setup_from_record(copy.deepcopy(record), Options(), 2)
    spoil(record)
    with pytest.raises(RecordError):
        NOTATION.setup_from_record(record, Options(), 2)


def test_a_deal_for_another_number_of_seats() -> None:
    record = NOTATION.setup_to_record(setup(Options(first_seat=0), 2, SEED))
    with pytest.raises(RecordError, match=r"floor in piles must have 17 cards, not 19"):
        NOTATION.setup_from_record(record, Options(), 3)


def test_unknown_fields_in_a_setup_are_left_alone() -> None:
    state = setup(Options(), 2, SEED)
    record = NOTATION.setup_to_record(state) | {"weather": "fair"}
    record["removed"]["clock"] = []
    assert NOTATION.same_deal(NOTATION.setup_from_record(record, Options(), 2), state)


# Actions and outcomes ----------------------------------------------------------------------------


def test_every_action_comes_back() -> None:
    for action in CLOCKTOWERS.actions:
        record = json.loads(json.dumps(NOTATION.action_to_record(action)))
        assert NOTATION.action_from_record(record) == action


@pytest.mark.parametrize(
    ("action", "record"),
    [
        (Play(2, None), {"do": "play", "card": "1c", "tower": None}),
        (Play(9, 4), {"do": "play", "card": "Rb", "tower": 4}),
        (Discard(8), {"do": "discard", "card": "Km"}),
        (Draw(2), {"do": "draw", "pile": "roof"}),
    ],
)
def test_actions_as_records_have_them(action: Any, record: Any) -> None:
    assert NOTATION.action_to_record(action) == record
    assert NOTATION.action_from_record(record | {"mood": "good"}) == action


@pytest.mark.parametrize(
    "value",
    [
        None,
        "draw",
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
        {"do": "discard", "card": None},
        {"do": "discard", "card": ["Km"]},
        {"do": "draw"},
        {"do": "draw", "pile": 2},
        {"do": "draw", "pile": "roofs"},
        {"do": "draw", "pile": {}},
    ],
)
def test_wrong_actions(value: Any) -> None:
    with pytest.raises(RecordError):
        NOTATION.action_from_record(value)


@given(anything)
def test_readers_raise_nothing_else(value: Any) -> None:
    readers: list[Callable[[], Any]] = [
        lambda: NOTATION.options_from_record(value),
        lambda: NOTATION.setup_from_record(value, Options(), 2),
        lambda: NOTATION.action_from_record(value),
    ]
    for read in readers:
        try:
            read()
        except RecordError as error:
            assert 0 < len(str(error)) < 200


def test_outcome() -> None:
    outcome = Outcome(scores=(9, 9), winners=(0, 1), decided_by=DecidedBy.SHARED)
    record = NOTATION.outcome_to_record(outcome)
    assert json.loads(json.dumps(record)) == {
        "scores": [9, 9],
        "winners": [0, 1],
        "decided_by": "shared",
    }


# Refusals in words -------------------------------------------------------------------------------


def test_every_refusal_of_the_rules_has_a_sentence() -> None:
    """Over all actions in a position that has every kind of tower, in both phases."""
    state = stage("1- K- Rb", "1-", "1- 2- K-")
    add_tower(state, 0, "1- K- Rg", worth=5)
    state.left[1] = 0
    described = {}
    for state.phase in (0, 1, 2):
        for seat in (0, 1):
            for action in CLOCKTOWERS.actions:
                if (refusal := refuse(state, seat, action)) is not None:
                    described[refusal.code] = NOTATION.describe(refusal)
    assert set(described) == {*Refused, RefusalCode.MATCH_OVER, RefusalCode.NOT_YOUR_TURN}
    for sentence in described.values():
        assert "{" not in sentence
        assert "_" not in sentence


def test_describe_names_cards_by_code() -> None:
    state = stage("Rb", "1- 2- K-")
    refusal = refuse(state, 0, play("Rb", 0))
    assert refusal is not None
    assert (
        NOTATION.describe(refusal)
        == "tower 0, counted from 0, is 3 high, the ladder asks for 1 or 2 under Rb"
    )
    assert NOTATION.describe(Refusal("pile_empty", {"pile": 2})) == (
        "pile must have cards left, and roof has none"
    )


def test_a_refusal_of_somebody_else_is_said_too() -> None:
    assert NOTATION.describe(Refusal("table_full")) == "table full"
