"""The journal in one SQLite file: what was acknowledged survives the process and the power.

WAL with `synchronous=FULL`: a commit returns once the disk says that it has it. The driver is used
in autocommit, with BEGIN and COMMIT written out.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from msgspec import msgpack, structs

from protocol.ids import Key, MatchId, Seat, Version
from server.store.journal import (
    NO_TOKENS,
    Doubled,
    Entry,
    Header,
    JournalError,
    TokenHashes,
)
from server.store.migrating import Connect, Connection, Unusable, check, migrate
from server.store.writer import Work, Writer

FILE_NAME: Final = "journal.db"
BUSY_TIMEOUT_MS: Final = 5000
"""A backup may hold the file for a moment."""

_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


_COLUMNS: Final = 'id, game, rules_version, options, seats, seed, "table"'
"""The columns of a `Header`, in its order."""


class _No(JournalError):
    """This request cannot be kept; the others in its group can."""


def connect_to(file: Path) -> Connection:
    """The standard library's driver; the connection moves to the writer's thread."""
    return sqlite3.connect(file, isolation_level=None, check_same_thread=False)


def somebody_may_return(folder: Path) -> bool:
    """Whether a token opens a seat in the journal there; False where no journal can be read."""
    if not (folder / FILE_NAME).exists():
        return False
    with suppress(Exception), closing(connect_to(folder / FILE_NAME)) as connection:
        return _row(connection, "SELECT 1 FROM token LIMIT 1") is not None
    return False


@asynccontextmanager
async def journal_in(folder: Path) -> AsyncIterator["SqliteJournal"]:
    """The journal of the server whose folder this is; made where there is none. Raises Unusable."""
    file = folder / FILE_NAME
    journal = SqliteJournal(partial(connect_to, file), str(file))
    try:
        yield journal
    finally:
        await journal.close()


class SqliteJournal:
    """`server.store.journal.Journal` in a file."""

    def __init__(self, connect: Connect, name: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable, with `name` in the sentence."""
        self._writer = Writer(_opened(connect, name), (Doubled, _No))

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._do(partial(_begin, header=header, tokens=tokens))

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        await self._do(partial(_append, match=match, version=version, entry=entry))

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        return await self._do(partial(_find, match=match, seat=seat, key=key))  # type: ignore[no-any-return]

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(partial(_load, match=match))  # type: ignore[no-any-return]

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(partial(_finish, match=match, outcome=outcome))

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do(partial(_keep_tokens, match=match, seat=seat, hashes=hashes))

    async def tokens(self, match: MatchId) -> TokenHashes:
        return await self._do(partial(_tokens, match=match))  # type: ignore[no-any-return]

    async def held(self) -> Sequence[MatchId]:
        return await self._do(_held)  # type: ignore[no-any-return]

    async def forget(self, match: MatchId) -> None:
        await self._do(partial(_forget, match=match))

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)

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
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}").fetchall()
        check(connection, name)  # before anything is changed
        for setting in _SETTINGS:
            connection.execute(setting).fetchall()
        migrate(connection)
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
        f"cannot use {name}: {error}; see that its folder can be written and has room, "
        "and that no other program has made that file"
    ) from None


def _begin(connection: Connection, header: Header, tokens: TokenHashes) -> None:
    if _row(connection, "SELECT 1 FROM match WHERE id = ?", header.match) is not None:
        raise _No(f"match {header.match} has begun already")
    connection.execute(
        f"INSERT INTO match ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", structs.astuple(header)
    )
    for seat, hashes in tokens.items():
        _keep_tokens(connection, header.match, seat, hashes)


_APPEND: Final = """
INSERT INTO entry (match, version, seat, key, at_ms, action, lags)
SELECT number, :version, :seat, :key, :at_ms, :action, :lags FROM match
WHERE id = :match
AND :version = 1 + (SELECT coalesce(max(version), 0) FROM entry WHERE match = number)
ON CONFLICT (match, seat, key) WHERE seat IS NOT NULL DO NOTHING
RETURNING version
"""
"""A measured hot path, so one statement: it returns nothing when it has done nothing."""


def _append(connection: Connection, match: MatchId, version: Version, entry: Entry) -> None:
    lags = msgpack.encode(entry.lags_ms) if entry.lags_ms else b""
    row = {
        "match": match,
        "version": version,
        "seat": entry.seat,
        "key": entry.key,
        "at_ms": entry.at_ms,
        "action": entry.action,
        "lags": lags,
    }
    if connection.execute(_APPEND, row).fetchall():
        return
    if entry.seat is not None and (first := _find(connection, match, entry.seat, entry.key)):
        raise Doubled(first)
    raise _No(f"version {version} is not the next of match {match}, if there is one")


def _find(connection: Connection, match: MatchId, seat: Seat, key: Key) -> Version | None:
    statement = "SELECT version FROM entry WHERE match = ? AND seat = ? AND key = ?"
    row = _row(connection, statement, _number(connection, match), seat, key)
    return None if row is None else Version(row[0])


def _load(connection: Connection, match: MatchId) -> tuple[Header, Sequence[Entry]]:
    number = _number(connection, match)
    row = _row(connection, f"SELECT {_COLUMNS} FROM match WHERE number = ?", number)
    assert row is not None
    entries = connection.execute(
        "SELECT seat, key, at_ms, action, lags FROM entry WHERE match = ? ORDER BY version",
        (number,),
    ).fetchall()
    header = Header(**dict(zip(Header.__struct_fields__, row, strict=True)))
    return header, tuple(_entry(*one) for one in entries)


def _entry(seat: Seat | None, key: Key, at_ms: int, action: bytes, lags: bytes) -> Entry:
    return Entry(seat, key, at_ms, action, tuple(msgpack.decode(lags)) if lags else ())


def _finish(connection: Connection, match: MatchId, outcome: bytes) -> None:
    number = _number(connection, match)
    connection.execute("UPDATE match SET outcome = ? WHERE number = ?", (outcome, number))


def _held(connection: Connection) -> list[MatchId]:
    rows = connection.execute("SELECT id FROM match WHERE held = 1 ORDER BY number")
    return [MatchId(match) for (match,) in rows.fetchall()]


def _forget(connection: Connection, match: MatchId) -> None:
    row = _row(connection, "SELECT number FROM match WHERE id = ?", match)
    if row is not None:
        connection.execute("DELETE FROM token WHERE match = ?", row)
        connection.execute("UPDATE match SET held = 0 WHERE number = ?", row)


def _keep_tokens(
    connection: Connection, match: MatchId, seat: Seat, hashes: Sequence[bytes]
) -> None:
    number = _number(connection, match)
    connection.execute("DELETE FROM token WHERE match = ? AND seat = ?", (number, seat))
    connection.executemany(
        "INSERT INTO token (match, seat, hash, place) VALUES (?, ?, ?, ?)",
        [(number, seat, one, place) for place, one in enumerate(hashes)],
    )


def _tokens(connection: Connection, match: MatchId) -> dict[Seat, list[bytes]]:
    number = _number(connection, match)
    rows = connection.execute(
        "SELECT seat, hash FROM token WHERE match = ? ORDER BY seat, place", (number,)
    )
    kept: dict[Seat, list[bytes]] = {}
    for seat, one in rows.fetchall():
        kept.setdefault(Seat(seat), []).append(one)
    return kept


def _number(connection: Connection, match: MatchId) -> int:
    row = _row(connection, "SELECT number FROM match WHERE id = ?", match)
    if row is None:
        raise _No(f"no match {match} in the journal")
    return int(row[0])


def _row(connection: Connection, statement: str, *parameters: Any) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(statement, parameters).fetchone()
    return row
