"""A journal that the disk has damaged: what is whole goes on, the rest is named and set aside.

Laws: nothing is thrown away. The damaged files are copied first, as they were found, and each step
can be cut short: the next start begins again. SQLite leaves out in silence all that follows a
damaged frame of its write-ahead log, so we look there before it does: a power cut may tear the last
commit, which nobody was told of. More than one commit behind the first frame that does not fit is
damage: the second is begun only once the first is on the disk. The format:
https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog

from server.store import private, statements
from server.store.journal import JournalError
from server.store.migrating import Connect, SqlConnection, Unusable, migrate

HURT: Final = ".hurt-"
GONE_BACK: Final = (
    "the newest part of the journal is damaged: matches may have gone back; players whose match "
    "has gone back are told when they return"
)
_FAULTS: Final = (JournalError, sqlite3.Error, ValueError, TypeError)
"""What comes of reading a damaged row: a value can have become anything."""
_TABLES: Final = {"match": "match", "entry": "settled", "token": "token"}
"""By where the rows of a match are found, the table that gets them."""


def set_aside(file: Path) -> Path:
    """Copy the database as it is, with its -wal. Returns the copy's name. Raises OSError."""
    aside = file.with_name(f"{file.name}{HURT}{datetime.now(UTC):%Y%m%d-%H%M%S}")
    for end in ("-wal", ""):
        if (source := file.with_name(file.name + end)).exists():
            copy = aside.with_name(aside.name + end)
            private.make_file(copy)
            shutil.copyfile(source, copy)
    return aside


def mend(file: Path, connect: Connect) -> None:
    """Put a database in its place that has every match which is whole. Raises Unusable
    where there is none, OSError, and what the driver raises when nothing can be read."""
    aside = set_aside(file)
    fresh = file.with_name(f".{file.name}.mended")
    fresh.unlink(missing_ok=True)
    private.make_file(fresh)
    kept, hurt = 0, list[str]()
    with closing(connect()) as old, closing(_connect_fresh(fresh)) as new:
        with suppress(sqlite3.Error):
            migrate(old)
        migrate(new)
        if not _find_log(old):
            structlog.get_logger().error(GONE_BACK, set_aside=str(aside))
        for number in _numbers(old):
            try:
                _copy(old, new, number)
                kept += 1
            except _FAULTS:
                hurt.append(_name(old, number))
        _copy_deals(old, new)
        with suppress(sqlite3.Error):  # else what is in the -wal would belong to the new file
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if not kept:
        for copy in (fresh, aside, aside.with_name(f"{aside.name}-wal")):
            copy.unlink(missing_ok=True)
        raise Unusable("no match in it is whole")
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    fresh.replace(file)
    structlog.get_logger().error(
        "the journal is damaged: what is whole goes on; if you have a newer copy, stop the server "
        "and put it in the journal's place",
        whole=kept,
        hurt=hurt,
        set_aside=str(aside),
    )


def _connect_fresh(file: Path) -> SqlConnection:
    return sqlite3.connect(file, isolation_level=None)


def _find_log(old: SqlConnection) -> bool:
    """Let this connection find those entries of the log that can be read, from both its ends.
    Returns whether these are all."""
    if statements.row(old, "SELECT 1 FROM sqlite_schema WHERE name = 'log'") is None:
        return True
    old.execute("PRAGMA temp_store = MEMORY")
    old.execute("CREATE TEMP TABLE found AS SELECT * FROM log LIMIT 0")
    old.execute("CREATE UNIQUE INDEX temp.found_once ON found (match, version)")
    whole = False
    for order in ("", "DESC"):
        with suppress(*_FAULTS):
            for values in old.execute(f"SELECT * FROM log ORDER BY rowid {order}"):
                marks = ", ".join("?" * len(values))
                old.execute(f"INSERT OR IGNORE INTO found VALUES ({marks})", values)
            whole = True
    columns = "match, version, seat, key, at_ms, action, lags, link"
    old.execute(
        f"CREATE TEMP VIEW entry AS SELECT {columns} FROM settled "
        f"UNION ALL SELECT {columns} FROM found"
    )
    return whole


def _numbers(old: SqlConnection) -> Iterator[int]:
    """Of all matches that can be found, by one tree or another of the database."""
    found = set[int]()
    for statement in (
        "SELECT number FROM match ORDER BY number",
        "SELECT number FROM match INDEXED BY sqlite_autoindex_match_1",
        "SELECT DISTINCT match FROM entry",
        "SELECT DISTINCT match FROM token",
    ):
        with suppress(*_FAULTS):
            for (number,) in old.execute(statement):
                found.add(int(number))
    yield from sorted(found)


def _copy(old: SqlConnection, new: SqlConnection, number: int) -> None:
    """Copy a match that is whole. Raises JournalError or the driver's error."""
    found = statements.row(old, "SELECT id FROM match WHERE number = ?", number)
    if found is None:
        raise JournalError(f"match number {number} has no header")
    statements.load(old, found[0])
    rows = {table: _rows(old, table, number) for table in _TABLES}
    new.execute("BEGIN")
    try:
        for table, (columns, values) in rows.items():
            names = ", ".join(f'"{column}"' for column in columns)
            marks = ", ".join("?" * len(columns))
            new.executemany(f"INSERT INTO {_TABLES[table]} ({names}) VALUES ({marks})", values)
        new.execute("COMMIT")
    except _FAULTS:
        new.execute("ROLLBACK")
        raise


def _copy_deals(old: SqlConnection, new: SqlConnection) -> None:
    """What the tables of a deal have in common; without it a deal is what its matches say."""
    with suppress(*_FAULTS):
        rows = old.execute("SELECT id, kept_at, kept FROM deal").fetchall()
        new.executemany("INSERT OR IGNORE INTO deal (id, kept_at, kept) VALUES (?, ?, ?)", rows)


def _rows(old: SqlConnection, table: str, number: int) -> tuple[list[str], list[Any]]:
    own = "number" if table == "match" else "match"
    cursor = old.execute(f"SELECT * FROM {table} WHERE {own} = ?", (number,))
    return [column[0] for column in cursor.description], cursor.fetchall()


def _name(old: SqlConnection, number: int) -> str:
    """The match's id, or its number where the id cannot be read."""
    for index in ("", "INDEXED BY sqlite_autoindex_match_1"):
        with suppress(*_FAULTS):
            found = statements.row(old, f"SELECT id FROM match {index} WHERE number = ?", number)
            if found is not None:
                return str(found[0])
    return f"number {number}"
