"""`python -m bench.load`, or `make bench`: what moves cost a real server with real sockets, beside
a bare relay of frames of the same size, and compared with the project's aims."""

import argparse
import asyncio
import platform
import sys
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from bench.load.figures import JOURNALS, MEMORY, POSTGRES, SQLITE, LoadPlan, ServerFigures, table
from bench.load.measuring import measured
from bench.shown import row, spread, verdict
from server.cli.common import quietly

MAX_RELAY_RATIO: Final = {MEMORY: 2.3, SQLITE: 2.8}
"""By journal: server CPU for a move, by that of the relay, which only passes bytes on."""
MAX_LATENCY_RATIO: Final = {"p50_ms": 2.0, "p99_ms": 2.5}
"""At one match: the server's latency by the relay's."""
MAX_BYTES_PER_MOVE: Final = 400
"""To both seats, answers included: a match over a slow connection still feels immediate."""
MAX_MATCH_BYTES: Final = 20_000
"""Of the server's memory, with both connections; a thousand matches fit a small machine."""
FEW, BUSY, MANY = 1, 100, 1000
"""Matches at once."""


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, else a sentence says why not."""
    parser = of_loads("python -m bench.load", __doc__, rounds=1)
    journals = (*JOURNALS, POSTGRES)
    parser.add_argument("--journal", choices=journals, help="one of them (the first two)")
    args = parser.parse_args(argv)
    return quietly(lambda: _measure_and_tell(args))


def of_loads(program: str, does: str | None, rounds: int) -> argparse.ArgumentParser:
    """What each program asks for that puts loads on servers."""
    parser = argparse.ArgumentParser(prog=program, description=does)
    say = parser.add_argument
    say("--matches", type=counts, default=(FEW, BUSY, MANY), metavar="N,N…", help="at once")
    say("--seconds", type=float, default=5.0, help="of each run (5)")
    say("--rounds", type=int, default=rounds, help=f"of each load; shows the median ({rounds})")
    say("--seed", type=int, default=0, help="any whole number (0)")
    return parser


def counts(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _measure_and_tell(args: argparse.Namespace) -> int:
    print(f"Python {platform.python_version()}, seed {args.seed}")
    loads = []
    for matches in args.matches:
        plan = LoadPlan(matches=matches, seconds=args.seconds, seed=args.seed)
        for journal in (args.journal,) if args.journal else JOURNALS:
            loads.append(asyncio.run(measured(journal, plan, args.rounds)))
            print("", *lines(loads[-1]), sep="\n", flush=True)
    print("\naims", *aims(loads), sep="\n")
    return 0


def aims(found: Sequence[ServerFigures]) -> Iterator[str]:
    """A line for each of which there is a figure."""
    for one in found:
        matches, journal = one.server[0].matches, one.journal
        if matches >= BUSY and journal in MAX_RELAY_RATIO:
            what = f"CPU a move by the relay's, {matches}, {journal}"
            yield _aim(what, MAX_RELAY_RATIO[journal], one.ratios("cpu_us_per_move"))
        if matches == FEW and journal == MEMORY:
            for rate, most in MAX_LATENCY_RATIO.items():
                yield _aim(f"latency by the relay's, one match, {rate}", most, one.ratios(rate))
        if matches == MANY and journal == MEMORY:
            memory = [run.rates()["rss_per_match_bytes"] for run in one.server]
            yield _aim(f"bytes of memory a match, {MANY} matches", MAX_MATCH_BYTES, memory)
    sizes = [run.rates()["bytes_per_move"] for one in found for run in one.server]
    yield _aim("bytes a move to both seats, whole games", MAX_BYTES_PER_MOVE, sizes)


def _aim(what: str, most: float, values: Sequence[float]) -> str:
    return row(what, spread(values, 2), f"at most {most:,g}", verdict(met=median(values) <= most))


def lines(one: ServerFigures) -> Iterator[str]:
    """A load in words."""
    title = f"{one.server[0].matches} matches, journal: {one.journal}"
    yield from table(title, {"server": one.server, "relay": one.relay})
    yield row("CPU a move by the relay's", spread(one.ratios("cpu_us_per_move"), 2))
    latency = (spread(one.ratios(rate), 2) for rate in MAX_LATENCY_RATIO)
    yield row("latency by the relay's, half and 99 of 100", *latency)


if __name__ == "__main__":
    sys.exit(main())
