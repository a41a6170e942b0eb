"""`server local`, a client's own server, alone or for friends: who gets in, when it ends, and how
its player comes back to it."""

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import CreateTable
from protocol.invitation import KEY_BYTES, Place, decode
from protocol.networks import lan_addresses
from protocol.table import Days
from server.cli import local
from server.config import Limits
from server.doors.certificate import ssh_fingerprint
from server.operating import commands
from server.operating.door import call
from server.store.state_folder import newest_in
from tests.stage.hall import Hall, Player, in_a_hall
from tests.stage.house import PATIENCE_S, START, Peer, eventually
from tests.stage.processes import (
    PROGRAM,
    Process,
    alive,
    children,
    needs_proc,
    outcome,
    started,
    surroundings,
)

SOLO = ("local", "--for", "solo", "--bot-pace-s", "0")
HOST = ("local", "--for", "host", "--bot-pace-s", "0")


async def seated(server: Process, **hello: str) -> Peer:
    """Somebody in a match with bots."""
    peer = await server.peer("Ann", **hello)
    await peer.create(seats=2, bots="normal")
    await peer.done(START)
    await peer.play(Random(1), 6)
    return peer


async def test_solo_wants_the_password_and_listens_on_this_machine_only(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as server:
        report = await server.reports("secret")
        assert "lan" not in report
        for wrong in ({}, {"password": "wrong"}, {"password": "secret "}):
            peer = await server.dial()
            peer.say_hello("Eve", **wrong)
            assert (await peer.goodbye()).code == GoodbyeCode.PASSWORD
        async with await server.peer("Ann", password="secret") as ann:
            assert ann.name == "Ann"
        assert [host for host, _port in report["listening"]] == ["127.0.0.1"]
        for address in lan_addresses():
            with pytest.raises(OSError):
                await server.dial(address)


@pytest.mark.parametrize(
    "number", [None, signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)]
)
async def test_it_ends_with_its_clients_line_and_when_it_is_told_to(
    tmp_path: Path, number: signal.Signals | None
) -> None:
    async with started(tmp_path, *SOLO) as server:
        await server.reports()
        peer = await seated(server, password="pw")
        if number is None:
            server.hang_up()
        else:
            server.signal(number)
        assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert await server.ends() == 0
        assert await server.errors() == ""


@needs_proc
async def test_nothing_outlives_a_client_that_was_killed(tmp_path: Path) -> None:
    """The client is a process here, and gets no chance to clean up."""
    client = (
        "import subprocess, sys, time\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\n"
        "server.stdin.write(b'pw\\n')\n"
        "server.stdin.flush()\n"
        "time.sleep(600)\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        client,
        *PROGRAM,
        *SOLO,
        stdout=subprocess.PIPE,
        env=surroundings(tmp_path),
    )
    server = Process(parent)
    await server.reports_alone()
    peer = await seated(server, password="pw")
    below = children(parent.pid)
    assert len(below) >= 2, "the server and a bot's worker"
    parent.kill()
    await server.ends()
    await peer.closed()
    await eventually(lambda: not any(map(alive, below)))


async def test_a_pipe_that_breaks_is_a_client_that_is_gone() -> None:
    client = asyncio.StreamReader()
    client.set_exception(ConnectionResetError())
    async with asyncio.timeout(PATIENCE_S):
        await local.hung_up(client)


async def test_a_host_without_anybody_ends_soon(tmp_path: Path) -> None:
    """Somebody who has not said hello is nobody."""
    async with started(tmp_path, *HOST, "--lonely-s", "0.1") as server:
        await server.reports()
        silent = await server.dial()
        server.hang_up()
        assert await server.ends() == 0
        silent.abort()


async def test_without_a_password_it_ends(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as server:
        server.hang_up()
        assert await server.ends() == 0
        assert await server.errors() == ""


def test_without_a_pipe_it_says_what_people_use_instead(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, *SOLO],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=surroundings(tmp_path),
        check=False,
    )
    assert done.returncode == 2
    assert "serve" in done.stdout
    assert done.stderr == ""


# For friends -------------------------------------------------------------------------------------

FREE = (*HOST, "--port", "0")


