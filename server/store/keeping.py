"""Records: finished matches that no table holds any more, and how long and how many are kept.

Laws: a match that a table holds is never pruned. When the file is too large the oldest records go
first. Room that becomes free is used again, so the file stays about as large as it may be.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from protocol.ids import MatchId
from server.store.migrating import SqlConnection

AT_ONCE: Final = 20
"""Matches that one transaction prunes: moves wait for a few milliseconds at most."""
DAY_S: Final = 86400
DEALS_S: Final = 30 * DAY_S
"""After so long without a change nobody plays a deal: the server that had it is gone for good."""


class KeptRecord(Struct, frozen=True):
    """A record in the list. `began_at`, `ended_at`: seconds since 1970. `table`: as in `Header`."""

    match: MatchId
    game: str
    seats: int
    began_at: int
    ended_at: int
    entries: int
    table: bytes


def kept_records(connection: SqlConnection) -> list[KeptRecord]:
    """All records, the oldest first."""
    rows = connection.execute(
        "SELECT id, game, seats, began_at, coalesce(nullif(ended_at, 0), began_at), "
        '(SELECT count(*) FROM entry WHERE match = number), "table" FROM match '
        "WHERE held = 0 AND length(outcome) > 0 ORDER BY ended_at, number"
    )
    return [KeptRecord(*row) for row in rows.fetchall()]


def prune(
    connection: SqlConnection,
    entry_tables: Sequence[str],
    keep_days: int,
    most_bytes: int,
    used_bytes: Callable[[SqlConnection], int],
) -> int:
    """Delete some of what is to go: matches begun and left, records that are too old, and, while
    the journal is too large, the oldest. Returns how many; 0 = nothing is left to do."""
    connection.execute("DELETE FROM deal WHERE kept_at < ?", (int(time.time()) - DEALS_S,))
    oldest_s = int(time.time()) - keep_days * DAY_S + (keep_days == 0)
    numbers = connection.execute(
        "SELECT number FROM match WHERE held = 0 "
        "AND (coalesce(length(outcome), 0) = 0 OR coalesce(ended_at, 0) < ?) LIMIT ?",
        (oldest_s, AT_ONCE),
    ).fetchall()
    if not numbers and used_bytes(connection) > most_bytes:
        numbers = connection.execute(
            "SELECT number FROM match WHERE held = 0 ORDER BY ended_at, number LIMIT ?", (AT_ONCE,)
        ).fetchall()
    for table in (*entry_tables, "token"):
        connection.executemany(f"DELETE FROM {table} WHERE match = ?", numbers)
    connection.executemany("DELETE FROM match WHERE number = ?", numbers)
    return len(numbers)
