"""Which node plays a match: matches are claimed and let go, and players leave a stranded node.

A node that has many more matches than the others waits before it claims, and now and then lets go
of some in which nobody has acted for a while. One that runs dry claims none by itself.

Law: a match is restored after the journal has it as this node's, and where another has claimed it
since, it goes without a word to the journal, and its people dial again.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import uniform
from typing import Final

import structlog

from protocol.errors import GoodbyeCode
from protocol.ids import MatchId
from server.net.peers import Peers
from server.nodes.directory import CLAIMS, LOOK_S, NOBODY, Directory, Node
from server.nodes.operators import Operators
from server.store.fenced import FencedJournal
from server.store.journal import JournalError
from server.tables.lobby import Lobby
from server.tables.restoring import Restoring

AT_ONCE: Final = 20
"""Matches that one claim takes, so that all nodes share those of one that is gone."""
JITTER_S: Final = 0.02
"""Nodes look at the same moment, and wait by chance up to so long between two claims."""
HAND_OVER_S: Final = 5.0
MORE: Final = 1.25
FEW: Final = 10
"""A node is crowded that has this many times its share of all matches, and so many more."""
SHY_S: Final = 1.0
"""So long a crowded one waits before it claims."""
COUNT_S: Final = 5.0
LEVEL_S: Final = 60.0
"""Where nobody has acted for so long, the match may move to another node."""


class Claiming:
    """For one node. `every_s`: how often it looks without being told."""

    def __init__(
        self,
        journal: FencedJournal,
        directory: Directory,
        restoring: Restoring,
        lobby: Lobby,
        every_s: float,
    ) -> None:
        self._journal: Final = journal
        self._directory: Final = directory
        self._restoring: Final = restoring
        self._lobby: Final = lobby
        self._every_s: Final = every_s
        self._turn: Final = asyncio.Lock()
        """Held from a claim until its matches are restored."""
        self._wanted: Final = directory.told[CLAIMS]
        self._hands_over = False
        self._above = 0
        """So many matches this node has above its share, if it is crowded."""
        self._counted_s = self._levelled_s = asyncio.get_running_loop().time()
        self._acted: Mapping[MatchId, int] = {}
        """How often people had acted when it was last levelled."""

    async def run(self) -> None:
        """Claim what can be claimed whenever there may be something, for ever."""
        while True:
            self._wanted.clear()
            try:
                if self._above and self._directory.others:
                    await asyncio.sleep(SHY_S)
                await self._claim_all()
                await self._let_go()
                await self._level()
            except JournalError as error:
                structlog.get_logger().error("journal failed", error=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every_s):
                    await self._wanted.wait()

    async def bring(self, match: MatchId) -> Node | None:
        """As `Directory.home_of`; where nobody plays the match it is brought here. None: it cannot
        go on, too. Raises JournalError."""
        home = await self._directory.home_of(match)
        if home == NOBODY:
            self._wanted.set()  # others of that node are looked for soon
            await self._claim(1, match)
        elif home is not None and home.number == self._directory.number:
            await self._let_go()  # an earlier claim may have been kept without a word
        else:
            return home
        async with self._turn:  # what is being claimed now is here then
            if self._lobby.has_match(match):
                return self._directory.own
        home = await self._directory.home_of(match)
        if home is not None and home.number == self._directory.number:
            return None
        return home

    async def release(self) -> None:
        """Let go of all matches, and tell the other nodes. Raises JournalError."""
        self._hands_over = True
        async with asyncio.timeout(HAND_OVER_S), self._turn:
            await self._journal.release()
            await self._directory.tell(CLAIMS)

    async def _claim_all(self) -> None:
        """Until there is less than could be taken."""
        while await self._claim(AT_ONCE) >= AT_ONCE:
            pass

    async def _level(self) -> None:
        """Count, and let go of what others should have. Raises JournalError."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._counted_s >= COUNT_S:
            self._counted_s = now_s
            await self._count()
        if now_s - self._levelled_s >= LEVEL_S:
            self._levelled_s = now_s
            before, self._acted = self._acted, dict(self._movable())
            still = [match for match, acted in self._acted.items() if before.get(match) == acted]
            if leaving := still[: min(self._above, AT_ONCE)]:
                self._journal.disown(leaving)  # which `check` lets go of
                for match in leaving:
                    self._lobby.lose(match)
                await self._let_go()
                await self._directory.tell(CLAIMS)

    async def _count(self) -> None:
        loads = await self._directory.loads()
        mine, share = loads[self._directory.number], sum(loads.values()) / len(loads)
        self._above = int(mine - share) if mine > MORE * share + FEW else 0

    def _movable(self) -> Iterator[tuple[MatchId, int]]:
        """The matches that can go on elsewhere, and how often people have acted in each."""
        for table in self._lobby.tables.values():
            match, acted = table.match, table.playing.acted
            alone = acted and not (table.deal or table.watchers)
            if alone and match and match.begun and match.idle and not match.over:
                yield match.id, acted

    async def _let_go(self) -> None:
        async with self._turn:
            for match in await self._journal.check():
                self._lobby.lose(match)

    async def _claim(self, most: int, match: MatchId | None = None) -> int:
        """How many it has claimed."""
        if match is None:
            await asyncio.sleep(uniform(0, JITTER_S))
        async with self._turn:
            if self._hands_over or (match is not None and self._lobby.has_match(match)):
                return 0
            if match is None and self._lobby.draining:
                return 0  # it would never run dry
            living = list(self._directory.living)
            if not (claimed := await self._journal.claim(most, match, living)):
                return 0
            for one in claimed:
                self._lobby.lose(one)  # one that was here before, and has been elsewhere since
            unread = claimed
            try:
                unread = await self._restoring.run(claimed)
            finally:
                self._journal.disown([one for one in unread if not self._lobby.has_match(one)])
        structlog.get_logger().info("matches claimed", matches=len(claimed))
        return len(claimed)


# Sends players elsewhere when this node does not reach the database and others may.
#
# Laws: a node judges only after it has been without the database for so long that others, if they
# have it, play its matches by now, and asks them whether they have. It keeps its own matches:
# players who return wait twice as long before they are sent away again.


LEASES: Final = 1.2
"""The first is over for certain after one; the others claim in what is left."""


class Stranded:
    """The players of one node. `operators`: asks the others; `lease_s`: of this node."""

    def __init__(
        self,
        directory: Directory,
        operators: Operators,
        peers: Peers,
        lease_s: float,
    ) -> None:
        self._operators: Final = operators
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
            elif away_s >= due_s and await self._operators.reach_database():
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
