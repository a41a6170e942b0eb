"""`clocktowers waiting`: where it is the player's turn."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from clocktowers_tui.cli import tools
from clocktowers_tui.net import waiting
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.identity import shown_to
from clocktowers_tui.net.seats import Seat, Seats
from clocktowers_tui.net.waiting import ask
from clocktowers_tui.phrases.home import due_elsewhere_in_words
from protocol.errors import RefusalCode
from protocol.from_client import MOST_WAITING, ListWaiting
from protocol.from_server import Refused, SeatToken
from protocol.table import DAY_S, Days
from tests.stage.house import PATIENCE_S, House, begin, house
from tests.stage.pilot import playing, press, sees
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.typist import typing


@pytest.fixture(autouse=True)
def _never_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is slow to answer would count as silent."""
    monkeypatch.setattr(waiting, "WAIT_S", PATIENCE_S)


async def seat_in(at: House, clock: Days, first: int) -> Seat:
    """Ann's, of a match in which this seat begins."""
    address = Address(*at.address)
    ann = await at.peer("Ann", identity=await shown_to(address))
    ben = await at.peer("Ben")
    table = await begin(ann, ben, clock=clock, options={"first_seat": first})
    told = await ann.until(SeatToken)
    place = {"host": address.host, "port": address.port, "table": table, "name": "Ann"}
    seat = {**place, "match": told.match, "game": "clocktowers", "token": told.token.hex()}
    return msgspec.convert(seat, Seat)


async def test_whose_turn_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with capture_logs():  # which go to stdout
        async with house() as at, house(password="tower") as shut:
            seats = [await seat_in(at, *one) for one in ((Days(1), 1), (Days(7), 0), (Days(3), 0))]
            off = replace(seats[0], port=1, table="GONE")
            over = replace(seats[0], match="over", table="OVER")
            door = replace(off, port=shut.address[1], table="DOOR")
            begins = replace(off, match="", token="")
            many = [replace(over, match=f"over {n}") for n in range(MOST_WAITING)]
            begun = replace(seats[0], match="", token="", days=True)  # moved before
            mine = replace(seats[1], folder=1)
            for seat in (*seats, off, over, door, begins, begun, mine, *many):
                held = Seats()
                await held.keep(seat)
                if seat is not seats[1]:  # a client is open at that one
                    await held.let_go()
            assert await asyncio.to_thread(tools.waiting, count=True) == 0
            assert await asyncio.to_thread(tools.waiting, count=False) == 0
    theirs, later, soon = (seat.table for seat in seats)
    count, *lines = capsys.readouterr().out.splitlines()
    assert count == "2"
    turns = ["Your turn", "Your turn", "Their tur", "Continue:"]
    assert [line[:9] for line in lines[:4]] == turns
    for table, line in zip((soon, later, theirs, theirs), lines, strict=False):
        assert f"table {table} at" in line and "not begun" not in line
    for table, first in ("DOOR", "Its server"), ("GONE", "No answer"):
        [line] = [line for line in lines[4:] if line.startswith(first)]
        assert f"table {table} at" in line
    gone = [line for line in lines if line.startswith("No longer") and "table OVER at" in line]
    assert len(gone) == 1 + MOST_WAITING
    assert await asyncio.to_thread(tools.waiting, count=True) == 1


async def test_a_server_that_refuses_to_say_may_still_have_the_match() -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        asked = await peer.hears()
        assert isinstance(asked, ListWaiting)
        peer.says(Refused(id=asked.id, code=RefusalCode.BUSY))
        await peer.hears()

    async with scripted(script) as at:
        place = {"host": at.host, "port": at.port, "table": "T", "name": "Ann"}
        dues = await ask([msgspec.convert({**place, "match": "m1", "game": "clocktowers"}, Seat)])
    assert due_elsewhere_in_words(dues, "C").startswith("No answer: Clocktowers")


async def test_days_off_are_taken_in_the_menu_and_its_rows_say_so() -> None:
    async with house() as at:
        held = Seats()
        seat = await seat_in(at, Days(3), 0)
        for days in (False, True):
            await held.keep(replace(seat, days=days))
            await held.let_go()
            if not days:  # as far as the client knows
                async with typing() as typist:
                    await typist.types("vacation 3", "No server has given you days off.")
        await held.keep(replace(seat, match="over", table="OVER"))
        await held.let_go()
        async with playing(shows=("Your turn", "No longer at its server")) as player:
            for typed, says in ("0", "Type how many days"), ("7", "You are away until"):
                await press(player, "V", shows="Clocks that count days stop then.")
                await press(player, *typed, "enter", shows=says)
            await sees(player, "(you are away until")
        async with typing() as typist:
            await typist.types("vacation", "Type how many days")
            await typist.types("vacation 3", "You are away until")
        (kept,) = at.server.lobby.people.known.values()
        assert [until - since for since, until in kept.away] == [7 * DAY_S, 3 * DAY_S]
