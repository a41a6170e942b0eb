"""What a handler works with, beside the session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from protocol.errors import GoodbyeCode
from protocol.from_client import Request
from protocol.from_server import Goodbye
from protocol.refusal import Refusal
from server.admission.admitting import Admission
from server.net.banned import Banned
from server.tables.lobby import Lobby
from server.tables.restoring import Restoring

if TYPE_CHECKING:
    from server.net.session import Session


Elsewhere: TypeAlias = "Callable[[Session, Request, Refusal], bool]"
"""Told of a request that was refused since nothing here has that name. Returns whether it is taken
care of: what is named may be at another server."""
Claim: TypeAlias = Callable[[str], Awaitable[str | None]]
"""As `Names.claim`, among the names that people have on all servers."""


def _nowhere(_session: "Session", _request: Request, _refusal: Refusal) -> bool:
    return False


@dataclass
class Service:
    """`name`: what the server calls itself. `admission`: what it asks of callers; `banned`: who may
    not come in. `elsewhere`, `claim`: set where there are other servers."""

    name: str
    lobby: Lobby
    restoring: Restoring
    admission: Admission
    banned: Banned
    elsewhere: Elsewhere = _nowhere
    claim: Claim | None = None

    def refuses(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a person who may not come in now. `identity`: as in `Session`."""
        if (banned := self.banned.identity(identity)) is not None:
            return banned
        if self.lobby.draining and not self.lobby.awaits():
            return Goodbye(GoodbyeCode.DRAINING)
        return None
