"""A node passes on what an operator asks, and answers what other nodes ask; what an operator reads
of all nodes in their database.

Law: who may ask, the door of the node has decided where the operator is; that node is believed.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from protocol.codec import encode
from protocol.from_server import DueMatch
from server.nodes.directory import NODES, Directory, Node
from server.nodes.port import Look, NodePort, Passed, Question, Reaches, Waits
from server.operating.commands import asked
from server.operating.door import answered
from server.operating.words import Command, Reply
from server.store.fenced import CHANNEL
from server.store.statements import SqlConnection
from server.tables.record import code_in

if TYPE_CHECKING:
    from server.net.session import Session
    from server.server import Server

ANSWER_S: Final = 5.0
"""Another node has answered by then, or is named."""
CALL_S: Final = 1.0


class Operators:
    """Of one node: asks the others, and answers them. `port`: to them; `server`: its desk does what
    they pass on."""

    def __init__(self, directory: Directory, port: NodePort, server: "Server") -> None:
        self.node: Final = directory.id
        self._directory: Final = directory
        self._port: Final = port
        self._server: Final = server

    def others(self) -> list[str]:
        """The other nodes that live."""
        return [node.id for node in self._directory.others]

    async def ask(self, node: str, command: Command, user: int) -> Reply | None:
        """What that node answers; None: it does not, in time."""
        return await self._ask(node, Passed(self.node, user, encode(command)))

    async def reaches(self, node: Node) -> bool:
        """Whether that node reaches the database. Raises OSError where it does not answer."""
        reply = await self._port.ask(node, Reaches(node.number))
        if not reply.here:
            raise OSError(f"{node.id} was started again")
        return reply.done

    async def waiting(
        self, node: Node, asks: "Session", matches: list[str]
    ) -> list[DueMatch] | None:
        """As `Sleeping.waiting` there; None: it does not answer, in time."""
        with suppress(OSError, TypeError):  # a newer node may say more
            async with asyncio.timeout(CALL_S):
                reply = await self._port.ask(node, Waits(asks.identity, matches), asks.address)
                return [DueMatch(**row) for row in reply.rows or ()]
        return None

    async def see(self, address: str) -> bool | None:
        """Whether another node gets through to this address; None: none has tried."""
        replies = await asyncio.gather(*(self._ask(one, Look(address)) for one in self.others()))
        tried = [reply.done for reply in replies if reply is not None]
        return any(tried) if tried else None

    async def _ask(self, node: str, question: Question) -> Reply | None:
        with suppress(OSError):  # a time-out is one, too
            async with asyncio.timeout(ANSWER_S):
                for other in self._directory.others:
                    if other.id == node:
                        return await self._port.ask(other, question)
        return None

    async def answer(self, question: Question) -> Reply:
        """What this node says when another one asks."""
        match question:
            case Passed(node=node, user=user, asked=said):
                desk = self._server.desk
                assert desk is not None  # a node has a folder
                return await answered(lambda: desk.do(asked(said), user, node))
            case Look(address=address):
                return Reply(done=await takes_a_call(address))
            case Waits(who=who, matches=matches):
                found = self._server.sleeping.waiting(who, matches)
                return Reply(rows=[structs.asdict(one) for one in found])
            case Reaches(number=number):
                meant = number == self._directory.number
                return Reply(done=meant and not self._directory.away_s, here=meant)


async def takes_a_call(address: str) -> bool:
    """Whether something listens there."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CALL_S):
            _reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, ValueError):
        return False
    writer.transport.abort()
    return True


# By the database, from any machine that reaches it.


_GOES_ON: Final = "held = 1 AND ended_at IS NULL"


def nodes(connection: SqlConnection) -> list[dict[str, Any]]:
    """All nodes, those that are gone as long as matches of theirs are unclaimed."""
    rows = connection.execute(
        "SELECT id, CASE WHEN number NOT IN (SELECT number FROM living) THEN 'gone' "
        "WHEN stopping THEN 'stops' ELSE 'lives' END, address, "
        "extract(epoch FROM began)::bigint, "
        f"(SELECT count(*) FROM match WHERE owner = node.number AND {_GOES_ON}) "
        "FROM node ORDER BY id, number"
    )
    columns = ("node", "state", "address", "since", "matches")
    return [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]


def claims(connection: SqlConnection, node: str = "") -> list[dict[str, Any]]:
    """The matches that go on, by node; of this one alone if it is named. "" = nobody plays it."""
    rows = connection.execute(
        "SELECT coalesce(node.id, ''), match.id, game, \"table\", epoch, version FROM match "
        f"LEFT JOIN node ON node.number = owner WHERE {_GOES_ON} AND (? = '' OR node.id = ?) "
        "ORDER BY 1, match.number",
        (node, node),
    )
    columns = ("node", "match", "game", "table", "claims", "entries")
    found = [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]
    return [{**one, "table": code_in(one["table"])} for one in found]


def drain(connection: SqlConnection, node: str) -> int | None:
    """Let this node stop, and hand its matches over. Returns how many it has; None: no such node
    lives."""
    rows = connection.execute(
        "UPDATE node SET stopping = true WHERE number IN (SELECT number FROM living WHERE id = ?) "
        f"RETURNING (SELECT count(*) FROM match WHERE owner = node.number AND {_GOES_ON})",
        (node,),
    ).fetchall()
    connection.execute("SELECT pg_notify(?, ?)", (CHANNEL, NODES))
    return int(rows[0][0]) if rows else None
