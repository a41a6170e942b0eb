"""The open line, seen by the player: it breaks and is back, and the match goes on."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import Arrival
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Host, Return, Visit
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import State, Store
from protocol.from_client import CreateTable, Start
from protocol.ways import Ways
from tests.stage.pilot import Playing, keep_seat, playing, press, seen, sees, until

OPTIONS = {"first_seat": 0}
LOST = LinkError(Fault.LOST)


class Tasks:
    """Stands in for the app: runs what the journey gives it."""

    def __init__(self) -> None:
        self.running: list[asyncio.Task[None]] = []

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> object:
        self.running.append(asyncio.create_task(work))
        return None


class BrokenLine:
    """Stands in for a line that breaks for good at once."""

    seat = None

    def __init__(self, error: LinkError) -> None:
        self._error = error

    async def run(self, _store: Store, _told: object) -> LinkError:
        return self._error

    async def close(self) -> None:
        """Nothing is open."""

    hang_up = close


class SlowServer:
    """Stands in for the player's own server, which takes its time to end."""

    log = Path("log")
    friends = ()
    ways = Ways()

    def __init__(self) -> None:
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()
        self.stopped = False

    async def has_ended(self) -> bool:
        self.asked.set()
        await self.may_answer.wait()
        return True

    async def stop(self) -> None:
        self.stopped = True


async def breaking(
    error: LinkError,
) -> tuple[Journey, Store, SlowServer, "asyncio.Task[None]"]:
    """A journey whose line has just broken, and what listens to it."""
    tasks, store, server = Tasks(), Store(lambda: None), SlowServer()
    link: Any = BrokenLine(error)
    own: Any = server
    arrival = Arrival(Host(), link, own)
    journey = Journey(tasks, store, lambda news: None, arrival)
    tasks.run_worker(journey._listen(arrival), group="line")
    await server.asked.wait()
    store.change(
        replace(store.state, connection=Connection(kind=Kind.HOST, address="", name="Ann"))
    )
    return journey, store, server, tasks.running[0]


@pytest.mark.parametrize(
    ("error", "fault"),
    [(LOST, Fault.LOCAL_ENDED), (TurnedAway("shutdown", {}), Fault.TURNED_AWAY)],
    ids=["crashed", "stopped"],
)
async def test_a_line_that_breaks_for_good_is_told(error: LinkError, fault: Fault) -> None:
    """A server of the player's own that was stopped has not ended unexpectedly."""
    journey, store, server, listening = await breaking(error)
    server.may_answer.set()
    await listening
    lost = journey.take_lost()
    assert lost is not None and lost.error.fault is fault
    assert journey.take_lost() is None
    assert server.stopped and journey.arrival is None and store.state.connection is None


async def test_a_player_who_goes_elsewhere_while_a_server_stops_stays_there() -> None:
    journey, store, server, listening = await breaking(LOST)
    stopping, stopped = asyncio.Event(), asyncio.Event()

    async def stop() -> None:
        stopping.set()
        await stopped.wait()

    own: Any = server
    own.stop = stop
    ending = asyncio.create_task(journey.end())
    await stopping.wait()
    # As `go` does; only the dialling is left out.
    link: Any = BrokenLine(LOST)
    journey._arrival = Arrival(Host(), link)
    elsewhere = Connection(kind=Kind.VISIT, address="", name="Ann")
    store.change(State(connection=elsewhere))
    stopped.set()
    await ending
    server.may_answer.set()
    await listening
    assert store.state.connection == elsewhere and journey.take_lost() is None


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
    await sees(player, "Your turn")


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
        await sees(player, "this is sent when it is back")
        may_dial = True
        await until(pilot, lambda: "reconnecting" not in seen(app))
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
        await sees(player, "Your turn: draw")
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
        await sees(other, "You have a seat here: press q, then Continue in the menu.")
    async with playing(Visit(address, table="ABCD")) as player:
        await sees(player, "That table is gone")
    (seat,) = unfinished()
    async with playing(Visit(address, table=seat.table, watch=True)) as player:
        await sees(player, "watching")
    for table in ("", seat.table):
        async with playing(Visit(address, table=table)) as player:
            await sees(player, "Your turn: draw")
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
            await sees(player, "Your turn: draw", "Bo 2")


async def test_who_joins_again_too_late_is_in_the_lobby_or_at_the_table_that_was_meant(
    address: Address,
) -> None:
    await keep_seat(address, "Ann")
    async with playing(Visit(address)) as player:
        await sees(player, "There is no table yet", "That match is over")
    assert unfinished() == []
    async with playing(Visit(address), name="Bo") as host:
        await sees(host, "New table")
        await host[0].journey.request(CreateTable(id=0, game="clocktowers", seats=3))
        await until(host[1], lambda: host[0].state.table is not None)
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        await keep_seat(address, "Ann", code)
        async with playing(Visit(address, table=code)) as player:
            await sees(player, "That match is over", code)
            assert player[0].state.table is not None and player[0].state.table.seat is not None
    assert unfinished() == []
