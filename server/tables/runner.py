"""Runs the matches of a server: each has a task, and bots have brains to think with."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import structlog

from protocol.ids import MatchId
from server.bots.brains import Brains
from server.bots.driver import Spawn
from server.matches.match import Match
from server.store.journal import Journal, JournalError


@dataclass(kw_only=True)
class MatchRunner:
    """`tasks` are the matches that run; `bot_pace_s` is how long a bot's action takes at least, so
    that people can follow. `keep_days`: how long a finished match is kept as a record.
    `partings`: what the journal is still to be told of matches that were let go."""

    journal: Journal
    brains: Brains
    spawn: Spawn
    bot_pace_s: float
    keep_days: int = 0
    tasks: dict[MatchId, asyncio.Task[None]] = field(default_factory=dict)
    partings: set[asyncio.Task[None]] = field(default_factory=set)

    def run(self, match: Match) -> None:
        """Begin the match, or go on with a restored one."""
        self.tasks[match.id] = self.spawn(match.run())

    def let_go(self, match: Match) -> None:
        """End the match's task and forget the match; nobody hears from it any more."""
        match.detach_all()
        if (task := self.tasks.pop(match.id, None)) is not None:
            task.cancel()
            self._part(self._forget(match, task))

    def rest(self, match: Match) -> None:
        """End the task of a match that stands still; the journal goes on holding the match."""
        match.detach_all()
        self.tasks.pop(match.id).cancel()

    def end_rest(self, match: MatchId) -> None:
        """Let go of a match that rests."""
        self._part(self._end_rest(match))

    def _part(self, work: Coroutine[Any, Any, None]) -> None:
        parting = self.spawn(work)
        self.partings.add(parting)
        parting.add_done_callback(self.partings.discard)

    async def _end_rest(self, match: MatchId) -> None:
        try:
            await self.journal.finish(match, b"")
            await self.journal.forget(match)
        except JournalError as error:
            # The next start restores it, and lets go of it when nobody comes.
            structlog.get_logger().error("journal failed", match=match, error=str(error))

    async def _forget(self, match: Match, task: asyncio.Task[None]) -> None:
        """Runs as its own task, since the match's task may be what asks for this."""
        await asyncio.wait([task])
        await match.forget()
