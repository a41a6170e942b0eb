"""The table form offers what the protocol knows, and words say what differs."""

import msgspec
import pytest

from clocktowers_tui.games.architetti_attenti.options import (
    option_fields,
    options_in_words,
    presets,
)
from protocol.games.architetti_attenti import PRESETS, Options


def test_every_option_has_a_row_and_its_default_comes_first() -> None:
    defaults = msgspec.to_builtins(Options())
    fields = {field.name: field for field in option_fields()}
    assert set(fields) == set(defaults)
    for name, field in fields.items():
        assert field.values[0][0] == defaults[name]


def test_what_changes_the_rules_is_told_in_a_sentence_each() -> None:
    told = {field.name: field.sentence for field in option_fields() if field.sentence}
    assert set(told) == {field.name for field in option_fields()}
    assert len(set(told.values())) == len(told)


def test_every_value_goes_over_the_wire() -> None:
    for field in option_fields():
        for value, words in field.values:
            msgspec.convert({field.name: value}, Options)
            assert words


def test_who_begins_is_one_of_those_at_the_table() -> None:
    for seats in (1, 2, 3, 4):
        field = {field.name: field for field in option_fields(seats)}["first_seat"]
        assert [value for value, _words in field.values] == [None, *range(seats)]


def test_every_preset_has_words() -> None:
    assert [name for name, _ in presets()] == list(PRESETS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "standard rules"),
        (PRESETS["standard"], "standard rules"),
        (
            PRESETS["letter"],
            "Blocks of houses: every block counts; Parks: each house once; Rails: 2 for each track",
        ),
        (PRESETS["last-tile"], "The end: when the row is empty"),
        (
            {"take_back": "off", "first_seat": 0},
            "Taking moves back: not allowed; Who begins: seat 1",
        ),
        ({"from_a_newer_server": 1, "rails": "sideways"}, "standard rules"),
    ],
)
def test_in_words(options: dict[str, object], words: str) -> None:
    assert options_in_words(options) == words
