"""`python -m bench.siege`: whether a server that is killed again and again, beside the load of
`bench.load`, loses or doubles anything that its players were told."""

import argparse
import asyncio
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL
from pathlib import Path

from bench.processes import python
from tests.stage.processes import PROGRAM
from tests.stage.siege import Findings, Siege


async def besieged(kills: int) -> Findings:
    load = python("bench.load", "--journal=sqlite")
    with tempfile.TemporaryDirectory() as home:
        siege = asyncio.ensure_future(Siege(players=40, seed=1).run(Path(home), kills, PROGRAM))
        while not siege.done():
            beside = await asyncio.create_subprocess_exec(*load, stdout=DEVNULL)
            ended = asyncio.ensure_future(beside.wait())
            await asyncio.wait((siege, ended), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                beside.send_signal(signal.SIGINT)
            await ended
        return siege.result()


def main() -> int:
    """0: nothing; 1: something."""
    parser = argparse.ArgumentParser(prog="python -m bench.siege", description=__doc__)
    parser.add_argument("--kills", type=int, default=250, help="(250)")
    found = asyncio.run(besieged(parser.parse_args().kills))
    print(found, found.errors, sep="\n")
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
