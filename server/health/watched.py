"""A server that other programs watch: its figures and health checks, where they are asked for, and
what its service manager is told."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.admission.gate import NO_WORD, Word
from server.config import Config
from server.health.beats import beat
from server.health.systemd import ServiceManager
from server.net.listener import Address
from server.server import Server, opened
from server.settings import ConfigError
from server.store.journal import Journal

if TYPE_CHECKING:  # it needs an extra, and takes a while to load
    from server.health.figures import Figures
    from server.health.pages import Pages
    from server.nodes.cluster import Cluster

BEAT_S: Final = 1.0
"""How often the loop is looked at, at least."""


def figures_for(metrics_port: int) -> "Figures | None":
    """What counts, where somebody may ask. Raises ConfigError without the library that it needs."""
    if not metrics_port:
        return None
    try:
        from server.health.figures import Figures
    except ImportError:
        raise ConfigError(
            "--metrics-port needs the library prometheus-client: install this program with its "
            "extra [metrics], as in pipx install 'clocktowers-tui[metrics]'"
        ) from None
    return Figures()


@asynccontextmanager
async def opened_and_watched(
    config: Config,
    journal: Journal,
    folder: Path | None,
    figures: "Figures | None",
    word: Word = NO_WORD,
    cluster: "Cluster | None" = None,
) -> AsyncIterator[tuple[Server, list[Address]]]:
    """As `opened` and `watched`. Raises CannotListen for the port of the pages, too."""
    async with AsyncExitStack() as stack:
        pages = None
        if figures is None:
            opening = opened(config, journal, word=word, folder=folder, cluster=cluster)
        else:
            from server.health.pages import Pages

            # Before the server: what fails later, fails in the midst of its tasks.
            pages = Pages(config.metrics_port, figures)
            stack.callback(pages.server_close)
            kept = figures.journal(journal)
            traffic = figures.traffic
            opening = opened(
                config, kept, word=word, folder=folder, traffic=traffic, cluster=cluster
            )
        server, addresses = await stack.enter_async_context(opening)
        await stack.enter_async_context(watched(server, figures, pages))
        yield server, addresses


@asynccontextmanager
async def watched(
    server: Server, figures: "Figures | None" = None, pages: "Pages | None" = None
) -> AsyncIterator[None]:
    """Until the block is left."""
    manager = ServiceManager(os.environ)
    told: list[Callable[[float], None]] = []
    async with AsyncExitStack() as stack:
        if figures is not None and pages is not None:
            told.append(figures.lag_s.observe)
            await stack.enter_async_context(pages.serving(server))
        every_s = BEAT_S
        if manager.watchdog_s is not None:
            told.append(lambda _late_s: manager.turns(status(server)))
            every_s = min(BEAT_S, manager.watchdog_s / 2)  # sd_watchdog_enabled(3): half of it
        beating = asyncio.create_task(beat(every_s, told)) if told else None
        manager.ready(status(server))
        try:
            yield
        finally:
            manager.stopping()
            if beating is not None:
                beating.cancel()


def status(server: Server) -> str:
    """One line for people."""
    tables, here = len(server.lobby.tables), len(server.peers.connected)
    said = f"{here} connections, {tables} tables"
    return f"draining; {said}" if server.lobby.draining else said
