"""The server under a load, with each journal, and the relays under the same."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import Final

from msgspec import json, structs

from bench.load.figures import POSTGRES, SQLITE, LoadFigures, Plan, ServerFigures, percentiles
from bench.load.processes import CannotMeasure, allow, python, start, two_cores

LOOPS: Final = ("asyncio", "uvloop") if find_spec("uvloop") else ("asyncio",)
_STOP_S: Final = 10.0
_SPARE_TABLES: Final = 100
_SYNCS: Final = 200
_PAGE_BYTES: Final = 4096
_SEGMENT_MB: Final = 16
"""As PostgreSQL makes them where nobody asks for another size."""


def measure(journal: str, plan: Plan, rounds: int) -> ServerFigures:
    """Measure so many times in turn; returns the round whose ratio to the uvloop relay is the
    median, with the ratios of all. Raises CannotMeasure."""
    allow(2 * plan.matches)
    ranked = sorted((_round(journal, plan) for _ in range(rounds)), key=_ratio)
    return structs.replace(ranked[rounds // 2], ratios=[_ratio(one) for one in ranked])


def _ratio(figures: ServerFigures) -> float:
    return figures.relay_ratio or 0.0


def _round(journal: str, plan: Plan) -> ServerFigures:
    """Put a load on a server of its own, then on a relay on each loop."""
    with own_server(journal, plan.matches, "bench.load.subject") as (process, port):
        served = own_load(structs.replace(plan, port=port, pid=process.pid))
    plan = structs.replace(
        plan,
        action_bytes=round(served.action_bytes / served.moves),
        answer_bytes=round(served.answer_bytes / served.moves),
        update_bytes=round((served.move_bytes - served.answer_bytes) / served.moves / 2),
    )
    relays = {loop: _relayed(loop, plan) for loop in LOOPS}
    sync_ms = _sync_ms() if journal == SQLITE else []
    return ServerFigures(journal=journal, server=served, relays=relays, sync_ms=sync_ms)


def _sync_ms() -> list[float]:
    """How long it takes to write a page of a file where journals are, and to have it on the disk:
    one that was written before, as most are to which SQLite writes."""
    took_s = []
    with tempfile.TemporaryFile(prefix="bench_", buffering=0) as file:
        for _ in range(_SYNCS):
            begun_s = time.perf_counter()
            os.pwrite(file.fileno(), bytes(_PAGE_BYTES), 0)
            os.fdatasync(file.fileno())
            took_s.append(time.perf_counter() - begun_s)
    return [one_s * 1000 for one_s in percentiles(took_s)]


def _relayed(loop: str, plan: Plan) -> LoadFigures:
    args = (loop, str(plan.answer_bytes), str(plan.update_bytes))
    with serving(python("bench.load.relay", *args)) as (process, port):
        with_relay = structs.replace(plan, port=port, pid=process.pid)
        return loaded(python("bench.load.relay_load", json.encode(with_relay).decode()))


@contextmanager
def own_server(
    journal: str, matches: int, module: str, *args: str
) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A real server with a new journal, whose place if any is the module's last argument."""
    limits = {
        "CLOCKTOWERS_LIMITS__CONNECTIONS": str(2 * matches + _SPARE_TABLES),
        "CLOCKTOWERS_LIMITS__TABLES": str(matches + _SPARE_TABLES),
        # A pair alone on a server asks for more rematches than any people could.
        "CLOCKTOWERS_LIMITS__COMMANDS_S": "1000000",
    }
    with _place(journal) as where, serving(python(module, *args, *where), limits) as served:
        yield served


@contextmanager
def _place(journal: str) -> Iterator[Sequence[str]]:
    """Where the journal lies, as an argument, if anywhere. Raises CannotMeasure."""
    if journal == SQLITE:
        with tempfile.TemporaryDirectory(prefix="bench_") as folder:
            yield (folder,)
    elif journal == POSTGRES:
        from tests.stage.postgres import Cluster, missing

        if why := missing():
            raise CannotMeasure(why)
        with closing(Cluster(segment_mb=_SEGMENT_MB)) as cluster:
            yield (cluster.fresh(),)
    else:
        yield ()


def own_load(plan: Plan) -> LoadFigures:
    """Play the plan on a server that `own_server` has started."""
    return loaded(python("bench.load.load", json.encode(plan).decode()))


@contextmanager
def serving(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """What is measured, on the first core; its first line ends with the port that it listens on,
    which is yielded, too. Raises CannotMeasure."""
    cores = two_cores()
    with _running(command, core=cores and cores[0], env=env or {}) as process:
        yield process, int(_first_line(process, "what should be measured").rpartition(":")[2])


def loaded(command: Sequence[str], env: Mapping[str, str] | None = None) -> LoadFigures:
    """What a load generator on the second core has found. Raises CannotMeasure."""
    cores = two_cores()
    with _running(command, core=cores and cores[1], env=env or {}) as process:
        return json.decode(_first_line(process, "the load generator"), type=LoadFigures)


@contextmanager
def _running(
    command: Sequence[str], *, core: int | None, env: Mapping[str, str]
) -> Iterator["subprocess.Popen[str]"]:
    process = start(command, core=core, env={**os.environ, **env})
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _first_line(process: "subprocess.Popen[str]", who: str) -> str:
    line = process.stdout.readline() if process.stdout is not None else ""
    if not line:
        raise CannotMeasure(f"{who} stopped before it said anything; the reason stands above")
    return line.strip()
