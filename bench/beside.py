"""`python -m bench.beside COMMIT`: what a move costs the server here, and at another commit. With
`--there` the other one has another journal: `HEAD --journal postgresql --there sqlite`.

The two run in turn, and each goes first as often as the other, so a machine that others keep busy
slows both. With `--together` they run at the same time and share the cores, so whatever slows one
slows the other in the same moment: a commit beside itself then differs by 1 or 2 %. Believe the
quotient of the pairs, not the microseconds. `--engine GAME` compares random games instead, played
through the rules alone.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import json

from bench.load.figures import JOURNALS, MEMORY, POSTGRES
from protocol.games.registry import GAMES
from server.cli.endings import quietly, refused

_HERE: Final = Path(__file__).parents[1]
_SHOWN: Final = {
    "moves_per_s": "moves a second",
    "cpu_us_per_move": "processor, µs a move",
    "p50_ms": "half of the moves within, ms",
    "rss_per_match_bytes": "memory, bytes a match",
    "bytes_per_move": "bytes a move",
    "games_per_s": "games a second of the processor",
}
_RANDOM_GAMES: Final = _HERE / "bench" / "random_games.py"
_GAMES: Final = 250
"""In each run."""

Run: TypeAlias = Mapping[str, float]
Measured: TypeAlias = Callable[[], Run]
Pair: TypeAlias = Callable[[Measured, Measured, bool], tuple[Run, Run]]


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
    parser.add_argument("--engine", choices=GAMES, metavar="GAME", help="random games, no server")
    parser.add_argument("--players", type=int, default=2, help="of a random game (2)")
    args = parser.parse_args(argv)
    return quietly(lambda: _compare(args))


def _compare(args: argparse.Namespace) -> int:
    pair = _together if args.together else _in_turn
    with tempfile.TemporaryDirectory(prefix="beside_") as folder:
        there = Path(folder)
        theirs = partial(_run, args, there, args.there or args.journal)
        ours = partial(_run, args, _HERE, args.journal)
        try:
            _unpack(args.commit, there)
            pairs = [pair(theirs, ours, bool(n % 2)) for n in range(max(1, args.runs))]
        except subprocess.CalledProcessError as error:
            return refused("bench", f"{' '.join(map(str, error.cmd))} has failed; see above")
    print("\n".join(lines(pairs)))
    return 0


def _unpack(commit: str, folder: Path) -> None:
    archive = folder / "there.tar"
    subprocess.run(["git", "archive", "-o", archive, commit], cwd=_HERE, check=True)
    subprocess.run(["tar", "-x", "-f", archive, "-C", folder], check=True)


def _in_turn(theirs: Measured, ours: Measured, turned: bool) -> tuple[Run, Run]:
    """The other commit's figures and those of this checkout. `turned`: this one goes first."""
    if turned:
        here = ours()
        return theirs(), here
    return theirs(), ours()


def _together(theirs: Measured, ours: Measured, turned: bool) -> tuple[Run, Run]:
    with ThreadPoolExecutor(2) as pool:
        order = [ours, theirs] if turned else [theirs, ours]
        runs = [pool.submit(measured) for measured in order]
        there, here = runs[::-1] if turned else runs
        return there.result(), here.result()


def _run(args: argparse.Namespace, checkout: Path, journal: str) -> Run:
    env = {**os.environ, "PYTHONPATH": str(checkout)}
    if args.engine:
        command = [sys.executable, "-P", _RANDOM_GAMES, args.engine, str(args.players), str(_GAMES)]
        played = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
        return {"games_per_s": float(played.stdout)}
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        load = (f"--matches={args.matches}", f"--seconds={args.seconds}", f"--journal={journal}")
        command = [sys.executable, "-m", "bench.load", "--only=server", *load, "--json", file.name]
        subprocess.run(command, cwd=checkout, env=env, check=True, stdout=subprocess.DEVNULL)
        measured: Any = json.decode(Path(file.name).read_bytes())
    figures: Run = measured["server"][0]["server"]
    return figures


def lines(pairs: Sequence[tuple[Run, Run]]) -> Iterator[str]:
    """A line for each figure: medians and ranges of both, and the quotients of the pairs."""
    for name, words in _SHOWN.items():
        if name not in pairs[0][0]:
            continue
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
