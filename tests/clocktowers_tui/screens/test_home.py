"""Home: a match that waits can be gone on with, and is not lost without a question."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.settings import Draft, Drafts, load, settings_file
from clocktowers_tui.games.face import Board
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from tests.stage.pilot import SMALL, WIDE, Playing, playing, press, seen, sees, until

TWO = {"clocktowers": Drafts(solo=Draft(seats=2, levels=("easy",)))}
FIRST = {"first_seat": 0}
ROWS = [
    "Clocktowers",
    "Architetti Attenti",
    "Wild Wild Pattern",
    "Bots and rules",
    "Join a table",
    "Host a table",
    "Your name",
    "Quit",
]


def pid(app: ClocktowersApp) -> int:
    """The process id of the server that keeps the match."""
    assert app.journey.arrival is not None and app.journey.arrival.server is not None
    return app.journey.arrival.server._child.process.pid


async def wait_at_home(player: Playing) -> None:
    """A match against one bot, one card played, and to the menu."""
    await sees(player, "Your turn: play")
    await press(player, "1", "x")
    await sees(player, "Your turn: draw")
    await press(player, "q", "down", "enter")
    await sees(player, "Continue: Clocktowers against 1 bot, turn 1")


@pytest.mark.parametrize("size", [WIDE, (120, 40)])
async def test_a_newcomer_sees_a_tip(size: tuple[int, int]) -> None:
    async with playing(size=size) as player:
        await sees(player, *ROWS, "? lists the keys", "New here? l teaches Clocktowers in")
        await press(player, "right")
        await sees(player, "New here? l teaches Architetti Attenti in")


async def test_a_newcomer_sees_a_tip_till_a_match_was_played() -> None:
    async with playing(size=SMALL) as player:
        app, _pilot = player
        await sees(player, *ROWS, "? lists the keys")
        app.settings = replace(app.settings, drafts=TWO)
        await press(player, "p")
        await sees(player, "Ann (you)")
        await press(player, "q", "down", "enter")
        await sees(player, "Continue: Clocktowers against 1 bot", *ROWS)
        assert "lists the keys" not in seen(app) and "New here?" not in seen(app)
        assert load(settings_file()).played


async def test_what_could_not_begin_costs_nothing_and_the_very_match_goes_on() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        await wait_at_home(player)
        assert app.state.match is not None
        match, server = app.state.match.id, pid(app)
        await press(player, "c")
        await sees(player, "End it and start")
        await press(player, "down", "enter")
        await sees(player, "Password")
        await press(player, *"127.0.0.1:1", "enter")
        await sees(player, "Nothing answers at 127.0.0.1:1")
        await press(player, "escape", "u")
        await sees(player, "Your turn: draw")
        assert app.state.match.id == match and pid(app) == server
        assert isinstance(app.focused, Board)
        await press(player, "f")
        await until(player[1], lambda: app.state.match is not None and app.state.match.ply > 2)
        await press(player, "L")
        await sees(player, "You discard", "You draw")


async def test_another_match_asks_whether_to_give_the_first_up() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        await wait_at_home(player)
        server = pid(app)
        for key in "pco":
            await press(player, key)
            await sees(player, "unfinished match", "against 1 bot", "End it and start")
            await press(player, "escape")
            await sees(player, "Continue")
        assert pid(app) == server
        await press(player, "p")
        await sees(player, "End it and start")
        await press(player, "down", "enter")
        await until(player[1], lambda: app.state.match is not None and pid(app) != server)
        assert app.state.match is not None and len(app.state.match.names) == 2, "as the last"


async def test_quitting_says_that_a_match_waits() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        await wait_at_home(player)
        for key in ("q", "ctrl+c"):
            await press(player, key)
            await sees(player, "waits for you", "Quit Clocktowers?")
            await press(player, "enter")
            await sees(player, "Continue")
        await press(player, "q")
        await sees(player, "Quit Clocktowers?")
        await press(player, "down", "enter")
        assert not app.is_running


async def test_ending_it_leaves_nothing_to_continue() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        await sees(player, "Your turn")
        await press(player, "q", "up", "enter")
        await sees(player, *ROWS)
        assert "Continue" not in seen(player[0])
        await press(player, "u", "q")
        assert not player[0].is_running


async def test_a_server_that_dies_meanwhile_is_told_of() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        await wait_at_home(player)
        assert app.journey.arrival is not None and app.journey.arrival.server is not None
        app.journey.arrival.server._child.process.kill()
        await sees(player, "own server ended unexpectedly", "Go on with the match")
        await press(player, "enter")
        await sees(player, *ROWS, "its log says why:", "server.log")
        assert "Continue: Clocktowers against 1 bot, turn 1" in seen(app)


async def test_alone_there_is_no_lobby_to_end_in() -> None:
    """The server says no to the table that was wished for on the command line."""
    async with playing(Solo(bot_table(1, "random", options={"first_seat": 3}))) as player:
        await sees(player, "does not accept these options", *ROWS)
        await press(player, "p")
        await sees(player, "Ann (you)")


async def test_the_tip_names_the_keys_that_hold() -> None:
    async with playing(keymap='help = ["f2"]\n') as player:
        await sees(player, "choose with Enter", "F2 lists the keys")
