"""What all sessions of one server share."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import structlog

from server.bots.brains import Brains
from server.config import Config
from server.net.addresses import Addresses
from server.net.turns import Turns
from server.store.journal import Journal
from server.tables.lobby import Lobby
from server.tables.names import Names
from server.tables.restoring import Restoring
from server.tables.seating import BOT_NAMES
from server.tables.starter import MatchStarter

if TYPE_CHECKING:
    from server.net.session import Session


@dataclass(kw_only=True)
class Context:
    """Made by `open_context`."""

    config: Config
    journal: Journal
    brains: Brains
    names: Names
    lobby: Lobby
    restoring: Restoring
    password: str
    """What every login must give; "" = none is asked for."""
    addresses: Addresses
    turns: Turns = field(default_factory=Turns)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    """Those of matches and bots; all are cancelled when the server stops."""
    sessions: "set[Session]" = field(default_factory=set)
    """Peers that may still say something."""
    connected: "set[Session]" = field(default_factory=set)
    """Those and the ones whose last words are being written."""
    unwritten: "list[Session]" = field(default_factory=list)
    """Those that have queued something in this turn of the loop."""


def open_context(
    config: Config, journal: Journal, group: asyncio.TaskGroup, password: str = ""
) -> Context:
    """The shared parts of a server, wired together; `group` owns every task."""
    tasks: set[asyncio.Task[None]] = set()

    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = group.create_task(_guarded(work))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        # One that is cancelled before its first step would leave the work never awaited.
        task.add_done_callback(lambda _: work.close())
        return task

    names = Names(reserved=BOT_NAMES)
    brains = Brains(config.bot_workers)
    starter = MatchStarter(
        journal=journal, brains=brains, spawn=spawn, bot_pace_s=config.bot_pace_s
    )
    lobby = Lobby(starter, names, config.limits)
    return Context(
        config=config,
        journal=journal,
        brains=brains,
        names=names,
        lobby=lobby,
        restoring=Restoring(journal, lobby, starter, names),
        password=password,
        addresses=Addresses(
            config.limits.per_address, loopback_counts=config.limits.loopback_counts
        ),
        tasks=tasks,
    )


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    """A bug in one match or bot is logged; in a bare task group it would end them all."""
    try:
        await work
    except Exception:
        structlog.get_logger().exception("task failed")
