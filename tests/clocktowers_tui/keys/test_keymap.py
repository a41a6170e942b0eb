"""A keymap that is in force: the new key works and is shown, the old one is neither."""

import pytest
from textual.widgets import Input

from clocktowers_tui.games.clocktowers.actions import NUMBERS, PILES
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, ways_to_move
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from tests.stage.pilot import playing, press, seen, sees

OPTIONS = {"first_seat": 0}


def test_keys_that_stand_together() -> None:
    assert DEFAULT_KEYS.names(NUMBERS[:4]) == "1-4"
    assert DEFAULT_KEYS.names(PILES) == "f c r"
    assert ways_to_move(DEFAULT_KEYS) == "arrows"
    other = Keymap({"board.number_1": ("a",), "go.up": ("w",), "board.roofs": ()})
    assert other.names(NUMBERS[:3]) == "a 2 3"
    assert other.names(PILES) == "f c"
    assert other.names((actions.UP,)) == "w"
    assert other.names((actions.DOWN,)) == "Down"


async def test_on_the_board() -> None:
    keymap = '"board.discard" = ["delete"]\n"board.number_1" = ["a"]\n"match.log" = ["F5"]'
    async with playing(Solo(bot_table(1, "random", options=OPTIONS)), keymap=keymap) as player:
        await sees(player, "Your turn", "a 2 3 Take card", "F5 Log")
        await press(player, "1")
        assert "Discard" not in seen(player[0])
        await press(player, "a")
        await sees(player, "Del Discard", "‹Del›")
        await press(player, "x")
        await sees(player, "Your turn: play")
        await press(player, "delete")
        await sees(player, "Your turn: draw")
        await press(player, "L")
        await sees(player, "Your turn: draw")
        await press(player, "f5")
        await sees(player, "What happened")
        await press(player, "f5")
        await sees(player, "Your turn: draw")


async def test_in_menus_and_dialogs() -> None:
    async with playing(keymap='"go.down" = ["Z"]\nback = ["F2"]\nconfirm = ["i"]') as player:
        await sees(player, "Join a table")
        await press(player, "Z", "right", "i")
        await sees(player, "Table (if known)", "F2 Back")
        await press(player, "escape")
        await sees(player, "Table (if known)")
        await press(player, "f2")
        await sees(player, "Join a table")


@pytest.mark.parametrize("keymap", ["", 'back = ["escape", "Z"]\nleave = ["i"]\n"go.up" = ["D"]'])
async def test_a_line_of_text_takes_every_letter(keymap: str) -> None:
    async with playing(keymap=keymap) as player:
        await sees(player, "Join a table")
        await press(player, "c")
        await sees(player, "Table (if known)", "Esc Back")
        line = player[0].focused
        assert isinstance(line, Input) and line.id == "server"
        await press(player, *"ZiDq?", "backspace")
        assert line.value == "ZiDq"
        await press(player, "escape")
        await sees(player, "Join a table")


async def test_what_is_wrong_is_said_at_the_start() -> None:
    async with playing(keymap='nonsense = "x"\nhelp = []') as player:
        await sees(player, "keymap.toml: “nonsense” is not an action", "more: `clocktowers keys`")
    async with playing(keymap='help = "F5"') as player:
        await sees(player, "F5 Help")
        assert "keymap" not in seen(player[0])
