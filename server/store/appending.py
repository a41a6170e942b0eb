"""Appends entries. It remembers where each match stands that is being played; without that, every
entry would first look for the one before it.

Laws: what is remembered is what the database says. When a transaction is undone, all of it is
forgotten, and so is a match that its table has let go of. The epoch in which this server came to a
match is kept until then: a match that another has claimed meanwhile takes nothing more from here.
A server that is not alone (`fenced`) comes to a match by beginning or claiming it, never by chance.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct, msgpack

from protocol.ids import Key, MatchId, Seat, Version
from server.store import chain, statements
from server.store.dialect import Dialect, Row
from server.store.journal import Claimed, Doubled, Entry, Header, TokenHashes
from server.store.migrating import Connection

_MARK_BYTES: Final = 4
_MARK_BITS: Final = (1 << 8 * _MARK_BYTES) - 1


class Append(NamedTuple):
    """An entry to be kept, as `Journal.append` is asked to."""

    match: MatchId
    version: Version
    entry: Entry


_No: TypeAlias = Doubled | Claimed | statements.No


class _End(Struct):
    """The match's number in the database, its newest version, the link of that, and its epoch.
    `keys`: a mark of each (seat, key) that it has, one after the other."""

    number: int
    version: int
    link: chain.Link
    epoch: int
    keys: bytearray


class Appending:
    """For the journal's thread alone; as with `statements`, the caller has begun a transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._newest: Final = dialect.newest
        self._all_newest: Final = dialect.all_newest
        self._keys: Final = dialect.keys
        self._write: Final = dialect.write
        self._fenced: Final = dialect.fenced
        self._ends: Final[dict[MatchId, _End]] = {}
        self.epochs: Final[dict[MatchId, int]] = {}
        """In which this server came to each match."""

    def begin(self, connection: Connection, header: Header, tokens: TokenHashes) -> None:
        number, link = statements.begin(connection, header, tokens)
        epoch = self.epochs.setdefault(header.match, 0)
        self._ends[header.match] = _End(number, 0, link, epoch, bytearray())

    def find(self, connection: Connection, match: MatchId, seat: Seat, key: Key) -> Version | None:
        end = self._ends.get(match)
        if self._keys and end is not None and _mark(seat, key) not in end.keys:
            return None
        return statements.find(connection, match, seat, key)  # two keys can have one mark

    def append(self, connection: Connection, appends: Sequence[Append]) -> list[_No | None]:
        """Keep these; says of each why not. A measured hot path."""
        told: list[_No | None] = []
        if self._all_newest:
            self._find_all(connection, appends)
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
        if self._keys and self._has(connection, append):
            return None
        lags = msgpack.encode(entry.lags_ms) if entry.lags_ms else b""
        link = chain.following(end.link, entry)
        head = (end.number, version, entry.seat, entry.key)
        return Row(*head, entry.at_ms, entry.action, lags, link, end.epoch)

    def _has(self, connection: Connection, append: Append) -> bool:
        match, _version, entry = append
        if entry.seat is None:
            return False
        return self.find(connection, match, entry.seat, entry.key) is not None

    def _find_all(self, connection: Connection, appends: Sequence[Append]) -> None:
        """One question for all matches that this server comes to now."""
        unknown = {one.match for one in appends if one.match not in self._ends}
        if len(unknown) > 1:
            for match, *found in connection.execute(self._all_newest, (list(unknown),)).fetchall():
                self._stands(connection, match, found)

    def _found(self, connection: Connection, match: MatchId) -> _End | None:
        found = statements.row(connection, self._newest, match)
        return None if found is None else self._stands(connection, match, found)

    def _stands(self, connection: Connection, match: MatchId, found: Sequence[Any]) -> _End | None:
        if self._fenced and match not in self.epochs:
            return None
        number, version, link, epoch = found
        keys = connection.execute(self._keys, (number,)).fetchall() if self._keys else ()
        marks = bytearray().join(_mark(*one) for one in keys)
        end = _End(number, version, link, self.epochs.setdefault(match, epoch), marks)
        return self._ends.setdefault(match, end)

    def _told(self, connection: Connection, append: Append, kept: Row | None) -> _No | None:
        match, version, entry = append
        if kept is not None:
            end = self._ends[match]
            end.version, end.link = version, kept.link
            if self._keys and entry.seat is not None:
                end.keys += _mark(entry.seat, entry.key)
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
        epoch = int(found[-1])
        return self.epochs.get(match, None if self._fenced else epoch) != epoch

    def forget(self, connection: Connection, match: MatchId) -> None:
        """The match's table has let go of it."""
        self._ends.pop(match, None)
        self.epochs.pop(match, None)
        statements.forget(connection, match)

    def undone(self) -> None:
        """The transaction was undone, or nobody knows."""
        self._ends.clear()


def _mark(seat: Seat, key: Key) -> bytes:
    return (hash((seat, key)) & _MARK_BITS).to_bytes(_MARK_BYTES, "big")


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
