"""`python -m bench.beside COMMIT`: what a move costs the server here, and at another commit. With
`--there` the other one has another journal: `HEAD --journal postgresql --there sqlite`.

The two run in turn, and each goes first as often as the other, so a machine that others keep busy
slows both. With `--together` they run at the same time and share the cores, so whatever slows one
slows the other in the same moment: a commit beside itself then differs by 1 or 2 %. Believe the
quotient of the pairs, not the microseconds.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import json

from bench.load.figures import JOURNALS, MEMORY, POSTGRES
from server.cli.endings import quietly, refused

_HERE: Final = Path(__file__).parents[1]
_SHOWN: Final = {
    "moves_per_s": "moves a second",
    "cpu_us_per_move": "processor, µs a move",
    "p50_ms": "half of the moves within, ms",
    "rss_per_match_bytes": "memory, bytes a match",
    "bytes_per_move": "bytes a move",
}

Run: TypeAlias = Mapping[str, float]
Load: TypeAlias = Sequence[str]
Pair: TypeAlias = Callable[[Path, tuple[Load, Load], bool], tuple[Run, Run]]


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
    load = (f"--matches={args.matches}", f"--seconds={args.seconds}", "--journal")
    loads = (*load, args.there or args.journal), (*load, args.journal)
    pair = _together if args.together else _in_turn
    return quietly(lambda: _compare(args.commit, loads, max(1, args.runs), pair))


def _compare(commit: str, loads: tuple[Load, Load], runs: int, pair: Pair) -> int:
    """`loads`: of the other commit and of this checkout."""
    with tempfile.TemporaryDirectory(prefix="beside_") as folder:
        there = Path(folder)
        try:
            _unpack(commit, there)
            pairs = [pair(there, loads, bool(n % 2)) for n in range(runs)]
        except subprocess.CalledProcessError as error:
            return refused("bench", f"{' '.join(map(str, error.cmd))} has failed; see above")
    print("\n".join(lines(pairs)))
    return 0


def _unpack(commit: str, folder: Path) -> None:
    archive = folder / "there.tar"
    subprocess.run(["git", "archive", "-o", archive, commit], cwd=_HERE, check=True)
    subprocess.run(["tar", "-x", "-f", archive, "-C", folder], check=True)


def _in_turn(there: Path, loads: tuple[Load, Load], turned: bool) -> tuple[Run, Run]:
    """The other commit's figures and those of this checkout. `turned`: this one goes first."""
    theirs, ours = loads
    if turned:
        here = _run(_HERE, ours)
        return _run(there, theirs), here
    return _run(there, theirs), _run(_HERE, ours)


def _together(there: Path, loads: tuple[Load, Load], turned: bool) -> tuple[Run, Run]:
    places = [(there, loads[0]), (_HERE, loads[1])]
    with ThreadPoolExecutor(len(places)) as pool:
        order = places[::-1] if turned else places
        runs = [pool.submit(_run, *place) for place in order]
        theirs, ours = runs[::-1] if turned else runs
        return theirs.result(), ours.result()


def _run(checkout: Path, load: Load) -> Run:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, "-m", "bench.load", "--only=server", *load, "--json", file.name]
        env = {**os.environ, "PYTHONPATH": str(checkout)}
        subprocess.run(command, cwd=checkout, env=env, check=True, stdout=subprocess.DEVNULL)
        measured: Any = json.decode(Path(file.name).read_bytes())
    figures: Run = measured["server"][0]["server"]
    return figures


def lines(pairs: Sequence[tuple[Run, Run]]) -> Iterator[str]:
    """A line for each figure: medians and ranges of both, and the quotients of the pairs."""
    for name, words in _SHOWN.items():
        before, now = ([run[name] for run in side] for side in zip(*pairs, strict=True))
        low, middle, high = quartiles(
            [b / a if a else 1.0 for a, b in zip(before, now, strict=True)]
        )
        yield (
            f"{words}: {_range(before)} there, {_range(now)} here; "
            f"quotient of each pair {middle:.2f} ({low:.2f}-{high:.2f})"
        )


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The first, the median and the third; of one value that."""
    if len(values) == 1:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _range(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.4g} ({min(values):.4g}-{max(values):.4g})"


if __name__ == "__main__":
    sys.exit(main())
