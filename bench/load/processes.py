"""The processes of a measurement, each on a core of its own and watched through /proc: the server
with each journal or the relay, and the load on it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import json, structs

from bench.load.figures import POSTGRES, SQLITE, LoadFigures, LoadPlan, ServerFigures
from server.net.listener import connections_allowed

_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_STOP_S: Final = 10.0
_SPARE_TABLES: Final = 100
_SEGMENT_MB: Final = 16
"""As PostgreSQL makes them where nobody asks for another size."""


class CannotMeasure(Exception):
    """This machine does not allow the measurement; the text is a sentence that says what to do."""


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
    command: Sequence[str], core: int | None, env: Mapping[str, str] = {}
) -> Iterator[tuple[int, str]]:
    """A command bound to `core`, stopped at the end; yields its number and its first line. Raises
    CannotMeasure."""
    mine = os.sched_getaffinity(0) if core is not None else set()
    environ = {**os.environ, **env}
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


def measured(journal: str, plan: LoadPlan, rounds: int) -> ServerFigures:
    """Measure so many times in turn; returns the round whose ratio to the relay is the median, with
    the ratios of all. Raises CannotMeasure."""
    found = [_round(journal, plan) for _ in range(rounds)]
    ranked = sorted(found, key=lambda one: one.ratio("cpu_us_per_move"))
    ratios = [one.ratio("cpu_us_per_move") for one in ranked]
    return structs.replace(ranked[rounds // 2], ratios=ratios)


def _round(journal: str, plan: LoadPlan) -> ServerFigures:
    """Put a load on a server of its own, then on a relay."""
    served = on_our_server(journal, plan)
    sizes = {
        "action_bytes": round(served.action_bytes / served.moves),
        "answer_bytes": round(served.answer_bytes / served.moves),
        "update_bytes": round((served.move_bytes - served.answer_bytes) / served.moves / 2),
    }
    frames = str(sizes["answer_bytes"]), str(sizes["update_bytes"])
    relay = python("bench.load.relay", "serve", *frames)
    relay_load = python("bench.load.relay", "load")
    relayed = loaded(relay, relay_load, structs.replace(plan, **sizes))
    return ServerFigures(journal=journal, server=served, relay=relayed)


def on_our_server(journal: str, plan: LoadPlan, deal: str = "") -> LoadFigures:
    """The plan on a real server with a new journal. `deal`: the seed of every match, in
    hexadecimal. Raises CannotMeasure."""
    limits = {
        "CLOCKTOWERS_LIMITS__CONNECTIONS": str(2 * plan.matches + _SPARE_TABLES),
        "CLOCKTOWERS_LIMITS__TABLES": str(plan.matches + _SPARE_TABLES),
        # A pair alone on a server asks for more rematches than any people could.
        "CLOCKTOWERS_LIMITS__COMMANDS_S": "1000000",
    }
    with _place(journal) as where:
        command = python("bench.load.subject", where, deal)
        return loaded(command, python("bench.load.load"), plan, limits)


@contextmanager
def _place(journal: str) -> Iterator[str]:
    """Where the journal lies, if anywhere. Raises CannotMeasure."""
    if journal == SQLITE:
        with tempfile.TemporaryDirectory(prefix="bench_") as folder:
            yield folder
    elif journal == POSTGRES:
        from tests.stage.postgres import Cluster, missing

        if why := missing():
            raise CannotMeasure(why)
        with closing(Cluster(segment_mb=_SEGMENT_MB)) as cluster:
            yield cluster.fresh()
    else:
        yield ""


def loaded(
    subject: Sequence[str], load: Sequence[str], plan: LoadPlan, env: Mapping[str, str] = {}
) -> LoadFigures:
    """What a load generator on the second core finds of a program on the first, whose first line
    ends with the port that it listens on. Raises CannotMeasure."""
    allow(2 * plan.matches)
    first, second = two_cores()
    with running(subject, first, env) as (pid, line):
        plan = structs.replace(plan, port=int(line.rpartition(":")[2]), pid=pid)
        with running([*load, json.encode(plan).decode()], second, env) as (_pid, told):
            return json.decode(told, type=LoadFigures)
