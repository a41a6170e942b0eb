"""The journal in one SQLite file: what was acknowledged survives the process and the power.

WAL with `synchronous=FULL`: a commit returns once the disk says that it has it. The driver is used
in autocommit, with BEGIN and COMMIT written out.
"""

import os
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog

from protocol.ids import MatchId
from server.store import mending, private, statements
from server.store.in_database import Append, Journal, Stand, StandRow
from server.store.journal import Doubled, JournalError
from server.store.mending import lost_commits
from server.store.statements import (
    Connect,
    SqlConnection,
    Unusable,
    check,
    is_older,
    migrate,
    next_link,
    transaction,
    with_unhex,
)

FILE_NAME: Final = "journal.db"
BUSY_TIMEOUT_MS: Final = 5000
"""A backup may hold the file for a moment."""

_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # In kB. An entry needs the newest pages of the log, and what is settled goes match by match.
    "PRAGMA cache_size = -250",
)


def connect_to(file: Path) -> SqlConnection:
    """The standard library's driver; the connection moves to the writer's thread."""
    return with_unhex(sqlite3.connect(file, isolation_level=None, check_same_thread=False))


def reading(file: Path) -> SqlConnection:
    """A connection that changes nothing, also beside a server that runs. Raises Unusable."""
    if not file.exists():
        raise Unusable(f"there is no {file}: name the server's folder with --state")
    with _in_one_sentence(str(file)), ExitStack() as stack:
        connection = stack.enter_context(closing(connect_to(file)))
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}").fetchall()
        check(connection, str(file))
        if is_older(connection):
            raise Unusable(f"{file} was made by an older version: start the server on it once")
        connection.execute("PRAGMA query_only = ON").fetchall()
        stack.pop_all()
    return connection


def copy(file: Path, target: Path) -> None:
    """Write a copy of the journal that only its owner can read, also beside a server that runs.

    Raises FileExistsError where there is such a file, Unusable, OSError and sqlite3.Error."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private.FILE))
    try:
        with private.as_owner(file.parent):
            source = reading(file)
        with closing(source) as connection:
            connection.execute("PRAGMA query_only = OFF").fetchall()  # of the copy, too
            connection.execute("VACUUM INTO ?", (str(target),))
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def somebody_may_return(folder: Path) -> bool:
    """Whether a token opens a seat in the journal there; False where no journal can be read."""
    if not (folder / FILE_NAME).exists():
        return False
    with suppress(Exception), closing(connect_to(folder / FILE_NAME)) as connection:
        return statements.row(connection, "SELECT 1 FROM token LIMIT 1") is not None
    return False


class Damaged(Unusable):
    """What is in the file is not what was written; the text says what to do."""


@asynccontextmanager
async def journal_in(folder: Path) -> AsyncIterator["SqliteJournal"]:
    """The journal of the server whose folder this is; made where there is none. Raises Unusable."""
    file = folder / FILE_NAME
    connect = partial(connect_to, file)
    with _in_one_sentence(str(file)):
        private.make_file(file)
    for end in mending.BESIDE:
        private.close_file(file.with_name(file.name + end))
    _look_at_the_newest(file)
    try:
        journal = SqliteJournal(connect, str(file))
    except Damaged as damaged:
        try:
            mending.mend(file)
        except (OSError, sqlite3.Error, Unusable):
            raise damaged from None
        journal = SqliteJournal(connect, str(file))
    try:
        yield journal
    finally:
        await journal.close()


def _look_at_the_newest(file: Path) -> None:
    """After a crash: keep a copy, and say it, if SQLite is about to leave out what was kept."""
    lost = lost_commits(file.with_name(file.name + "-wal"))
    if lost > 1:
        aside = str(mending.set_aside(file))
        structlog.get_logger().error(mending.GONE_BACK, commits=lost, set_aside=aside)
    elif lost:
        structlog.get_logger().warning("the last write broke off, as when the power is cut")


LOG_ENTRIES: Final = 8000
"""So many are settled together. A match's newest entries are looked for among all in the log."""
_NEWEST: Final = """
WITH one AS (SELECT number, link FROM match WHERE id = ?)
SELECT number, 0, link, 0 FROM one UNION ALL
SELECT match, version, link, 0 FROM entry WHERE match = (SELECT number FROM one)
ORDER BY 2 DESC LIMIT 1
"""
_KEYS: Final = "SELECT key FROM entry WHERE match = ? AND seat IS NOT NULL"
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
_MARK_BYTES: Final = 3
"""One in some 100 000 new keys looks like one before; then the database is asked."""
_MARK_BITS: Final = (1 << 8 * _MARK_BYTES) - 1


