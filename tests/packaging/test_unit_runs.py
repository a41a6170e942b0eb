"""The unit under a real systemd: shut in as it is, the server plays, with a searching bot too, is
restarted when it is stuck, and lets guests in.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec import json

from protocol.from_server import Welcome
from tests.packaging.booted import PRIVATE, SYSTEMD, Booted, booted
from tests.packaging.test_unit import UNIT
from tests.stage.guests import SshServer, needs_ssh
from tests.stage.house import START, Peer

NAME: Final = UNIT.name
STATE: Final = ("--state", "/var/lib/clocktowers", "--json")

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(os.getuid() != 0, reason="only root may boot a systemd"),
    pytest.mark.skipif(not SYSTEMD.exists(), reason="systemd is not installed"),
    pytest.mark.skipif(shutil.which("nsenter") is None, reason="needs nsenter (util-linux)"),
]


def matches(inside: Booted) -> int:
    status = inside.run("/usr/local/lib/clocktowers/bin/clocktowers-server", "status", *STATE)
    return int(json.decode(status)["matches"])


async def play(port: int) -> None:
    """A few moves against a bot that searches, in a process of its own."""
    peer = Peer(*await asyncio.open_connection("127.0.0.1", port))
    peer.say_hello("Ann")
    await peer.until(Welcome)
    await peer.create(seats=2, bots="hard")
    await peer.done(START)
    await peer.play(Random(1), 5)
    peer.abort()


@contextmanager
def started(folder: Path, more: str) -> Iterator[tuple[Booted, int]]:
    """A systemd that has started the unit with these lines more, and the server's port."""
    allowed = f"mount -t tmpfs none {folder}; mkdir {folder}/c; mount -t cgroup2 c {folder}/c"
    if subprocess.run([*PRIVATE, allowed], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    with socket.create_server(("0.0.0.0", 0)) as free:
        port = free.getsockname()[1]
    files = {
        "/etc/default/clocktowers": f"CLOCKTOWERS_PORT={port}\n",
        f"/etc/systemd/system/{NAME}.d/test.conf": f"[Service]\n{more}",
    }
    with booted(folder, UNIT, files) as inside:
        inside.waits_until(NAME, "ActiveState", "active")
        yield inside, port


def test_it_plays_and_is_restarted_when_it_is_stuck(tmp_path: Path) -> None:
    with started(tmp_path, "WatchdogSec=3\nTimeoutAbortSec=1\n") as (inside, port):
        assert inside.shows(NAME, "StatusText") == "0 connections, 0 tables"
        lines = Path(f"/proc/{inside.server()}/status").read_text().splitlines()
        held = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        assert held["Seccomp"] == "2" and held["NoNewPrivs"] == "1"
        assert int(held["CapEff"], 16) == int(held["CapBnd"], 16) == 0
        assert int(held["Uid"].split()[0]) >= 61184, "a user that exists only while it runs"
        asyncio.run(play(port))
        assert matches(inside) == 1
        assert inside.shows(NAME, "NRestarts") == "0"
        os.kill(inside.server(), signal.SIGSTOP)
        inside.waits_until(NAME, "NRestarts", "1")
        inside.waits_until(NAME, "ActiveState", "active")
        assert matches(inside) == 1


async def stops_below_a_guest(inside: Booted, callers: SshServer) -> bytes:
    """What the guest's terminal has received."""
    async with callers.dial("ann", "ann") as terminal:
        await terminal.sees("this server as ann", "New table")
        (client,) = callers.guests
        assert os.getpriority(os.PRIO_PROCESS, client) == 5
        await asyncio.to_thread(inside.run, "systemctl", "stop", NAME)
        await terminal.ends()
        return terminal.painted


@needs_ssh
@pytest.mark.parametrize("kill_mode", ["", "KillMode=control-group\n"])
def test_guests_get_their_terminals_back_when_it_stops(tmp_path: Path, kill_mode: str) -> None:
    """With systemd's own way to stop a unit all programs would end at once, in no order."""
    with started(tmp_path, kill_mode) as (inside, port):
        assert inside.shows(NAME, "OOMPolicy") == "continue", "one guest's program, not all matches"
        callers = SshServer(tmp_path, tmp_path, port, inside.server())
        painted = asyncio.run(stops_below_a_guest(inside, callers))
    assert (b"\x1b[?1049l" in painted) == (b"the server has stopped" in painted) == (not kill_mode)
