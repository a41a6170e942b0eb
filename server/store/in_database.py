"""A journal in a database of any kind: each of its methods is a job for the writer's thread.

It remembers where each match stands that is being played; without that, every entry would first
look for the one before it. Laws: what is remembered is what the database says. When a transaction
is undone, all of it is forgotten, and so is a match that its table has let go of. The epoch in
which this server came to a match is kept until then: a match that another has claimed meanwhile
takes nothing more from here. A server that is not alone (`fenced`) comes to a match by beginning or
claiming it, never by chance.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from msgspec import Struct

from protocol.ids import MatchId, Seat, Version
from server.store import statements
from server.store.chain import Link, next_link
from server.store.journal import (
    NO_TOKENS,
    Claimed,
    Doubled,
    Entry,
    Header,
    JournalError,
    TokenHashes,
)
from server.store.keeping import prune
from server.store.migrating import SqlConnection
from server.store.writer import Single, Writer, one_by_one

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Append: TypeAlias = tuple[MatchId, Version, Entry]
"""An entry to be kept, as `Journal.append` is asked to."""
StandRow: TypeAlias = tuple[MatchId, int, int, Link, int]
"""A match, its number in the database, its newest version, the link of that, and its epoch."""


class Stand(Struct):
    """Where a match stands: its number, its newest version, the link of that, and its epoch.
    `keys`: for a database that has no index of them."""

    number: int
    version: int
    link: Link
    epoch: int
    keys: bytearray | None = None


class NewEntry(NamedTuple):
    """An entry that follows what its match has, and its link."""

    stand: Stand
    version: Version
    entry: Entry
    link: Link


class DatabaseJournal:
    """`server.store.journal.Journal` in a database, whose shape is the newest. A database is a
    subclass, which says what differs."""

    begin_statement = "BEGIN"
    one_statement = False
    """Whether `_write`, and what replaces `one_by_one`, is one statement each."""
    entry_tables: Sequence[str] = ("entry",)
    fenced = False
    """Whether other servers write to the database, too."""

    def __init__(self, connection: SqlConnection) -> None:
        self._stands: Final[dict[MatchId, Stand]] = {}
        self._epochs: Final[dict[MatchId, int]] = {}
        """In which this server came to each match."""
        self._writer: Final = Writer(
            connection, self.begin_statement, self._stands.clear, one_statement=self.one_statement
        )

    def _do(self, does: Callable[[SqlConnection, *Ts], T], *given: *Ts) -> asyncio.Future[T]:
        """The result of these statements, in a transaction that others may share."""
        return self._writer.do(one_by_one, Single(does, given))

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._do(self._begin, header, tokens)

    def append(self, match: MatchId, version: Version, entry: Entry) -> asyncio.Future[None]:
        return self._writer.do(self._append, (match, version, entry))

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(statements.load, match)

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(statements.finish, match, outcome)

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do(statements.keep_tokens, match, seat, hashes)

    async def tokens(self, match: MatchId) -> TokenHashes:
        return await self._do(statements.tokens, match)

    async def held(self) -> Sequence[MatchId]:
        return await self._do(statements.held)

    async def forget(self, match: MatchId) -> None:
        await self._do(self._forget, match)

    async def keep_deal(self, id: str, deal: bytes) -> None:
        await self._do(statements.keep_deal, id, deal)

    async def deals(self) -> Mapping[str, bytes]:
        return await self._writer.do(_deals, None)

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        pruned, size = 0, self._used_bytes
        while some := await self._do(prune, self.entry_tables, keep_days, most_bytes, size):
            pruned += some
        return pruned

    async def probe(self) -> None:
        await self._do(self._probe)

    async def close(self) -> None:
        self._writer.close()
        await asyncio.to_thread(self._writer.ended)

    # What differs between databases; all that follows runs in the writer's thread -----------------

    def _newest(self, connection: SqlConnection, matches: Collection[MatchId]) -> list[StandRow]:
        """Of these matches those that are there."""
        raise NotImplementedError

    def _write(self, connection: SqlConnection, rows: Sequence[NewEntry]) -> Collection[int]:
        """Write these, one a match, and return the numbers of the matches that have taken theirs. A
        match takes none whose version is not the next, none of another epoch, and no (seat, key)
        twice."""
        raise NotImplementedError

    def _probe(self, connection: SqlConnection) -> None:
        """Write something that changes nothing."""
        raise NotImplementedError

    def _used_bytes(self, connection: SqlConnection) -> int:
        """How large the journal is, without room that is free again."""
        raise NotImplementedError

    # What they do alike ---------------------------------------------------------------------------

    def _begin(self, connection: SqlConnection, header: Header, tokens: TokenHashes) -> None:
        number, link = statements.begin(connection, header, tokens)
        epoch = self._epochs.setdefault(header.match, 0)
        self._stands[header.match] = Stand(number, 0, link, epoch, bytearray())

    def _forget(self, connection: SqlConnection, match: MatchId) -> None:
        self._stands.pop(match, None)
        self._epochs.pop(match, None)
        statements.forget(connection, match)

    def _append(
        self, connection: SqlConnection, appends: Sequence[Append]
    ) -> list[JournalError | Doubled | None]:
        """Keep these; says of each why not. A measured hot path."""
        results: list[JournalError | Doubled | None] = []
        for some in _one_a_match(appends):
            if unknown := [match for match, _, _ in some if match not in self._stands]:
                self._come_to(connection, unknown)
            rows = [self._following(*one) for one in some]
            kept = self._write(connection, [row for row in rows if row is not None])
            for one, row in zip(some, rows, strict=True):
                if row is not None and row.stand.number in kept:
                    row.stand.version, row.stand.link = row.version, row.link
                    results.append(None)
                else:
                    results.append(self._refusal(connection, *one))
        return results

    def _come_to(self, connection: SqlConnection, matches: Collection[MatchId]) -> None:
        for match, number, version, link, epoch in self._newest(connection, matches):
            if not self.fenced or match in self._epochs:
                epoch = self._epochs.setdefault(match, epoch)
                self._stands[match] = Stand(number, version, link, epoch)

    def _following(self, match: MatchId, version: Version, entry: Entry) -> NewEntry | None:
        """None: it does not follow what is there."""
        stand = self._stands.get(match)
        if stand is None or stand.version != version - 1:
            return None
        return NewEntry(stand, version, entry, next_link(stand.link, entry))

    def _refusal(
        self, connection: SqlConnection, match: MatchId, version: Version, entry: Entry
    ) -> JournalError | Doubled:
        """Why the match has not taken it."""
        self._stands.pop(match, None)
        if not (found := self._newest(connection, [match])):
            return statements.unknown(match)
        ((_, number, _, _, epoch),) = found
        if self._epochs.get(match, None if self.fenced else epoch) != epoch:
            return Claimed(match)
        first = entry.seat is not None and statements.find(
            connection, number, entry.seat, entry.key
        )
        return Doubled(first) if first else statements.No(f"{match} takes no version {version}")


def _deals(connection: SqlConnection, asked: Sequence[None]) -> list[Mapping[str, bytes]]:
    return [statements.deals(connection)] * len(asked)


def _one_a_match(appends: Sequence[Append]) -> Iterator[list[Append]]:
    """The same in runs, none of which has two of a match."""
    run, seen = list[Append](), set[MatchId]()
    for one in appends:
        if one[0] in seen:
            yield run
            run, seen = [], set()
        run.append(one)
        seen.add(one[0])
    yield run
