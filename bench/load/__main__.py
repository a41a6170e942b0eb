"""`python -m bench.load`: how fast the rules and the server are, compared with the project's
aims."""

import argparse
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import json

from bench.load import engine, serving
from bench.load.figures import JOURNALS, POSTGRES, Figures, Plan
from bench.load.processes import CannotMeasure, two_cores
from bench.load.report import as_json, lines
from server.cli.endings import quietly, refused

MATCHES = (1, 100, 1000)
SECONDS = 5.0
MOST = 10_000
"""Matches, games or seconds; far above what says something new."""


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done as asked."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description="Random games through the rules alone, then through a real server with real "
        "sockets, beside a bare relay of frames of the same size.",
    )
    parser.add_argument("--only", choices=("engine", "server"), help="one of the two halves")
    parser.add_argument(
        "--matches", type=counts, default=MATCHES, metavar="N,N…", help="at once (1,100,1000)"
    )
    parser.add_argument(
        "--seconds", type=seconds, default=SECONDS, help=f"of each run ({SECONDS:g})"
    )
    parser.add_argument(
        "--games", type=count, default=0, help="of each match on the server, not --seconds"
    )
    parser.add_argument(
        "--journal", choices=(*JOURNALS, POSTGRES), help="one of them (the first two)"
    )
    parser.add_argument(
        "--rounds", type=count, default=1, metavar="N", help="of each load; shows the median (1)"
    )
    parser.add_argument("--whole", action="store_true", help="clients ask for whole views")
    parser.add_argument("--seed", type=int, default=0, help="any whole number (0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    args = parser.parse_args(argv)
    return quietly(lambda: _measure_and_tell(args))


def _measure_and_tell(args: argparse.Namespace) -> int:
    try:
        if args.json is not None:
            # Find out now, not after minutes of measuring, that the file cannot be written.
            args.json.touch()
        figures = measure(args)
        print("\n".join(lines(figures)))
        if args.json is not None:
            args.json.write_bytes(json.format(json.encode(as_json(figures))) + b"\n")
    except CannotMeasure as error:
        return refused("bench", str(error))
    except OSError as error:
        return refused("bench", f"{error.filename}: {error.strerror}")
    return 0


def measure(args: argparse.Namespace) -> Figures:
    """Measure everything that was asked for. Raises CannotMeasure, OSError."""
    journals = (args.journal,) if args.journal else JOURNALS
    loads = () if args.only == "engine" else args.matches
    return Figures(
        python=platform.python_version(),
        own_cores=two_cores() is not None,
        seed=args.seed,
        engine=[]
        if args.only == "server"
        else list(engine.measure_all(seconds=args.seconds, seed=args.seed)),
        server=[
            serving.measure(journal, _plan(n, args), args.rounds)
            for n in loads
            for journal in journals
        ],
    )


def _plan(matches: int, args: argparse.Namespace) -> Plan:
    """The load; `serving` says on which process."""
    return Plan(
        port=0,
        pid=0,
        matches=matches,
        games=args.games,
        seconds=args.seconds,
        seed=args.seed,
        changes=not args.whole,
    )


def counts(text: str) -> tuple[int, ...]:
    return tuple(count(part) for part in text.split(","))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number") from None


def count(text: str) -> int:
    value = seconds(text)
    if value != int(value):
        raise argparse.ArgumentTypeError(f"{text} is no whole number")
    return int(value)


def seconds(text: str) -> float:
    value = _number(text)
    if not 0 < value <= MOST:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most {MOST}")
    return value


if __name__ == "__main__":
    sys.exit(main())
