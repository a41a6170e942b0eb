"""The table form offers what the protocol knows, and words say what differs."""

import msgspec
import pytest

from clocktowers_tui.games.clocktowers.options import option_fields, options_in_words, presets
from protocol.games.clocktowers import PRESETS, Options


def test_every_option_has_a_row_and_its_default_comes_first() -> None:
    defaults = msgspec.to_builtins(Options())
    fields = {field.name: field for field in option_fields()}
    assert set(fields) == set(defaults)
    for name, field in fields.items():
        default = defaults[name]
        assert field.values[0][0] == (list(default) if isinstance(default, tuple) else default)


def test_every_value_goes_over_the_wire() -> None:
    for field in option_fields():
        for value, words in field.values:
            msgspec.convert({field.name: value}, Options)
            assert words


def test_every_preset_has_words() -> None:
    assert [name for name, _ in presets()] == list(PRESETS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "standard rules"),
        (PRESETS["standard"], "standard rules"),
        (PRESETS["italian"], "First tower of a colour: 2 floors"),
        (
            {"first_heights": [2], "ladder": "own"},
            "First tower of a colour: 2 floors; Heights of the next roofs: each player's own",
        ),
        ({"first_seat": 0}, "Who begins: seat 1"),
        ({"from_a_newer_server": 1, "ladder": "sideways"}, "standard rules"),
    ],
)
def test_in_words(options: dict[str, object], words: str) -> None:
    assert options_in_words(options) == words
