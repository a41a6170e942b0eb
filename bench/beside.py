"""`python -m bench.beside COMMIT`: what a move costs the server here, and at another commit, both
under the load of this one. With `--there` the other one has another journal: `HEAD --journal
postgresql --there sqlite`.

The two run in turn, and each goes first as often as the other, so a machine that others keep busy
slows both. With `--together` they run at the same time and share the cores, so whatever slows one
slows the other in the same moment: a commit beside itself then differs by 1 or 2 %. Believe the
quotient of the pairs, not the microseconds.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Final, TypeAlias

from bench.load.figures import JOURNALS, MEMORY, POSTGRES, RATES, LoadPlan
from bench.load.measuring import on_our_server
from bench.shown import row, spread
from server.cli.common import quietly

_HERE: Final = Path(__file__).parents[1]
Run: TypeAlias = Mapping[str, float]


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 measured, else a sentence says why not."""
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
        archive = ("git", "archive", "--format=tar", args.commit)
        packed = subprocess.run(archive, cwd=_HERE, stdout=subprocess.PIPE)
        if packed.returncode:
            raise SystemExit(f"{' '.join(archive)} has failed; see above")
        subprocess.run(("tar", "-x", "-C", folder), input=packed.stdout, check=True)
        pairs = asyncio.run(_measured(args, Path(folder)))
    print("\n".join(lines(pairs)))
    return 0


async def _measured(args: argparse.Namespace, there: Path) -> list[Sequence[Run]]:
    """Pairs of runs, the other commit's first."""
    plan = LoadPlan(matches=args.matches, seconds=args.seconds)
    at_once = asyncio.Semaphore(2 if args.together else 1)

    async def run(checkout: Path, journal: str) -> Run:
        async with at_once:
            found = await on_our_server(journal, plan, {"PYTHONPATH": str(checkout)})
        return found.rates()

    pairs = list[Sequence[Run]]()
    for number in range(max(2, args.runs)):
        both = (there, args.there or args.journal), (_HERE, args.journal)
        turn = 1 if number % 2 else -1
        found = await asyncio.gather(*(run(*one) for one in both[::turn]))
        pairs.append(found[::turn])
    return pairs


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
