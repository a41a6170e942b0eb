"""What a handler works with, beside the session."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.admission.admitting import Admission
from server.net.banned import Banned
from server.tables.lobby import Lobby
from server.tables.restoring import Restoring

if TYPE_CHECKING:  # it needs an extra
    from server.nodes.claiming import Claiming


@dataclass(frozen=True)
class Service:
    """`name`: what the server calls itself. `admission`: what it asks of callers; `banned`: who may
    not come in. `claiming`: of a node among several, which finds matches that are not here."""

    name: str
    lobby: Lobby
    restoring: Restoring
    admission: Admission
    banned: Banned
    claiming: "Claiming | None" = None

    def refuses(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a person who may not come in now. `identity`: as in `Guest`."""
        if (banned := self.banned.identity(identity)) is not None:
            return banned
        if self.lobby.draining and not self.lobby.awaits():
            return Goodbye(GoodbyeCode.DRAINING)
        return None
