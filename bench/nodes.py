"""`python -m bench.nodes`: moves a second of a server with SQLite, with PostgreSQL, of one node and
of three on one database, and what a move costs that; then how long moves stand still after each
fault.

The servers run in turn, all on the first core, their load on the second: three nodes can play no
more than one here. Stalls are those of moves that had to be sent again, from the first time to the
acknowledgement; the players dial again when a line breaks or is silent for `SILENCE_S`.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from bench.beside import quartiles
from bench.load.figures import LoadFigures, Plan
from bench.load.processes import CannotMeasure, allow, cpu_s, python
from bench.load.serving import own_load, serving
from server.cli.endings import quietly, refused
from tests.stage.cluster_siege import BLOWS, HANG_S, LEASE_S, SILENCE_S, besiege
from tests.stage.postgres import Cluster, missing

SERVERS: Final = {"sqlite": 0, "postgresql": 0, "one node": 1, "three nodes": 3}
"""By name, how many nodes; 0 = a server of its own."""
PEACE_S: Final = (3.0, 4.0)
"""Between two blows, so that all moves go on before the next one."""


class Run(NamedTuple):
    """`server_us`, `database_us`: the processor's time for a move. `wal`: bytes a move that the
    database writes and a standby is sent; `kept`: bytes that an entry takes with its indexes."""

    moves_per_s: float
    server_us: float
    database_us: float = 0.0
    wal: float = 0.0
    kept: float = 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done."""
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__)
    parser.add_argument("--matches", type=int, default=36, help="at once, over all nodes (36)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run (1)")
    parser.add_argument("--rounds", type=int, default=5, help="of the servers in turn; 0: none (5)")
    parser.add_argument("--players", type=int, default=40, help="under each fault (40)")
    parser.add_argument("--blows", type=int, default=6, help="of each fault; 0: none (6)")
    args = parser.parse_args(argv)
    return quietly(lambda: _measure(args))


def _measure(args: argparse.Namespace) -> int:
    try:
        if why := missing():
            raise CannotMeasure(why)
        allow(2 * args.matches)
        for line in chain(_moves(args), _stalls(args)):
            print(line, flush=True)
    except CannotMeasure as error:
        return refused("bench", str(error))
    return 0


def _moves(args: argparse.Namespace) -> Iterator[str]:
    """A line for each server: its moves a second, and beside SQLite in the same round."""
    rounds = [{name: _played(name, args) for name in SERVERS} for _ in range(args.rounds)]
    for name in SERVERS if rounds else ():
        runs = [one[name] for one in rounds]
        rates = [one.moves_per_s for one in runs]
        low, middle, high = quartiles(
            [one[name].moves_per_s / one["sqlite"].moves_per_s for one in rounds]
        )
        server_us, database_us, wal, kept = map(
            statistics.median, list(zip(*runs, strict=True))[1:]
        )
        yield (
            f"{name}: {statistics.median(rates):.0f} moves a second "
            f"({min(rates):.0f}-{max(rates):.0f}), {middle:.2f} x sqlite ({low:.2f}-{high:.2f}); "
            f"a move: {server_us:.0f} µs of the servers, {database_us:.0f} of the database, "
            f"{wal:.0f} bytes of WAL, {kept:.0f} kept"
        )


def _played(name: str, args: argparse.Namespace) -> Run:
    with ExitStack() as stack:
        database = None if name == "sqlite" else stack.enter_context(closing(Cluster()))
        url = "" if database is None else database.fresh()
        served = stack.enter_context(_servers(name, url, args.matches))
        loads = stack.enter_context(ThreadPoolExecutor(len(served)))
        before = _cost(database, url)
        plans = [
            Plan(
                port=port,
                pid=pid,
                matches=args.matches // len(served),
                games=0,
                seconds=args.seconds,
                seed=number,
            )
            for number, (pid, port) in enumerate(served)
        ]
        figures: list[LoadFigures] = list(loads.map(own_load, plans))
        after = _cost(database, url)
    moves = sum(one.moves for one in figures)
    cpu_s, wal, entries, kept = (now - was for was, now in zip(before, after, strict=True))
    return Run(
        sum(one.moves_per_s for one in figures),
        sum(one.cpu_s for one in figures) / moves * 1e6,
        cpu_s / max(1, entries) * 1e6,
        wal / max(1, entries),
        kept / max(1, entries),
    )


def _cost(database: Cluster | None, url: str) -> tuple[float, ...]:
    """So far: the processor's time of all its processes that run, bytes of WAL, entries, and bytes
    that these take."""
    if database is None:
        return (0.0, 0.0, 0.0, 0.0)
    spent_s = 0.0
    for (pid,) in database.ask("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"):
        with suppress(OSError):
            spent_s += cpu_s(pid)
    ((wal, entries, kept),) = database.ask(
        "SELECT pg_current_wal_lsn() - '0/0', (SELECT count(*) FROM entry), "
        "pg_total_relation_size('entry')",
        url,
    )
    return spent_s, float(wal), entries, kept


@contextmanager
def _servers(name: str, url: str, matches: int) -> Iterator[Sequence[tuple[int, int]]]:
    """The process and the port of each."""
    limits = {
        "CLOCKTOWERS_LIMITS__CONNECTIONS": str(2 * matches + 100),
        "CLOCKTOWERS_LIMITS__TABLES": str(matches + 100),
        "CLOCKTOWERS_LIMITS__COMMANDS_S": "1000000",
        "CLOCKTOWERS_ANNOUNCE": "false",
        "CLOCKTOWERS_LOG_LEVEL": "error",
        "CLOCKTOWERS_JOURNAL": url,
    }
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench_")))
        served = []
        for number in range(max(1, SERVERS[name])):
            env = {"CLOCKTOWERS_NODE": f"n{number}"} if SERVERS[name] else {}
            state = ("--state", str(home / str(number)))
            command = python("server", "serve", "--host", "127.0.0.1", "--port", "0", *state)
            process, port = stack.enter_context(serving(command, {**limits, **env}))
            served.append((process.pid, port))
        yield served


def _stalls(args: argparse.Namespace) -> Iterator[str]:
    """A line for each fault."""
    if args.blows:
        yield f"lease {LEASE_S:g} s, hangs {HANG_S:g} s, silence {SILENCE_S:g} s:"
    for blow in BLOWS if args.blows else ():
        with tempfile.TemporaryDirectory() as home, closing(Cluster()) as database:
            siege = besiege(
                Path(home),
                database,
                [blow] * args.blows,
                players=args.players,
                patient=False,
                peace_s=PEACE_S,
            )
            found = asyncio.run(siege)
        stalls_s = sorted(found.stalls_s) or [0.0]
        yield (
            f"{blow}: {found.acknowledged} moves, {len(found.stalls_s)} interrupted, stall p50 "
            f"{statistics.median(stalls_s) * 1000:.0f} ms, most {stalls_s[-1] * 1000:.0f} ms; "
            f"{'LAWS BROKEN: ' + str(found) if found.broken else 'nothing lost'}"
        )


if __name__ == "__main__":
    sys.exit(main())
