"""A match against bots outlives the program and the server that it was begun with."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.net.arrival import arrive
from clocktowers_tui.net.local import LocalServer
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Return, Solo
from clocktowers_tui.new_table.drafts import bot_table
from tests.stage.pilot import Playing, playing, press, sees, until

SOLO = Solo(bot_table(2, "random", options={"first_seat": 0}))


def server_pid(app: ClocktowersApp) -> int:
    assert app.journey.arrival is not None
    assert isinstance(app.journey.arrival.server, LocalServer)
    return app.journey.arrival.server._child.process.pid


def my_hand(app: ClocktowersApp) -> Any:
    assert app.state.match is not None
    return app.state.match.version, app.state.match.view


async def begun(player: Playing) -> Any:
    """Half a turn has been played; the view."""
    await sees(player, "Your turn")
    await press(player, "1", "x")
    await sees(player, "Your turn: draw")
    app, pilot = player
    await until(pilot, lambda: app.state.match is not None and app.state.match.pending is None)
    return my_hand(app)


async def put_off(player: Playing) -> None:
    """As quitting does."""
    await player[0].journey.end(hold_seat=True)
    await sees(player, "Continue: turn 1")


async def gone_on_with(player: Playing, hand: Any) -> None:
    app, _pilot = player
    await sees(player, "Your turn: draw")
    assert my_hand(app) == hand
    assert app.state.connection is not None and app.state.connection.name == "Ann"


async def test_home_offers_it_when_the_program_starts_again() -> None:
    async with playing(SOLO) as player:
        hand = await begun(player)
        assert unfinished() == [], "nobody else may play it meanwhile"
        await put_off(player)
    (seat,) = unfinished()
    assert seat.folder == 1
    async with playing() as player:
        await sees(player, "Continue: turn 1")
        await press(player, "enter")
        await gone_on_with(player, hand)
        await press(player, "q", "down", "down", "enter")
        await sees(player, "Join a table")
    assert unfinished() == [], "it was ended"


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.soak)])
async def test_a_server_that_is_killed_is_started_again(times: int) -> None:
    async with playing(SOLO) as player:
        app, _pilot = player
        hand = await begun(player)
        for _ in range(times):
            os.kill(server_pid(app), signal.SIGKILL)
            await sees(player, "own server ended unexpectedly", "Go on with the match")
            await press(player, "down", "enter")
            await gone_on_with(player, hand)


async def test_each_that_waits_has_a_folder_of_its_own() -> None:
    hands = []
    for _ in range(2):
        async with playing(SOLO) as player:
            hands.append(await begun(player))
            await put_off(player)
    newest, oldest = unfinished()
    assert (newest.folder, oldest.folder) == (2, 1)
    async with playing(Return(newest)) as player:
        await gone_on_with(player, hands[1])
        elsewhere = await arrive(Return(oldest), "Ann")
        await elsewhere.hang_up()
        await put_off(player)
    async with playing(Return(oldest)) as player:
        await gone_on_with(player, hands[0])


async def test_who_ends_a_match_has_its_folder_again() -> None:
    async with playing(SOLO) as player:
        await begun(player)
        await press(player, "q", "down", "down", "enter")
        await sees(player, "Join a table")
    arrival = await arrive(SOLO, "Ann")
    assert arrival.server is not None
    assert arrival.server.folder == 1
    await arrival.end()


async def test_a_match_that_is_no_more_is_offered_no_more(home: Path) -> None:
    async with playing(SOLO) as player:
        await begun(player)
        await put_off(player)
    for file in (home / "xdg_state_home" / "clocktowers" / "local" / "1").glob("journal.db*"):
        file.unlink()
    async with playing() as player:
        await press(player, "enter")
        await sees(player, "is over, or its server has forgotten it")
    assert unfinished() == []
