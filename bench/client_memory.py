"""`python -m bench.client_memory`: whether a client's memory stays flat through a long evening.

The real program plays match after match of one game against bots on its own server: Autoplay, at
once to the end, the result, a rematch. After each tenth its memory is read; the second half must
not need more than the first, but for some megabytes that a process takes by chance.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from typing import Final

from bench.load.processes import rss_bytes
from tests.stage.pseudo_terminal import PseudoTerminal, environment

PARTS: Final = 10
MOST_MB: Final = 2.0
_SIZE: Final = (120, 40)
_DOWN: Final = "\x1b[B"
_TURNS: Final = re.compile(r"(\d+) turns")


async def match(terminal: PseudoTerminal) -> int:
    """Play the match that has begun to its end and ask for the next; returns its turns."""
    await terminal.sees("E Autoplay")
    terminal.press("E")
    await terminal.sees("Autoplay to the end?")
    terminal.press(f"{_DOWN}\r")
    await terminal.sees("F To the end")
    terminal.press("F")
    await terminal.sees("r Rematch", "turns")
    turns = _TURNS.search(terminal.text())
    terminal.painted = b""
    terminal.press("r")
    return int(turns[1]) if turns is not None else 0


async def evening(game: str, matches: int) -> AsyncIterator[tuple[int, float]]:
    """(turns since the beginning, megabytes), before the first match and after each part."""
    with tempfile.TemporaryDirectory() as home:
        arguments = ["-m", "clocktowers_tui", "solo", "--name", "Ann", "--bots", "1"]
        arguments += ["--level", "easy", "--game", game]
        async with PseudoTerminal.run(arguments, environment(home), *_SIZE) as terminal:
            await terminal.sees("E Autoplay")
            turns = 0
            yield turns, rss_bytes(terminal.child) / 1e6
            for number in range(1, matches + 1):
                turns += await match(terminal)
                if number % (matches // PARTS) == 0:
                    yield turns, rss_bytes(terminal.child) / 1e6


async def measured(game: str, matches: int) -> list[float]:
    sizes_mb = []
    async for turns, size_mb in evening(game, matches):
        print(f"{turns:7} turns {size_mb:8.1f} MB", flush=True)
        sizes_mb.append(size_mb)
    return sizes_mb


def main(argv: Sequence[str] | None = None) -> int:
    """0: flat; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.client_memory", description=__doc__)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--game", default="clocktowers", help="one that is played in turns")
    args = parser.parse_args(argv)
    sizes_mb = asyncio.run(measured(args.game, max(PARTS, args.matches)))
    grown_mb = sizes_mb[-1] - sizes_mb[len(sizes_mb) // 2]
    print(f"the second half needs {grown_mb:+.1f} MB more, at most {MOST_MB:.1f} is allowed")
    return 1 if grown_mb > MOST_MB else 0


if __name__ == "__main__":
    sys.exit(main())
