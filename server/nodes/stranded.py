"""Players leave a node that does not reach the database when others do.

Laws: a node judges once its lease is over, when others, if they have the database, may play its
matches, and asks them whether they have. It keeps its own matches: players who return wait twice
as long before they are sent away again.
"""

import asyncio
from random import choice
from typing import Final

import structlog

from protocol.errors import GoodbyeCode
from server.net.peers import Peers
from server.nodes.directory import LOOK_S, Directory, Node
from server.nodes.sending import Sending


class Stranded:
    """The players of one node. `lease_s`: of this node."""

    def __init__(
        self, directory: Directory, sending: Sending, peers: Peers, lease_s: float
    ) -> None:
        self._directory: Final = directory
        self._sending: Final = sending
        self._peers: Final = peers
        self._after_s: Final = lease_s

    async def run(self) -> None:
        """Send them away when it is time, for ever."""
        due_s = self._after_s
        while True:
            await asyncio.sleep(LOOK_S)
            away_s = self._directory.away_s
            if not away_s:
                due_s = self._after_s
            elif away_s >= due_s:
                nodes = await self._directory.reaching()
                if nodes and (away_s := self._directory.away_s):
                    due_s = 2 * away_s
                    self._send_on(nodes)

    def _send_on(self, nodes: list[Node]) -> None:
        """Those at a match, who all wait for the database."""
        sent = 0
        for session in list(self._peers.admitted):
            table = session.at_table()
            if table is not None and table.match is not None and not table.match.over:
                if not self._sending.move(session, choice(nodes)):
                    session.goodbye(GoodbyeCode.SILENT)
                sent += 1
        structlog.get_logger().warning("players are sent to other nodes", people=sent)
