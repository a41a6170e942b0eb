"""What compiling the core gains: `python -m bench.compiled`, after `make compiled`.

Both builds play the same matches among bots, in turn, so that whatever slows the machine slows
both. It prints the median of the processor's times of each, and their ratio; where a record differs
by a byte it ends with 1, since a level is the same on every build.
"""

import argparse
import hashlib
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Final

from bench.shown import row, spread
from protocol.games.registry import GAMES as VOCABULARIES
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line

COMPILED: Final = Path(__file__).parents[1] / ".venv-compiled" / "bin" / "python"
BUILDS: Final = (sys.executable, str(COMPILED))
COURSES: Final = (
    ("clocktowers", "random", 400),
    ("clocktowers", "normal", 30),
    ("clocktowers", "hard", 1),
    ("clocktowers", "expert", 1),
    ("architetti_attenti", "normal", 10),
    ("architetti_attenti", "hard", 4),
    ("architetti_attenti", "expert", 1),
)
"""Game, level of both seats, how many matches."""


def played(game: str, level: str, matches: int) -> tuple[float, str]:
    """The processor's seconds, and a digest of the records."""
    options = VOCABULARIES[game].options()
    series, digest = Series(GAMES[game], options, (level, level), 7), hashlib.sha256()
    begun_s = time.process_time()
    for number in range(matches):
        digest.update(line(play(series, number)))
    return time.process_time() - begun_s, digest.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.compiled", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="of each (3)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(*played(*COURSES[given.one]))
        return 0
    if not COMPILED.exists():
        raise SystemExit("no core is compiled here; `make compiled` does it")
    differ, rounds = 0, range(max(1, given.rounds))
    print(row("game, level, matches", "pure, s", "compiled, s", "quotient", "records"))
    for number, course in enumerate(COURSES):
        found = [[_played_by(python, number) for python in BUILDS] for _ in rounds]
        pure, compiled = ([float(run[0]) for run in build] for build in zip(*found, strict=True))
        same = len({run[1] for builds in found for run in builds}) == 1
        quotient = f"{median(compiled) / median(pure):.2f}"
        said = (spread(pure, 2), spread(compiled, 2), quotient, "the same" if same else "DIFFER")
        print(row(" ".join(map(str, course)), *said), flush=True)
        differ += not same
    return differ > 0


def _played_by(python: str, number: int) -> list[str]:
    """As `played`, by that Python."""
    command = (python, "-P", "-m", "bench.compiled", "--one", str(number))
    return subprocess.check_output(command, text=True).split()


if __name__ == "__main__":
    sys.exit(main())
