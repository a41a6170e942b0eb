"""A server that acknowledges before it commits, twice a second: the siege must find it out.

python -m tests.stage.early_ack serve …
"""

import asyncio
import sys
from typing import Final

from protocol.ids import Key, MatchId, Seat, Version
from server.__main__ import main
from server.store import sqlite
from server.store.journal import Entry, Header

FLUSH_S: Final = 0.5


class EarlyJournal(sqlite.SqliteJournal):
    """A journal that breaks nothing but its promise."""

    _waiting: list[tuple[MatchId, Version, Entry]]
    _flusher: "asyncio.Task[None] | None" = None

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        if self._flusher is None:
            self._waiting = []
            self._flusher = asyncio.create_task(self._flush_now_and_then())
        self._waiting.append((match, version, entry))

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        await self._flush()
        return await super().find(match, seat, key)

    async def load(self, match: MatchId) -> "tuple[Header, object]":  # type: ignore[override]
        await self._flush()
        return await super().load(match)

    async def close(self) -> None:
        if self._flusher is not None:
            self._flusher.cancel()
        await self._flush()
        await super().close()

    async def _flush_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_S)
            await self._flush()

    async def _flush(self) -> None:
        if self._flusher is not None:
            waiting, self._waiting = self._waiting, []
            await asyncio.gather(*(super(EarlyJournal, self).append(*one) for one in waiting))


if __name__ == "__main__":
    sqlite.SqliteJournal = EarlyJournal  # type: ignore[misc]
    sys.exit(main())
