"""The matches of a server that are played, the tasks that they need, and brains for their bots."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import structlog

from protocol.ids import MatchId
from server.bots.brains import Brains
from server.matches.match import Match
from server.store.journal import Journal, JournalError
from server.tasks import Tasks


@dataclass(kw_only=True)
class MatchRunner:
    """`matches` are played or over, with a table; `bot_pace_s` is how long a bot's action takes at
    least, so that people can follow. `keep_days`: how long a finished match is kept as a record.
    `partings`: what the journal is still to be told of matches that were let go."""

    journal: Journal
    brains: Brains
    tasks: Tasks
    bot_pace_s: float
    keep_days: int = 0
    matches: set[Match] = field(default_factory=set)
    partings: set[asyncio.Task[None]] = field(default_factory=set)

    def run(self, match: Match) -> None:
        """Begin the match, or go on with a restored one."""
        self.matches.add(match)
        match.start()

    def let_go(self, match: Match) -> None:
        """End the match and forget it; nobody hears from it any more."""
        self.rest(match)
        self._part(match.forget())

    def rest(self, match: Match) -> None:
        """End the match here; the journal goes on holding it."""
        match.detach_all()
        self.matches.discard(match)

    def stop(self) -> None:
        """The server stops: no match does anything more, and nobody is told."""
        for match in self.matches:
            match.stop()

    def end_rest(self, match: MatchId) -> None:
        """Let go of a match that rests."""
        self._part(self._end_rest(match))

    def _part(self, work: Coroutine[Any, Any, None]) -> None:
        parting = self.tasks.spawn(work)
        self.partings.add(parting)
        parting.add_done_callback(self.partings.discard)

    async def _end_rest(self, match: MatchId) -> None:
        try:
            await self.journal.finish(match, b"")
            await self.journal.forget(match)
        except JournalError as error:
            # The next start restores it, and lets go of it when nobody comes.
            structlog.get_logger().error("journal failed", match=match, error=str(error))
