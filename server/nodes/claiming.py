"""A node claims matches that nobody plays, and lets go of some when it has too many.

A node that is crowded, with many more tables than the others, waits before it claims, has new
tables made elsewhere, and now and then lets go of some matches in which nobody has acted for a
while. One that runs dry claims none by itself.

Law: a match is restored after the journal has it as this node's, and where another has claimed it
since, it goes without a word to the journal, and its people dial again.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import choices, uniform
from typing import TYPE_CHECKING, Final

import structlog

from protocol.ids import MatchId
from server.nodes.directory import CLAIMS, NOBODY, RENEWALS, Directory, Node
from server.store.journal import JournalError

if TYPE_CHECKING:
    from server.server import Server

AT_ONCE: Final = 20
"""Matches that one claim takes, so that all nodes share those of one that is gone."""
JITTER_S: Final = 0.02
"""Nodes look at the same moment, and wait by chance up to so long between two claims."""
HAND_OVER_S: Final = 5.0
MORE: Final = 1.25
FEW: Final = 10
"""A node is crowded that has this many times its share of all tables, and so many more."""
SHY_S: Final = 1.0
"""So long a crowded one waits before it claims."""
LEVEL_S: Final = 60.0
"""Where nobody has acted for so long, the match may move to another node."""


class Claiming:
    """For one node, whose matches its `server` plays. `lease_s`: of this node."""

    def __init__(self, directory: Directory, server: "Server", lease_s: float) -> None:
        self._journal: Final = directory.journal
        self._directory: Final = directory
        self._server: Final = server
        self._every_s: Final = lease_s / RENEWALS
        """How often it looks without being told."""
        self._turn: Final = asyncio.Lock()
        """Held from a claim until its matches are restored."""
        self._wanted: Final = directory.told[CLAIMS]
        self._hands_over = False
        self._levelled_s = asyncio.get_running_loop().time()
        self._acted: Mapping[MatchId, int] = {}
        """How often people had acted when it was last levelled."""

    async def run(self) -> None:
        """Claim what can be claimed whenever there may be something, for ever."""
        while True:
            self._wanted.clear()
            try:
                if self._above():
                    await asyncio.sleep(SHY_S)
                while await self._claim(AT_ONCE) >= AT_ONCE:
                    pass  # there may be more
                await self._let_go(closely=False)
                await self.have_tables()
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
            if self._server.lobby.has_match(match):
                return self._directory.own
        home = await self._directory.home_of(match)
        if home is not None and home.number == self._directory.number:
            return None
        return home

    async def release(self) -> None:
        """Let go of all matches, and tell the other nodes. Raises JournalError."""
        self._hands_over = True
        async with asyncio.timeout(HAND_OVER_S), self._turn:
            await self._server.sleeping.keep_unbegun()
            await self._journal.release()
            await self._directory.tell(CLAIMS)

    def roomier(self) -> Node | None:
        """The node that makes a new table for this one, if this one is crowded or runs dry."""
        directory = self._directory
        others = [node for node in directory.others if node.number in directory.loads]
        if not (others and (self._above() or self._server.lobby.draining)):
            return None
        loads = [directory.loads[node.number] for node in others]
        return choices(others, [max(loads) + 1 - load for load in loads])[0]

    def _above(self) -> int:
        """So many tables this node has above its share, if it is crowded."""
        mine = len(self._server.lobby.tables)
        loads = {**self._directory.loads, self._directory.number: mine}
        share = sum(loads.values()) / len(loads)
        return int(mine - share) if mine > MORE * share + FEW else 0

    async def _level(self) -> None:
        """Let go of what others should have. Raises JournalError."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._levelled_s >= LEVEL_S:
            self._levelled_s = now_s
            before, self._acted = self._acted, dict(self._movable())
            still = [match for match, acted in self._acted.items() if before.get(match) == acted]
            if leaving := still[: min(self._above(), AT_ONCE)]:
                self._journal.disown(leaving)  # which `check` lets go of
                try:
                    await self._let_go()
                finally:
                    for match in leaving:
                        self._server.lobby.lose(match)
                await self._directory.tell(CLAIMS)

    def _movable(self) -> Iterator[tuple[MatchId, int]]:
        """The matches that can go on elsewhere, and how often people have acted in each."""
        for table in self._server.lobby.tables.values():
            match, acted = table.match, table.playing.acted
            alone = acted and not (table.deal or table.watchers)
            if alone and match and match.begun and match.idle and not match.over:
                yield match.id, acted

    async def have_tables(self) -> None:
        """Those that have not begun, of nodes that are gone, too. Raises JournalError."""
        if not (self._hands_over or self._server.lobby.draining):
            kept = await self._journal.tables([*self._directory.living])
            self._server.sleeping.have_unbegun(kept)

    async def _let_go(self, *, closely: bool = True) -> None:
        async with self._turn:
            gone = await self._journal.check(closely=closely)
            homes = await asyncio.gather(*map(self._new_home, gone))
            for match, home in zip(gone, homes, strict=True):
                self._server.lobby.lose(match, home)

    async def _new_home(self, match: MatchId) -> Node | None:
        """Where its people are sent; None: nobody plays it yet, or it is unknown."""
        with suppress(JournalError):
            return await self._directory.home_of(match)
        return None

    async def _claim(self, most: int, match: MatchId | None = None) -> int:
        """How many it has claimed."""
        lobby = self._server.lobby
        if match is None:
            await asyncio.sleep(uniform(0, JITTER_S))
        async with self._turn:
            if self._hands_over or (match is not None and lobby.has_match(match)):
                return 0
            if match is None and lobby.draining:
                return 0  # it would never run dry
            living = list(self._directory.living)
            if not (claimed := await self._journal.claim(most, match, living)):
                return 0
            for one in claimed:
                lobby.lose(one)  # one that was here before, and has been elsewhere since
            unread = claimed
            try:
                for asleep in await self._journal.asleep_among(claimed):
                    lobby.resting.lay(asleep)
                awake = [one for one in claimed if one not in lobby.resting]
                unread = await self._server.restoring.run(awake, stood_s=self._journal.stood_s)
            finally:
                self._journal.disown([one for one in unread if not lobby.has_match(one)])
        structlog.get_logger().info("matches claimed", matches=len(claimed))
        return len(claimed)
