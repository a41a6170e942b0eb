"""Envelopes: what is one, what is none, and that nothing else is ever raised."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import check
from server.recording.records import MAX_LINE_BYTES, NotARecord, line, read

CLOCKTOWERS = GAMES["clocktowers"]


def good() -> dict[str, Any]:
    options = CLOCKTOWERS.notation.options_from_record({})
    return play(Series(CLOCKTOWERS, options, ["random", "random"], 1), 0)


GOOD = line(good())


def refusal(text: bytes) -> str:
    with pytest.raises(NotARecord) as error:
        read(text, GAMES)
    return str(error.value)


def with_field(name: str, value: Any) -> bytes:
    return line({**good(), name: value})


def test_what_is_written_is_read_back() -> None:
    record = read(GOOD, GAMES)
    assert record.game is CLOCKTOWERS
    assert record.fields == good()
    assert GOOD.endswith(b"}\n") and GOOD.count(b"\n") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "must be a JSON object, and is empty"),
        (b"   ", "must be a JSON object, and is empty"),
        (b"{", "must be a JSON object: "),
        (b"\xff\xfe{}", "must be UTF-8, and byte 0 is not"),
        ("\ufeff{}".encode(), "must be a JSON object: "),
        (b"NaN", "JSON has no NaN"),
        (b'{"format": -Infinity}', "JSON has no -Infinity"),
        (b"[" * 200_000, "not nested so deeply"),
        (b'{"a":' * 200_000, "not nested so deeply"),
        (b"[]", "must be a JSON object, not a list"),
        (b"12", "must be a JSON object, not 12"),
        (b"9" * 5000, "not a number too large to be read"),
        (b"{}", 'format must be "clocktowers-record", not null'),
        (b" " * (MAX_LINE_BYTES + 1), "longer than"),
    ],
)
def test_lines_that_are_no_records(text: bytes, why: str) -> None:
    assert why in refusal(text)


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("format", ["other", 1, None, ["clocktowers-record"]], "format must be"),
        ("version", [2, 0, True, 1.0, "1", None, 10**4200], "version must be 1, not "),
        ("game", ["chess", "", None, 1, ["clocktowers"], "\x1b]0;x\x07"], "game must be "),
        ("options", [None, [], "standard"], "options must be an object, not "),
        ("seats", [None, {}, 2], "seats must be a list, not "),
        ("setup", [None, [], 1], "setup must be an object, not "),
        ("plies", [None, {}, "none"], "plies must be a list, not "),
        ("outcome", [None, [], "won"], "outcome must be an object, not "),
    ],
)
def test_envelopes_of_another_shape(name: str, values: list[Any], why: str) -> None:
    for value in values:
        said = refusal(with_field(name, value))
        assert why in said
        assert said.isprintable() and len(said) < 200


@pytest.mark.parametrize(
    "name", ["format", "version", "game", "seats", "setup", "plies", "outcome"]
)
def test_parts_that_must_be_there(name: str) -> None:
    fields = good()
    del fields[name]
    assert name in refusal(line(fields))


def test_options_may_be_missing() -> None:
    fields = good()
    del fields["options"]
    check(read(line(fields), GAMES))


def test_a_number_too_long_for_python_hurts_nobody_where_nobody_reads_it() -> None:
    text = GOOD.replace(b'{"format"', b'{"at_night":' + b"-" + b"9" * 5000 + b',"format"', 1)
    check(read(text, GAMES))
    for number in (b"9" * 5000, b"1e999"):
        said = refusal(GOOD.replace(b'"version":1', b'"version":' + number))
        assert said == "version must be 1, not a number too large to be read"


def test_of_two_equal_keys_the_last_counts() -> None:
    twice = GOOD.replace(b'"version":1', b'"version":2,"version":1')
    check(read(twice, GAMES))
    assert refusal(GOOD.replace(b'"version":1', b'"version":1,"version":2'))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_arbitrary_lines_raise_nothing_else(text: bytes) -> None:
    assert refusal(text)


@given(st.sampled_from(sorted(json.loads(GOOD))), JSON)
def test_arbitrary_parts_raise_nothing_else(name: str, value: Any) -> None:
    text = json.dumps({**json.loads(GOOD), name: value}).encode()
    try:
        record = read(text, GAMES)
    except NotARecord:
        return
    assert record.fields.keys() == json.loads(GOOD).keys()
