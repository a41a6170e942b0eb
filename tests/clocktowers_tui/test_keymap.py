"""The player's keymap: what is right holds and is shown, what is wrong is one sentence, never a
traceback; keys as players write them."""

from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from textual.events import Key
from textual.widgets import Input

from clocktowers_tui.app.styled import meant
from clocktowers_tui.config.settings import settings_file
from clocktowers_tui.deeds.places import ALL_ACTIONS
from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, NEW_TOWER, PILES
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, live_together
from clocktowers_tui.keys.keymap import (
    DEFAULT_KEYS,
    MAX_BYTES,
    Keymap,
    key_from,
    key_in_words,
    keymap_file,
    read_keymap,
    read_keymap_text,
    ways_to_move,
)
from clocktowers_tui.net.wishes import Solo
from tests.stage.pilot import playing, press, seen, sees, until
from tests.stage.small_match import bot_table

# Keys as players write them -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "key", "shown"),
    [
        ("x", "x", "x"),
        ("X", "X", "X"),
        ("é", "é", "é"),
        ("?", "question_mark", "?"),
        ("/", "slash", "/"),
        ("+", "plus", "+"),
        (",", "comma", ","),
        ("question_mark", "question_mark", "?"),
        ("Esc", "escape", "Esc"),
        ("DEL", "delete", "Del"),
        (" PgDn ", "pagedown", "PgDn"),
        ("Ctrl+P", "ctrl+p", "Ctrl+P"),
        ("shift+ctrl+Left", "ctrl+shift+left", "Ctrl+Shift+Left"),
        ("Shift+Tab", "shift+tab", "Shift+Tab"),
        ("alt+x", "alt+x", "Alt+X"),
        ("F5", "f5", "F5"),
    ],
)
def test_a_key(written: str, key: str, shown: str) -> None:
    assert key_from(written) == key
    assert key_in_words(key) == shown
    assert key_from(shown) == key


@pytest.mark.parametrize(
    "written",
    ["", " ", "xx", "f99", "super+x", "ctrl+", "+x", "ctrl+ctrl+x", "shift+x", "\x1b", "<ignore>"],
)
def test_no_key(written: str) -> None:
    assert key_from(written) is None


# The file -----------------------------------------------------------------------------------------


ANY_KEY = st.sampled_from([key for action in ALL_ACTIONS for key in action.keys] + ["f5", "w", "?"])
LINES = st.dictionaries(
    st.sampled_from([action.id for action in ALL_ACTIONS]), st.lists(ANY_KEY, max_size=3)
)


def read_here(text: str) -> Keymap:
    return read_keymap_text(text.encode(), ALL_ACTIONS)


def complaint(text: str) -> str:
    """The one sentence about a keymap of which nothing holds."""
    reading = read_here(text)
    assert not reading.changed
    (sentence,) = reading.complaints
    assert sentence.endswith((".", "?")) and sentence.isprintable()
    return sentence


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('"board.discard" = ["x", "delete"]', {"board.discard": ("x", "delete")}),
        ('board.discard = ["x", "Del"]', {"board.discard": ("x", "delete")}),
        ('[board]\ndiscard = ["x", "delete", "x"]', {"board.discard": ("x", "delete")}),
        ('help = "F5"\ntheme = []', {"help": ("f5",), "theme": ()}),
        ('home.play = "x"\ntable.start = "x"', {"home.play": ("x",), "table.start": ("x",)}),
        (
            'board.discard = "n"\nboard.new_tower = "x"',
            {"board.discard": ("n",), "board.new_tower": ("x",)},
        ),
    ],
)
def test_a_line_may_be_written_in_several_ways(text: str, changed: dict[str, Any]) -> None:
    """Two keys may be exchanged, actions that never meet may share one, and no key is a choice."""
    assert read_here(text) == Keymap(changed)
    keymap = Keymap({"help": ("f5",), "theme": ()})
    assert (keymap.name(actions.HELP), keymap.name(actions.THEME)) == ("F5", "")
    assert keymap.keys(NEW_TOWER) == NEW_TOWER.keys
    assert keymap.for_textual() == {"help": "f5", "theme": "<ignore>"}


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


def test_of_two_lines_that_clash_the_later_gives_way_but_two_games_may_share_a_key() -> None:
    reading = read_here('"match.log" = ["i"]\n"board.discard" = ["i"]')
    (sentence,) = reading.complaints
    assert "board.discard" in sentence and "match.log" in sentence
    assert set(reading.changed) == {"match.log"}
    other = DISCARD._replace(id="other.drop", keys=("i",), game="other")
    text = b'"other.drop" = ["n"]\n"board.layout" = ["i"]\nhelp = ["i"]'
    (complaint,) = read_keymap_text(text, [*ALL_ACTIONS, other]).complaints
    assert complaint.startswith("help: i already belongs to board.layout")


@given(LINES)
def test_whatever_holds_is_free_of_clashes(lines: dict[str, list[str]]) -> None:
    text = "\n".join(f'"{id}" = {keys!r}' for id, keys in lines.items())
    keymap = read_here(text)
    assert all(keymap.keys(one) for one in ALL_ACTIONS if one.firm)
    held = defaultdict[str, list[Action]](list)
    for action in ALL_ACTIONS:
        for key in {*keymap.keys(action)}:
            held[key].append(action)
    for sharing in held.values():
        assert not any(live_together(one, other) for one, other in combinations(sharing, 2))


