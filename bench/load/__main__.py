"""`python -m bench.load`, or `make bench`: what moves cost a real server with real sockets, beside
a bare relay of frames of the same size, and compared with the project's aims."""

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import json, to_builtins

from bench.load.figures import JOURNALS, MEMORY, POSTGRES, SQLITE, LoadPlan, ServerFigures
from bench.load.processes import CannotMeasure, measured, two_cores
from server.cli.common import quietly

MATCHES: Final = (1, 100, 1000)
SECONDS: Final = 5.0

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

RATES: Final = (
    ("moves a second", "moves_per_s", 0),
    ("move to opponent's update, ms, half of them within", "p50_ms", 2),
    ("    99 of 100 within", "p99_ms", 2),
    ("CPU a move, microseconds", "cpu_us_per_move", 1),
    ("CPU of the load generator a move", "load_cpu_us_per_move", 1),
    ("bytes a move, to both seats", "bytes_per_move", 1),
    ("memory a match, bytes", "rss_per_match_bytes", 0),
)
_RATIO: Final = "CPU a move by the relay's"
_LATENCY_RATIO: Final = "latency by the relay's, half and 99 of 100"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done as asked."""
    parser = of_loads("python -m bench.load", __doc__, rounds=1)
    say = parser.add_argument
    # `bench.beside` measures commits, too, that had more than the server.
    say("--only", choices=("server",), help=argparse.SUPPRESS)
    say("--games", type=count, default=0, help="of each match on the server, not --seconds")
    say("--journal", choices=(*JOURNALS, POSTGRES), help="one of them (the first two)")
    say("--json", type=Path, metavar="FILE", help="write all figures there, too")
    args = parser.parse_args(argv)
    return quietly(lambda: _measure_and_tell(args))


def of_loads(program: str, does: str | None, rounds: int) -> argparse.ArgumentParser:
    """What each program asks for that puts loads on servers."""
    parser = argparse.ArgumentParser(prog=program, description=does)
    say = parser.add_argument
    say("--matches", type=counts, default=MATCHES, metavar="N,N…", help="at once (1,100,1000)")
    say("--seconds", type=float, default=SECONDS, help=f"of each run ({SECONDS:g})")
    say("--rounds", type=count, default=rounds, help=f"of each load; shows the median ({rounds})")
    say("--seed", type=int, default=0, help="any whole number (0)")
    return parser


def count(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError
    return value


def counts(text: str) -> tuple[int, ...]:
    return tuple(map(count, text.split(",")))


def _measure_and_tell(args: argparse.Namespace) -> int:
    try:
        if args.json is not None:
            # Find out now, not after minutes of measuring, that the file cannot be written.
            args.json.touch()
        print(f"Python {platform.python_version()}, seed {args.seed}")
        if two_cores()[0] is None:
            print("note: there is one core only, so the load runs on the server's")
        loads = []
        for one in _loads(args):
            print("", *lines(one), sep="\n", flush=True)
            loads.append(one)
        print("\naims", *aims(loads), sep="\n")
        if args.json is not None:
            args.json.write_bytes(json.format(json.encode(as_json(loads))) + b"\n")
    except CannotMeasure as error:
        raise SystemExit(str(error)) from None
    except OSError as error:
        raise SystemExit(f"{error.filename}: {error.strerror}") from None
    return 0


def _loads(args: argparse.Namespace) -> Iterator[ServerFigures]:
    """Raises CannotMeasure, OSError."""
    for matches in args.matches:
        plan = LoadPlan(matches=matches, games=args.games, seconds=args.seconds, seed=args.seed)
        for journal in (args.journal,) if args.journal else JOURNALS:
            yield measured(journal, plan, args.rounds)


def aims(found: Sequence[ServerFigures]) -> Iterator[str]:
    """A line for each of which there is a figure."""
    for one in found:
        matches, journal = one.server.matches, one.journal
        if matches >= BUSY and journal in MAX_RELAY_RATIO:
            what = f"server CPU a move by the relay's, {matches} matches, {journal}"
            yield _aim(what, MAX_RELAY_RATIO[journal], one.ratio("cpu_us_per_move"))
        if matches == FEW and journal == MEMORY:
            for rate, most in MAX_LATENCY_RATIO.items():
                yield _aim(f"latency by the relay's, one match, {rate}", most, one.ratio(rate))
        if matches == MANY and journal == MEMORY:
            memory = one.server.rates()["rss_per_match_bytes"]
            yield _aim(f"bytes of memory a match, {MANY} matches", MAX_MATCH_BYTES, memory)
    sizes = [one.server.rates()["bytes_per_move"] for one in found]
    yield _aim("bytes a move to both seats, whole games", MAX_BYTES_PER_MOVE, max(sizes))


def _aim(what: str, most: float, value: float) -> str:
    verdict, places = "met" if value <= most else "MISSED", 1 if value >= 10 else 2
    return f"  {verdict:7} {what}: {value:,.{places}f} (at most {most:,g})"


def as_json(loads: Sequence[ServerFigures]) -> Any:
    """Everything measured, and everything computed from it."""
    told: Any = to_builtins(loads)
    for one, load in zip(told, loads, strict=True):
        one["server"] |= load.server.rates()
        one["relay"] |= load.relay.rates()
    return {"server": told}


def lines(one: ServerFigures) -> Iterator[str]:
    """A load in words."""
    title = f"{one.server.matches} matches, {one.server.games} games, journal: {one.journal}"
    yield f"{title:52}{'server':>16}{'relay':>16}"
    server, relay = one.server.rates(), one.relay.rates()
    for words, rate, places in RATES:
        yield f"  {words:50}{server[rate]:>16,.{places}f}{relay[rate]:>16,.{places}f}"
    spread = f" ({one.ratios[0]:.1f}-{one.ratios[-1]:.1f})" if len(one.ratios) > 1 else ""
    yield f"  {_RATIO:50}{one.ratio('cpu_us_per_move'):>16.2f}{spread}"
    latency = ", ".join(f"{one.ratio(rate):.2f}" for rate in MAX_LATENCY_RATIO)
    yield f"  {_LATENCY_RATIO:50}{latency:>16}"
    if one.server.matches < BUSY:
        yield "  (so few matches say little of memory: what any server needs once is in it)"


if __name__ == "__main__":
    sys.exit(main())
