"""The server under a load, with each journal, and the relay under the same."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Final

from msgspec import json, structs

from bench.load.figures import POSTGRES, SQLITE, LoadFigures, Plan, ServerFigures
from bench.load.processes import CannotMeasure, allow, python, running, two_cores

_SPARE_TABLES: Final = 100
_SEGMENT_MB: Final = 16
"""As PostgreSQL makes them where nobody asks for another size."""


def measure(journal: str, plan: Plan, rounds: int) -> ServerFigures:
    """Measure so many times in turn; returns the round whose ratio to the relay is the median, with
    the ratios of all. Raises CannotMeasure."""
    allow(2 * plan.matches)
    ranked = sorted((_round(journal, plan) for _ in range(rounds)), key=_ratio)
    return structs.replace(ranked[rounds // 2], ratios=[_ratio(one) for one in ranked])


def _ratio(figures: ServerFigures) -> float:
    return figures.ratio("cpu_us_per_move")


def _round(journal: str, plan: Plan) -> ServerFigures:
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


def on_our_server(journal: str, plan: Plan, deal: str = "") -> LoadFigures:
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
    measured: Sequence[str], load: Sequence[str], plan: Plan, env: Mapping[str, str] | None = None
) -> LoadFigures:
    """What a load generator on the second core finds of a program on the first, whose first line
    ends with the port that it listens on. Raises CannotMeasure."""
    first, second = two_cores()
    with running(measured, first, env) as (pid, line):
        plan = structs.replace(plan, port=int(line.rpartition(":")[2]), pid=pid)
        with running([*load, json.encode(plan).decode()], second, env) as (_pid, told):
            return json.decode(told, type=LoadFigures)
