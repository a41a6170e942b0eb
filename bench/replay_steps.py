"""How many bytes a step of a replay sends to a terminal of 80x24: `python -m bench.replay_steps`.

The real program shows a match of four bots on a pseudo-terminal with all colours, from the first
seat's eyes: forward ply by ply, back again, then forward turn by turn.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from bench.pseudo_terminal import PseudoTerminal, environment
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line

STEPS: Final = {"a ply on": "\x1b[C", "a ply back": "\x1b[D", "a turn on": "\x1b[B"}
"""What the step is called, and its key."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="clocktowers")
    parser.add_argument("--steps", type=int, default=30, help="of each kind (30)")
    given = parser.parse_args()
    for step, found in asyncio.run(measured(given.game, given.steps)).items():
        costs = [cost for cost in found if cost]  # beyond the end there is no step
        print(f"{given.game}: {step}: {median(costs):.0f} bytes, at most {max(costs)}")


async def measured(game: str, steps: int) -> dict[str, Sequence[int]]:
    """The bytes of each step, by what it is called."""
    words = GAMES[game]
    options = words.notation.options_from_record({})
    record = play(Series(words, options, ("normal",) * 4, 7), 0)
    with tempfile.TemporaryDirectory() as home:
        file = Path(home) / "match.jsonl"
        file.write_bytes(line(record))
        arguments = ["-m", "clocktowers_tui", "replay", f"{file}#10"]
        async with PseudoTerminal.run(arguments, environment(home)) as terminal:
            await terminal.sees("Replay")
            while "Bot 1's eyes" not in terminal.text():
                await terminal.cost("e")
            return {
                step: [await terminal.cost(key) for _ in range(steps)]
                for step, key in STEPS.items()
            }


if __name__ == "__main__":
    main()
