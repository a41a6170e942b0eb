"""The server that is measured: the real one, with its journal in memory or in a folder.

    python -m bench.load.subject [FOLDER]

What a move costs the server can be compared between machines; what it costs their disks cannot.
`CLOCKTOWERS_METRICS_PORT=9777` has it counted, as in `serve`.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.load.stage import HOST
from server.health.watched import figures_for, opened_and_watched
from server.logs import setup as logs
from server.server import run, stop_on_signals
from server.settings import load
from server.store.journal import Journal
from server.store.memory import MemoryJournal
from server.store.sqlite import journal_in


async def _serve(folder: Path | None) -> None:
    config = load(None, os.environ, {"host": [HOST], "port": 0})
    figures = figures_for(config.metrics_port)
    async with (
        _in_memory() if folder is None else journal_in(folder) as journal,
        opened_and_watched(config, journal, None, figures) as (_server, addresses),
    ):
        stop = asyncio.Event()
        stop_on_signals(stop.set)
        print(f"listening on {addresses[0]}", flush=True)
        await stop.wait()


@asynccontextmanager
async def _in_memory() -> AsyncIterator[Journal]:
    yield MemoryJournal()


def main(*folder: str) -> int:
    logs.to_stderr("warning")
    run(_serve(Path(*folder) if folder else None))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