class SqliteJournal(Journal):
    """A journal in a file. Nobody else writes to it, so there is no epoch.

    An entry stands first in the table `log`, in the order in which entries came: a commit writes
    its last pages, of however many matches it is; by match it would write a page of each. Many are
    settled together: moved to the table `settled`, by match, in the transaction that they wait for.
    The view `entry` shows both. No index says which keys a match has, so a few bytes of each are
    remembered.
    """

    begin_statement = "BEGIN IMMEDIATE"
    entry_tables = ("settled", "log")

    def __init__(self, connect: Connect, name: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable, with `name` in the sentence."""
        self._in_log = 0
        super().__init__(_opened(connect, name))

    def _newest(self, connection: SqlConnection, matches: Collection[MatchId]) -> list[StandRow]:
        return [
            (match, *found)
            for match in matches
            for found in connection.execute(_NEWEST, (match,)).fetchall()
        ]

    def _append(
        self, connection: SqlConnection, appends: Sequence[Append]
    ) -> list[JournalError | Doubled | None]:
        """As in `Journal`. A measured hot path."""
        if self._in_log > LOG_ENTRIES:
            self._in_log = 0  # a disk without room for that may have room for the next entries
            _settle(connection)
        results, rows = list[JournalError | Doubled | None](), list[tuple[Any, ...]]()
        for match, version, entry in appends:
            seat, key = entry.seat, entry.key
            mark = b"" if seat is None else _mark(key)
            stand = self._stands.get(match) or self._found(connection, match)
            if stand is None or stand.version != version - 1 or (mark and mark in stand.keys):
                connection.executemany(_APPEND, rows)  # the answer is in what is there
                rows.clear()
                if (refusal := self._refusal(connection, match, version, entry)) is not None:
                    results.append(refusal)
                    continue
                stand = self._found(connection, match)  # two keys can have one mark
                assert stand is not None
            link = next_link(stand.link, entry)
            lags = statements.lags_of(entry)
            rows.append((stand.number, version, seat, key, entry.at_ms, entry.action, lags, link))
            stand.version, stand.link = version, link
            stand.keys += mark
            results.append(None)
        self._in_log += len(appends)
        connection.executemany(_APPEND, rows)
        return results

    def _found(self, connection: SqlConnection, match: MatchId) -> Stand | None:
        """Come to the match, where it is there."""
        self._come_to(connection, [match])
        if (stand := self._stands.get(match)) is not None:
            keys = connection.execute(_KEYS, (stand.number,)).fetchall()
            stand.keys += b"".join(_mark(key) for (key,) in keys)
        return stand

    def _probe(self, connection: SqlConnection) -> None:
        """The version of the file once more: SQLite writes the page on which it stands."""
        ((version,),) = connection.execute("PRAGMA user_version").fetchall()
        connection.execute(f"PRAGMA user_version = {version}")

    def _used_bytes(self, connection: SqlConnection) -> int:
        return used_bytes(connection)


def _mark(key: bytes) -> bytes:
    return (hash(key) & _MARK_BITS).to_bytes(_MARK_BYTES, "big")


def used_bytes(connection: SqlConnection) -> int:
    """How large the journal is, without room that is free again."""

    def pragma(name: str) -> int:
        found = statements.row(connection, f"PRAGMA {name}")
        assert found is not None
        return int(found[0])

    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")


def _opened(connect: Connect, name: str) -> SqlConnection:
    with _in_one_sentence(name), ExitStack() as stack:
        connection = stack.enter_context(closing(connect()))
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}").fetchall()
        check(connection, name)  # before anything is changed
        for setting in _SETTINGS:
            connection.execute(setting).fetchall()
        migrate(connection)
        _check_pages(connection, name)
        with suppress(Exception), transaction(connection):
            _settle(connection)  # a disk without room for that keeps no server from starting
        stack.pop_all()
    return connection


def _settle(connection: SqlConnection) -> None:
    """Move the entries from the log to their matches."""
    for statement in _SETTLE:
        connection.execute(statement)


def _check_pages(connection: SqlConnection, name: str) -> None:
    try:
        ((found, *_), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
    except Exception as error:
        found = str(error)
    if found != "ok":
        raise Damaged(
            f"{name} is damaged ({found}): put a copy in its place, or move it away to begin "
            "without its matches"
        )


@contextmanager
def _in_one_sentence(name: str) -> Iterator[None]:
    """Whatever fails, also of another driver, as Unusable; as Damaged where SQLite finds damage
    that `_check_pages` does not, as in its list of free pages."""
    try:
        yield
    except Unusable:
        raise
    except Exception as error:
        why = getattr(error, "strerror", None) or error
        corrupt = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
        raise (Damaged if corrupt else Unusable)(
            f"cannot use {name}: {why}; see that its folder can be written and has room, "
            "and that the file is this program's and sound; else put a copy in its place, or move "
            "it away to begin without its matches"
        ) from None
