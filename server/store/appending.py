"""Appends entries. It remembers where each match stands that is being played; without that, every
entry would first look for the one before it.

Laws: what is remembered is what the database says. When a transaction is undone, all of it is
forgotten, and so is a match that its table has let go of. The epoch in which this server came to a
match is kept until then: a match that another has claimed meanwhile takes nothing more from here.
A server that is not alone (`fenced`) comes to a match by beginning or claiming it, never by chance.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import msgpack

from protocol.ids import MatchId, Version
from server.store import chain, statements
from server.store.dialect import Dialect, Row
from server.store.journal import Claimed, Doubled, Entry
from server.store.migrating import Connection


class Append(NamedTuple):
    """An entry to be kept, as `Journal.append` is asked to."""

    match: MatchId
    version: Version
    entry: Entry


_No: TypeAlias = Doubled | Claimed | statements.No


class _End(NamedTuple):
    """The match's number in the database, its newest version, the link of that, and its epoch."""

    number: int
    version: int
    link: chain.Link
    epoch: int


class Appending:
    """For the journal's thread alone; as with `statements`, the caller has begun a transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._newest: Final = dialect.newest
        self._write: Final = dialect.write
        self._fenced: Final = dialect.fenced
        self._ends: Final[dict[MatchId, _End]] = {}
        self.epochs: Final[dict[MatchId, int]] = {}
        """In which this server came to each match."""

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[_No | None]:
        """Keep these; says of each why not. A measured hot path."""
        told: list[_No | None] = []
        for some in _one_a_match(appends):
            rows = [self._row(connection, one) for one in some]
            kept = self._write(connection, [row for row in rows if row is not None])
            told += [
                self._told(connection, one, row if row and row.match in kept else None)
                for one, row in zip(some, rows, strict=True)
            ]
        return told

    def _row(self, connection: Connection, append: Append) -> Row | None:
        """None: it does not follow what is there."""
        match, version, entry = append
        end = self._ends.get(match) or self._found(connection, match)
        if end is None or end.version != version - 1:
            return None
        lags = msgpack.encode(entry.lags_ms) if entry.lags_ms else b""
        link = chain.following(end.link, entry)
        head = (end.number, version, entry.seat, entry.key)
        return Row(*head, entry.at_ms, entry.action, lags, link, end.epoch)

    def _found(self, connection: Connection, match: MatchId) -> _End | None:
        found = statements.row(connection, self._newest, match)
        if found is None or (self._fenced and match not in self.epochs):
            return None
        end = _End(*found)
        return end._replace(epoch=self.epochs.setdefault(match, end.epoch))

    def _told(self, connection: Connection, append: Append, kept: Row | None) -> _No | None:
        match, version, entry = append
        if kept is not None:
            self._ends[match] = _End(kept.match, kept.version, kept.link, kept.epoch)
            return None
        self._ends.pop(match, None)
        if self._claimed(connection, match):
            return Claimed(match)
        try:
            first = entry.seat is not None and statements.find(
                connection, match, entry.seat, entry.key
            )
        except statements.No as no:
            return no
        return Doubled(first) if first else statements.No(f"{match} takes no version {version}")

    def _claimed(self, connection: Connection, match: MatchId) -> bool:
        found = statements.row(connection, self._newest, match)
        if found is None:
            return False
        epoch = _End(*found).epoch
        return self.epochs.get(match, None if self._fenced else epoch) != epoch

    def forget(self, connection: Connection, match: MatchId) -> None:
        """The match's table has let go of it."""
        self._ends.pop(match, None)
        self.epochs.pop(match, None)
        statements.forget(connection, match)

    def undone(self) -> None:
        """The transaction was undone, or nobody knows."""
        self._ends.clear()


def _one_a_match(appends: Sequence[Append]) -> Iterator[list[Append]]:
    """The same in runs, none of which has two of a match."""
    run, seen = list[Append](), set[MatchId]()
    for one in appends:
        if one.match in seen:
            yield run
            run, seen = [], set()
        run.append(one)
        seen.add(one.match)
    yield run
