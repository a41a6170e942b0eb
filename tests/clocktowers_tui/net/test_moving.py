"""A player moves to another machine: all comes or nothing does, and only to who has the code."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from clocktowers_tui.net import identity, moving, seats as seats_module
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.moving import Luggage, MoveEnd, moving_in, moving_out
from clocktowers_tui.net.seats import Seats, unfinished
from clocktowers_tui.net.wishes import visit_to
from protocol.from_client import Resume
from protocol.invitation import Place, decode, encode, rows_of
from protocol.table import Days
from tests.clocktowers_tui.cli.test_waiting import seat_in
from tests.clocktowers_tui.locale.walk import WAITS
from tests.stage.house import eventually, house, looks_at_no_key
from tests.stage.pilot import playing, press, seen
from tests.stage.processes import started
from tests.stage.typist import typing

PROGRAM = (sys.executable, "-P", "-m", "clocktowers_tui")
AWAY = replace(WAITS, token="11" * 32, folder=0, kept_at=1.0)
WHAT = Luggage(bytes(range(32)), "Ann", (AWAY,))


@pytest.fixture(autouse=True)
def at_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "lan_addresses", list)


def at_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> dict[str, str]:
    """The player is at another machine from now on. Returns what its programs are told."""
    names = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    told = {name: str(home / name) for name in names}
    for name in names:
        monkeypatch.setenv(name, told[name])
    return told


async def said(line: str, secret: bytes) -> bytes:
    """What the old machine answers to this."""
    ((host, port),) = decode(line).places
    reader, writer = await asyncio.open_connection(host, port, ssl=looks_at_no_key())
    writer.write(secret)
    try:
        return await reader.read(1)
    finally:
        writer.transport.abort()


async def test_who_knows_the_port_alone_learns_nothing() -> None:
    async with moving_out(WHAT) as (line, over):
        ((host, port),) = decode(line).places
        _reader, plain = await asyncio.open_connection(host, port)
        plain.write(b"GET / HTTP/1.0\r\n\r\n")  # no TLS: it is no try
        assert await said(line, bytes(12)) == b""
        assert await said(line, bytes(12)) == b""
        assert not over.done()
        assert await said(line, bytes(12)) == b"" and await over is MoveEnd.NOTHING
        assert await said(line, decode(line).secret) == b"", "three wrong ones end it"
        plain.close()
        with pytest.raises(LinkError, match="MOVES"):
            visit_to(line)


async def test_the_secret_is_said_to_no_other_machine() -> None:
    heard = list[bytes]()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read())
        writer.close()

    context, _key = moving._certificate()
    middle = await asyncio.start_server(listen, "127.0.0.1", 0, ssl=context)
    async with moving_out(WHAT) as (line, over):
        there = (Place(*middle.sockets[0].getsockname()[:2]),)
        with pytest.raises(LinkError):
            async with moving_in(encode(decode(line)._replace(places=there))):
                pass
        await eventually(lambda: heard == [b""])
        assert not over.done()
    middle.close()


async def test_it_holds_once_and_a_cut_leaves_both_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with moving_out(WHAT) as (line, over):
        async with moving_in(line) as (what, _line):
            assert what == WHAT
            assert await said(line, decode(line).secret) == b""
        assert await over is MoveEnd.NOTHING
    assert (identity.kept(), unfinished()) == (None, [])
    monkeypatch.setattr(moving, "OPEN_S", 0.0)
    async with moving_out(WHAT) as (line, over):
        assert await over is MoveEnd.NOTHING, "its minutes are over"
        assert await said(line, decode(line).secret) == b""


async def test_what_is_here_stays_where_it_is_newer_and_all_comes_or_nothing_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, seats = identity.secret(), Seats()
    await seats.keep(replace(AWAY, token="22" * 32))
    await seats.let_go()
    what = replace(WHAT, seats=(AWAY, replace(AWAY, match="other", folder=7)))
    with monkeypatch.context() as full, pytest.raises(OSError, match="Input/output"):
        full.setattr(seats_module, "_append", lambda held, _line: os.close(held))
        await moving.unpack(what)
    assert identity.secret() == before
    copy = await moving.unpack(what)
    assert copy is not None and copy.read_bytes() == before
    assert {seat.token: seat.folder for seat in unfinished()} == {"22" * 32: 0, AWAY.token: 0}
    off = replace(AWAY, host="127.0.0.1", port=1)
    assert await moving.shut_out([off, replace(off, token="")]) == [off]


async def test_a_file_opens_to_its_pass_phrase_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "moves"
    async with typing(name="Ann") as old:
        old.client.own_pace = True
        await old.types(f"move-out {file}", "pass phrase")
        await old.types("correct horse", "again")
        await old.types("correct horse", "Written to")
    secret = identity.secret()
    at_home(monkeypatch, home / "new")
    before = identity.secret()
    assert secret not in file.read_bytes() and before != secret
    async with typing(name="Ben") as new:
        new.client.own_pace = True
        await new.types(f"move-in {file}", "pass phrase")
        await new.types("correct hose", "The pass phrase is another")
        await new.types(f"move-in {file}", "pass phrase")
        await new.types("correct horse", "Servers know you here as Ben")
        await new.types("no", "Nothing is changed.")
        assert identity.secret() == before
        await new.types(f"move-in {file}", "pass phrase")
        await new.types("correct horse", "Servers know you here as Ben")
        await new.types("yes", "Shut the old machine out?")
        await new.types("no", "Both machines know you")
        assert (identity.secret(), new.client.settings.name) == (secret, "Ann")


async def test_a_match_goes_on_there_and_the_old_machine_is_shut_out(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two programs, and a server."""
    async with house() as at:
        old = at_home(monkeypatch, home / "old")
        secret, seat, seats = identity.secret(), await seat_in(at, Days(1), 0), Seats()
        await seats.keep(seat)
        await seats.let_go()
        async with started(home, "--name", "Ann", "move-out", env=old, program=PROGRAM) as out:
            about, _told, code = [await out.line() for _ in range(3)]
            assert about == "Ann moves, with 1 seat at a server."
            new = at_home(monkeypatch, home / "new")
            async with started(home, "move-in", code, env=new, program=PROGRAM) as into:
                into.write("yes\n")
                into.hang_up()
                assert await into.ends() == 0, await into.errors()
            assert "shut out" in await out.line() and await out.ends() == 0
        (moved,) = unfinished()
        assert (identity.kept(), moved.table) == (secret, seat.table)
        old_token, token = (bytes.fromhex(one.token) for one in (seat, moved))
        ann = await at.peer("Ann")
        await ann.refused(Resume(id=0, match=seat.match, token=old_token))
        await ann.done(Resume(id=0, match=seat.match, token=token))
    at_home(monkeypatch, home / "old")
    assert (identity.kept(), unfinished()) == (None, [])


async def test_on_the_screen(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(size=(100, 46)) as old:
        await press(old, "O", shows="Within five minutes, type clocktowers move-in and this code")
        (line,) = re.findall(r"ct:\w+", seen(old[0]))
        assert all(row in seen(old[0]) for row in rows_of(line)), seen(old[0])
        await press(old, "escape", shows="The code opens nothing any more")
    at_home(monkeypatch, home / "new")
    async with moving_out(WHAT) as (newer, over), playing() as new:
        for typed, said in (line, "Nothing came"), (newer, "Shut the old one out?"):
            await press(new, "I", *typed, "enter", shows=said)
        await press(new, "enter", shows=("Both machines know you", ", turn 12, table ABCD at "))
        assert await over is MoveEnd.TAKEN
