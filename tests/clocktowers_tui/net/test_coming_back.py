"""A player comes back with another client; the newest token is on disk before it counts."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import arrive, first_steps
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.link import Answer, Link
from clocktowers_tui.net.seats import OwnSeat, Seats, unfinished
from clocktowers_tui.net.wishes import Return, Visit
from protocol.from_client import CreateTable, ListTables, Request, Resume, Start
from protocol.from_server import Done, Refused, SeatToken
from tests.clocktowers_tui.net.test_lasting_link import PATIENT, Client, arrived, back, cut, seated
from tests.clocktowers_tui.net.test_on_disk import SlowDisk, seat_files
from tests.stage.house import House, eventually, house
from tests.stage.small_match import bot_table


async def test_one_hangs_up_and_comes_back_with_another_client(home: Path) -> None:
    async with house(limits=PATIENT) as at:
        async with seated(at, Seats()) as client:
            await client.link.request(client.act(Random(1)))
            await eventually(lambda: client.match.version > 0)
            assert unfinished() == []
            before = client.match
        (seat,) = unfinished()
        assert (seat.address, seat.name, seat.table) == (Address(*at.address), "Ann", before.table)
        arrival = await arrive(Return(seat), "Another")
        later = Client(arrival.link)
        (step,) = first_steps(arrival)
        assert isinstance(await arrival.link.request(step), Done)
        assert arrival.link.welcome.name == "Ann"
        await eventually(lambda: later.state.match is not None)
        assert later.match.view == before.view and later.match.events == before.events
        assert unfinished() == []
        with pytest.raises(LinkError) as error:
            await arrive(Return(seat), "Third")
        assert error.value.fault is Fault.SEAT_ELSEWHERE
        await arrival.end()
        assert unfinished() == [] and not seat_files(home)


async def test_a_seat_at_a_table_that_waits_is_kept_until_that_is_gone(home: Path) -> None:
    async with house(limits=PATIENT) as at:
        arrival = await arrive(Visit(Address(*at.address)), "Ann")
        await Client(arrival.link).link.request(CreateTable(id=0, game="clocktowers", seats=2))
        for answer in (Done, Refused):
            await eventually(lambda: len(seat_files(home)) == 1)
            await arrival.end(hold_seat=True)
            (seat,) = unfinished()
            if answer is Refused:
                at.server.lobby.close(seat.table)
            arrival = await arrive(Return(seat), "Another")
            client, (step,) = Client(arrival.link), first_steps(arrival)
            assert isinstance(await client.link.request(step), answer)
        assert seat_files(home) == []
        await arrival.end()


# The newest token -------------------------------------------------------------------------------


class HeldDisk(SlowDisk):
    """A token is on disk when `os.fsync` returns, which waits only after a `stop`."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(monkeypatch)
        self.go_on()
        self._home = home
        self.held: list[bytes] = []
        real = Link.request

        async def request(link: Link, wish: Request) -> Answer:
            if isinstance(wish, Resume) and not self.has(wish.token.hex()):
                self.unsafe.append(wish)
            return await real(link, wish)

        monkeypatch.setattr(Link, "request", request)
        self.unsafe: list[Resume] = []
        """Requests with a token that a kill just then would have lost."""

    def stop(self) -> None:
        self.began.clear()
        self._may.clear()

    def __call__(self, held: int) -> None:
        super().__call__(held)
        self.held = [file.read_bytes() for file in seat_files(self._home)]

    def has(self, token: str) -> bool:
        return any(token.encode() in file for file in self.held)


async def others_are_served(at: House) -> None:
    """As long as a client would need that reads on."""
    for name in ("Eve", "Fay", "Gil"):
        async with arrived(at, name) as other:
            await other.link.request(ListTables(id=0))
            cut(at, name)
            await back(other)


async def test_a_match_is_not_seen_before_its_token_is_on_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = HeldDisk(home, monkeypatch)
    async with house(limits=PATIENT) as at:
        client = Client(
            await LastingLink.open(Address(*at.address), "Ann", own=OwnSeat("Ann", Seats()))
        )
        disk.stop()
        await client.link.request(bot_table(1, "random", options={"first_seat": 0}))
        start = asyncio.create_task(client.link.request(Start(id=0)))
        await eventually(disk.began.is_set)
        await others_are_served(at)
        assert client.state.match is None and not any(disk.held)
        disk.go_on()
        await eventually(client.may_act)
        assert any(disk.held) and isinstance(await start, Done)
        assert not any(isinstance(message, SeatToken) for message in client.said)
        await client.link.hang_up()


async def test_a_seat_is_only_taken_again_with_a_token_that_is_on_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line breaks, is back with a new token, and breaks again before that is on disk."""
    disk = HeldDisk(home, monkeypatch)

    def newest_is_written() -> bool:
        return client.link.own.seat is not None and disk.has(client.link.own.seat.token)

    async with house(limits=PATIENT) as at, seated(at, Seats()) as client:
        await eventually(newest_is_written)
        disk.stop()
        cut(at)
        await eventually(disk.began.is_set)
        cut(at)
        await others_are_served(at)
        disk.go_on()
        await eventually(lambda: client.attempts[-1:] == [0])
        await client.link.request(client.act(Random(1)))
        await eventually(newest_is_written)
    assert len(unfinished()) == 1
    assert disk.unsafe == []


PLAYS = """
import asyncio, sys
from clocktowers_tui.net.arrival import Visit, arrive
from clocktowers_tui.net.address import Address
from clocktowers_tui.state.store import Store
from protocol.from_client import BotSeat, CreateTable, Start

async def main():
    arrival = await arrive(Visit(Address(sys.argv[1], int(sys.argv[2]))), "Ann")
    store = Store(lambda: store.state.match and print("seated", flush=True))
    running = asyncio.create_task(arrival.link.run(store))
    begins, bots = {"first_seat": 0}, [BotSeat(1, "random")]
    table = CreateTable(id=0, game="clocktowers", seats=2, bots=bots, options=begins)
    await arrival.link.request(table)
    await arrival.link.request(Start(id=0))
    await running

asyncio.run(main())
"""


async def test_a_client_that_is_killed_finds_its_seat_when_it_is_started_again(home: Path) -> None:
    async with house(limits=PATIENT) as at:
        host, port = at.address
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", PLAYS, host, str(port)), stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"seated\n"
        assert unfinished() == [], "it is played"
        process.kill()
        await process.wait()
        (seat,) = unfinished()
        arrival = await arrive(Return(seat), "Ann")
        client = Client(arrival.link)
        assert isinstance(await arrival.link.request(first_steps(arrival)[0]), Done)
        await eventually(client.may_act)
        assert isinstance(await arrival.link.request(client.act(Random(1))), Done)
        await arrival.end()