async def comes_back(server: Process, to: Process) -> bool:
    """Whether this process only stands in for the other's server."""
    report = await server.reports()
    return bool(report["listening"] == [["0.0.0.0", to.port], ["::", to.port]])


async def test_the_next_client_comes_back_to_the_server_that_runs(tmp_path: Path) -> None:
    async with started(tmp_path, *FREE) as first:
        await first.reports()
        async with await first.peer("Friend") as friend:
            await friend.create()
            first.hang_up()
            for again in (FREE, ("local", "--for", "host")):  # as it was begun, or without flags
                async with started(tmp_path, *again) as second:
                    assert await comes_back(second, first)
                    second.hang_up()
                    assert await second.ends() == 0
            async with started(tmp_path, *FREE, "--key", "ab" * 32) as stranger:
                assert "somebody else's" in (await stranger.reports())["error"]
            async with started(tmp_path, *FREE) as second:
                assert await comes_back(second, first)
                first.signal(signal.SIGTERM)  # the client is to hear that its server has ended
                assert await second.ends() == 0
                assert await second.errors() == ""


async def test_a_server_that_is_opened_again_by_its_key_is_as_its_host_has_opened_it(
    tmp_path: Path,
) -> None:
    async with started(tmp_path, *FREE, "--host", "127.0.0.1") as first:
        key = (await first.reports())["key"]
    async with started(tmp_path, "local", "--for", "host", "--key", key) as again:
        assert [host for host, _port in (await again.reports())["listening"]] == ["127.0.0.1"]


async def test_the_client_is_told_how_friends_come(tmp_path: Path) -> None:
    """By an invitation that holds, also when another was revoked before the client came back."""
    env = {"CLOCKTOWERS_PASSWORD": "tower", "CLOCKTOWERS_PUBLIC": "games.example:7000"}
    with socket.create_server(("0.0.0.0", 0)) as free:
        own = free.getsockname()[1]
    doors = ("plain", "tls", f"ssh={own}", "web")
    wish = (*FREE, *(part for door in doors for part in ("--doors", door)))

    async def told_again() -> str:
        async with started(tmp_path, *wish, env=env) as second:
            return str((await second.reports())["ways"]["invitation"])

    async with started(tmp_path, *wish, env=env) as first:
        report = await first.reports()
        ways, line = report["ways"], decode(report["ways"]["invitation"])
        assert ways["ssh"] == ["games.example", own]
        assert ways["page"].startswith("https://games.example:7000/#")
        folder = tmp_path / "state/clocktowers/host/1"
        assert ways["ssh_key"] == ssh_fingerprint(folder) != ""
        assert not ways["nearby"]
        assert line.places[0] == Place("games.example", 7000)
        assert line.key.hex() == report["key"][: 2 * KEY_BYTES]
        assert await told_again() == ways["invitation"]
        await call(folder, commands.Revoke(name="all"))
        another = decode(await told_again())
        async with await first.peer("Friend", invitation=another.secret):
            pass
        async with await first.dial() as late:
            late.say_hello("Eve", invitation=line.secret)
            assert (await late.goodbye()).code == GoodbyeCode.INVITATION_REVOKED


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        (("--host", "127.0.0.1"), {"invitation", "ssh", "page"}),
        (("--doors", "plain", "--public", "games.example"), {"invitation", "ssh", "page"}),
        (("--doors", "tls", "--doors", "web=0", "--public", "games.example"), {"ssh", "page"}),
    ],
)
async def test_no_way_is_told_that_is_shut(
    tmp_path: Path, flags: tuple[str, ...], missing: set[str]
) -> None:
    async with started(tmp_path, *FREE, *flags) as server:
        ways = (await server.reports())["ways"]
        assert {way for way in ("invitation", "ssh", "page") if not ways[way]} == missing


