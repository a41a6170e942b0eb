"""The journal in one SQLite file: what was acknowledged survives the process and the power.

WAL with `synchronous=FULL`: a commit returns once the disk says that it has it. The driver is used
in autocommit, with BEGIN and COMMIT written out.
"""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import structlog

from protocol.ids import Key, MatchId, Seat, Version
from server.store import keeping, mending, private, statements, wal
from server.store.appending import Appending
from server.store.journal import (
    NO_TOKENS,
    Doubled,
    Entry,
    Header,
    Hurt,
    JournalError,
    TokenHashes,
)
from server.store.migrating import Connect, Connection, Unusable, check, is_older, migrate
from server.store.writer import Work, Writer

FILE_NAME: Final = "journal.db"
BUSY_TIMEOUT_MS: Final = 5000
"""A backup may hold the file for a moment."""

_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


def connect_to(file: Path) -> Connection:
    """The standard library's driver; the connection moves to the writer's thread."""
    return sqlite3.connect(file, isolation_level=None, check_same_thread=False)


def reading(file: Path) -> Connection:
    """A connection that changes nothing, also beside a server that runs. Raises Unusable."""
    if not file.exists():
        raise Unusable(f"there is no {file}: name the server's folder with --state")
    connection = connect_to(file)
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}").fetchall()
        check(connection, str(file))
        if is_older(connection):
            raise Unusable(f"{file} was made by an older version: start the server on it once")
        connection.execute("PRAGMA query_only = ON").fetchall()
    except sqlite3.Error as error:
        connection.close()
        _unusable(str(file), error)
    except Unusable:
        connection.close()
        raise
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
    _make_private(file)
    _look_at_the_newest(file)
    try:
        journal = SqliteJournal(connect, str(file))
    except Damaged as damaged:
        journal = _mended(file, damaged)
    try:
        yield journal
    finally:
        await journal.close()


def _make_private(file: Path) -> None:
    try:
        private.make_file(file)
    except OSError as error:
        _unusable(str(file), error)
    for end in ("-wal", "-shm"):
        private.close_file(file.with_name(file.name + end))


def _look_at_the_newest(file: Path) -> None:
    """After a crash: keep a copy, and say it, if SQLite is about to leave out what was kept."""
    journal = file.with_name(file.name + "-wal")
    if (lost := wal.lost_commits(journal)) > 1:
        aside = mending.set_aside(file)
        structlog.get_logger().error(
            "the newest part of the journal is damaged: matches may have gone back; players whose "
            "match has gone back are told when they return",
            commits=lost,
            set_aside=str(aside),
        )
    elif lost:
        structlog.get_logger().warning("the last write broke off, as when the power is cut")


def _mended(file: Path, damaged: Damaged) -> "SqliteJournal":
    connect = partial(connect_to, file)
    try:
        mending.mend(file, connect)
    except (OSError, sqlite3.Error, Unusable):
        raise damaged from None
    return SqliteJournal(connect, str(file))


class SqliteJournal:
    """`server.store.journal.Journal` in a file."""

    def __init__(self, connect: Connect, name: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable, with `name` in the sentence."""
        self._entries: Final = Appending()
        refusals = (Doubled, Hurt, statements.No)
        self._writer: Final = Writer(_opened(connect, name), refusals, self._entries.undone)

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await self._do(partial(statements.begin, header=header, tokens=tokens))

    async def append(self, match: MatchId, version: Version, entry: Entry) -> None:
        await self._do(partial(self._entries.append, match=match, version=version, entry=entry))

    async def find(self, match: MatchId, seat: Seat, key: Key) -> Version | None:
        return await self._do(partial(statements.find, match=match, seat=seat, key=key))  # type: ignore[no-any-return]

    async def load(self, match: MatchId) -> tuple[Header, Sequence[Entry]]:
        return await self._do(partial(statements.load, match=match))  # type: ignore[no-any-return]

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(partial(statements.finish, match=match, outcome=outcome))

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do(partial(statements.keep_tokens, match=match, seat=seat, hashes=hashes))

    async def tokens(self, match: MatchId) -> TokenHashes:
        return await self._do(partial(statements.tokens, match=match))  # type: ignore[no-any-return]

    async def held(self) -> Sequence[MatchId]:
        return await self._do(statements.held)  # type: ignore[no-any-return]

    async def forget(self, match: MatchId) -> None:
        await self._do(partial(self._entries.forget, match=match))

    async def prune(self, keep_days: int, most_bytes: int) -> int:
        pruned = 0
        work = partial(keeping.prune, keep_days=keep_days, most_bytes=most_bytes)
        while some := await self._do(work):
            pruned += some
        return pruned

    async def probe(self) -> None:
        await self._do(statements.probe)

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
        _check_pages(connection, name)
    except Unusable:
        connection.close()
        raise
    except Exception as error:
        with suppress(Exception):
            connection.close()
        _unusable(name, error)
    return connection


def _check_pages(connection: Connection, name: str) -> None:
    try:
        ((found, *_), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
    except Exception as error:
        found = str(error)
    if found != "ok":
        raise Damaged(
            f"{name} is damaged ({found}): put a copy in its place, or move it away to begin "
            "without its matches"
        )


def _unusable(name: str, error: Exception) -> NoReturn:
    why = getattr(error, "strerror", None) or error
    raise Unusable(
        f"cannot use {name}: {why}; see that its folder can be written and has room, "
        "and that the file is this program's and sound; else put a copy in its place, or move it "
        "away to begin without its matches"
    ) from None
