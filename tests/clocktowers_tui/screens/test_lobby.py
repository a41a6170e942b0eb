"""Finding a table: by what is typed, by what it waits for, by its code."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.widgets import Input

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.widgets.menu import Menu
from protocol.from_client import BotSeat, CreateTable, ListTables, Start
from protocol.from_server import Done, Goodbye, Listing, LobbyChanged, Notice
from protocol.listing import Filter, TableInfo, TablePhase
from tests.stage.pilot import (
    SMALL,
    WIDE,
    Playing,
    keep_seat,
    playing,
    press,
    seen,
    sees,
)
from tests.stage.scripted_server import Peer, scripted

RUSSIAN = {"turn_order": "draw-play"}


@asynccontextmanager
async def online(address: Address, name: str) -> AsyncIterator[Link]:
    """Somebody else, without a screen."""
    link = await Link.open(address, name)
    listening = asyncio.create_task(link.run(lambda message: None))
    try:
        yield link
    finally:
        await link.close()
        await listening


async def open_table(link: Link, title: str, bots: int, **options: object) -> str:
    """A table of theirs; its code."""
    taken = [BotSeat(seat, "random") for seat in range(1, bots + 1)]
    wish = CreateTable(id=0, game="clocktowers", seats=3, title=title, options=options, bots=taken)
    answer = await link.request(wish)
    assert isinstance(answer, Done)
    return answer.table


def line_of(player: Playing, text: str) -> str:
    return next(line for line in seen(player[0]).splitlines() if text in line)


async def test_an_empty_lobby_says_what_to_do(address: Address) -> None:
    async with playing(Visit(address), size=SMALL) as player:
        await sees(player, "0 tables", "There is no table yet. n makes one")
        for key, name in (("w", "w"), ("p", "p"), ("slash", "/")):
            await press(player, key)
            await sees(player, f"{name} does nothing here")


@pytest.mark.parametrize(("port", "told"), [(0, True), (1, False)])
async def test_a_seat_that_waits_here_is_told(address: Address, port: int, told: bool) -> None:
    """Somebody else's of the same home; not one at another server."""
    await keep_seat(Address(address.host, port or address.port), "Bo")
    async with playing(Visit(address), size=SMALL) as player:
        await sees(player, "There is no table yet")
        sentence = "You have a seat here: press q, then Continue in the menu."
        assert (sentence in seen(player[0])) == told


@pytest.mark.parametrize(
    "size", [SMALL, *(pytest.param(size, marks=pytest.mark.soak) for size in (WIDE, (120, 40)))]
)
async def test_the_filter_is_live_and_the_servers(address: Address, size: tuple[int, int]) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve", size) as player,
    ):
        fen = await open_table(host, "Fenland evening", 1, **RUSSIAN)
        await sees(player, "1 table", "Fenland")
        await press(player, "slash", *"FEN")
        await sees(player, "1 table", "Fenland")
        await open_table(other, "Hills", 0)
        await press(player, "backspace", "backspace", "backspace")
        await sees(player, "2 tables", "Hills")
        assert line_of(player, "Code").index("Title") == line_of(player, "1/3").index("Hills")
        await press(player, *"chiara")
        await sees(player, "1 table", "Hills")
        assert "Fenland" not in seen(player[0])
        await press(player, "escape")
        await sees(player, "2 tables")
        assert isinstance(player[0].focused, Menu)
        await press(player, "slash", *fen.lower(), "enter")
        await sees(player, "1 table", "Fenland")
        assert player[0].state.lobby.filter == Filter(text=fen.lower())
        await sees(player, "Enter: sit down there", "Björn", "Wren (bot, random)")
        await press(player, "enter")
        await sees(player, "I am ready")
        await press(player, "q")
        await sees(player, "1 table", "Game, title, code or player", "Fenland")
        await press(player, "escape")
        await sees(player, "2 tables")
        await press(player, "escape")
        await sees(player, "Leave this server?")


