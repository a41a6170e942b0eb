"""`server local`, a client's own server: who gets in, and when it ends."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from random import Random
from typing import cast

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import GetRecord
from protocol.from_server import Started
from server.cli import local
from server.games.registry import GAMES
from server.net.interfaces import lan_addresses
from server.recording.check import check
from server.recording.records import read
from server.server import Server
from tests.stage.house import PATIENCE_S, START, Peer, eventually
from tests.stage.processes import (
    PROGRAM,
    Process,
    alive,
    children,
    needs_proc,
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
        assert report["lan"] == []
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


async def test_solo_ends_with_its_clients_line(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as server:
        await server.reports()
        peer = await seated(server, password="pw")
        server.hang_up()
        assert (await peer.goodbye()).code == GoodbyeCode.SHUTDOWN
        assert await server.ends() == 0
        assert await server.errors() == ""


async def test_a_solo_match_has_a_record_though_the_server_keeps_none(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as server:
        await server.reports()
        async with await server.peer("Ann", password="pw") as ann:
            await ann.create(seats=2, bots="easy")
            await ann.done(START)
            match = (await ann.until(Started)).match
            assert (await ann.refused(GetRecord(id=0, match=match))).code == "match_running"
            await ann.play(Random(1))
            check(read(await ann.record(match), GAMES))


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)]
)
async def test_it_stops_when_it_is_told_to(tmp_path: Path, number: signal.Signals) -> None:
    async with started(tmp_path, *SOLO) as server:
        await server.reports()
        peer = await seated(server, password="pw")
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


@needs_proc
async def test_its_workers_end_when_it_is_killed(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as server:
        await server.reports()
        peer = await seated(server, password="pw")
        below = children(server.pid)
        assert below
        os.kill(server.pid, signal.SIGKILL)
        await server.ends()
        await eventually(lambda: not any(map(alive, below)))
        peer.abort()


async def test_a_pipe_that_breaks_is_a_client_that_is_gone() -> None:
    client, stop = asyncio.StreamReader(), asyncio.Event()
    client.set_exception(ConnectionResetError())
    args, server = Namespace(purpose="solo"), cast(Server, None)
    async with asyncio.timeout(PATIENCE_S):
        await local._watch(args, client, server, stop)
    assert stop.is_set()


async def test_a_host_goes_on_while_somebody_else_is_seated(tmp_path: Path) -> None:
    async with started(tmp_path, *HOST, "--lonely-s", "0.3") as server:
        report = await server.reports()
        assert report["lan"] == lan_addresses()
        friend = await seated(server)
        server.hang_up()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await server.process.wait()
        await friend.play(Random(2))
        await friend.close()
        assert await server.ends() == 0
        assert await server.errors() == ""


async def test_a_host_without_anybody_ends_soon(tmp_path: Path) -> None:
    """Somebody who has not said hello is nobody."""
    async with started(tmp_path, *HOST, "--lonely-s", "0.1") as server:
        await server.reports()
        silent = await server.dial()
        server.hang_up()
        assert await server.ends() == 0
        silent.abort()


async def test_a_host_takes_the_port_it_was_asked_for_or_another(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        async with started(tmp_path, *HOST, "--port", str(port)) as server:
            report = await server.reports()
            assert {there for _host, there in report["listening"]} != {port}
            async with await server.peer("Ann"):
                pass
    async with started(tmp_path, *HOST, "--port", str(port)) as server:
        await server.reports()
        assert server.port == port


def folders_with_a_log(home: Path) -> list[str]:
    return sorted(log.parent.name for log in home.rglob("local/*/server.log"))


async def test_two_at_once_have_folders_of_their_own(tmp_path: Path) -> None:
    async with started(tmp_path, *SOLO) as first:
        await first.reports()
        async with started(tmp_path, *SOLO) as second:
            await second.reports()
            assert first.port != second.port
            assert folders_with_a_log(tmp_path) == ["1", "2"]


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


@pytest.mark.parametrize(
    "args",
    [("--port", "99999"), pytest.param(("--bot-pace-s", "nan"), marks=pytest.mark.soak)],
)
async def test_what_cannot_be_is_reported(tmp_path: Path, args: tuple[str, ...]) -> None:
    async with started(tmp_path, *SOLO, *args) as server:
        report = await server.reports()
        assert args[0] in report["error"]
        assert await server.ends() == 2
        assert await server.errors() == ""
