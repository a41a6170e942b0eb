"""Sends players elsewhere when this node does not reach the database and others may.

Laws: a node judges only after it has been without the database for so long that others, if they
have it, play its matches by now. It keeps its own matches: if no other node has the database
either, the players return, and each next try waits twice as long.
"""

import asyncio
from typing import Final

import structlog

from protocol.errors import GoodbyeCode
from server.net.peers import Peers
from server.nodes.directory import LOOK_S, Directory

LEASES: Final = 2
"""The first is over for certain after one; the others take some of the second to claim."""


class Stranded:
    """The players of one node. `lease_s`: of that node."""

    def __init__(self, directory: Directory, peers: Peers, lease_s: float) -> None:
        self._directory: Final = directory
        self._peers: Final = peers
        self._after_s: Final = LEASES * lease_s

    async def run(self) -> None:
        """Send them away when it is time, for ever."""
        due_s = self._after_s
        while True:
            await asyncio.sleep(LOOK_S)
            away_s = self._directory.away_s
            if not away_s:
                due_s = self._after_s
            elif away_s >= due_s and self._directory.others:
                due_s = 2 * away_s
                self._send_on()

    def _send_on(self) -> None:
        """Those at a match, who all wait for the database."""
        sent = 0
        for session in list(self._peers.admitted):
            table = session.at_table()
            if table is not None and table.match is not None and not table.match.over:
                session.goodbye(GoodbyeCode.SILENT)
                sent += 1
        structlog.get_logger().warning("players are sent to other nodes", people=sent)
