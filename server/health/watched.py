"""A server that other programs watch: its figures and health checks, where they are asked for, and
what its service manager is told: systemd, or another that speaks its protocol, datagrams to the
socket that `NOTIFY_SOCKET` names (sd_notify(3)).

Law: the server goes on whatever becomes of that socket, and never waits for it.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.admission.gate import NO_PASSWORD, ServerPassword
from server.config import Config
from server.net.listener import Address
from server.server import Server, opened
from server.settings import ConfigError
from server.store.in_database import Journal

if TYPE_CHECKING:  # it needs an extra, and takes a while to load
    from server.health.pages import Pages
    from server.nodes.cluster import Joined

BEAT_S: Final = 1.0
"""How often the loop is looked at, at least."""


@asynccontextmanager
async def opened_and_watched(
    config: Config,
    journal: Journal,
    folder: Path | None,
    word: ServerPassword = NO_PASSWORD,
    node: "Joined | None" = None,
) -> AsyncIterator[tuple[Server, list[Address]]]:
    """As `opened` and `watched`. Raises CannotListen for the port of the pages, too."""
    async with AsyncExitStack() as stack:
        pages, traffic = None, None
        if config.metrics_port:
            # Before the server: what fails later, fails in the midst of its tasks.
            pages = stack.enter_context(pages_at(config.metrics_port))
            journal, traffic = pages.figures.journal(journal), pages.figures.traffic
        opening = opened(config, journal, word=word, folder=folder, traffic=traffic, node=node)
        server, addresses = await stack.enter_async_context(opening)
        await stack.enter_async_context(watched(server, pages))
        yield server, addresses


def pages_at(port: int) -> "Pages":
    """What shows the figures. Raises CannotListen, and ConfigError without the library."""
    try:
        from server.health.pages import Pages
    except ImportError:
        raise ConfigError(
            "--metrics-port needs the library prometheus-client: install this program with its "
            "extra [metrics], as in pipx install 'clocktowers-tui[metrics]'"
        ) from None
    return Pages(port)


@asynccontextmanager
async def watched(server: Server, pages: "Pages | None" = None) -> AsyncIterator[None]:
    """Until the block is left."""
    manager = ServiceManager(os.environ)
    told: list[Callable[[float], None]] = []
    async with AsyncExitStack() as stack:
        if pages is not None:
            told.append(pages.figures.lag_s.observe)
            await stack.enter_async_context(pages.serving(server))
        every_s = BEAT_S
        if manager.watchdog_s is not None:
            told.append(lambda _late_s: manager.turns(status(server)))
            every_s = min(BEAT_S, manager.watchdog_s / 2)  # sd_watchdog_enabled(3): half of it
        beating = asyncio.create_task(_beat(every_s, told)) if told else None
        manager.ready(status(server))
        try:
            yield
        finally:
            manager.stopping()
            if beating is not None:
                beating.cancel()


async def _beat(every_s: float, told: Sequence[Callable[[float], None]]) -> None:
    """For ever: call each with the seconds by which the loop was late."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + every_s
        await asyncio.sleep(every_s)
        late_s = max(0.0, loop.time() - due_s)
        for tell in told:
            tell(late_s)


def status(server: Server) -> str:
    """One line for people."""
    tables, here = len(server.lobby.tables), len(server.peers.connected)
    said = f"{here} connections, {tables} tables"
    return f"draining; {said}" if server.lobby.draining else said


class ServiceManager:
    """Made from the environment; without `NOTIFY_SOCKET` nobody is told anything."""

    def __init__(self, env: Mapping[str, str]) -> None:
        address = env.get("NOTIFY_SOCKET", "")
        # "@" stands for the NUL byte with which the name of an abstract socket begins.
        self._address: Final = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s: Final = _watchdog_s(env) if address else None
        """How often the server has to say that it turns; None: never."""
        self._said = ""

    def ready(self, status: str) -> None:
        """The sockets listen, and the matches go on."""
        self._tell("READY=1", f"STATUS={status}")
        self._said = status

    def turns(self, status: str) -> None:
        """The loop turns. `status`: one line for people."""
        self._tell("WATCHDOG=1", *([f"STATUS={status}"] if status != self._said else []))
        self._said = status

    def stopping(self) -> None:
        self._tell("STOPPING=1", "STATUS=stopping")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
            sending.setblocking(False)
            sending.sendto("\n".join(lines).encode(), self._address)


def _watchdog_s(env: Mapping[str, str]) -> float | None:
    """As in sd_watchdog_enabled(3): it may be meant for another process."""
    meant = env.get("WATCHDOG_PID", "")
    if meant and meant != str(os.getpid()):
        return None
    try:
        microseconds = int(env.get("WATCHDOG_USEC", "0"))
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 else None
