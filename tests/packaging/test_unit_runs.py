"""The unit under a real systemd: shut in as it is, the server plays, with a searching bot too, and
is restarted when it is stuck.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec import json

from protocol.from_server import Welcome
from tests.packaging.booted import PRIVATE, SYSTEMD, Booted, booted
from tests.packaging.test_unit import UNIT
from tests.stage.house import START, Peer

NAME: Final = UNIT.name
STATE: Final = ("--state", "/var/lib/clocktowers", "--json")
WATCHDOG: Final = "[Service]\nWatchdogSec=3\nTimeoutAbortSec=1\n"

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


def test_it_plays_and_is_restarted_when_it_is_stuck(tmp_path: Path) -> None:
    allowed = f"mount -t tmpfs none {tmp_path}; mkdir {tmp_path}/c; mount -t cgroup2 c {tmp_path}/c"
    if subprocess.run([*PRIVATE, allowed], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    with socket.create_server(("0.0.0.0", 0)) as free:
        port = free.getsockname()[1]
    files = {
        "/etc/default/clocktowers": f"CLOCKTOWERS_PORT={port}\n",
        f"/etc/systemd/system/{NAME}.d/test.conf": WATCHDOG,
    }
    with booted(tmp_path, UNIT, files) as inside:
        inside.waits_until(NAME, "ActiveState", "active")
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