async def test_other_settings_are_another_server_or_a_sentence(tmp_path: Path) -> None:
    async with started(tmp_path, *FREE, "--server-name", "Thursdays") as first:
        await first.reports()
        same_port = ("local", "--for", "host", "--port", str(first.port), "--keep-days", "3")
        async with started(tmp_path, *same_port) as refused:
            report = await refused.reports()
            assert "without flags" in report["error"] and str(first.port) in report["error"]
        async with started(tmp_path, *FREE, "--state", str(tmp_path / "elsewhere")) as second:
            assert not await comes_back(second, first)
            async with started(tmp_path, *FREE, "--state", str(tmp_path / "elsewhere")) as third:
                assert await comes_back(third, second)


async def test_the_settings_are_those_of_serve(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("[limits]\nconnections = 1\nwatchers = 3\n")
    env = {"CLOCKTOWERS_LOG_LEVEL": "debug", "CLOCKTOWERS_PASSWORD": "x"}
    async with started(tmp_path, *FREE, "--config", str(file), env=env) as server:
        await server.reports()
        async with await server.peer("Ann", password="x"), await server.dial() as second:
            second.say_hello("Bo")
            assert (await second.goodbye()).code == "full"
    for wrong, told in (("--prot=7", "--port?"), ("fly", "serve --help")):
        async with started(tmp_path, *HOST, wrong) as server:
            assert told in (await server.reports())["error"]
            assert await server.ends() == 2 and await server.errors() == ""
    async with started(tmp_path, *FREE, env={"CLOCKTOWERS_PROT": "7"}) as server:
        assert "CLOCKTOWERS_PORT" in (await server.reports())["error"]


async def test_who_has_the_port(tmp_path: Path) -> None:
    serve = ("serve", "--host", "0.0.0.0", "--port", "0")
    async with started(tmp_path, *serve) as own:
        await own.listens()
        async with started(tmp_path, *HOST, "--port", str(own.port)) as server:
            report = await server.reports()
            assert (report["taken"], report["by_own"]) == (own.port, True)
        again = ("serve", "--host", "0.0.0.0", "--port", str(own.port), "--state", str(tmp_path))
        code, errors = await outcome(tmp_path, *again)
        assert code == 2 and "your own server" in errors
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        async with started(tmp_path, *HOST, "--port", str(port)) as server:
            report = await server.reports()
            assert (report["taken"], report["by_own"]) == (port, False)
            assert report["listening"][0][1] not in (0, port)
            async with await server.peer("Ann"):
                pass
    async with started(tmp_path, *HOST, "--port", str(port)) as server:
        await server.reports()
        assert server.port == port


@pytest.mark.parametrize("why", ["seated", "here", "own seat", "own seat of days", "stranger's"])
@in_a_hall()
async def test_it_goes_on_while_somebody_is_seated_or_on_this_machine_or_has_a_seat_that_waits(
    at: Hall, why: str
) -> None:
    """A stranger's seat does not keep it, nor does a table of days, which the next server has."""
    own, clock = why.startswith("own"), Days(days=1) if why.endswith("days") else None
    host = Player(at, "Ann", b"A" * 32, "" if own else "192.0.2.7")
    at.lobby.create(host, CreateTable(id=0, game="clocktowers", seats=2, clock=clock))
    if why != "seated":
        host.drop()
    peers = SimpleNamespace(admitted=[peer := SimpleNamespace(dials_from_here=why == "here")])
    server: Any = SimpleNamespace(lobby=at.lobby, peers=peers)
    ending = asyncio.ensure_future(local.until_lonely(server, 60))
    await asyncio.sleep(58)
    assert not ending.done()
    await asyncio.sleep(Limits().waiting_s - 60)
    assert ending.done() == (why in ("own seat of days", "stranger's"))
    host.drop()
    peer.dials_from_here = False
    await asyncio.sleep(64)
    assert ending.done()


@needs_proc
async def test_it_ends_and_leaves_nothing_when_everybody_is_gone(tmp_path: Path) -> None:
    async with started(tmp_path, *FREE, "--lonely-s", "0.2") as server:
        assert (await server.reports())["lan"] == lan_addresses()
        async with await seated(server) as friend:
            server.hang_up()
            await friend.play(Random(2))
        await eventually(lambda: not alive(server.pid))
        assert await server.ends() == 0 and await server.errors() == ""
        last = newest_in(tmp_path / "state/clocktowers/host/1")
        assert last is not None and last.ended and last.secret == ""