async def test_by_phase(address: Address) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve") as player,
    ):
        await open_table(host, "Waits", 0)
        await open_table(other, "Plays", 2)
        await other.request(Start(id=0))
        await sees(player, "2 tables", "playing")
        for said, title in [
            ("only tables that wait", "Waits"),
            ("only tables that play", "Plays"),
            ("only tables with a free seat", "Waits"),
        ]:
            await press(player, "p")
            await sees(player, said, "1 table", title)
        await press(player, "p")
        await sees(player, "2 tables")
        await sees(player, "Enter: sit down there")
        await press(player, "up")
        await sees(player, "A match is running.", "watch it")
        await press(player, "enter")
        await sees(player, "watching", "Chiara")


async def test_a_code_leads_to_its_table_and_a_full_one_can_be_watched(address: Address) -> None:
    async with online(address, "Björn") as host, playing(Visit(address), "Eve") as player:
        code = await open_table(host, "", 2)
        await sees(player, code)
        await press(player, "c", *"nope", "enter")
        await sees(player, "That table is gone, or its code is wrong.")
        await press(player, "c", *code.lower(), "enter")
        await sees(player, "you can watch it", "Watch it")
        await press(player, "enter")
        await sees(player, "You are watching")
        await press(player, "q")
        await sees(player, "New table")
        await press(player, "up", "enter")
        await sees(player, "The table's code")
        await press(player, "escape")
        await sees(player, "New table")


async def test_a_server_is_typed_or_pasted_with_its_table(address: Address) -> None:
    async with online(address, "Björn") as host, playing() as player:
        code = await open_table(host, "", 1)
        await sees(player, "Join a table")
        await press(player, "c")
        await sees(player, "Table (if known)")
        player[0].screen.query_one("#server", Input).value = f"{address}/{code.lower()}"
        await press(player, "enter")
        await sees(player, f"table {code}", "I am ready")
        assert player[0].settings.servers == (str(address),)


async def test_a_change_right_behind_the_list_is_not_lost() -> None:
    """Both in one packet: the list must not be taken after the change that follows it."""

    def info(code: str) -> TableInfo:
        return TableInfo(
            table=code, game="clocktowers", title="", phase=TablePhase.WAITING, seats=[]
        )

    async def script(peer: Peer) -> None:
        await peer.welcomes()
        asked = await peer.hears()
        assert isinstance(asked, ListTables)
        peer.says(
            Listing(id=asked.id, tables=[info("OLDE")], page=0, total=1),
            LobbyChanged(changed=[info("NEWE")], gone=["OLDE"], total=1),
        )
        await peer.hears()

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "1 table", "NEWE")
        assert "OLDE" not in seen(player[0])


async def test_what_the_operator_does_is_told_in_the_lobby() -> None:
    """What they say to everybody, and why they end a connection."""

    async def script(peer: Peer) -> None:
        await peer.welcomes()
        await peer.hears()
        peer.says(Listing(id=1, tables=[], page=0, total=0))
        peer.says(Notice("operator_says", {"text": "supper at eight"}))
        await told.wait()
        peer.says(Goodbye("banned", {"until": 0, "reason": "rude words"}))

    told = asyncio.Event()
    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "supper at eight")
        told.set()
        await sees(player, "has banned you", "rude words")


async def test_another_language_keeps_what_was_typed_and_chosen(address: Address) -> None:
    async with online(address, "Björn") as host, playing(Visit(address)) as player:
        app, pilot = player
        await open_table(host, "Fenland", 0)
        await sees(player, "Fenland")
        app.speak("it")
        await sees(player, "Nuovo tavolo", "Fenland")
        assert not app.screen.query_one("#filter-row").display
        await press(player, "slash", *"zz")
        await sees(player, "0 tavoli")
        app.speak("en")
        await sees(player, "0 tables", "No table fits", "zz")
        await press(player, "escape", "n")
        await sees(player, "Create the table")
        await press(player, *["tab"] * 2, "left", "left", *["tab"] * 2, "right")
        await sees(player, "< 2 >", "< Italian sheet >", "First tower of a colour: 2 floors")
        app.speak("it")
        await sees(player, "< 2 >", "Foglio italiano")
        await pilot.pause()
        assert "Posto 3" not in seen(app)
