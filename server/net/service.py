"""What a server offers to its peers: all that a handler works with, beside the session."""

from dataclasses import dataclass

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.admission.gate import Gate
from server.admission.invitations import Invitations
from server.admission.locks import Locks
from server.net.banned import Banned
from server.tables.lobby import Lobby
from server.tables.names import Names
from server.tables.restoring import Restoring


@dataclass(frozen=True)
class Service:
    """`name`: what the server calls itself. `gate`: what each `hello` must show; `invitations`: of
    this server; `hosts_invite`: whether the host of a table may ask for one. `banned`: who may not
    come in."""

    lobby: Lobby
    restoring: Restoring
    names: Names
    name: str
    gate: Gate
    invitations: Invitations
    hosts_invite: bool
    locks: Locks
    banned: Banned

    def refuses(self, identity: bytes) -> Goodbye | None:
        """The goodbye for a person who may not come in now. `identity`: as in `Guest`."""
        if (banned := self.banned.identity(identity)) is not None:
            return banned
        if self.lobby.draining and not self.lobby.awaits():
            return Goodbye(GoodbyeCode.DRAINING)
        return None
