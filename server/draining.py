"""Lets a server run dry: nothing new begins, matches are played to their end, then it stops.

Only players who come back to a seat are let in. A match that nobody plays is not waited for: the
journal has it, and it goes on when the server starts again.
"""

import asyncio
from typing import Final

import structlog

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from protocol.table import TablePhase
from server.net.peers import Peers
from server.tables.lobby import Lobby
from server.tables.table import Table

LOOK_S: Final = 0.5
LAST_LOOK_S: Final = 10.0
"""How long players may read the result of the last match."""


class Draining:
    """`stopping`: set when the server is to stop."""

    def __init__(self, lobby: Lobby, peers: Peers, stopping: asyncio.Event) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._stopping: Final = stopping
        self._watching: asyncio.Task[None] | None = None
        """As long as it drains."""
        self._asked_s = 0.0
        """Since when, on the loop's clock."""
        self._ends_s: float | None = None
        self._dry_since_s: float | None = None

    @property
    def left_s(self) -> int:
        """After how many seconds the server stops at the latest; 0: when the matches are over."""
        if self._ends_s is None:
            return 0
        return max(1, round(self._ends_s - asyncio.get_running_loop().time()))

    def begin(self, within_s: int = 0) -> None:
        """Begin to drain, or change how long it may take: so many seconds, 0 = until the matches
        are over."""
        now_s = asyncio.get_running_loop().time()
        self._ends_s = now_s + within_s if within_s else None
        if self._watching is None:
            self._asked_s = now_s
            self._watching = self._lobby.runner.tasks.spawn(self._watch())
        self._lobby.draining = True
        self._tell(Notice(NoticeCode.DRAINING, {"within_s": within_s}))

    def cancel(self) -> None:
        """Let tables and matches begin again."""
        if self._watching is not None:
            self._watching.cancel()
        self._watching = self._ends_s = self._dry_since_s = None
        self._lobby.draining = False
        self._tell(Notice(NoticeCode.DRAIN_CANCELLED))

    def _tell(self, notice: Notice) -> None:
        for session in self._peers.admitted:
            session.send(notice)

    async def _watch(self) -> None:
        """Stop the server when it is dry."""
        over, loop = False, asyncio.get_running_loop()
        while not over:
            await asyncio.sleep(LOOK_S)
            self._turn_away_newcomers(loop.time())
            over = self._is_over(loop.time())
        structlog.get_logger().info("drained")
        self._stopping.set()

    def _turn_away_newcomers(self, now_s: float) -> None:
        """End the connections that came since and have not come back to a seat in time."""
        hello_s = self._peers.limits.hello_s
        for session in list(self._peers.admitted):
            came_since = session.made_s >= self._asked_s and now_s - session.made_s > hello_s
            if came_since and session.name and session.table is None:
                session.goodbye(GoodbyeCode.DRAINING)

    def _is_over(self, now_s: float) -> bool:
        if self._ends_s is not None and now_s >= self._ends_s:
            return True
        if any(_is_played(table) for table in self._lobby.tables.values()):
            self._dry_since_s = None
            return False
        if self._dry_since_s is None:
            self._dry_since_s = now_s
        reads = any(table.people() for table in self._lobby.tables.values())
        return not reads or now_s - self._dry_since_s >= LAST_LOOK_S


def _is_played(table: Table) -> bool:
    """Whether somebody plays there, or has just lost the connection; a match of days goes on when
    the server is back."""
    chairs = table.seating.chairs
    here = any(chair.guest is not None or chair.grace.runs for chair in chairs)
    return table.phase is TablePhase.PLAYING and here and table.days is None
