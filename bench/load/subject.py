"""The server that is measured: the real one, with its journal in memory, in a folder or in a
database.

    python -m bench.load.subject [FOLDER | postgresql://… [SEED]]

What a move costs the server can be compared between machines; what it costs their disks cannot.
`SEED`, in hexadecimal: every match has this deal. `CLOCKTOWERS_METRICS_PORT=9777` has it counted,
as in `serve`.
"""

import asyncio
import os
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any

from msgspec import structs

from server.config import Config
from server.health.watched import opened_and_watched
from server.logs import setup as logs
from server.matches.replay import new_header
from server.server import run, stop_on_signals
from server.settings import load
from server.store import opening
from server.store.journal import Header, Journal
from server.tables import playing
from tests.stage.memory_journal import MemoryJournal


async def _serve(where: str) -> None:
    config = load(None, os.environ, {"host": ["127.0.0.1"], "port": 0})
    async with (
        _journal(where, config) as journal,
        opened_and_watched(config, journal, None) as (_server, addresses),
    ):
        stop = asyncio.Event()
        stop_on_signals(stop.set)
        print(f"listening on {addresses[0]}", flush=True)
        await stop.wait()


def _journal(where: str, config: Config) -> AbstractAsyncContextManager[Journal]:
    if not where:
        return nullcontext(MemoryJournal())
    url = where if "://" in where else ""
    return opening.journal(structs.replace(config, journal=url), Path(where))


def _deal(scripted: bytes) -> None:
    """Let every match have this deal: a table of people cannot ask for one."""

    def dealt(*what: Any, seed: bytes, **header: Any) -> Header:
        return new_header(*what, seed=scripted, **header)

    setattr(playing, "new_header", dealt)  # noqa: B010


def main(where: str = "", seed: str = "") -> None:
    logs.to_stderr("warning")
    if seed:
        _deal(bytes.fromhex(seed))
    run(_serve(where))


if __name__ == "__main__":
    main(*sys.argv[1:])
