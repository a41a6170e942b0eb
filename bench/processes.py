"""The processes of a measurement: a server or another program that listens, and what /proc says of
it."""

import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from msgspec import Struct

from tests.stage.processes import PROGRAM, started

FIRST, SECOND = 0, 1
"""Cores: a load runs on the second, what is measured on the first."""
_BIND: Final = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
os.execvp(sys.argv[2], sys.argv[2:])
"""
_STDERR: Final = 2
_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


class Served(Struct, frozen=True):
    """A serving process."""

    pid: int
    port: int

    def sockets(self) -> int:
        """How many connections it has open."""
        links = []
        for file in Path(f"/proc/{self.pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                links.append(str(file.readlink()))
        return sum(link.startswith("socket:") for link in links)

    def ran_s(self) -> float:
        """How long its loop has had the processor."""
        return scheduled_s(self.pid)[0]

    def clock(self) -> float:
        """Seconds, without those in which the server or this process waited for a processor that
        had other work."""
        waited_s = scheduled_s(self.pid)[1] + scheduled_s(os.getpid())[1]
        return perf_counter() - waited_s


@asynccontextmanager
async def serving(
    limits: Mapping[str, object],
    settings: Mapping[str, str] | None = None,
    program: Sequence[str] = PROGRAM,
) -> AsyncIterator[Served]:
    """A real server in a process of its own, with these limits and otherwise the defaults.
    `settings`: other variables of its environment."""
    # Not all doors: the silent would be led to another process.
    given = {"CLOCKTOWERS_DOORS": "plain,tls", "CLOCKTOWERS_LOG_LEVEL": "warning"}
    given["PYTHONDONTWRITEBYTECODE"] = ""  # what compiling leaves behind would count as memory
    given |= settings or {}
    given |= {f"CLOCKTOWERS_LIMITS__{name.upper()}": str(value) for name, value in limits.items()}
    command = (*program, "serve", "--host", "127.0.0.1", "--port", "0")
    async with listening(command, given) as served:
        yield served


@asynccontextmanager
async def listening(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> AsyncIterator[Served]:
    """A program whose first line says where it listens, as a server's does."""
    # What it has started may write there when it is killed.
    with TemporaryDirectory(prefix="bench_", ignore_cleanup_errors=True) as home:
        async with started(Path(home), program=command, env=env, stderr=_STDERR) as process:
            try:
                await process.listens()
            except (AssertionError, TimeoutError):
                raise SystemExit(f"it does not listen: {' '.join(command)}") from None
            yield Served(process.pid, process.port)


def on_core(which: int, command: Sequence[str]) -> Sequence[str]:
    """The command, bound to one of our cores with all that it starts; as it is where there is one
    core only."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) == 1:
        return command
    return (sys.executable, "-IS", "-c", _BIND, str(cores[which]), *command)


def python(module: str, *args: str) -> tuple[str, ...]:
    """The command `python -m module args…`."""
    return (sys.executable, "-P", "-m", module, *args)


def cpu_s(pid: int) -> float:
    """User and system time of all threads of a process; children are not counted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def scheduled_s(pid: int) -> tuple[float, float]:
    """How long the main thread of a process had a processor, and was ready to run and had none."""
    ran, queued, _times = map(int, Path(f"/proc/{pid}/schedstat").read_text().split())
    return ran / 1e9, queued / 1e9


def rss_bytes(pid: int) -> int:
    """How much memory a process has resident."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
