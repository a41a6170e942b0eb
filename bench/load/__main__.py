"""`python -m bench.load`, or `make bench`: what moves cost a real server with real sockets, beside
a bare relay of frames of the same size, and compared with the project's aims."""

import argparse
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import json

from bench.load import serving
from bench.load.figures import JOURNALS, POSTGRES, Figures, Plan
from bench.load.processes import CannotMeasure, two_cores
from bench.load.report import as_json, lines
from server.cli.endings import quietly, refused

MATCHES: Final = (1, 100, 1000)
SECONDS: Final = 5.0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done as asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    say = parser.add_argument
    # `bench.beside` measures commits, too, that had more than the server.
    say("--only", choices=("server",), help=argparse.SUPPRESS)
    say("--matches", type=counts, default=MATCHES, metavar="N,N…", help="at once (1,100,1000)")
    say("--seconds", type=float, default=SECONDS, help=f"of each run ({SECONDS:g})")
    say("--games", type=count, default=0, help="of each match on the server, not --seconds")
    say("--journal", choices=(*JOURNALS, POSTGRES), help="one of them (the first two)")
    say("--rounds", type=count, default=1, help="of each load; shows the median (1)")
    say("--whole", action="store_true", help="clients ask for whole views")
    say("--seed", type=int, default=0, help="any whole number (0)")
    say("--json", type=Path, metavar="FILE", help="write all figures there, too")
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
    return Figures(
        python=platform.python_version(),
        own_cores=two_cores()[0] is not None,
        seed=args.seed,
        server=[
            serving.measure(journal, _plan(n, args), args.rounds)
            for n in args.matches
            for journal in ((args.journal,) if args.journal else JOURNALS)
        ],
    )


def _plan(matches: int, args: argparse.Namespace) -> Plan:
    return Plan(
        matches=matches,
        games=args.games,
        seconds=args.seconds,
        seed=args.seed,
        changes=not args.whole,
    )


def count(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError
    return value


def counts(text: str) -> tuple[int, ...]:
    return tuple(map(count, text.split(",")))


if __name__ == "__main__":
    sys.exit(main())
