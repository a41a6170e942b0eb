"""A journal in a database of any kind: each of its methods is a job for the writer."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from protocol.ids import Key, MatchId, Seat, Version
from server.store import keeping, statements
from server.store.appending import Append, Appending
from server.store.dialect import Dialect
from server.store.journal import NO_TOKENS, Entry, Header, TokenHashes
from server.store.migrating import Connection
from server.store.writer import Shared, Work, Writer


class DatabaseJournal:
    """`server.store.journal.Journal` in a database, whose shape is the newest."""

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self._dialect: Final = dialect
        self._entries: Final = Appending(dialect)
        self._writer: Final = Writer(connection, dialect, self._entries)

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._do(partial(self._entries.begin, header=header, tokens=tokens))

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        return self._do(Append(match, version, entry))

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        return await self._do(partial(self._entries.find, match=match, seat=seat, key=key))  # type: ignore[no-any-return]

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(partial(statements.load, match=match))  # type: ignore[no-any-return]

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(partial(statements.finish, match=match, outcome=outcome))

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do(partial(statements.keep_tokens, match=match, seat=seat, hashes=hashes))

    async def tokens(self, match: MatchId) -> TokenHashes:
        return await self._do(partial(statements.tokens, match=match))  # type: ignore[no-any-return]

    async def held(self) -> Sequence[MatchId]:
        return await self._do(statements.held)  # type: ignore[no-any-return]

    async def forget(self, match: MatchId) -> None:
        await self._do(partial(self._entries.forget, match=match))

    async def keep_deal(self, id: str, deal: bytes) -> None:
        await self._do(partial(statements.keep_deal, id=id, deal=deal))

    async def deals(self) -> Mapping[str, bytes]:
        return await self._do(statements.deals)  # type: ignore[no-any-return]

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        pruned = 0
        work = partial(
            keeping.prune, dialect=self._dialect, keep_days=keep_days, most_bytes=most_bytes
        )
        while some := await self._do(work):
            pruned += some
        return pruned

    async def probe(self) -> None:
        await self._do(self._dialect.probe)

    async def close(self) -> None:
        self._writer.close()
        await asyncio.to_thread(self._writer.ended)

    def _do(self, work: Work | Append | Shared) -> asyncio.Future[Any]:
        return self._writer.do(work)
