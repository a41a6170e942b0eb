"""The processes of a measurement: each on a core of its own, watched through /proc."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from server.net.open_files import connections_allowed

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_STOP_S: Final = 10.0


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
        raise CannotMeasure("the server is measured through /proc, which only Linux has")
    if (allowed := connections_allowed()) < connections:
        raise CannotMeasure(
            f"{connections} connections are needed and the limit of open files allows {allowed}; "
            "raise it (ulimit -Hn) or ask for fewer --matches"
        )


def two_cores() -> Sequence[int | None]:
    """A core for the measured process and one for the load; None where they cannot be told
    apart."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return cores[:2] if len(cores) > 1 else (None, None)


def python(module: str, *args: str) -> list[str]:
    """The command `python -m module args…`."""
    return [sys.executable, "-P", "-m", module, *args]


@contextmanager
def running(
    command: Sequence[str], core: int | None, env: Mapping[str, str] | None = None
) -> Iterator[tuple[int, str]]:
    """A command bound to `core`, stopped at the end; yields its number and its first line. Raises
    CannotMeasure."""
    mine = os.sched_getaffinity(0) if core is not None else set()
    environ = {**os.environ, **(env or {})}
    # Children and their threads inherit the core: they never run elsewhere.
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    finally:
        if core is not None:
            os.sched_setaffinity(0, mine)
    assert process.stdout is not None
    try:
        if not (line := process.stdout.readline()):
            raise CannotMeasure(f"{command[3]} ended before it said anything; see above")
        yield process.pid, line.strip()
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
