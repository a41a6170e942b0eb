"""The server under a load, with either journal, and the relays under the same."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

from msgspec import json, structs

from bench.load.figures import SQLITE, LoadFigures, Plan, ServerFigures
from bench.load.processes import CannotMeasure, allow, start, two_cores

LOOPS: Final = ("asyncio", "uvloop") if find_spec("uvloop") else ("asyncio",)
_STOP_S: Final = 10.0
_SPARE_TABLES: Final = 100


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
    with _server(journal, plan.matches) as (process, port):
        served = _load("bench.load.load", structs.replace(plan, port=port, pid=process.pid))
    plan = structs.replace(
        plan,
        action_bytes=round(served.action_bytes / served.moves),
        answer_bytes=round(served.answer_bytes / served.moves),
        update_bytes=round((served.move_bytes - served.answer_bytes) / served.moves / 2),
    )
    relays = {loop: _relayed(loop, plan) for loop in LOOPS}
    return ServerFigures(journal=journal, server=served, relays=relays)


def _relayed(loop: str, plan: Plan) -> LoadFigures:
    with _relay(loop, plan) as (process, port):
        load = structs.replace(plan, port=port, pid=process.pid)
        return _load("bench.load.relay_load", load)


@contextmanager
def _server(journal: str, matches: int) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A real server with a new journal; yields the port that it listens on."""
    cores = two_cores()
    limits = {
        "CLOCKTOWERS_LIMITS__CONNECTIONS": str(2 * matches + _SPARE_TABLES),
        "CLOCKTOWERS_LIMITS__TABLES": str(matches + _SPARE_TABLES),
        # A pair alone on a server asks for more rematches than any people could.
        "CLOCKTOWERS_LIMITS__COMMANDS_S": "1000000",
    }
    subject = "bench.load.subject"
    with tempfile.TemporaryDirectory(prefix="bench_") as folder:
        where = (folder,) if journal == SQLITE else ()
        with _running(subject, *where, core=cores and cores[0], env=limits) as process:
            yield process, int(_first_line(process).rpartition(":")[2])


@contextmanager
def _relay(loop: str, plan: Plan) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    cores = two_cores()
    args = (loop, str(plan.answer_bytes), str(plan.update_bytes))
    with _running("bench.load.relay", *args, core=cores and cores[0]) as process:
        yield process, int(_first_line(process))


@contextmanager
def _running(
    module: str, *args: str, core: int | None, env: dict[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    process = start(module, *args, core=core, env={**os.environ, **(env or {})})
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


def _first_line(process: "subprocess.Popen[str]") -> str:
    line = process.stdout.readline() if process.stdout is not None else ""
    if not line:
        raise CannotMeasure("what should be measured did not start; the reason stands above")
    return line.strip()


def _load(module: str, plan: Plan) -> LoadFigures:
    cores = two_cores()
    with _running(module, json.encode(plan).decode(), core=cores and cores[1]) as process:
        line = process.stdout.readline() if process.stdout is not None else ""
        if not line:
            raise CannotMeasure("the load generator stopped; the reason stands above")
        return json.decode(line, type=LoadFigures)
