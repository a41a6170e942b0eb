"""The parts of a server that its operator's commands work with.

Law: what many people are told, or what is listed about them, is done a few at a time
(`tasks.few`), and matches go on in between.
"""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from protocol.text import clean
from server.admission.invitations import Invitations
from server.draining import Draining
from server.net.callers import Banned
from server.net.peers import Peers
from server.net.session import Session
from server.operating import audit
from server.operating.words import MAX_TEXT, CouldNot
from server.store.private import Shelf
from server.tables.lobby import Lobby


@dataclass(frozen=True)
class Desk:
    """`shelf`: the server's folder. `user`: the system's number of the account that asks;
    `asked_at`: the other node where it does, "" = here."""

    shelf: Shelf
    lobby: Lobby
    peers: Peers
    invitations: Invitations
    draining: Draining
    began_s: float = field(default_factory=time.monotonic)
    user: int = -1
    asked_at: str = ""

    @property
    def folder(self) -> Path:
        return self.shelf.folder

    @property
    def banned(self) -> Banned:
        """Who may not come in now."""
        return self.peers.banned

    async def keep(self, command: str, whom: str = "", reason: str = "", what: str = "") -> None:
        """Write down what is about to be done. Raises CouldNot."""
        deed = audit.Deed(
            user=self.user,
            node=self.asked_at,
            command=command,
            whom=whom,
            reason=reason,
            what=what,
        )
        try:
            await asyncio.to_thread(audit.keep, self.folder, deed)
        except OSError as error:
            why = error.strerror or error
            raise CouldNot(f"nothing was done: it cannot be written down ({why})") from None
        structlog.get_logger().info("the operator asks", **deed.asker(), command=command)

    def sessions(self) -> list[Session]:
        """Of everybody whom this server serves, the oldest first. Who is led to another node is
        there."""
        here = [session for session in self.peers.admitted if session.name]
        return sorted(here, key=lambda session: session.made_s)


def tidy(reason: str) -> str:
    """A reason as it is kept and shown."""
    return clean(reason)[:MAX_TEXT]
