"""Whole evenings through the app, against a real server on loopback."""

import asyncio
import socket
from contextlib import AsyncExitStack
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.board import Board
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.net.programs import LocalServer
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Host, Return, Visit
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lobby import LobbyScreen
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.result import Result
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.state.store import Place, place
from clocktowers_tui.state.table import Kind
from clocktowers_tui.terminal.detect import look
from protocol.from_client import CreateTable, Join, Start
from protocol.from_server import Done, Ended
from protocol.table import TablePhase
from server.config import Config
from server.server import opened
from tests.stage import small_match
from tests.stage.memory_journal import MemoryJournal
from tests.stage.pilot import (
    LIMIT_S,
    SMALL,
    Playing,
    playing,
    press,
    reversed_text,
    seen,
    sees,
    until,
)
from tests.stage.scripted_server import ScriptedPeer, saying, scripted
from tests.stage.small_match import bot_table


def may_act(app: ClocktowersApp) -> bool:
    match = app.state.match
    return match is not None and not match.over and match.pending is None and bool(match.view.legal)


def act(app: ClocktowersApp) -> None:
    """Choose the last legal action, as the board would."""
    assert app.state.match is not None
    board = app.screen.query_one(Board)
    board.post_message(Board.Chosen(app.state.match.view.legal[-1].action))


async def play_to_the_end(*players: Playing) -> None:
    """All choose until every one of them sees the result."""

    def over(app: ClocktowersApp, others: tuple[Playing, ...] = players) -> bool:
        for other, _pilot in others:
            if may_act(other):
                act(other)
        match = app.state.match
        return match is not None and match.over and isinstance(app.screen, Result)

    for app, pilot in players:
        await until(pilot, lambda app=app: over(app))  # type: ignore[misc]


# Alone -------------------------------------------------------------------------------------------


async def test_esc_goes_back_and_never_out() -> None:
    async with playing(shows="Join a table") as player:
        app, _pilot = player
        await press(player, "c", shows="Table (if known)")
        await press(player, "escape", shows="Join a table")
        await press(player, "m", shows=" Set up a match")
        await press(player, "escape", "escape", "escape", shows="Join a table")
        assert app.is_running


async def test_a_name_is_kept() -> None:
    async with playing(shows="Your name: Ann") as player:
        app, _pilot = player
        await press(player, "n", shows="Enter Go on")
        await press(player, "space")
        assert "Ann" in seen(app)
        await press(player, *("backspace",) * 4, "enter", shows="at least one")
        await press(player, *"Bo", "enter", shows="Your name: Bo")
        await press(player, "n", *"Cy", "enter", shows="Your name: Cy")
        assert app.settings.name == "Cy", "typing replaces what stands there"


async def test_news_that_comes_while_the_program_ends_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing() as player:
        app, shown = player[0], player[0].screen

        async def go(_spot: object) -> object:
            app._screen_stacks["_default"].clear()
            return shown

        monkeypatch.setattr(app, "_go", go)
        await app._follow()
        app._screen_stacks["_default"].append(shown)


# Together ----------------------------------------------------------------------------------------


def is_played(app: ClocktowersApp) -> bool:
    return app.state.match is not None and not app.state.match.over


