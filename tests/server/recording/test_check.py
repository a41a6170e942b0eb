"""What is no record, and what is wrong with one, and where; agreement with the oracle is in
tests/oracle."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.dealing import commitment
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.records import MAX_LINE_BYTES, NotARecord, line, read

CLOCKTOWERS = GAMES["clocktowers"]
Spoil = Callable[[dict[str, Any]], object]


_OPTIONS = CLOCKTOWERS.notation.options_from_record({})
GOOD = line(play(Series(CLOCKTOWERS, _OPTIONS, ["random", "random"], 1, True), 0))


def good() -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(GOOD)
    return fields


def fault(spoil: Spoil) -> str:
    record = good()
    spoil(record)
    with pytest.raises(BadRecord) as error:
        check(read(json.dumps(record).encode(), GAMES))
    return str(error.value)


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
        (set_in("seats", to=[]), "setup: a match must have 2, 3 or 4 seats, not 0"),
        (set_in("seats", 1, to="Ann"), 'setup: seat 1 must be an object, not "Ann"'),
        (set_in("seats", 1, "name", to=7), "setup: name of seat 1 must be a string, not 7"),
        *(
            (
                set_in("began", to=began),
                "setup: began must be a time like 2026-11-23T19:30:00Z, not ",
            )
            for began in (7, "today", "2026-1-3T19:30:00Z", "2026-02-30T19:30:00Z", "", None)
        ),
        (
            set_in("seats", 0, "kind", to="cat"),
            'setup: kind of seat 0 must be "human" or "bot", not "cat"',
        ),
        (
            set_in("options", "ladder", to="steep"),
            'setup: option ladder must be "shared" or "own", not "steep"',
        ),
        (set_in("setup", "piles", to=[]), "setup: piles must be an object, not a list"),
        (set_in("plies", 3, to=None), "ply 3: the ply must be an object, not null"),
        (set_in("plies", 3, "seat", to=True), "ply 3: seat must be 1, which may act now, not true"),
        (lambda r: r["plies"][3].pop("seat"), 'ply 3: the ply must have the field "seat"'),
        (lambda r: r["plies"][3].pop("action"), 'ply 3: the ply must have the field "action"'),
        (lambda r: r["plies"][2]["action"].pop("card"), 'ply 2: action must have the field "card"'),
        (lambda r: r["setup"]["piles"].pop("roof"), 'setup: piles must have the field "roof"'),
        (set_in("plies", 3, "action", to="draw"), 'ply 3: action must be an object, not "draw"'),
        (set_in("plies", 3, "by", to="cat"), 'ply 3: by must be "bot", not "cat"'),
        (set_in("plies", 3, "at_ms", to="noon"), 'ply 3: at_ms must be a whole number, not "noon"'),
        (
            set_in("plies", 3, "at_ms", to=-1),
            "ply 3: at_ms must be 0, the time of the ply before, or more, not -1",
        ),
        (set_in("plies", 3, "at_ms", to=10**30), f"ply 3: at_ms must be {1 << 53} or less, not 1"),
        (set_in("plies", 3, "lags_ms", to=[0, -1]), "ply 3: lags_ms must be a list of whole"),
        (
            set_in("plies", 3, "lags_ms", to=[7]),
            "ply 3: lags_ms must have 2 numbers, one a seat, not 1",
        ),
        (
            set_in("plies", 3, "legal", to={}),
            "ply 3: legal in the ply must be a list, not an object",
        ),
        (set_in("plies", 3, "legal", to=[]), "ply 3: legal must list {"),
        (
            lambda r: r["plies"][2]["legal"].append(r["plies"][2]["legal"][0]),
            "ply 2: legal must not list {",
        ),
        (set_in("plies", 2, "legal", 0, to=1), "ply 2: entry 0 of legal: action must be an object"),
        (
            lambda r: r["plies"].append(r["plies"][0]),
            "ply 110: there must be no such ply: the match is over",
        ),
        (lambda r: r["plies"].pop(), "outcome: the plies must go on until the match is over"),
        (set_in("outcome", "scores", to=[99, 0]), "outcome: entry 0 of scores in outcome must be "),
        (
            lambda r: r["outcome"].update(scores=[*map(float, r["outcome"]["scores"])]),
            "outcome: entry 0 of scores in outcome must be ",
        ),
        (set_in("outcome", "winners", to=None), "outcome: winners in outcome must be ["),
        (
            lambda r: r["outcome"].pop("decided_by"),
            'outcome: outcome must have the field "decided_by"',
        ),
        (set_in("proof", to=None), "setup: proof must have a seed and a sha256"),
        (
            set_in("proof", "seed", to="00" * 32),
            "setup: sha256 in proof must be that of its seed, 66687aad",
        ),
        (
            set_in("proof", to={"seed": "00" * 32, "sha256": commitment(bytes(32))}),
            "setup: setup must be what the proof's seed deals",
        ),
    ],
)
def test_faults_are_told_with_their_place(spoil: Spoil, said: str) -> None:
    assert fault(spoil).startswith(said)


def test_a_chosen_first_seat_does_not_break_the_proof() -> None:
    options = CLOCKTOWERS.notation.options_from_record({})
    for first_seat in range(4):
        chosen = type(options)(first_seat=first_seat)
        record = play(Series(CLOCKTOWERS, chosen, ["random"] * 4, 5), 0)
        assert record["setup"]["first_seat"] == first_seat
        check(read(line(record), GAMES))


def test_a_fault_names_rules_of_another_version() -> None:
    """They may be why it is one; a record without a fault may have any."""
    record = {**good(), "rules_version": 7}
    check(read(json.dumps(record).encode(), GAMES))
    spoil, ours = set_in("plies", 3, to=None), CLOCKTOWERS.rules.rules_version
    hint = f" (the record has rules_version 7, this program plays {ours})"
    said = fault(lambda record: (spoil(record), record.update(rules_version=7)))
    assert said == fault(spoil) + hint


def test_what_nobody_knows_is_left_alone() -> None:
    record = good()
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


@given(st.data())
def test_any_value_anywhere_raises_nothing_else(data: st.DataObject) -> None:
    record: Any = good()
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


def refused(text: bytes) -> str:
    with pytest.raises(NotARecord) as error:
        read(text, GAMES)
    return str(error.value)


def test_what_is_written_is_read_back() -> None:
    record = read(GOOD, GAMES)
    assert record.game is CLOCKTOWERS
    assert record.fields == good()
    assert GOOD.endswith(b"}\n") and GOOD.count(b"\n") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(
            (text, "the line must be a JSON object: ")
            for text in (
                *(b"", b"   ", b"{", b"\xff\xfe{}", "\ufeff{}".encode(), b'{"a": "\xff"}'),
                *(b"NaN", b'{"format": -Infinity}', b"[" * 200_000, b'{"a":' * 200_000),
                *(b"[]", b"12", b"9" * 5000, b'{"a": 1e999}', b'{"name": "A\\ud800"}'),
            )
        ),
        (b"{}", 'format must be "clocktowers-record", not null'),
        (b" " * (MAX_LINE_BYTES + 1), "longer than"),
    ],
)
def test_lines_that_are_no_records(text: bytes, why: str) -> None:
    assert why in refused(text)


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("format", ["other", 1, None, ["clocktowers-record"]], "format must be"),
        ("version", [2, 0, True, 1.0, "1", None, 10**4200], "version must be 1, not "),
        ("game", ["chess", "", None, 1, ["clocktowers"], "\x1b]0;x\x07"], "game must be "),
        ("options", [None, [], "standard"], "options must be an object, not "),
        ("seats", [None, {}, 2], "seats in the record must be a list, not "),
        ("setup", [None, [], 1], "setup must be an object, not "),
        ("plies", [None, {}, "none"], "plies in the record must be a list, not "),
        ("outcome", [None, [], "won"], "outcome must be an object, not "),
    ],
)
def test_envelopes_of_another_shape(name: str, values: list[Any], why: str) -> None:
    """Or without a part that must be there."""
    for value in values:
        said = refused(line({**good(), name: value}))
        assert why in said
        assert said.isprintable() and len(said) < 200
    less = {part: value for part, value in good().items() if part != name}
    assert name == "options" or name in refused(line(less))


def test_of_two_equal_keys_the_last_counts() -> None:
    twice = GOOD.replace(b'"version":1', b'"version":2,"version":1')
    check(read(twice, GAMES))
    assert refused(GOOD.replace(b'"version":1', b'"version":1,"version":2'))
