"""What a match does while its journal fails: it waits, longer each time, and asks again."""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from protocol.ids import MatchId
from server.store.journal import Entry, Header, Journal, JournalError

FIRST_PAUSE_S: Final = 0.05
MAX_DOUBLINGS: Final = 7
"""Each pause is twice as long as the last one, up to some six seconds."""
LOAD_TRIES: Final = 6


class Patience:
    """Of one match with its journal."""

    __slots__ = ("_failures", "_journal", "_match")

    def __init__(self, match: MatchId, journal: Journal) -> None:
        self._match: Final = match
        self._journal: Final = journal
        self._failures = 0

    def renew(self) -> None:
        """The journal works."""
        self._failures = 0

    async def pause(self, error: JournalError) -> None:
        """It does not: say so, and let some time go by."""
        structlog.get_logger().error("journal failed", match=self._match, error=str(error))
        pause_s = FIRST_PAUSE_S * 2 ** min(self._failures, MAX_DOUBLINGS)
        self._failures += 1
        await asyncio.sleep(pause_s)

    async def load(self) -> tuple[Header, Sequence[Entry]]:
        """All there is, asked for several times. Raises JournalError when that was in vain."""
        for _ in range(LOAD_TRIES - 1):
            try:
                return await self._journal.load(self._match)
            except JournalError as error:
                await self.pause(error)
        return await self._journal.load(self._match)
