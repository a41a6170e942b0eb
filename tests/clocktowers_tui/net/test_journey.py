"""The open line, seen by the player: it breaks and is back, and the match goes on."""

from typing import Any

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Return, Visit
from clocktowers_tui.new_table.drafts import bot_table
from protocol.from_client import Start
from tests.stage.pilot import Playing, keep_seat, playing, press, seen, sees, until

OPTIONS = {"first_seat": 0}


def link_of(app: ClocktowersApp) -> LastingLink:
    assert app.journey.arrival is not None
    return app.journey.arrival.link


def has_drawn(app: ClocktowersApp) -> bool:
    """The second action stands, and nothing is waited for."""
    match = app.state.match
    return match is not None and match.version >= 2 and match.pending is None


async def begin(player: Playing) -> None:
    app, _pilot = player
    await sees(player, "New table")
    await app.journey.request(bot_table(1, "random", options=OPTIONS))
    await app.journey.request(Start(id=0))
    await sees(player, "Your turn", "live")


async def test_a_broken_line_says_so_and_is_back(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, pilot = player
        await begin(player)
        await press(player, "1", "x")
        await sees(player, "Your turn: draw")
        link: Any = link_of(app)
        real, may_dial = link._dial, False

        async def dial() -> Any:
            if not may_dial:
                raise LinkError(Fault.CLOSED_PORT)
            return await real()

        link._dial = dial
        link._link.abort()
        await sees(player, "reconnecting, try 2", "Your turn: draw")
        # What is chosen meanwhile is sent when the line stands again.
        await press(player, "f", "enter")
        await sees(player, "this goes out as soon as it is back")
        may_dial = True
        await sees(player, "live")
        await until(pilot, lambda: has_drawn(app))
        assert "reconnecting" not in seen(app)
        await until(pilot, lambda: "goes out" not in seen(app))


async def test_who_leaves_a_broken_line_is_at_home(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await begin(player)
        link: Any = link_of(app)

        async def never() -> Any:
            raise LinkError(Fault.CLOSED_PORT)

        link._dial = never
        link._link.abort()
        await sees(player, "reconnecting")
        await press(player, "q", "down", "down", "enter")
        await sees(player, "was lost")
        assert app.state.connection is None and unfinished() == []


async def test_an_unfinished_match_is_gone_back_to(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await begin(player)
        await press(player, "1", "x")
        await sees(player, "Your turn: draw")
        await link_of(app).hang_up()
        await sees(player, "was lost")
        await press(player, "escape")
        (seat,) = unfinished()
        assert await app.journey.go(Return(seat), app.settings.name) is None
        await sees(player, "Your turn: draw", "live")
        assert app.state.connection is not None and app.state.connection.name == "Ann"
        assert "taken" not in seen(app)


async def test_who_joins_the_same_server_again_is_back_in_the_match(address: Address) -> None:
    """Under the same name, and unless another table is asked for, or to watch."""
    async with playing(Visit(address)) as player:
        await begin(player)
        await press(player, "1", "x")
        await sees(player, "Your turn: draw")
        await link_of(player[0]).hang_up()
        await sees(player, "was lost")
    async with playing(Visit(address), name="Bo") as other:
        await sees(other, "You have a seat here: q, then Continue in the menu.")
    async with playing(Visit(address, table="ABCD")) as player:
        await sees(player, "That table is gone")
    (seat,) = unfinished()
    async with playing(Visit(address, table=seat.table, watch=True)) as player:
        await sees(player, "watching")
    for table in ("", seat.table):
        async with playing(Visit(address, table=table)) as player:
            await sees(player, "Your turn: draw", "live")
            assert "taken" not in seen(player[0])
            await link_of(player[0]).hang_up()
            await sees(player, "was lost")


async def test_so_does_who_was_given_another_name_there(address: Address) -> None:
    async with playing(Visit(address), name="Bo") as other:
        await sees(other, "There is no table yet")
        async with playing(Visit(address), name="Bo") as player:
            await begin(player)
            await press(player, "1", "x")
            await sees(player, "Your turn: draw", "Bo 2")
            await link_of(player[0]).hang_up()
            await sees(player, "was lost")
        async with playing(Visit(address), name="Bo") as player:
            await sees(player, "Your turn: draw", "Bo 2", "live")


async def test_who_joins_again_too_late_is_in_the_lobby(address: Address) -> None:
    await keep_seat(address, "Ann")
    async with playing(Visit(address)) as player:
        await sees(player, "There is no table yet", "That match is over")
    assert unfinished() == []
