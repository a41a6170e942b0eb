"""The processes of a measurement: each on a core of its own, watched through /proc."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from server.net.open_files import connections_allowed

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


class CannotMeasure(Exception):
    """This machine does not allow the measurement; the text is a sentence that says what to do."""


def cpu_s(pid: int) -> float:
    """User and system time of all threads of a process; children are not counted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def ran_s(pid: int) -> float:
    """How long the main thread of a process had a processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def queued_s(pid: int) -> float:
    """How long the main thread of a process was ready to run and had no processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def rss_bytes(pid: int) -> int:
    """How much memory a process has resident."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES


def allow(connections: int) -> None:
    """Let this process and its children have so many connections. Raises CannotMeasure."""
    if not Path("/proc/self/statm").exists():
        raise CannotMeasure(
            "the server is measured through /proc, which only Linux has; "
            "--only engine works everywhere"
        )
    if (allowed := connections_allowed()) < connections:
        raise CannotMeasure(
            f"{connections} connections are needed and the limit of open files allows {allowed}; "
            "raise it (ulimit -Hn) or ask for fewer --matches"
        )


def two_cores() -> tuple[int, int] | None:
    """A core for the measured process and one for the load; None where they cannot be told
    apart."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    cores = sorted(os.sched_getaffinity(0))
    return (cores[0], cores[1]) if len(cores) > 1 else None


def python(module: str, *args: str) -> list[str]:
    """The command `python -m module args…`."""
    return [sys.executable, "-P", "-m", module, *args]


def start(
    command: Sequence[str], *, core: int | None, env: Mapping[str, str]
) -> "subprocess.Popen[str]":
    """Start a command bound to `core`; its stdout can be read."""
    if core is None:
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    # Children and their threads inherit the core: they never run elsewhere.
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    finally:
        os.sched_setaffinity(0, before)
