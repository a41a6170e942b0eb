"""Appends entries. It remembers where each match stands that is being played; without that, every
entry would first look for the one before it.

Law: what is remembered is what the database says. When a transaction is undone, all of it is
forgotten, and so is a match that its table has let go of.
"""

from typing import Final, NamedTuple

from msgspec import msgpack

from protocol.ids import MatchId, Version
from server.store import chain, statements
from server.store.journal import Doubled, Entry
from server.store.migrating import Connection

_NEWEST: Final = """
SELECT number, coalesce(version, 0), coalesce(entry.link, match.link)
FROM match LEFT JOIN entry ON entry.match = match.number
WHERE id = ? ORDER BY version DESC LIMIT 1
"""
_APPEND: Final = """
INSERT INTO entry (match, version, seat, key, at_ms, action, lags, link)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (match, seat, key) WHERE seat IS NOT NULL DO NOTHING
RETURNING version
"""
"""It returns nothing when it has done nothing."""


class _End(NamedTuple):
    """The match's number in the database, its newest version and the link of that."""

    number: int
    version: int
    link: chain.Link


class Appending:
    """For the journal's thread alone; as with `statements`, the caller has begun a transaction."""

    def __init__(self) -> None:
        self._ends: Final[dict[MatchId, _End]] = {}

    def append(
        self, connection: Connection, match: MatchId, version: Version, entry: Entry
    ) -> None:
        """Raises Doubled, or No when `version` is not the next. A measured hot path."""
        end = self._ends.get(match) or _newest(connection, match)
        if end is not None and end.version == version - 1:
            lags = msgpack.encode(entry.lags_ms) if entry.lags_ms else b""
            link = chain.following(end.link, entry)
            head = (end.number, version, entry.seat, entry.key)
            values = (*head, entry.at_ms, entry.action, lags, link)
            if connection.execute(_APPEND, values).fetchall():
                self._ends[match] = _End(end.number, version, link)
                return
        if entry.seat is not None and (
            first := statements.find(connection, match, entry.seat, entry.key)
        ):
            raise Doubled(first)
        raise statements.No(f"version {version} is not the next of match {match}, if there is one")

    def forget(self, connection: Connection, match: MatchId) -> None:
        """The match's table has let go of it."""
        self._ends.pop(match, None)
        statements.forget(connection, match)

    def undone(self) -> None:
        """The transaction was undone, or nobody knows."""
        self._ends.clear()


def _newest(connection: Connection, match: MatchId) -> _End | None:
    found = statements.row(connection, _NEWEST, match)
    return None if found is None else _End(*found)
