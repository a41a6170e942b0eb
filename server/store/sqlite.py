"""The journal in one SQLite file: what was acknowledged survives the process and the power.

WAL with `synchronous=FULL`: a commit returns once the disk says that it has it. Only `execute`,
`executemany` and `close` of the driver are used, in autocommit with BEGIN and COMMIT written out.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from protocol.ids import Key, MatchId, Seat, Version
from server.store.journal import Doubled, Entry, Header, JournalError
from server.store.migrating import Connect, Connection, Unusable, migrate
from server.store.writer import Work, Writer

FILE_NAME: Final = "journal.db"
BUSY_TIMEOUT_MS: Final = 5000
"""A backup may hold the file for a moment."""

_SETTINGS: Final = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


class _No(JournalError):
    """This one wish cannot be kept; the others in its group can."""


def connect_to(file: Path) -> Connection:
    """The standard library's driver; the connection moves to the writer's thread."""
    return sqlite3.connect(file, isolation_level=None, check_same_thread=False)


class SqliteJournal:
    """`server.store.journal.Journal` in a file."""

    def __init__(self, connect: Connect, name: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable, with `name` in the sentence."""
        self._writer = Writer(_opened(connect, name), (Doubled, _No))

    async def begin(self, header: Header) -> None:
        await self._do(partial(_begin, header=header))

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        await self._do(partial(_append, match=match, version=version, entry=entry))

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        return await self._do(partial(_find, match=match, seat=seat, key=key))  # type: ignore[no-any-return]

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(partial(_load, match=match))  # type: ignore[no-any-return]

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(partial(_finish, match=match, outcome=outcome))

    async def unfinished(self) -> Sequence[MatchId]:
        return await self._do(_unfinished)  # type: ignore[no-any-return]

    async def forget(self, match: MatchId) -> None:
        """Nothing: what is on the disk is no burden to the server."""

    async def close(self) -> None:
        self._writer.close()

    async def _do(self, work: Work) -> Any:
        try:
            return await self._writer.do(work)
        except (Doubled, JournalError):
            raise
        except Exception as error:  # of whichever driver it is
            raise JournalError(f"the database failed: {error}") from error


def _opened(connect: Connect, name: str) -> Connection:
    try:
        connection = connect()
    except Exception as error:
        _unusable(name, error)
    try:
        for setting in _SETTINGS:
            connection.execute(setting).fetchall()
        migrate(connection, name)
    except Unusable:
        connection.close()
        raise
    except Exception as error:
        with suppress(Exception):
            connection.close()
        _unusable(name, error)
    return connection


def _unusable(name: str, error: Exception) -> NoReturn:
    raise Unusable(
        f"cannot use {name}: {error}; see that the folder can be written and has room, "
        "or choose another with --state."
    ) from None


def _begin(connection: Connection, header: Header) -> None:
    row = (
        header.match,
        header.game,
        header.rules_version,
        header.options,
        header.seats,
        header.seed,
    )
    if _row(connection, "SELECT 1 FROM match WHERE id = ?", header.match) is not None:
        raise _No(f"match {header.match} has begun already")
    connection.execute(
        "INSERT INTO match (id, game, rules_version, options, seats, seed)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        row,
    )


def _append(connection: Connection, match: MatchId, version: Version, entry: Entry) -> None:
    number, head = _match(connection, match)
    if entry.seat is not None and (first := _version(connection, number, entry.seat, entry.key)):
        raise Doubled(first)
    if version != head + 1:
        raise _No(f"version {version} does not follow {head}")
    connection.execute(
        "INSERT INTO entry (match, version, seat, key, at_ms, action) VALUES (?, ?, ?, ?, ?, ?)",
        (number, version, entry.seat, entry.key, entry.at_ms, entry.action),
    )
    connection.execute("UPDATE match SET head = ? WHERE number = ?", (version, number))


def _find(connection: Connection, match: MatchId, seat: Seat, key: Key) -> Version | None:
    number, _head = _match(connection, match)
    return _version(connection, number, seat, key)


def _load(connection: Connection, match: MatchId) -> tuple[Header, Sequence[Entry]]:
    number, _head = _match(connection, match)
    row = _row(
        connection,
        "SELECT id, game, rules_version, options, seats, seed FROM match WHERE number = ?",
        number,
    )
    assert row is not None
    entries = connection.execute(
        "SELECT seat, key, at_ms, action FROM entry WHERE match = ? ORDER BY version", (number,)
    ).fetchall()
    names = ("match", "game", "rules_version", "options", "seats", "seed")
    return Header(**dict(zip(names, row, strict=True))), tuple(Entry(*one) for one in entries)


def _finish(connection: Connection, match: MatchId, outcome: bytes) -> None:
    number, _head = _match(connection, match)
    connection.execute("UPDATE match SET outcome = ? WHERE number = ?", (outcome, number))


def _unfinished(connection: Connection) -> list[MatchId]:
    rows = connection.execute("SELECT id FROM match WHERE outcome IS NULL ORDER BY number")
    return [MatchId(match) for (match,) in rows.fetchall()]


def _match(connection: Connection, match: MatchId) -> tuple[int, int]:
    """Its number and its newest version."""
    row = _row(connection, "SELECT number, head FROM match WHERE id = ?", match)
    if row is None:
        raise _No(f"no match {match} in the journal")
    return row[0], row[1]


def _version(connection: Connection, number: int, seat: Seat, key: Key) -> Version | None:
    statement = "SELECT version FROM entry WHERE match = ? AND seat = ? AND key = ?"
    row = _row(connection, statement, number, seat, key)
    return None if row is None else Version(row[0])


def _row(connection: Connection, statement: str, *parameters: Any) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(statement, parameters).fetchone()
    return row
