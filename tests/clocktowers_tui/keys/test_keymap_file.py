"""The player's keymap: what is right holds, what is wrong is one sentence, never a traceback."""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.config.settings import settings_file
from clocktowers_tui.games.clocktowers.actions import DISCARD, NEW_TOWER
from clocktowers_tui.games.registry import ALL_ACTIONS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.keys.keymap_file import MAX_BYTES, Reading, keymap_file, read, read_text

ANY_KEY = st.sampled_from([key for action in ALL_ACTIONS for key in action.keys] + ["f5", "w", "?"])
LINES = st.dictionaries(
    st.sampled_from([action.id for action in ALL_ACTIONS]), st.lists(ANY_KEY, max_size=3)
)


MEETING = [
    (one, other) for one, other in combinations(ALL_ACTIONS, 2) if actions.live_together(one, other)
]
"""Actions that may not share a key."""


def read_here(text: str) -> Reading:
    return read_text(text.encode(), ALL_ACTIONS)


def complaint(text: str) -> str:
    """The one sentence about a keymap of which nothing holds."""
    reading = read_here(text)
    assert reading.keymap == DEFAULT_KEYS
    (sentence,) = reading.complaints
    assert sentence.endswith((".", "?")) and sentence.isprintable()
    return sentence


@pytest.mark.parametrize(
    "text",
    [
        '"board.discard" = ["x", "delete"]',
        'board.discard = ["x", "Del"]',
        '[board]\ndiscard = ["x", "delete", "x"]',
    ],
)
def test_a_line_may_be_written_in_several_ways(text: str) -> None:
    reading = read_here(text)
    assert reading.complaints == ()
    assert reading.keymap.keys(DISCARD) == ("x", "delete")
    assert reading.keymap.keys(NEW_TOWER) == NEW_TOWER.keys


def test_one_key_needs_no_brackets_and_no_key_is_a_choice() -> None:
    reading = read_here('help = "F5"\ntheme = []')
    assert reading.complaints == ()
    assert reading.keymap.name(actions.HELP) == "F5"
    assert reading.keymap.name(actions.THEME) == ""
    assert reading.keymap.for_textual() == {"help": "f5", "theme": "<ignore>"}


def test_two_keys_may_be_exchanged() -> None:
    reading = read_here('"board.discard" = "n"\n"board.new_tower" = "x"')
    assert reading.complaints == ()
    assert reading.keymap.keys(DISCARD) == ("n",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('"board.discrad" = ["x"]', ("board.discrad", "board.discard")),
        ('frobnicate = ["x"]', ("frobnicate", "clocktowers keys")),
        ('"\\u001b[2J" = ["x"]', ("[2J",)),
        ('"board.discard" = ["foo"]', ("board.discard", "“foo” is not a key")),
        ('"board.discard" = ["shift+x"]', ("shift+x",)),
        ('"board.discard" = 3', ("board.discard", "brackets")),
        ('"board.discard" = [1, 2]', ("board.discard", "brackets")),
        ('"board.discard" = ["a","b","d","e","i","m","o","p","s"]', ("8 keys",)),
        ('"board.discard" = ["n"]', ("board.discard", "n ", "board.new_tower")),
        ('"board.discard" = ["L"]', ("board.discard", "L ", "match.log")),
        ('"home.play" = ["q"]', ("home.play", "leave")),
        ("confirm = []", ("confirm", "at least one key")),
        ("back = []", ("back", "at least one key")),
        ("help = []", ("help", "at least one key")),
        ("leave = []", ("leave", "at least one key")),
        ('back = ["backspace", "b"]', ("back", "while you type")),
        *((f'help = ["ctrl+{key}"]', ("help", "for themselves")) for key in "ijmhsqc["),
        ("help = [", ("not TOML",)),
        ('help = "a"\nhelp = "b"', ("not TOML",)),
        ("x = " + "[" * 5000, ("not TOML",)),
    ],
)
def test_a_wrong_line_is_named(text: str, says: tuple[str, ...]) -> None:
    sentence = complaint(text)
    assert all(part in sentence for part in says), sentence


def test_the_good_lines_hold() -> None:
    reading = read_here('help = "F5"\nnonsense = "x"\n"match.log" = ["i"]')
    assert len(reading.complaints) == 1
    assert set(reading.keymap.changed) == {"help", "match.log"}


def test_of_two_lines_that_clash_the_later_gives_way() -> None:
    reading = read_here('"match.log" = ["i"]\n"board.discard" = ["i"]')
    (sentence,) = reading.complaints
    assert "board.discard" in sentence and "match.log" in sentence
    assert set(reading.keymap.changed) == {"match.log"}


def test_actions_that_never_meet_may_share_a_key() -> None:
    assert read_here('"home.play" = ["x"]\n"table.start" = ["x"]').complaints == ()


def test_actions_of_two_games_may_share_a_key() -> None:
    other = DISCARD._replace(id="other.drop", keys=("i",), game="other")
    text = b'"other.drop" = ["n"]\n"board.layout" = ["i"]\nhelp = ["i"]'
    (complaint,) = read_text(text, [*ALL_ACTIONS, other]).complaints
    assert complaint.startswith("help: i already belongs to board.layout")


@given(LINES)
def test_whatever_holds_is_free_of_clashes(lines: dict[str, list[str]]) -> None:
    text = "\n".join(f'"{id}" = {keys!r}' for id, keys in lines.items())
    keymap = read_here(text).keymap
    assert all(keymap.keys(one) for one in ALL_ACTIONS if one.firm)
    held = {one: set(keymap.keys(one)) for one in ALL_ACTIONS}
    for one, other in MEETING:
        assert not held[one] & held[other]


@given(st.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    assert all(map(str.isprintable, read_text(content, ALL_ACTIONS).complaints))


def test_files(tmp_path: Path) -> None:
    assert keymap_file().parent == settings_file().parent
    assert read(tmp_path / "none.toml") == Reading()
    assert "cannot be read" in read(tmp_path).complaints[0]
    large = tmp_path / "large.toml"
    large.write_text("#" * (MAX_BYTES + 1))
    assert "larger than" in read(large).complaints[0]
    large.write_bytes(b"# \xff")
    assert "UTF-8" in read(large).complaints[0]


def test_the_documented_keymap_holds() -> None:
    page = (Path(__file__).parents[3] / "docs" / "keys.md").read_text("utf-8")
    lines = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    reading = read_here("\n".join(lines))
    assert len(lines) == 3 and reading.keymap != DEFAULT_KEYS and reading.complaints == ()
