"""The server that is measured: the real one, but for its journal, which lives in memory.

What a move costs the server can be compared between machines; what it costs their disks cannot.
`CLOCKTOWERS_METRICS_PORT=9777` has it counted, as in `serve`.
"""

import asyncio
import os
import sys

from bench.load.stage import HOST
from server.health.watched import figures_for, opened_and_watched
from server.logs import setup as logs
from server.server import run, stop_on_signals
from server.settings import load
from server.store.memory import MemoryJournal


async def _serve() -> None:
    config = load(None, os.environ, {"host": [HOST], "port": 0})
    figures = figures_for(config.metrics_port)
    async with opened_and_watched(config, MemoryJournal(), None, figures) as (_server, addresses):
        stop = asyncio.Event()
        stop_on_signals(stop.set)
        print(f"listening on {addresses[0]}", flush=True)
        await stop.wait()


def main() -> int:
    logs.to_stderr("warning")
    run(_serve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
