"""What `serve` tells a service manager over a real notify socket; a stuck loop is silent."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from server.health.systemd import ServiceManager
from server.health.watched import watched
from tests.stage.house import PATIENCE_S, eventually, house
from tests.stage.processes import needs_proc, started

BEAT_S = 0.1


class Manager:
    """The service manager's end."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)
        self.env = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(int(2 * BEAT_S * 1e6))}

    async def hears(self, limit_s: float = PATIENCE_S) -> list[str]:
        """The lines of the next message."""
        async with asyncio.timeout(limit_s):
            return (
                (await asyncio.get_running_loop().sock_recv(self._socket, 4096))
                .decode()
                .split("\n")
            )

    async def until(self, line: str) -> list[str]:
        while line not in (lines := await self.hears()):
            pass
        return lines

    def forgets(self) -> int:
        """Drop what has come; return how much that was."""
        for number in count():
            try:
                self._socket.recv(4096)
            except BlockingIOError:
                return number
        raise AssertionError

    def close(self) -> None:
        self._socket.close()


@asynccontextmanager
async def managed(address: str) -> AsyncIterator[Manager]:
    manager = Manager(address)
    try:
        yield manager
    finally:
        manager.close()


@needs_proc
@pytest.mark.parametrize("abstract", [False, True])
async def test_it_is_told_when_the_server_listens_turns_and_stops(
    tmp_path: Path, abstract: bool
) -> None:
    address = f"@clocktowers-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    serve = ("serve", "--host", "127.0.0.1", "--port", "0")
    async with managed(address) as manager, started(tmp_path, *serve, env=manager.env) as server:
        first = await manager.hears()
        assert first == ["READY=1", "STATUS=0 connections, 0 tables"]
        await server.listens()
        async with await server.peer("Ann") as ann:
            await ann.create()
            assert "WATCHDOG=1" in await manager.until("STATUS=1 connections, 1 tables")
            if not abstract:
                await stuck(server.pid, manager)
        server.signal(signal.SIGTERM)
        assert await manager.until("STOPPING=1")
        assert await server.ends() == 0


async def stuck(pid: int, manager: Manager) -> None:
    """A loop that does not turn feeds no watchdog; one that turns again does."""
    os.kill(pid, signal.SIGSTOP)
    stat = Path(f"/proc/{pid}/stat")
    await eventually(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
    manager.forgets()
    with pytest.raises(TimeoutError):
        await manager.hears(5 * BEAT_S)
    os.kill(pid, signal.SIGCONT)
    await manager.until("WATCHDOG=1")


async def test_a_loop_that_is_stuck_is_silent_whatever_else_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the process runs on, and only its loop does not turn."""
    async with managed(str(tmp_path / "notify")) as manager:
        for name, value in manager.env.items():
            monkeypatch.setenv(name, value)
        async with house() as at, watched(at.server):
            await manager.until("WATCHDOG=1")
            manager.forgets()
            time.sleep(5 * BEAT_S)  # noqa: ASYNC251  (that is the point)
            assert manager.forgets() == 0
            await asyncio.sleep(5 * BEAT_S)
            assert manager.forgets() >= 2


def test_a_watchdog_of_another_process_is_not_fed() -> None:
    env = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "30000000"}
    assert ServiceManager(env).watchdog_s == 30
    assert ServiceManager({**env, "WATCHDOG_PID": str(os.getpid())}).watchdog_s == 30
    assert ServiceManager({**env, "WATCHDOG_PID": "1"}).watchdog_s is None
    assert ServiceManager({**env, "WATCHDOG_USEC": "soon"}).watchdog_s is None
    assert ServiceManager({"WATCHDOG_USEC": "30000000"}).watchdog_s is None
    ServiceManager(env).ready("nobody listens there")