@pytest.mark.parametrize("comes", [True, False])
async def test_the_old_screen_stays_till_the_match_comes_or_does_not(
    comes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a player who comes back a server tells of the table first."""
    monkeypatch.setattr("clocktowers_tui.net.journey.BOARD_S", LIMIT_S if comes else 0.05)
    seen_there = asyncio.Event()

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        join = await peer.hears()
        assert isinstance(join, Join)
        peer.says(Done(id=join.id), small_match.at_table("Ann", "Ben"))
        await seen_there.wait()
        peer.says(small_match.started(), small_match.update(1))
        await peer.hears()

    async with scripted(script) as there, playing(asked=Visit(there, table="ABCD")) as player:
        app, pilot = player
        await until(pilot, lambda: app.state.table is not None)
        if not comes:
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen if comes else TableScreen)
        seen_there.set()
        await until(pilot, lambda: isinstance(app.screen, MatchScreen))


async def test_two_play_and_one_watches(address: Address) -> None:
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(playing(Visit(address), "Ann"))
        await sees(host, "New table")
        await press(host, "n", shows="Create the table")
        await press(host, "enter", shows=("(free)", "A match needs somebody else"))
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        friend = await stack.enter_async_context(
            playing(Visit(address, table=code.lower()), "ann", SMALL)
        )
        await sees(friend, "has that name: you are ann 2.", "are ready", "not ready")
        await press(host, "s", shows="Not ready yet: ")
        await press(friend, "r")
        await sees(host, "ready", "ann 2")
        await until(host[1], lambda: "Not everybody" not in seen(host[0]))
        watcher = await stack.enter_async_context(
            playing(Visit(address, table=code, watch=True), "Eve")
        )
        await sees(watcher, "You are watching")
        await press(host, "s", shows="The match begins with 2 players, without the free seats.")
        await press(host, "enter")
        await sees(watcher, "watching", "is choosing")
        await sees(friend, "ann 2 (you)")
        await press(watcher, "1", "enter")
        await play_to_the_end(host, friend, watcher)
        assert "Rematch" not in seen(watcher[0])
        await press(host, "r")
        await press(friend, "r")
        for player in (host, friend, watcher):
            await until(player[1], lambda app=player[0]: is_played(app) and "PgUp" not in seen(app))  # type: ignore[misc]
        await press(friend, "q", "down", "down", "enter", shows="New table")
        await sees(host, "ann 2 left the table. A bot plays on for ann 2.")


async def test_bots_are_set_and_taken_off(address: Address) -> None:
    async with playing(Visit(address), shows="New table") as player:
        await player[0].journey.request(bot_table(1, "easy"))
        await sees(player, "Wren (bot, easy)")
        await press(player, "down", "enter", shows="Who sits on seat 2?")
        await press(player, "down", "enter", shows="Wren (bot, random)")
        await press(player, "enter", shows="Who sits on seat 2?")
        await press(player, "up", "enter", shows="(free)")
        await press(player, "s", shows="Some seats are free")


HOSTED = CreateTable(id=0, game="clocktowers", seats=2)


async def test_hosting_shows_what_friends_type() -> None:
    async with playing(Host(HOSTED, ("--port", "0"))) as player:
        app = player[0]
        await until(player[1], lambda: place(app.state) is Place.TABLE)
        assert app.state.connection is not None
        for friends in app.state.connection.friends:
            await sees(player, f"clocktowers join {friends}")
        async with playing(Host(HOSTED), "Ben") as back:  # from another terminal of the same player
            await sees(back, "Ben", "you, not ready")
        # It would wait a minute for friends who may still come.
        arrival = app.journey.arrival
        assert arrival is not None and isinstance(arrival.server, LocalServer)
        assert app.settings.own_key == arrival.server.key.hex() != ""
        arrival.server.process.kill()
        await sees(player, "own server ended unexpectedly", "Host again")
    alone = Host(HOSTED, ("--port", "0", "--host", "127.0.0.1"))
    async with playing(alone, shows="Only this machine reaches 127.0.0.1:") as player:
        assert "Friends type" not in seen(player[0]) and "I Invite" not in seen(player[0])


async def test_a_host_who_leaves_is_home_again_and_no_server_stays() -> None:
    """In the menu a host finds the tables that still wait for them."""
    async with playing(Host(HOSTED, ("--port", "0")), shows="Start the match") as player:
        app, pilot = player
        arrival = app.journey.arrival
        assert arrival is not None and isinstance(arrival.server, LocalServer)
        process = arrival.server.process
        await press(player, "q", "down", "enter", shows="not begun, table ")
        await press(player, "tab", "right", "o", shows="A new table: Architetti Attenti")
        await press(player, "enter", shows="Start the match")
        await press(player, "q", "down", "enter", shows="Join a table")
        assert seen(app).count("Continue: ") == 2
        await press(player, "enter", shows="Start the match")
        assert "Architetti Attenti" in seen(app)
        await press(player, "q", "down", "down", "enter", shows="not begun, table ")
        await press(player, "enter", shows="Start the match")
        await press(player, "q", shows="the table, it closes")
        await press(player, "down", "down", "enter", shows="Join a table")
        await until(pilot, lambda: process.poll() is not None)


async def test_a_host_comes_back_to_the_match_and_hears_who_has_the_port() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = str(taken.getsockname()[1])
        async with playing(Host(bot_table(1, "easy"), ("--port", port))) as player:
            await sees(player, "Start the match", f"Another program has port {port}")
            app = player[0]
            await app.journey.request(Start(id=0))
            await sees(player, "1-3 Take card")
            first = app.journey.arrival
            assert first is not None and isinstance(first.server, LocalServer)
            await app.journey.end(hold_seat=True)
        for back in (Host(HOSTED), Return(unfinished()[0])):
            async with playing(back, shows="1-3 Take card") as player:
                connection = player[0].state.connection
                assert connection is not None and connection.ways == first.server.ways
                await player[0].journey.end(hold_seat=True)
        first.server.process.kill()
        first.server.process.wait()
    for back in (Host(HOSTED, ("--port", "0")), Return(unfinished()[0])):
        async with playing(back, shows="1-3 Take card") as player:
            app = player[0]
            again = app.journey.arrival
            assert again is not None and isinstance(again.server, LocalServer)
            await app.journey.end(hold_seat=True)
            again.server.process.kill()
            again.server.process.wait()


# When something is wrong -------------------------------------------------------------------------


async def test_a_server_that_stops_is_told_of_and_one_may_connect_again() -> None:
    async with AsyncExitStack() as stack:
        async with opened(Config(host=("127.0.0.1",), port=0), MemoryJournal()) as (
            _context,
            addresses,
        ):
            wish = Visit(Address("127.0.0.1", addresses[0].port))
            player = await stack.enter_async_context(playing(wish))
            await sees(player, "New table")
        await sees(player, "The server was stopped by its host.", "Connect again")
        await press(player, "up", "enter", shows="Nothing answers at 127.0.0.1")


@pytest.mark.parametrize("alone", [True, False])
async def test_a_match_broken_off_before_its_first_view_is_told(alone: bool) -> None:
    script = saying(
        *(small_match.at_table("Ann", "Bob"), small_match.started()),
        Ended(match="m1", aborted=True),
        small_match.at_table("Ann", "Bob", phase=TablePhase.ENDED),
    )
    async with scripted(script) as address, playing(Visit(address)) as player:
        app, pilot = player
        if alone:
            await until(pilot, lambda: app.state.connection is not None)
            assert app.state.connection is not None
            solo = replace(app.state.connection, kind=Kind.SOLO)
            app.change(replace(app.state, connection=solo, stillborn=True))
            await sees(player, "The server failed and ended the match", "Join a table")
            await until(pilot, lambda: app.state.connection is None)
        else:
            await sees(player, "The server failed and ended the match", "Start the match")
        assert not app.state.stillborn


async def test_keys_are_heard_while_the_server_of_a_broken_off_match_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopping, stopped = asyncio.Event(), asyncio.Event()
    real = Journey.end

    async def end(journey: Journey, *, hold_seat: bool = False) -> None:
        stopping.set()
        await stopped.wait()
        await real(journey, hold_seat=hold_seat)

    monkeypatch.setattr(Journey, "end", end)
    async with playing(shows="Join a table") as player:
        app, _pilot = player
        app.change(replace(app.state, stillborn=True))
        try:
            async with asyncio.timeout(LIMIT_S):
                await stopping.wait()
                await press(player, "c", shows="Table (if known)")
        finally:
            stopped.set()


# The screen --------------------------------------------------------------------------------------


def test_a_board_may_move_where_all_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Mock(busy=False)
    monkeypatch.setattr(ClocktowersApp, "terminal", terminal)
    wanted = Settings(motion=True)
    assert ClocktowersApp(wanted, {}, Look()).may_move
    assert not ClocktowersApp(Settings(motion=False), {}, Look()).may_move
    assert not ClocktowersApp(wanted, {}, Look(colours=Colours.NONE)).may_move
    terminal.busy = True
    assert not ClocktowersApp(wanted, {}, Look()).may_move
    monkeypatch.setattr(ClocktowersApp, "terminal", None)
    assert not ClocktowersApp(wanted, {}, Look()).may_move
    monkeypatch.setattr(ClocktowersApp, "terminal", Mock(busy=False))
    with monkeypatch.context() as still:
        still.setenv("NO_MOTION", "1")
        assert not ClocktowersApp(wanted, {}, Look()).may_move
    assert ClocktowersApp(wanted, {}, Look()).may_move
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    assert not ClocktowersApp(wanted, {}, Look()).may_move


async def test_a_terminal_too_small_says_so_until_it_is_large_enough() -> None:
    async with playing(size=(50, 10), shows=("it needs 60x20 cells", "50x10.")) as player:
        _app, pilot = player
        await pilot.resize_terminal(60, 20)
        await sees(player, "Join a table")
        await pilot.resize_terminal(60, 19)
        await sees(player, "it needs 60x20 cells", "60x19.")


async def test_a_size_that_changes_while_a_place_is_left_ends_no_program(address: Address) -> None:
    """The next screen does what the one before put off, and whose widgets have gone."""
    async with playing(Visit(address), shows="New table") as player:
        app, _pilot = player
        await app.journey.request(bot_table(1, "easy"))
        await sees(player, "Start the match")
        table = app.screen
        assert isinstance(table, TableScreen)
        leaving = app.switch_screen(LobbyScreen(app))
        table.on_resize()
        await leaving
        await sees(player, "New table")


async def test_moving_the_focus_does_not_repaint_the_screen() -> None:
    """Textual's own `Screen.focused` would: 30 kB a key over a slow line."""
    async with playing(painted=True, shows="Join a table") as player:
        app, pilot = player
        await press(player, "c", shows="Table (if known)")
        painted = 0
        refresh = app.screen.refresh

        def counted(*args: object, **kwargs: object) -> object:
            nonlocal painted
            painted += 1
            return refresh(*args, **kwargs)  # type: ignore[arg-type]

        app.screen.refresh = counted  # type: ignore[assignment]
        for _ in range(5):  # on a busy machine the screen's own first paint may come late
            first, painted = app.focused, 0
            await press(player, "tab")
            await pilot.pause()
            assert app.focused is not first
            if not painted:
                return
        raise AssertionError(f"painted {painted} times")


async def test_without_colours_the_cursor_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(look=look({"TERM": "xterm-256color", "NO_COLOR": "1"})) as player:
        app, _pilot = player
        await sees(player, "Join a table")
        assert "Architetti" not in reversed_text(app)
        await press(player, "right")
        assert "Architetti Attenti" in reversed_text(app)
        assert "Learn it" not in reversed_text(app)
        await press(player, "down")
        assert "Learn it" in reversed_text(app)
        await press(player, "m", shows=" Set up a match")
        assert "Game" in reversed_text(app) and "Start" not in reversed_text(app)
        await press(player, "escape", "ctrl+p", "down", "down", shows="Type a part")
        assert "Set up a match" in reversed_text(app)
