"""The open line, seen by the player: it breaks and is back, and the match goes on."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.history import matches
from clocktowers_tui.history.record import said_in
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.journey import way_of_host
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.programs import LocalServer
from clocktowers_tui.net.seats import Seats, unfinished
from clocktowers_tui.net.wishes import Host, Solo, Visit
from protocol.from_client import CreateTable, Join, Start
from protocol.table import Clock, Days, SeatInfo, SeatKind, TableInfo, TablePhase
from tests.clocktowers_tui.cli.test_waiting import seat_in
from tests.stage.house import house
from tests.stage.pilot import Playing, keep_seat, playing, press, seen, sees, until
from tests.stage.small_match import bot_table
from tests.stage.typist import typing

OPTIONS = {"first_seat": 0}


async def test_an_own_server_that_was_stopped_has_not_ended_unexpectedly(home: Path) -> None:
    async with playing(Solo(bot_table(1, "random", options=OPTIONS)), shows="Your turn") as player:
        journey = player[0].journey
        assert journey.arrival is not None and isinstance(journey.arrival.server, LocalServer)
        journey.arrival.server.process.terminate()
        await sees(player, "was stopped by its host")
        assert journey.arrival is None and player[0].state.connection is None


def test_a_host_is_led_to_a_table_that_waits_or_to_a_new_one() -> None:
    wish, free, ben = (
        Host(bot_table(1, "easy")),
        SeatInfo(kind=SeatKind.FREE),
        SeatInfo(kind=SeatKind.HUMAN, name="Ben"),
    )
    waits, plays = TablePhase.WAITING, TablePhase.PLAYING

    def led(*tables: tuple[TablePhase, SeatInfo], game: str = "clocktowers") -> object:
        told = [
            TableInfo(table=f"T{n}", game=game, title="", phase=phase, seats=[seat])
            for n, (phase, seat) in enumerate(tables)
        ]
        return way_of_host(told, wish)

    assert led() == led((plays, ben)) == led((waits, ben), game="another") == wish.table
    assert led((waits, free)) == led((waits, ben)) == led((waits, ben), (plays, ben))
    assert led((waits, ben)) == Join(id=0, table="T0")
    assert led((waits, free), (waits, ben)) is None


async def test_a_player_who_goes_elsewhere_while_a_line_ends_stays_there(address: Address) -> None:
    async with playing(Visit(address), shows="New table") as player:
        app, pilot = player
        link: Any = link_of(app)
        close, may_close = link.close, asyncio.Event()

        async def slowly() -> None:
            await may_close.wait()
            await close()

        link.close = slowly
        ending = asyncio.create_task(app.journey.end())
        await until(pilot, lambda: app.journey.arrival is None)
        assert await app.journey.go(Visit(address), "Bo") is None
        await until(pilot, lambda: app.state.connection is not None)
        may_close.set()
        await ending
        assert app.state.connection is not None and app.state.connection.name == "Bo"
        assert app.journey.take_lost() is None


def link_of(app: ClocktowersApp) -> LastingLink:
    assert app.journey.arrival is not None
    return app.journey.arrival.link


def lose_line(app: ClocktowersApp) -> None:
    """It breaks, and nobody takes a call any more."""
    link: Any = link_of(app)

    async def never() -> Any:
        raise LinkError(Fault.CLOSED_PORT)

    link._dial = never
    link._link.abort()


def has_drawn(app: ClocktowersApp) -> bool:
    """The second action stands, and nothing is waited for."""
    match = app.state.match
    return match is not None and match.version >= 2 and match.pending is None


async def begin(player: Playing, clock: Clock | None = None) -> None:
    app, _pilot = player
    await sees(player, "New table")
    await app.journey.request(replace(bot_table(1, "random", options=OPTIONS), clock=clock))
    await app.journey.request(Start(id=0))
    await sees(player, "Your turn")


async def test_a_broken_line_says_so_and_is_back(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, pilot = player
        await begin(player)
        await press(player, "1", "x", shows="Your turn: draw")
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
        await press(player, "f", "enter", shows="this is sent when it is back")
        may_dial = True
        await until(pilot, lambda: "reconnecting" not in seen(app))
        await until(pilot, lambda: has_drawn(app))
        assert "reconnecting" not in seen(app)
        await until(pilot, lambda: "goes out" not in seen(app))


async def test_who_leaves_a_broken_line_is_at_home(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await begin(player)
        lose_line(app)
        await sees(player, "reconnecting")
        await press(player, "q", "down", "down", "enter", shows="was lost")
        assert app.state.connection is None and unfinished() == []


async def test_who_joins_the_same_server_again_is_back_in_the_match(address: Address) -> None:
    """Under the same name, and unless another table is asked for, or to watch."""
    async with playing(Visit(address)) as player:
        await begin(player)
        await press(player, "1", "x", shows="Your turn: draw")
        await link_of(player[0]).hang_up()
        await sees(player, "was lost")
    async with playing(Visit(address), name="Bo") as other:
        await sees(other, "You have a seat here: press q, then Continue in the menu.")
    async with playing(Visit(address, table="ABCD")) as player:
        await sees(player, "That table is gone")
    (seat,) = unfinished()
    async with playing() as player:
        await sees(player, "Your turn: Clocktowers against 1 bot, table")
    async with playing(Visit(address, table=seat.table, watch=True)) as player:
        await sees(player, "watching")
    for table in ("", seat.table):
        async with playing(Visit(address, table=table), shows="Your turn: draw") as player:
            assert "taken" not in seen(player[0])
            await link_of(player[0]).hang_up()
            await sees(player, "was lost")


async def test_with_matches_of_days_the_way_to_the_lobby_is_open(address: Address) -> None:
    """A player may have several at a server. Enter leads to the most urgent one, unless the player
    has moved the cursor: then it stays where it is."""
    for days in (Days(3), Days(7)):
        async with playing(Visit(address), shows="New table") as player:
            await begin(player, days)
            await press(player, "q", "down", "enter", shows="Learn it")
    both = "Your turn, 3 days left: Clocktowers", "Your turn, 7 days left: Clocktowers"
    async with playing() as player:
        await sees(player, *both)
        await press(player, "enter", shows=("Your turn: play", "3 days left"))
        await press(player, "q", "down", "enter", shows=both)
        await press(player, "down")
        screen: Any = player[0].screen
        screen.show(player[0].state)  # as when servers answer again
        await press(player, "enter", shows=("Your turn: play", "7 days left"))


async def test_from_match_to_match_where_the_player_is_due() -> None:
    """Also at another server; by a word in plain mode, and by a key on the screen."""
    async with house() as one, house() as other:
        for at, days in (one, Days(1)), (other, Days(3)), (other, Days(7)):
            held = Seats()
            await held.keep(replace(await seat_in(at, days, 0), days=True))
            await held.let_go()
        async with typing() as typist:
            await typist.types("continue", "Your turn: play or discard a card.")
            await typist.types("discard 1", "Your turn: draw")
            await typist.types("draw floors", "Your turn in 2 more matches. continue: the next.")
            await typist.types("continue", "3 days left")
            await typist.types("leave", "You are at the menu")
        async with playing() as player:
            await press(player, "enter", shows=("Your turn: play", "3 days left"))
            await press(player, "1", "x", shows="Your turn: draw")
            await press(player, "f", "enter", shows="Your turn in 1 more match. C: go there.")
            await press(player, "C", shows=("Your turn: play", "7 days left"))
            await press(player, "1", "x", shows="Your turn: draw")
            await press(player, "f", "enter", shows="It is your turn in no other match.")
            assert len(unfinished()) == 2, "the seats are kept"


async def test_a_note_to_oneself_is_there_again_and_in_the_replay(address: Address) -> None:
    async with playing(Visit(address)) as player:
        await begin(player)
        await press(player, "W", *"bl", "enter", shows="Noted for you alone.")
        await press(player, "W", *"blue", "enter", "q", "down", "enter")
        await sees(player, "Learn it")
        await press(player, "enter", shows="Your note: blue")
        await press(player, "q", "down", "enter", shows="Learn it")
    (seat,) = unfinished()
    assert seat.progress.notes == {0: "blue"}
    async with typing() as typist:
        await typist.types("continue", "Your note: blue")
        await typist.types("note", "0: blue")
        await typist.types("note -", "Your note is gone.")
        await typist.types("note", "You have noted nothing in this match.")
        await typist.types("note no blue", "Noted for you alone.")
        await typist.plays_to_the_end(Random(7))
        await typist.client.keeping.settle()
        (kept,) = matches.newest_first()
        assert said_in(matches.line_of(kept.head.id)) == {"0": "no blue"}
        await typist.types("note blue", "in a match in turns")


async def test_a_seat_that_waits_for_days_to_begin_is_in_the_menu(address: Address) -> None:
    async with playing(Visit(address), shows="New table") as player:
        table = replace(bot_table(1, "random"), bots=[], clock=Days(3))
        await player[0].journey.request(table)
        await press(player, "q", shows="You keep your seat")
        await press(player, "down", "enter", shows="Their turn: Clocktowers, not begun, table")
        await press(player, "enter", shows=("Start the match", "3 days a turn"))


async def test_so_does_who_was_given_another_name_there(address: Address) -> None:
    async with playing(Visit(address), name="Bo", shows="There is no table yet"):
        async with playing(Visit(address), name="Bo") as player:
            await begin(player)
            await press(player, "1", "x", shows=("Your turn: draw", "Bo 2"))
            await link_of(player[0]).hang_up()
            await sees(player, "was lost")
        async with playing(Visit(address), name="Bo") as player:
            await sees(player, "Your turn: draw", "Bo 2")


async def test_who_joins_again_too_late_is_in_the_lobby_or_at_the_table_that_was_meant(
    address: Address,
) -> None:
    await keep_seat(address, "Ann")
    async with playing(Visit(address)) as player:
        await sees(player, "There is no table yet", "That match is over")
    assert unfinished() == []
    async with playing(Visit(address), name="Bo", shows="New table") as host:
        await host[0].journey.request(CreateTable(id=0, game="clocktowers", seats=3))
        await until(host[1], lambda: host[0].state.table is not None)
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        await keep_seat(address, "Ann", code)
        async with playing(Visit(address, table=code)) as player:
            await sees(player, "That match is over", code)
            assert player[0].state.table is not None and player[0].state.table.seat is not None
    assert unfinished() == []
