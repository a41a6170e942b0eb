"""`python -m bench.beside COMMIT`: what a move costs the server here, and at another commit. With
`--there` the other one has another journal: `HEAD --journal postgresql --there sqlite`.

The two run in turn, and each goes first as often as the other, so a machine that others keep busy
slows both. With `--together` they run at the same time and share the cores, so whatever slows one
slows the other in the same moment: a commit beside itself then differs by 1 or 2 %. Believe the
quotient of the pairs, not the microseconds.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, TypeAlias

from msgspec import json

from bench.load.figures import JOURNALS, MEMORY, POSTGRES, RATES
from bench.shown import row, spread
from server.cli.common import quietly

_HERE: Final = Path(__file__).parents[1]
Run: TypeAlias = Mapping[str, float]


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, 2 it could not be done as asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    parser.add_argument("commit", metavar="COMMIT", help="of this repository")
    parser.add_argument("--matches", type=int, default=100, help="at once (100)")
    journals = (*JOURNALS, POSTGRES)
    parser.add_argument("--journal", choices=journals, default=MEMORY, help=f"({MEMORY})")
    parser.add_argument("--there", choices=journals, help="the journal of the other one (the same)")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each run (0.5)")
    parser.add_argument("--runs", type=int, default=9, help="of each of the two (9)")
    parser.add_argument("--together", action="store_true", help="both at the same time")
    args = parser.parse_args(argv)
    return quietly(lambda: _compare(args))


def _compare(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="beside_") as folder:
        archive, there = Path(folder, "there.tar"), Path(folder, "there")
        there.mkdir()
        theirs = partial(_run, args, there, args.there or args.journal)
        ours = partial(_run, args, _HERE, args.journal)
        pairs: list[list[Run]] = []
        try:
            git = ("git", "archive", "-o", archive, args.commit)
            subprocess.run(git, cwd=_HERE, check=True)
            subprocess.run(("tar", "-x", "-f", archive, "-C", there), check=True)
            with ThreadPoolExecutor(2 if args.together else 1) as pool:
                for number in range(max(2, args.runs)):
                    order = (theirs, ours) if number % 2 else (ours, theirs)
                    runs = {measured: pool.submit(measured) for measured in order}
                    pairs.append([runs[theirs].result(), runs[ours].result()])
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"{' '.join(map(str, error.cmd))} has failed; see above") from None
    print("\n".join(lines(pairs)))
    return 0


def _run(args: argparse.Namespace, checkout: Path, journal: str) -> Run:
    env = {**os.environ, "PYTHONPATH": str(checkout)}
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        load = (f"--matches={args.matches}", f"--seconds={args.seconds}", f"--journal={journal}")
        command = [sys.executable, "-m", "bench.load", *load, "--json", file.name]
        subprocess.run(command, cwd=checkout, env=env, check=True, stdout=subprocess.DEVNULL)
        measured: Any = json.decode(Path(file.name).read_bytes())
    figures: Run = measured["server"][0]["server"]
    return figures


def lines(pairs: Sequence[Sequence[Run]]) -> Iterator[str]:
    """A line for each figure: medians and ranges of both, the other commit first, and the quotients
    of the pairs with their quartiles."""
    yield row("median (least-most)", "there", "here", "here by there")
    for words, name, places in RATES:
        before, now = ([run[name] for run in side] for side in zip(*pairs, strict=True))
        quotients = [b / a if a else 1.0 for a, b in zip(before, now, strict=True)]
        low, middle, high = quantiles(quotients, n=4, method="inclusive")
        quartiles = f"{middle:.2f} ({low:.2f}-{high:.2f})"
        yield row(words, spread(before, places), spread(now, places), quartiles)


if __name__ == "__main__":
    sys.exit(main())
