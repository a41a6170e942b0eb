"""`clocktowers-server` as a process of its own, in a home of its own."""

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import json

from protocol.from_server import Welcome
from tests.stage.house import PATIENCE_S, Peer

PROGRAM: Final = (sys.executable, "-P", "-m", "server")

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@contextmanager
def kept_port() -> Iterator[int]:
    """A port of 127.0.0.1 at which servers can listen one after the other: while nobody does, the
    machine gives it to no other program."""
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


class Process:
    """A running server; its output by lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.port = 0
        self.said: list[str] = []

    @property
    def pid(self) -> int:
        return self.process.pid

    async def line(self) -> str:
        """The next line it prints; "" when it has ended."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = (await self.process.stdout.readline()).decode().rstrip("\n")
        self.said.append(line)
        return line

    async def listens(self) -> list[tuple[str, int]]:
        """Wait for the addresses that `serve` prints."""
        addresses = []
        first = await self.line()
        assert first.startswith("listening on "), first + await self.errors()
        addresses.append(_address(first))
        self.port = addresses[0][1]
        return addresses

    async def reports(self, password: str = "pw") -> dict[str, Any]:
        """Hand `local` its password and take the line that it answers."""
        self.write(password + "\n")
        return await self.reports_alone()

    async def reports_alone(self) -> dict[str, Any]:
        """Take the line, when somebody else hands it the password."""
        report: dict[str, Any] = json.decode(await self.line())
        if "listening" in report:
            self.port = report["listening"][0][1]
        return report

    def write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())

    def hang_up(self) -> None:
        """End its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def ends(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    async def errors(self) -> str:
        """What it printed to stderr, after its end."""
        assert self.process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            return (await self.process.stderr.read()).decode()

    async def warns(self, text: str) -> None:
        """Wait until a line of stderr has this text."""
        assert self.process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            while text not in (line := (await self.process.stderr.readline()).decode()):
                assert line, "it has ended"

    async def dial(self, host: str = "127.0.0.1") -> Peer:
        return Peer(*await asyncio.open_connection(host, self.port))

    async def peer(self, name: str, **hello: Any) -> Peer:
        peer = await self.dial()
        peer.say_hello(name, **hello)
        peer.name = (await peer.until(Welcome)).name
        return peer


def _address(line: str) -> tuple[str, int]:
    host, _, port = line.removeprefix("listening on ").rpartition(":")
    return host.strip("[]"), int(port)


@asynccontextmanager
async def started(
    home: Path,
    *args: str,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = PROGRAM,
    stderr: int = asyncio.subprocess.PIPE,
) -> AsyncIterator[Process]:
    """`clocktowers-server ARGS`; killed at the end if it has not ended by itself."""
    process = await asyncio.create_subprocess_exec(
        *program,
        *args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
        env={**surroundings(home), **(env or {})},
    )
    try:
        yield Process(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


def surroundings(home: Path) -> dict[str, str]:
    """An environment without settings, whose state lies below `home`. The machine's network is told
    nothing."""
    kept = {name: value for name, value in os.environ.items() if "CLOCKTOWERS" not in name}
    state = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    return {**kept, **state, "CLOCKTOWERS_ANNOUNCE": "false"}


async def outcome(home: Path, *args: str, program: Sequence[str] = PROGRAM) -> tuple[int, str]:
    """Exit code and stderr of a command that ends by itself."""
    async with started(home, *args, program=program) as server:
        server.hang_up()
        code = await server.ends()
        return code, await server.errors()


def loaded_by(program: str) -> set[str]:
    """The modules that are there after this program, in a Python of its own."""
    told = [sys.executable, "-P", "-c", f"{program}\nimport sys; print(*sys.modules)"]
    return {*subprocess.run(told, stdout=subprocess.PIPE, text=True, check=True).stdout.split()}


def open_files(pid: int | str = "self") -> int:
    """How many files a process has open, our garbage apart; 0 where the system does not say."""
    if pid == "self":
        gc.collect()
    files = Path(f"/proc/{pid}/fd")
    return len(list(files.iterdir())) if files.is_dir() else 0


def alive(pid: int) -> bool:
    """Whether the process runs; a process that has ended and was not waited for does not."""
    with suppress(OSError, IndexError):
        stat = Path(f"/proc/{pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] != "Z"
    return False


def children(pid: int) -> list[int]:
    """All processes below this one, the nearest first."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, IndexError, ValueError):
            stat = (entry / "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
    return [*found, *(below for child in found for below in children(child))]
