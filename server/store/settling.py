"""Where a file has its entries: first in the order in which they came, later by match.

Laws: an entry stands in one of the two tables, `log` or `settled`, and `entry`, a view, shows all.
A commit of entries writes the last pages of `log`, of however many matches it is; by match it would
write a page of each. They are settled many together, in the transaction that they wait for.
"""

from collections.abc import Sequence
from typing import Final

from server.store.dialect import Row
from server.store.migrating import Connection

LOG_ENTRIES: Final = 8000
"""So many are settled together. A match's newest entries are looked for among all in the log."""

TABLES: Final = ("settled", "log")

_APPEND: Final = """
INSERT INTO log (match, version, seat, key, at_ms, action, lags, link)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_SETTLE: Final = (
    # A row that the disk has changed must stop nobody: its match is found to be hurt.
    "INSERT OR IGNORE INTO settled SELECT * FROM log WHERE match IN (SELECT number FROM match) "
    "ORDER BY match, version",
    "DELETE FROM log",
)


class Log:
    """Writes entries over one connection."""

    def __init__(self) -> None:
        self._entries = 0

    def write(self, connection: Connection, rows: Sequence[Row]) -> set[int]:
        """As `Dialect.write`. Nobody else writes to the file, so there is no epoch, and all follow
        what is there."""
        if self._entries > LOG_ENTRIES:
            self._entries = 0  # a disk without room for that may have room for the next entries
            settle(connection)
        self._entries += len(rows)
        connection.executemany(_APPEND, [row[:-1] for row in rows])
        return {row.match for row in rows}


def settle(connection: Connection) -> None:
    """Move the entries from the log to their matches."""
    for statement in _SETTLE:
        connection.execute(statement)
