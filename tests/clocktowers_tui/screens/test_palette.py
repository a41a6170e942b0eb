"""The palette lists what can be done, and does it."""

from textual.dom import DOMNode

from clocktowers_tui.keys.actions import Action, Context
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.screens.bound_actions import BoundAction, for_palette
from clocktowers_tui.screens.palette import Palette
from clocktowers_tui.terminal.detect import look
from tests.stage.pilot import SMALL, Playing, playing, press, reversed_text, seen, sees, until

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


async def test_typing_finds_and_enter_does() -> None:
    async with playing(size=SMALL) as player:
        await sees(player, "Join a table")
        await press(player, "ctrl+p")
        await sees(player, "Type a part", "Join a table", "Next theme")
        await press(player, *"JOIN")
        assert "Next theme" not in seen(player[0]) and "c" in seen(player[0])
        await press(player, "enter")
        await sees(player, "Table (if known)")


def cards_in_hand(player: Playing) -> int:
    match = player[0].state.match
    return len(match.view.hand) if match is not None and match.view is not None else 0


async def test_on_the_board_only_what_leads_somewhere() -> None:
    async with playing(SOLO, size=SMALL) as player:
        await sees(player, "Your turn")
        await press(player, "colon")
        await sees(player, "Card 1", "Log")
        assert "Discard" not in seen(player[0]) and "Draw from" not in seen(player[0])
        await press(player, "escape", "1", "colon")
        await sees(player, "Discard, face down")
        assert "Card 1" not in seen(player[0])
        await press(player, *"disc", "enter")
        await sees(player, "Your turn: draw")
        await press(player, "colon", *"clock", "enter")
        await until(player[1], lambda: cards_in_hand(player) == 3)
        assert not isinstance(player[0].screen, Palette)


async def test_arrows_move_and_the_mouse_does() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "ctrl+p", *("down",) * 4, "up", "enter")
        await sees(player, "Table (if known)")
        await press(player, "escape", "ctrl+p")
        await player[1].click("#found", offset=(2, 2))
        await sees(player, "Seat 1")


async def test_nothing_found_does_nothing_and_esc_closes() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "ctrl+p", *"qqq", "enter")
        await sees(player, "No command here has that name")
        await press(player, "escape")
        assert not isinstance(player[0].screen, Palette)
        await press(player, "colon", "ctrl+p")
        assert not isinstance(player[0].screen, Palette)


async def test_it_shows_the_keys_that_hold() -> None:
    async with playing(keymap='"home.join" = ["F4"]\npalette = ["F2"]') as player:
        await sees(player, "Join a table")
        await press(player, "ctrl+p", "f2", *"join")
        await sees(player, "F4")
        await press(player, "f2")
        assert not isinstance(player[0].screen, Palette)


async def test_the_cursor_is_seen_without_colours() -> None:
    async with playing(look=look({"NO_COLOR": "1"})) as player:
        await sees(player, "Join a table")
        await press(player, "ctrl+p", "down", "down")
        assert "Set up a match" in reversed_text(player[0])


def test_what_an_action_is_stands_in_no_part_of_its_id() -> None:
    """The palette leaves out moves and lists what belongs to the place first, whatever the ids."""
    kinds = (
        Action("a", ("1",), "everywhere"),
        Action("b", ("2",), "at a table", Context.AT_TABLE),
        Action("c", ("3",), "moves", moves=True),
        Action("d", ("4",), "here", Context.LOBBY),
    )
    named = [kind._replace(id=f"{prefix}{kind.id}") for kind in kinds for prefix in ("", "go.")]
    found = [BoundAction(kind, kind.keys, kind.words, "", DOMNode(), True) for kind in named]
    words = [one.words for one in for_palette(found)]
    assert words == ["here"] * 2 + ["everywhere"] * 2 + ["at a table"] * 2
