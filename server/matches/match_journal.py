"""The journal as one match asks it: what fails is tried again, after longer and longer pauses."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import structlog

from protocol.codec import encode
from protocol.from_server import Ended
from protocol.ids import MatchId, Seat
from server.store.in_database import Journal
from server.store.journal import Claimed, Entry, Header, Hurt, JournalError, TokenHashes, Unanswered
from server.store.statements import No

if TYPE_CHECKING:
    from server.tables.playing import Playing

T = TypeVar("T")


FIRST_PAUSE_S: Final = 0.05
MAX_DOUBLINGS: Final = 7
"""Each pause is twice as long as the last one, up to some six seconds."""
TRIES: Final = 150
"""A quarter of an hour and more: a backup or a repair that holds the file ends no match."""
UNTIL_IT_WORKS: Final = 10**9
LONG: Final = 6
"""Failures in a row, some three seconds, after which players are told why nothing happens; a
journal that has not answered has taken as long already."""


class MatchJournal:
    """`failures`: in a row. `playing` is told when the journal has been failing for long, and
    when it works again."""

    __slots__ = ("_journal", "_match", "_playing", "_said", "failures")

    def __init__(self, match: MatchId, journal: Journal, playing: "Playing") -> None:
        self._match: Final = match
        self._journal: Final = journal
        self._playing: Final = playing
        self.failures = 0
        self._said = False

    def works(self) -> None:
        """Note that the journal works."""
        self.failures = 0
        if self._said:
            self._say(False)

    def is_quiet(self) -> None:
        """Note that the journal has not answered for long, and may yet."""
        self.failures = self.failures or 1
        if not self._said:
            self._say(True)

    async def pause(self, error: Exception) -> None:
        """Note and log that the journal failed, then wait."""
        structlog.get_logger().error("journal failed", match=self._match, error=str(error))
        pause_s = FIRST_PAUSE_S * 2 ** min(self.failures, MAX_DOUBLINGS)
        self.failures += 1
        if not self._said and (self.failures >= LONG or isinstance(error, Unanswered)):
            self._say(True)
        await asyncio.sleep(pause_s)

    def _say(self, fails: bool) -> None:
        self._said = fails
        self._playing.disk_fails(fails)

    async def begin(self, header: Header, tokens: TokenHashes) -> None:
        """Keep a new match, trying until that works. Raises Claimed."""
        await self._insist(partial(self._journal.begin, header, tokens), UNTIL_IT_WORKS)
        self.works()

    async def keep_tokens(self, seat: Seat, hashes: Sequence[bytes]) -> None:
        """As in `Journal`, trying until that works. Raises Claimed, and No: it has no such
        match."""
        keep = partial(self._journal.keep_tokens, self._match, seat, hashes)
        await self._insist(keep, UNTIL_IT_WORKS)
        self.works()

    async def load(self) -> Sequence[Entry]:
        """All entries of the match. Raises JournalError where they cannot be had."""
        _header, entries = await self._insist(partial(self._journal.load, self._match))
        return entries

    async def finish(self, ended: Ended) -> None:
        """Note how the match ended, if that works: the journal keeps the entries, and an outcome
        follows from them."""
        await self._once(self._journal.finish(self._match, _noted(ended)))

    async def let_go(self, unsaid: Ended | None) -> None:
        """Let go of the match, trying for long. `unsaid`: how it ended, where that is not noted
        yet."""
        if unsaid is not None:
            finish = partial(self._journal.finish, self._match, _noted(unsaid))
            await self._once(self._insist(finish))
        await self._once(self._insist(partial(self._journal.forget, self._match)))
        self.works()

    async def _once(self, work: Awaitable[None]) -> None:
        """Log an error."""
        try:
            await work
        except Claimed:
            pass  # the other node does it
        except JournalError as error:
            structlog.get_logger().error("journal failed", match=self._match, error=str(error))

    async def _insist(self, work: Callable[[], Awaitable[T]], tries: int = TRIES) -> T:
        """Do some work with the journal. Raises JournalError when so many tries were in vain, or
        none can help."""
        for _ in range(tries - 1):
            try:
                return await work()
            except (Claimed, Hurt, No):
                raise  # no patience mends what the disk has damaged, or brings a match back
            except JournalError as error:
                await self.pause(error)
        return await work()


def _noted(ended: Ended) -> bytes:
    """What the journal has of an end: nothing where the match was aborted."""
    return b"" if ended.aborted else encode(ended.outcome)
