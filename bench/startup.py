"""How long the client takes to start, compared with an empty Textual app: `python -m
bench.startup`.

Both start in turn on a pseudo-terminal of 80x24, the same number of times, and are ended as soon as
their words are on the screen. A first run warms the compiled files, which lie in a folder of this
program's own, whatever the environment says about writing them. The figure is the ratio of the two
medians of one run: machines differ, and so do moments.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench.shown import row, spread, verdict
from tests.stage.pseudo_terminal import PseudoTerminal, environment

AIM: Final = 1.2
HELD: Final = 1.4
MOST_MODULES: Final = 58
"""The tests hold this ratio, and how many of our modules are read before the first paint."""

_EMPTY: Final = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("nothing at all")

Empty().run()
"""

EMPTY: Final = (_EMPTY, "nothing at all")
CLIENT: Final = ("from clocktowers_tui.__main__ import main; main()", "Quit")
"""What Python runs, for us as the installed program does, and what the first picture shows."""


class Starts(NamedTuple):
    """Seconds to the first paint, of each."""

    empty: list[float]
    client: list[float]

    @property
    def ratio(self) -> float:
        return median(self.client) / median(self.empty)


async def measure(runs: int, compiled: Path | None = None) -> Starts:
    """`compiled`: a folder of bytecode, filled first when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = compiled or Path(folder, "compiled")
        environ = environment(folder) | {"PYTHONPYCACHEPREFIX": str(compiled)}
        if not compiled.exists():
            for program in (EMPTY, CLIENT):
                await first_paint(program, environ)
        starts = Starts([], [])
        for _ in range(runs):
            starts.empty.append(await first_paint(EMPTY, environ))
            starts.client.append(await first_paint(CLIENT, environ))
    return starts


async def first_paint(program: tuple[str, str], environ: dict[str, str]) -> float:
    """Start the program, wait for its words, end it."""
    code, words = program
    begun_s = time.monotonic()
    async with PseudoTerminal.run(["-c", code], environ) as terminal:
        await terminal.sees(words)
        return time.monotonic() - begun_s


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.startup", description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="of each program (15)")
    starts = asyncio.run(measure(max(1, parser.parse_args().runs)))
    for name, seconds in zip(Starts._fields, starts, strict=True):
        print(row(f"ms to the first paint: {name}", spread([1000 * one_s for one_s in seconds], 0)))
    met = verdict(met=starts.ratio <= AIM)
    print(row("ratio", f"{starts.ratio:.2f}", f"at most {AIM}", met))
    return 0


if __name__ == "__main__":
    sys.exit(main())
