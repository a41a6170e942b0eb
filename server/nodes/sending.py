"""A node sends callers on to another that has what they ask for, or goes on with their match.

A client that follows is told where to dial, with a ticket; what else had no answer it asks again.
Any node to which it shows the ticket leads it to the one that it is for: guests have a single way
in, and so has a cluster behind one address. A client that does not follow comes through a pipe to
what it asks for, and is told to dial again where its match goes on elsewhere.
"""

import asyncio
from random import choice
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import structs

from protocol.errors import GoodbyeCode, Refusal, RefusalCode
from protocol.from_client import CreateTable, Hello, Join, Request, Resume, Watch
from protocol.ids import MatchId
from server.net.session import Session
from server.nodes.directory import NOBODY, Node
from server.nodes.port import DIAL_S
from server.nodes.tickets import Ticket, told_of
from server.store.journal import JournalError

if TYPE_CHECKING:
    from server.nodes.cluster import Cluster
    from server.server import Server

PATIENCE_S: Final = 8.0
"""So long a seat's owner waits here for a node to take their match over: longer than a lease."""
AGAIN_S: Final = 0.03
"""The first wait until a node looks again where something is: another node that claims a match has
it after some hundredths of a second, as a rule."""
MOST_AGAIN_S: Final = 0.24
"""The longest: each wait is twice the one before."""
JUST_S: Final = 60.0
"""For so long after somebody was sent on, the nodes may not know each other's tables of then: each
says how many it has four times in a lease, which is a minute at most."""
MOST_LED: Final = 4
"""Through so many nodes a caller is led at most; then they dial again."""
_UNKNOWN: Final = (RefusalCode.NO_SUCH_TABLE, RefusalCode.NO_SUCH_MATCH)


def _comes_back(request: Request) -> bool:
    """Whether a player wants their seat in a match, which may be about to change its node."""
    return isinstance(request, Resume) and bool(request.match)


class Sending:
    """Of one node of the `cluster`."""

    def __init__(self, cluster: "Cluster", server: "Server") -> None:
        self._cluster: Final = cluster
        self._server: Final = server

    def makes_elsewhere(self, session: Session) -> bool:
        """Send somebody on who makes a table, to a node with room, if this one is to make none.
        Nobody is sent on who was just sent here: the two nodes may each think of the other that it
        has room."""
        sent = session.seen_at or session.caller.led
        if session.table is not None or (sent and session.loop.time() < session.made_s + JUST_S):
            return False
        home = self._cluster.claiming.roomier()
        return home is not None and self.move(session, home)

    # What is asked here and may be elsewhere ------------------------------------------------------

    def seek(self, session: Session, request: Request, refusal: Refusal) -> bool:
        """Look for what nobody here knows; returns whether it may be at another node."""
        if refusal.code not in _UNKNOWN:
            return False
        session.wait()
        self._server.tasks.spawn(self._seek(session, request, refusal))
        return True

    async def _seek(self, session: Session, request: Request, refusal: Refusal) -> None:
        began_s, again_s = asyncio.get_running_loop().time(), AGAIN_S
        try:
            async with asyncio.timeout_at(began_s + DIAL_S) as limit:
                while session.connected:
                    try:
                        request = await self._with_match(session, request)
                        if _comes_back(request):
                            limit.reschedule(began_s + PATIENCE_S)
                        if (home := await self._home_of(request)) is None:
                            break
                        if session.table is not None:
                            at = {"table": session.table}
                            refusal = Refusal(RefusalCode.ALREADY_AT_TABLE, {**at})
                            break
                        if home.number == self._cluster.directory.number:
                            if not self._is_here(request):
                                break
                            session.go_on(request)
                            return
                        if home != NOBODY and not session.answering:
                            await self._send_on(session, home, request)
                            return
                    except (JournalError, OSError) as error:
                        structlog.get_logger().debug("no way to a node", why=str(error))
                    await asyncio.sleep(again_s)
                    again_s = min(2 * again_s, MOST_AGAIN_S)
        except TimeoutError:
            if _comes_back(request):
                session.goodbye(GoodbyeCode.SILENT)  # nobody takes the match over yet
                return
            refusal = Refusal(RefusalCode.BUSY)
        session.refuse(request.id, refusal)
        session.go_on()

    async def _with_match(self, session: Session, request: Request) -> Request:
        """The same; a guest who names no match comes back to a seat of theirs, which the folder of
        another node knows. Raises JournalError."""
        if not isinstance(request, Resume) or request.match:
            return request
        match = await self._cluster.directory.match_of(session.caller.identity)
        return structs.replace(request, match=match)

    async def _home_of(self, request: Request) -> Node | None:
        """As in `Directory`; a match that nobody plays is brought here. Raises JournalError."""
        cluster = self._cluster
        match request:
            case Resume() if request.match:
                return await cluster.claiming.bring(MatchId(request.match))
            case Join() | Watch():
                return await cluster.directory.home_of_table(request.table.upper())
            case CreateTable(duplicate=str(code)) if code:
                return await cluster.directory.home_of_table(code.upper())
        return None

    def _is_here(self, request: Request) -> bool:
        """Whether it has come here meanwhile."""
        lobby = self._server.lobby
        if isinstance(request, Resume):
            return lobby.has_match(request.match)
        code = request.table.upper() if isinstance(request, Join | Watch) else ""
        return code in lobby.tables or lobby.resting.asleep_at(code) is not None

    async def _send_on(self, session: Session, home: Node, request: Request) -> None:
        """Raises OSError."""
        if session.follows:
            self._move(session, home)
        elif session.caller.led >= MOST_LED:
            session.goodbye(GoodbyeCode.SILENT)
        else:
            lists = self._server.lobby.list.readers.get(session)
            await self._cluster.pipes.lead(session, home, told_of(session, lists), request)

    def lead(self, session: Session, hello: Hello, ticket: Ticket) -> bool:
        """Lead a caller to the node of their ticket; returns whether it lives."""
        node = self._cluster.directory.living.get(ticket.node)
        ours = ticket.node == self._cluster.directory.number
        if node is None or ours or session.caller.led >= MOST_LED:
            return False
        self._server.tasks.spawn(self._lead(session, node, hello))
        return True

    async def _lead(self, session: Session, node: Node, hello: Hello) -> None:
        try:
            await self._cluster.pipes.lead(session, node, None, hello)
        except OSError:
            session.goodbye(GoodbyeCode.SILENT)

    # What goes on elsewhere -----------------------------------------------------------------------

    def move(self, session: Session, home: Node | None = None) -> bool:
        """Send somebody on whom this node serves no more: to the node that plays their match, or to
        any other, which leads them there. Returns whether they follow, and there is one."""
        others = self._cluster.directory.others
        if not (session.follows and session.name and others):
            return False
        self._move(session, home if home is not None and home in others else choice(others))
        return True

    def _move(self, session: Session, node: Node) -> None:
        ticket = self._cluster.tickets.issue(session, node)
        session.goodbye(GoodbyeCode.MOVED, at=node.players, ticket=ticket)
