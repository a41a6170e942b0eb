"""The statements of a journal, the hash chain over what they keep, and its records.

Laws: each statement works in the transaction that its caller has begun. Those that refuse raise No
before they have changed anything. What the disk has changed does not fit into the chain, which
finds damage, not malice: the file's owner can make a chain that fits. Records are finished matches
that no table holds any more: what a table holds is never pruned, and when the journal is too large
the oldest records go first.
"""

import time
from collections.abc import Sequence
from typing import Any, Final

from msgspec import msgpack, structs

from protocol.ids import Key, MatchId, Seat, Version
from server.store.chain import Link, check_links, first_link
from server.store.journal import Entry, Header, JournalError, TokenHashes
from server.store.migrating import SqlConnection

_COLUMNS: Final = 'id, game, rules_version, options, seats, seed, "table"'
"""The columns of a `Header`, in its order."""
OF_MATCH: Final = f"{_COLUMNS}, link"
OF_ENTRY: Final = "seat, key, at_ms, action, lags, link"


class No(JournalError):
    """This request cannot be kept; the others in its group can."""


def begin(connection: SqlConnection, header: Header, tokens: TokenHashes) -> tuple[int, Link]:
    """Returns the match's number and the link before its first entry."""
    if row(connection, "SELECT 1 FROM match WHERE id = ?", header.match) is not None:
        raise No(f"match {header.match} has begun already")
    link = first_link(header)
    number = row(
        connection,
        f"INSERT INTO match ({_COLUMNS}, link, began_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "RETURNING number",
        *structs.astuple(header),
        link,
        int(time.time()),
    )
    assert number is not None
    for seat, hashes in tokens.items():
        keep_tokens(connection, header.match, seat, hashes)
    return int(number[0]), link


def find(connection: SqlConnection, number: int, seat: Seat, key: Key) -> Version | None:
    """The version as which a match, by its number, has kept this action; or None."""
    statement = "SELECT version FROM entry WHERE match = ? AND seat = ? AND key = ?"
    found = row(connection, statement, number, seat, key)
    return None if found is None else Version(found[0])


def load(connection: SqlConnection, match: MatchId) -> tuple[Header, Sequence[Entry]]:
    """Raises Hurt."""
    number = number_of(connection, match)
    found = row(connection, f"SELECT {OF_MATCH} FROM match WHERE number = ?", number)
    assert found is not None
    rows = connection.execute(
        f"SELECT {OF_ENTRY} FROM entry WHERE match = ? ORDER BY version", (number,)
    )
    return loaded(found, rows.fetchall())


def loaded(found: Sequence[Any], rows: Sequence[Sequence[Any]]) -> tuple[Header, Sequence[Entry]]:
    """What the columns OF_MATCH and OF_ENTRY say. Raises Hurt."""
    *columns, begins = found
    header = Header(**dict(zip(Header.__struct_fields__, columns, strict=True)))
    entries = tuple(_entry(*one[:-1]) for one in rows)
    check_links(header, begins, zip(entries, (one[-1] for one in rows), strict=True))
    return header, entries


def lags_of(entry: Entry) -> bytes:
    """As they stand in the database."""
    return msgpack.encode(entry.lags_ms) if entry.lags_ms else b""


def _entry(seat: Seat | None, key: Key, at_ms: int, action: bytes, lags: bytes) -> Entry:
    try:
        lags_ms = tuple(msgpack.decode(lags)) if lags else ()
    except (ValueError, TypeError):  # damaged: the chain will not fit
        lags_ms = (-1,)
    return Entry(seat, key, at_ms, action, lags_ms)


def finish(connection: SqlConnection, match: MatchId, outcome: bytes) -> None:
    connection.execute(
        "UPDATE match SET outcome = ?, ended_at = coalesce(ended_at, ?) WHERE number = ?",
        (outcome, int(time.time()), number_of(connection, match)),
    )


def held(connection: SqlConnection) -> list[MatchId]:
    rows = connection.execute("SELECT id FROM match WHERE held = 1 ORDER BY number")
    return [MatchId(match) for (match,) in rows.fetchall()]


def forget(connection: SqlConnection, match: MatchId) -> None:
    found = row(connection, "SELECT number FROM match WHERE id = ?", match)
    if found is not None:
        connection.execute("DELETE FROM token WHERE match = ?", found)
        connection.execute("UPDATE match SET held = 0 WHERE number = ?", found)


def keep_tokens(
    connection: SqlConnection, match: MatchId, seat: Seat, hashes: Sequence[bytes]
) -> None:
    number = number_of(connection, match)
    connection.execute("DELETE FROM token WHERE match = ? AND seat = ?", (number, seat))
    connection.executemany(
        "INSERT INTO token (match, seat, hash, place) VALUES (?, ?, ?, ?)",
        [(number, seat, one, place) for place, one in enumerate(hashes)],
    )


def tokens(connection: SqlConnection, match: MatchId) -> dict[Seat, list[bytes]]:
    number = number_of(connection, match)
    rows = connection.execute(
        "SELECT seat, hash FROM token WHERE match = ? ORDER BY seat, place", (number,)
    )
    kept: dict[Seat, list[bytes]] = {}
    for seat, one in rows.fetchall():
        kept.setdefault(Seat(seat), []).append(one)
    return kept


def keep_deal(connection: SqlConnection, id: str, deal: bytes) -> None:
    connection.execute("DELETE FROM deal WHERE id = ?", (id,))
    if deal:
        values = (id, int(time.time()), deal)
        connection.execute("INSERT INTO deal (id, kept_at, kept) VALUES (?, ?, ?)", values)


def deals(connection: SqlConnection) -> dict[str, bytes]:
    return dict(connection.execute("SELECT id, kept FROM deal").fetchall())


def number_of(connection: SqlConnection, match: MatchId) -> int:
    found = row(connection, "SELECT number FROM match WHERE id = ?", match)
    if found is None:
        raise unknown(match)
    return int(found[0])


def unknown(match: MatchId) -> No:
    return No(f"no match {match} in the journal")


def row(connection: SqlConnection, statement: str, *parameters: Any) -> tuple[Any, ...] | None:
    found: tuple[Any, ...] | None = connection.execute(statement, parameters).fetchone()
    return found
