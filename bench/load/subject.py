"""The server that is measured: the real one, but for its journal, which lives in memory.

What a move costs the server can be compared between machines; what it costs their disks cannot.
"""

import asyncio
import os
import sys

from bench.load.stage import HOST
from server.logs import setup as logs
from server.server import opened, run, stop_on_signals
from server.settings import load
from server.store.memory import MemoryJournal


async def _serve() -> None:
    config = load(None, os.environ, {"host": [HOST], "port": 0})
    async with opened(config, MemoryJournal()) as (_server, addresses):
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
