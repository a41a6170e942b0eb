"""A new table's form, from the title down."""

from msgspec.structs import replace
from textual.widgets import Input

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import Visit
from clocktowers_tui.tables import bot_table
from tests.clocktowers_tui.playing import playing, press, seen, sees


async def test_a_title_is_typed_first_and_changes_no_seat(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "Create the table", "if you want one", "< 4 >")
        await press(player, *"hull", "down", "left")
        await sees(player, "hull", "< 3 >")
        assert app.screen.query_one("#title", Input).value == "hull"
        await press(player, "enter")
        await sees(player, "Start the match", "hull")
        assert app.state.table is not None and len(app.state.table.info.seats) == 3


async def test_the_host_sees_what_friends_type_before_there_is_a_table(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        assert "Friends" not in seen(app)
        assert app.state.connection is not None
        there = replace(app.state.connection, friends=("192.168.1.5:7777",))
        app.change(replace(app.state, connection=there))
        await sees(player, "Friends join with:  clocktowers join 192.168.1.5:7777")
        await press(player, "n")
        await sees(player, "Create the table", "clocktowers join 192.168.1.5:7777")


async def test_leaving_ones_table_asks_when_others_sit_there(address: Address) -> None:
    async with playing(Visit(address)) as host:
        await sees(host, "New table")
        table = bot_table(1, "easy")
        table.bots.clear()
        await host[0].request(table)
        await sees(host, "Start the match")
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        async with playing(Visit(address, table=code), "Bob") as friend:
            await sees(friend, "I am ready")
            await sees(host, "Bob")
            await press(host, "q")
            await sees(host, "Leave your table?")
            await press(host, "escape")
            await sees(host, "Start the match")
            await press(host, "q", "down", "enter")
            await sees(host, "New table")
        await sees(host, "0 tables")
