"""What is wrong with a record, and where; agreement with the oracle is in tests/oracle."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from protocol.dealing import commitment
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.records import NotARecord, line, read

CLOCKTOWERS = GAMES["clocktowers"]
Spoil = Callable[[dict[str, Any]], object]


@cache
def _good() -> bytes:
    options = CLOCKTOWERS.notation.options_from_record({})
    return line(play(Series(CLOCKTOWERS, options, ["random", "random"], 1, True), 0))


def fault(spoil: Spoil) -> str:
    record = json.loads(_good())
    spoil(record)
    with pytest.raises(BadRecord) as error:
        check(read(json.dumps(record).encode(), GAMES))
    return str(error.value)


def test_a_good_record_is_good() -> None:
    check(read(_good(), GAMES))


def set_in(*path: Any, to: Any) -> Spoil:
    def spoil(record: dict[str, Any]) -> None:
        spot: Any = record
        for key in path[:-1]:
            spot = spot[key]
        spot[path[-1]] = to

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (set_in("seats", to=[]), "setup: a match has 2 or 3 or 4 seats, not 0"),
        (set_in("seats", 1, to="Ann"), "setup: seat 1 is not an object"),
        (set_in("seats", 1, "name", to=7), "setup: seat 1 has no name"),
        (set_in("seats", 0, "kind", to="cat"), "setup: seat 0 is of no kind (human or bot)"),
        (set_in("options", "ladder", to="steep"), "setup: option ladder"),
        (set_in("setup", "piles", to=[]), "setup: piles is not an object"),
        (set_in("plies", 3, to=None), "ply 3: not an object"),
        (set_in("plies", 3, "seat", to=True), "ply 3: it is the turn of seat"),
        (set_in("plies", 3, "seat", to=None), "ply 3: it is the turn of seat 1, not of null"),
        (lambda r: r["plies"][3].pop("seat"), "ply 3: seat is missing in the ply"),
        (lambda r: r["plies"][3].pop("action"), "ply 3: action is missing in the ply"),
        (lambda r: r["plies"][2]["action"].pop("card"), "ply 2: card is missing in action"),
        (lambda r: r["setup"]["piles"].pop("roof"), "setup: roof is missing in piles"),
        (set_in("plies", 3, "action", to="draw"), "ply 3: action is not an object"),
        (set_in("plies", 3, "at_ms", to="noon"), 'ply 3: at_ms is no integer: "noon"'),
        (set_in("plies", 3, "at_ms", to=-1), "ply 3: at_ms is -1, before what had happened at 0"),
        (set_in("plies", 3, "lags_ms", to=[0, True]), "ply 3: lags_ms is not a list of integers"),
        (set_in("plies", 3, "lags_ms", to=[0, -1]), "ply 3: lags_ms is not a list of integers"),
        (set_in("plies", 3, "lags_ms", to=[7]), "ply 3: lags_ms has 1 numbers for 2 seats"),
        (set_in("plies", 3, "legal", to={}), "ply 3: legal is not a list"),
        (set_in("plies", 3, "legal", to=[]), "ply 3: legal lacks"),
        (lambda r: r["plies"][2]["legal"].append(r["plies"][2]["legal"][0]), "ply 2: legal lists"),
        (lambda r: r["plies"].append(r["plies"][0]), "ply 110: the match is over before it"),
        (lambda r: r["plies"].pop(), "outcome: the match is not over after the last ply"),
        (set_in("outcome", "scores", to=[99, 0]), "outcome: scores should be ["),
        (set_in("outcome", "winners", to=None), "outcome: winners should be ["),
        (lambda r: r["outcome"].pop("decided_by"), "outcome: decided_by is missing, it should be "),
        (set_in("proof", to=None), "setup: the proof is not a seed and a sha256"),
        (set_in("proof", "seed", to="é" * 64), "setup: the proof is not a seed and a sha256"),
        (set_in("proof", "seed", to="00" * 32), "setup: the proof's sha256 is not that"),
        (
            set_in("proof", to={"seed": "00" * 32, "sha256": commitment(bytes(32))}),
            "setup: the proof's seed gives another deal",
        ),
    ],
)
def test_faults_are_told_with_their_place(spoil: Spoil, said: str) -> None:
    assert fault(spoil).startswith(said)


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (1, {}, "practice is not on (one seat alone is always in practice)"),
        (3, {"practice": "on"}, "practice is not off (practice is for one seat or two)"),
        (1, {"mode": "vivo"}, "mode is not saloon (Vivo o Morto! is for two seats or more)"),
    ],
)
def test_options_that_do_not_go_with_so_many_seats(
    seats: int, options: dict[str, str], said: str
) -> None:
    seated = [{"name": "Ann", "kind": "human"}] * seats
    record = {
        **json.loads(_good()),
        "game": "wild_wild_pattern",
        "seats": seated,
        "options": options,
    }
    with pytest.raises(BadRecord) as error:
        check(read(json.dumps(record).encode(), GAMES))
    assert str(error.value) == f"setup: option {said}"


def test_a_score_of_the_wrong_type_is_wrong() -> None:
    def spoil(record: dict[str, Any]) -> None:
        record["outcome"]["scores"] = [float(score) for score in record["outcome"]["scores"]]

    assert fault(spoil).startswith("outcome: scores")


def test_a_chosen_first_seat_does_not_break_the_proof() -> None:
    options = CLOCKTOWERS.notation.options_from_record({})
    for first_seat in range(4):
        chosen = type(options)(first_seat=first_seat)
        record = play(Series(CLOCKTOWERS, chosen, ["random"] * 4, 5), 0)
        assert record["setup"]["first_seat"] == first_seat
        check(read(line(record), GAMES))


def test_what_nobody_knows_is_left_alone() -> None:
    record = json.loads(_good())
    for spot in (record, record["seats"][0], record["setup"], record["plies"][0]["action"]):
        spot["weather"] = {"rain": [True]}
    record["id"] = record["rules_version"] = None
    check(read(json.dumps(record).encode(), GAMES))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(st.characters(codec=None), max_size=5)
    | st.sampled_from(["1-", "Km", "Rb", "play", "draw", "floor", "points", "own"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["do", "card", "tower", "pile", "floor"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_value_anywhere_raises_nothing_else(data: st.DataObject) -> None:
    record: Any = json.loads(_good())
    spot = record
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        inside = isinstance(spot[key], dict | list) and spot[key]
        if not inside or data.draw(st.integers(0, 3)) == 0:
            break
        spot = spot[key]
    spot[key] = data.draw(VALUES)
    try:
        check(read(json.dumps(record).encode(), GAMES))
    except (NotARecord, BadRecord) as error:
        assert str(error)
