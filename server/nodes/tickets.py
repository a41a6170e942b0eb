"""How a node knows a caller whom another one has welcomed: what it is told of them, and tickets, by
which they bring that themselves.

Laws: a ticket holds for a minute, once, at the node that it is for. It opens nothing that was
closed meanwhile: a ban holds, also of the address that the other node saw, and so does a revoked
invitation. What else an address may have each node counts by the address that it sees itself.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from secrets import token_bytes
from typing import Final

import msgspec
from msgspec import Struct

from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from protocol.ids import TableCode
from protocol.table import Filter
from server.net.session import Session
from server.nodes.directory import Directory, Node
from server.nodes.port import Welcomed

GOOD_S: Final = 60
_DIGEST_BYTES: Final = 32


def told_of(session: Session, lists: Filter | None = None) -> Welcomed:
    """How this node knows the caller."""
    return Welcomed(
        name=session.name,
        identity=session.identity,
        changes=session.changes,
        opened=session.opened or "",
        invitation="" if session.came_by is None else session.came_by.name,
        lists=lists,
    )


class Ticket(Struct, frozen=True, array_like=True):
    """`node`: the number of the one that it is for. `until_s`: by the database's clock; `once`:
    drawn, and used once. `seen_at`: the caller's address, as the first node saw it, "" where an
    older node has made the ticket. What comes later stands last, so that nodes of two versions read
    each other's."""

    node: int
    caller: Welcomed
    until_s: int
    once: bytes
    seen_at: str = ""


class Tickets:
    """Of one node. `authority`: what all nodes know and nobody else."""

    def __init__(self, authority: bytes, directory: Directory) -> None:
        self._secret: Final = sha256(b"tickets\0" + authority).digest()
        self._directory: Final = directory
        self._used: dict[bytes, int] = {}
        """Until when each would be good."""

    def issue(self, session: Session, node: Node) -> str:
        """With which they are known to that node."""
        until_s = int(self._directory.database_s) + GOOD_S
        seen_at, once = session.seen_at or session.address, token_bytes(8)
        ticket = Ticket(node.number, told_of(session), until_s, once, seen_at)
        packed = msgspec.msgpack.encode(ticket)
        return urlsafe_b64encode(self._digest(packed) + packed).decode()

    def read(self, shown: str) -> Ticket | None:
        """None: it is none of this cluster, or too old."""
        try:
            whole = urlsafe_b64decode(shown)
            packed = whole[_DIGEST_BYTES:]
            if not hmac.compare_digest(whole[:_DIGEST_BYTES], self._digest(packed)):
                return None
            ticket = msgspec.msgpack.decode(packed, type=Ticket)
        except (ValueError, msgspec.DecodeError):
            return None
        return ticket if self._directory.database_s < ticket.until_s else None

    def use(self, ticket: Ticket) -> bool:
        """Whether it is this node's and was not used before."""
        if ticket.node != self._directory.number or ticket.once in self._used:
            return False
        now_s = self._directory.database_s
        self._used = {once: until_s for once, until_s in self._used.items() if now_s < until_s}
        self._used[ticket.once] = ticket.until_s
        return True

    def know(self, session: Session, caller: Welcomed, seen_at: str = "") -> Goodbye | None:
        """Know them as another node did, whose name they keep. `seen_at`: the address that it saw.
        Returns why they may not come in after all."""
        server = session.server
        server.names.take(caller.name)
        came_by = server.admission.invitations.of_name(caller.invitation)
        opened = TableCode(caller.opened) if caller.opened else None
        session.know(caller.name, caller.identity, came_by, opened, seen_at)
        if caller.lists is not None:
            server.lobby.list.subscribe(session, caller.lists)
        if came_by is not None and came_by.revoked:
            return Goodbye(GoodbyeCode.INVITATION_REVOKED)
        return server.peers.banned.address(seen_at) or server.refuses(caller.identity)

    def _digest(self, packed: bytes) -> bytes:
        return hmac.digest(self._secret, packed, "sha256")
