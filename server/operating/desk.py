"""The parts of a server that its operator's commands work with.

Law: what many people are told, or what is listed about them, is done a few at a time (`few`), and
matches go on in between.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import structlog

from protocol.text import clean
from server.draining import Draining
from server.net.banned import Banned
from server.net.peers import Peers
from server.net.session import Session
from server.operating import audit
from server.operating.words import MAX_TEXT, CouldNot
from server.tables.lobby import Lobby

T = TypeVar("T")

A_TURN: Final = 20
"""So many people or tables are dealt with in one turn of the loop."""


@dataclass(frozen=True)
class Desk:
    """`folder`: the server's."""

    folder: Path
    lobby: Lobby
    peers: Peers[Session]
    draining: Draining
    began_s: float = field(default_factory=time.monotonic)

    @property
    def banned(self) -> Banned:
        """Who may not come in now."""
        return self.peers.banned

    async def keep(self, deed: audit.Deed) -> None:
        """Write down what is about to be done. Raises CouldNot."""
        try:
            await asyncio.to_thread(audit.keep, self.folder, deed)
        except OSError as error:
            why = error.strerror or error
            raise CouldNot(f"nothing was done: it cannot be written down ({why})") from None
        structlog.get_logger().info("the operator asks", command=deed.command, user=deed.user)

    def sessions(self) -> list[Session]:
        """Of everybody who is here, the oldest first."""
        here = [session for session in self.peers.admitted if session.name]
        return sorted(here, key=lambda session: session.made_s)


async def few(items: Iterable[T]) -> AsyncIterator[T]:
    """The items; others are served after each few."""
    for number, item in enumerate(list(items), 1):
        yield item
        if number % A_TURN == 0:
            await asyncio.sleep(0)


def tidy(reason: str) -> str:
    """A reason as it is kept and shown."""
    return clean(reason)[:MAX_TEXT]
