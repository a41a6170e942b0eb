"""How long the review of a match takes, and what it finds of bots: `python -m bench.review`.

Each review is made by the process that a client starts, as in `clocktowers review`: of all seats,
in matches of two against `expert`. It prints seconds until the first finding and until the last,
the processor's time, and by level of the first seat the mistakes of both and what they cost: a
level that plays worse has to lose more.
"""

import argparse
import asyncio
import os
import resource
import time
from contextlib import aclosing
from statistics import mean, median
from typing import Final, NamedTuple

from clocktowers_tui.history.review import made, mistakes
from protocol.recording import POINT
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line

_SEED: Final = 7


class Measured(NamedTuple):
    """Of one review. `lost`: points. The processor's time is that of all its processes."""

    first_s: float
    whole_s: float
    processor_s: float
    mistakes: int
    lost: float


async def measured(record: bytes) -> Measured:
    began_s, used, first_s = time.monotonic(), _processor_s(), 0.0
    async with aclosing(made(record, "", 0)) as review:
        async for newest in review:
            if newest.findings and not first_s:
                first_s = time.monotonic() - began_s
    whole_s, lost = time.monotonic() - began_s, [one.lost for one in mistakes(newest)]
    return Measured(first_s, whole_s, _processor_s() - used, len(lost), sum(lost) / POINT)


def _processor_s() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.review", description=__doc__)
    judged = [game for game, words in GAMES.items() if words.judge is not None]
    parser.add_argument("--game", choices=judged, help="only this one")
    parser.add_argument("--levels", default="random,easy,normal,hard,expert")
    parser.add_argument("--matches", type=int, default=2, help="of each level (2)")
    given = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for game in [given.game] if given.game else judged:
        options = GAMES[game].notation.options_from_record({})
        for level in given.levels.split(","):
            series = Series(GAMES[game], options, (level, "expert"), _SEED)
            records = [line(play(series, number)).strip() for number in range(given.matches)]
            found = [asyncio.run(measured(record)) for record in records]
            first, whole, processor, wrong, lost = zip(*found, strict=True)
            print(
                f"{game}, {level}: first after {median(first):.1f} s, all after "
                f"{median(whole):.1f} s, processor {median(processor):.1f} s; "
                f"{mean(wrong):.1f} mistakes, {mean(lost):.1f} points",
                flush=True,
            )


if __name__ == "__main__":
    main()
