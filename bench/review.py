"""How long the review of a match takes, and what it finds of bots: `python -m bench.review`.

Each review is made by the process that a client starts, as in `clocktowers review`: of all seats,
in matches against `expert`. It prints seconds until the first finding and until the last, the
processor's time, and by level of the first seat its mistakes and what they cost: a level that plays
worse has to lose more.
"""

import argparse
import asyncio
import os
import resource
import time
from collections.abc import Sequence
from contextlib import aclosing
from statistics import mean, median
from typing import Final, NamedTuple

from clocktowers_tui.history.making import made
from clocktowers_tui.history.review import Reviewed, mistakes
from protocol.reviewing import POINT
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line

_RIVAL: Final = "expert"
_SEED: Final = 7


class Measured(NamedTuple):
    """Of one review. `lost`: points. The processor's time is that of all its processes."""

    first_s: float
    whole_s: float
    processor_s: float
    mistakes: int
    lost: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    judged = [game for game, words in GAMES.items() if words.judge is not None]
    parser.add_argument("--game", choices=judged, help="only this one")
    parser.add_argument("--levels", default="random,easy,normal,hard,expert")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--matches", type=int, default=2, help="of each level (2)")
    given = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for game in [given.game] if given.game else judged:
        for level in given.levels.split(","):
            levels = (level, *[_RIVAL] * (given.players - 1))
            found = [measured(game, levels, number) for number in range(given.matches)]
            print(f"{game}, {' against '.join(levels[:2])}: {in_words(found)}", flush=True)


def measured(game: str, levels: Sequence[str], number: int) -> Measured:
    """Review one match of a series for its first seat."""
    words = GAMES[game]
    series = Series(words, words.notation.options_from_record({}), levels, _SEED)
    return asyncio.run(_reviewed(line(play(series, number)).strip()))


async def _reviewed(record: bytes) -> Measured:
    began_s, used_s, first_s = time.monotonic(), _processor_s(), 0.0
    async with aclosing(made(record, "", 0)) as review:
        async for newest in review:
            if newest.findings and not first_s:
                first_s = time.monotonic() - began_s
    whole_s = time.monotonic() - began_s
    return Measured(first_s, whole_s, _processor_s() - used_s, *_counted(newest))


def _counted(review: Reviewed) -> tuple[int, float]:
    lost = [one.lost for one in mistakes(review)]
    return len(lost), sum(lost) / POINT


def _processor_s() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_words(found: Sequence[Measured]) -> str:
    """The medians of times, the means of the rest."""
    first, whole, processor, wrong, lost = zip(*found, strict=True)
    return (
        f"first after {median(first):.1f} s, all after {median(whole):.1f} s, "
        f"processor {median(processor):.1f} s; {mean(wrong):.1f} mistakes, {mean(lost):.1f} points"
    )


if __name__ == "__main__":
    main()