@given(st.binary(max_size=200))
@example(b"back = " + b"1" * 5000)
@example(b"a" + b".a" * 1500 + b" = 1")
def test_no_bytes_raise(content: bytes) -> None:
    assert all(map(str.isprintable, read_keymap_text(content, ALL_ACTIONS).complaints))


def test_files(tmp_path: Path) -> None:
    assert keymap_file().parent == settings_file().parent
    assert read_keymap(tmp_path / "none.toml", tuple) == DEFAULT_KEYS
    assert "cannot be read" in read_keymap(tmp_path, tuple).complaints[0]
    large = tmp_path / "large.toml"
    large.write_text("#" * (MAX_BYTES + 1))
    assert "larger than" in read_keymap(large, tuple).complaints[0]
    large.write_bytes(b"# \xff")
    assert "UTF-8" in read_keymap(large, tuple).complaints[0]


def test_the_documented_keymap_holds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8")
    lines = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    reading = read_here("\n".join(lines))
    assert len(lines) == 3 and reading.changed and reading.complaints == ()


# A keymap that is in force ------------------------------------------------------------------------


def test_keys_that_stand_together() -> None:
    assert DEFAULT_KEYS.names(CARDS) == "1-4"
    assert DEFAULT_KEYS.names(PILES) == "f c r"
    assert ways_to_move(DEFAULT_KEYS) == "arrows"
    other = Keymap({"board.number_1": ("a",), "go.up": ("w",), "board.roofs": ()})
    assert other.names(CARDS[:3]) == "a 2 3"
    assert other.names(PILES) == "f c"
    assert other.names((actions.UP,)) == "w"
    assert other.names((actions.DOWN,)) == "Down"


async def test_on_the_board() -> None:
    keymap = '"board.discard" = ["delete"]\n"board.number_1" = ["a"]\n"match.log" = ["F5"]'
    async with playing(
        Solo(bot_table(1, "random", options={"first_seat": 0})), keymap=keymap
    ) as player:
        await sees(player, "Your turn", "a 2 3 Take card", "F5 Log")
        await press(player, "1")
        assert "Discard" not in seen(player[0])
        await press(player, "a", shows=("Del Discard", "‹Del›"))
        await press(player, "x", shows="Your turn: play")
        await press(player, "delete", shows="Your turn: draw")
        await press(player, "L", shows="Your turn: draw")
        await press(player, "f5", shows="─ Log ─")
        await press(player, "f5", shows="Your turn: draw")


async def test_in_menus_and_dialogs() -> None:
    async with playing(keymap='"go.down" = ["Z"]\nback = ["F2"]\nconfirm = ["i"]') as player:
        await sees(player, "Join a table")
        await press(player, "Z", "right", "i", shows=("Table (if known)", "F2 Back"))
        await press(player, "escape", shows="Table (if known)")
        await press(player, "f2", shows="Join a table")


@pytest.mark.parametrize("keymap", ["", 'back = ["escape", "Z"]\nleave = ["i"]\n"go.up" = ["D"]'])
async def test_a_line_of_text_takes_every_letter(keymap: str) -> None:
    async with playing(keymap=keymap, shows="Join a table") as player:
        await press(player, "c", shows=("Table (if known)", "Esc Back"))
        line = player[0].focused
        assert isinstance(line, Input) and line.id == "server"
        await press(player, *"ZiDq?", "backspace")
        assert line.value == "ZiDq"
        await press(player, "escape", shows="Join a table")


async def test_what_is_wrong_is_said_at_the_start() -> None:
    async with playing(keymap='nonsense = "x"\nhelp = []') as player:
        await sees(player, "keymap.toml: “nonsense” is not an action", "more: `clocktowers keys`")
    async with playing(keymap='help = "F5"', shows="F5 Help") as player:
        assert "keymap" not in seen(player[0])


# With a Russian keyboard layout the keys lie where they always lie --------------------------------


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("й", "q"),
        ("Й", "Q"),
        ("ь", "m"),
        ("Б", "less_than_sign"),
        ("Ж", "colon"),
        ("х", "left_square_bracket"),
    ],
)
def test_a_letter_is_the_key_that_it_stands_on(typed: str, key: str) -> None:
    assert meant(Key(typed, typed), ()).key == key


@pytest.mark.parametrize(
    "same", [Key("q", "q"), Key("enter", "\r"), Key("ё", "ё"), Key("up", None)]
)
def test_any_other_key_is_itself_and_so_is_a_letter_that_the_player_has_chosen(same: Key) -> None:
    assert meant(same, ()) is same
    own, chosen = Keymap({"leave": ("й", "q")}).own, Key("й", "й")
    assert meant(chosen, own) is chosen and meant(Key("ц", "ц"), own).key == "w"


async def test_it_opens_what_the_latin_key_opens_and_text_stays_as_it_is_typed() -> None:
    async with playing() as player:
        app, pilot = player
        await until(pilot, lambda: bool(app.focused))
        await press(player, "Ы", shows="Theme")
        await press(player, "escape", shows="Join a table")
        await press(player, "т")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await press(player, "А", "н", "я")
        await until(pilot, lambda: "Аня" in seen(app))
