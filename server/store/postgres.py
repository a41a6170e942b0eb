"""The journal in a PostgreSQL database: what was acknowledged is as safe as the database keeps it.

Laws: a server that would acknowledge before it is safe does not start. One session does everything,
and it holds a lock that no other server gets: who has lost the session has lost the lock, so two
servers never write to one journal. A session that breaks is replaced when the next transaction
begins, and looked at as the first one was.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from functools import cache, partial
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from server.store import statements
from server.store.appending import Row
from server.store.in_database import DatabaseJournal, Dialect
from server.store.journal import JournalError
from server.store.migrating import Connect, Connection, Unusable, scripts_in

OLDEST: Final = 140000
"""The oldest PostgreSQL that its makers still mended when this was written."""
LOCK: Final = 0x0C10C2
"""The first half of our advisory lock's number; the other is made from the schema's name."""

_DEFAULTS: Final[dict[str, Any]] = {
    "application_name": "clocktowers-server",
    "connect_timeout": 5,
    # A machine that vanishes without a word is given up after some ten seconds.
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SETTINGS: Final = """
SET statement_timeout = 0;
SET lock_timeout = '5s';
SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
SET jit = off
"""
"""A time-out of statements could end the wait for a standby, and the commit would count."""
_SAFETY: Final = """
SELECT current_setting('fsync'), current_setting('synchronous_standby_names'),
       set_config('synchronous_commit', current_setting('synchronous_commit'), false)
"""
"""From then on no reload of the database's settings changes `synchronous_commit`."""

_SCRIPTS: Final = scripts_in("migrations/postgres")

_NEWEST: Final = """
SELECT number, version, coalesce(
    (SELECT entry.link FROM entry WHERE entry.match = number AND entry.version = match.version),
    link), epoch
FROM match WHERE id = ?
"""
_ROW_BYTES: Final = 170
"""About what an entry takes beside its key and its action: with both indexes."""
_APPEND: Final = f"""
WITH wish AS (
    SELECT * FROM unnest(?::bigint[], ?::integer[], ?::smallint[], ?::bytea[], ?::bigint[],
                         ?::bytea[], ?::bytea[], ?::bytea[], ?::bigint[])
    AS wish (match, version, seat, key, at_ms, action, lags, link, epoch)
), stood AS (
    UPDATE match SET version = wish.version,
        bytes = bytes + {_ROW_BYTES} + length(wish.key) + length(wish.action)
    FROM wish
    WHERE number = wish.match AND match.epoch = wish.epoch AND match.version = wish.version - 1
    AND NOT EXISTS (
        SELECT FROM entry
        WHERE entry.match = wish.match AND entry.seat = wish.seat AND entry.key = wish.key
    )
    RETURNING number
)
INSERT INTO entry (match, version, seat, key, at_ms, action, lags, link, epoch)
SELECT * FROM wish WHERE match IN (SELECT number FROM stood)
RETURNING match
"""


def _write(connection: Connection, rows: Sequence[Row]) -> set[int]:
    if not rows:
        return set()
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {match for (match,) in connection.execute(_APPEND, columns).fetchall()}


def _probe(connection: Connection) -> None:
    connection.execute("UPDATE shape SET version = version")


def used_bytes(connection: Connection) -> int:
    """About how large the journal is, without room that is free again."""
    found = statements.row(connection, "SELECT coalesce(sum(bytes + 1000), 0)::bigint FROM match")
    assert found is not None
    return int(found[0])


_POSTGRES: Final = Dialect("BEGIN", _NEWEST, _write, True, _probe, used_bytes)


@asynccontextmanager
async def journal_at(url: str) -> AsyncIterator["PostgresJournal"]:
    """The journal in this database; made where there is none. Raises Unusable."""
    journal = PostgresJournal(partial(Lasting, url), url)
    try:
        yield journal
    finally:
        await journal.close()


class PostgresJournal(DatabaseJournal):
    """`server.store.journal.Journal` in a database."""

    def __init__(self, connect: Connect, url: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable."""
        with _in_one_sentence(url), ExitStack() as stack:
            connection = stack.enter_context(closing(connect()))
            _migrate(connection, name_of(url))
            _probe(connection)
            super().__init__(connection, _POSTGRES)
            stack.pop_all()


def reading(url: str) -> Connection:
    """A connection that changes nothing, also beside a server that runs. Raises Unusable."""
    with _in_one_sentence(url), ExitStack() as stack:
        connection = stack.enter_context(closing(_Reading(url)))
        connection.execute("SET default_transaction_read_only = on")
        if _shape(connection, name_of(url)) < len(_SCRIPTS):
            name = name_of(url)
            raise Unusable(f"{name} has no journal of this version: start the server on it once")
        stack.pop_all()
    return connection


class _Marked:
    """A connection that takes SQLite's marks for values, so that both databases share statements.
    Values travel in binary, which takes half of the time."""

    def __init__(self, inner: "psycopg.Connection[Any]") -> None:
        self.inner = inner

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        if not parameters:  # it may be several statements
            return self.inner.execute(statement.encode())
        return self.inner.execute(_marked(statement), parameters, binary=True)

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        self.inner.cursor().executemany(_marked(statement), parameters)

    def close(self) -> None:
        self.inner.close()


class _Reading(_Marked):
    """For commands, which want a sentence whenever it fails."""

    def __init__(self, url: str) -> None:
        super().__init__(_connected(url, "any"))
        self._url: Final = url

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        with _in_one_sentence(self._url):
            return super().execute(statement, parameters)


class Lasting(_Marked):
    """A server's connection: when it is lost, the error undoes what was under way, and the next
    statement takes another one."""

    def __init__(self, url: str) -> None:
        """Raises Unusable and the driver's errors."""
        super().__init__(_safe(url, starting=True))
        self._url: Final = url

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        if self.inner.closed and statement not in ("COMMIT", "ROLLBACK"):
            self.inner = _safe(self._url, starting=False)
        cursor = super().execute(statement, parameters)
        if statement == "COMMIT" and cursor.statusmessage != "COMMIT":
            raise JournalError("the database has undone the transaction")
        return cursor


@cache
def _marked(statement: str) -> bytes:
    return statement.replace("?", "%b").encode()


def connected(url: str) -> Connection:
    """A connection that looks at nothing and locks nothing. Raises the driver's errors."""
    return _Marked(_connected(url))


def _connected(url: str, attributes: str = "read-write") -> "psycopg.Connection[Any]":
    """`attributes`: of several hosts, which it shall be, unless the URL says so itself."""
    named = {**_DEFAULTS, "target_session_attrs": attributes, **conninfo_to_dict(url)}
    return psycopg.connect(autocommit=True, **named)


def _safe(url: str, *, starting: bool) -> "psycopg.Connection[Any]":
    """A connection that acknowledges what is safe, and no other server's."""
    name, connection = name_of(url), _connected(url)
    try:
        _check(connection, name, _hosts(url) if starting else 1)
        _lock(connection, name)
    except BaseException:
        connection.close()
        raise
    return connection


def _hosts(url: str) -> int:
    named = conninfo_to_dict(url)
    return len(str(named.get("host") or named.get("hostaddr") or "").split(","))


def _check(connection: "psycopg.Connection[Any]", name: str, hosts: int) -> None:
    if connection.info.server_version < OLDEST:
        raise Unusable(f"{name} is older than PostgreSQL {OLDEST // 10000}: update it")
    connection.execute(_SETTINGS)
    found = connection.execute(_SAFETY).fetchone()
    assert found is not None
    fsync, standbys, commit = found
    if fsync == "off":
        raise _unsafe(name, "fsync is off", "fsync = on")
    if commit == "off" or (commit == "local" and standbys):
        raise _unsafe(name, f"synchronous_commit is {commit}", "synchronous_commit = on")
    if hosts > 1 and not standbys:
        raise _unsafe(
            name, "it has several hosts and no synchronous standby", "synchronous_standby_names"
        )


def _unsafe(name: str, why: str, what: str) -> Unusable:
    return Unusable(f"{name} would lose moves, since {why}: set {what} in that database")


def _lock(connection: "psycopg.Connection[Any]", name: str) -> None:
    """A server that was killed lets go of it within a moment, which `lock_timeout` waits for."""
    try:
        connection.execute("SELECT pg_advisory_lock(%s, hashtext(current_schema()))", (LOCK,))
    except psycopg.errors.LockNotAvailable:
        raise Unusable(f"another server is using {name}: stop it, or name another one") from None


def _shape(connection: Connection, name: str) -> int:
    """How many steps it has taken. Raises Unusable where these are more than we know."""
    found = statements.row(connection, "SELECT to_regclass('shape')::text")
    if found is None or found[0] is None:
        return 0
    found = statements.row(connection, "SELECT version FROM shape")
    assert found is not None
    if found[0] > len(_SCRIPTS):
        raise Unusable(
            f"{name} was made by a newer version of this program: update this one, "
            "or name another database"
        )
    return int(found[0])


def _migrate(connection: Connection, name: str) -> None:
    """Bring it to the newest shape, all steps in one transaction; under the server's lock."""
    steps = _SCRIPTS
    if (shape := _shape(connection, name)) == len(steps):
        return
    connection.execute("BEGIN")
    for step in steps[shape:]:
        connection.execute(step)
    connection.execute("UPDATE shape SET version = ?", (len(steps),))
    connection.execute("COMMIT")


@contextmanager
def _in_one_sentence(url: str) -> Iterator[None]:
    """The driver's errors, which may have lines, and the URL with its password."""
    try:
        yield
    except psycopg.Error as error:
        why = " ".join(str(error).split()).replace(url, name_of(url))
        raise Unusable(f"cannot use {name_of(url)}: {why}") from None


def name_of(url: str) -> str:
    """The database in sentences, without its password."""
    try:
        named = conninfo_to_dict(url)
    except psycopg.Error:
        return "the URL of --journal"
    host = named.get("host") or named.get("hostaddr") or ""
    return f"postgresql://{host}/{named.get('dbname') or ''}"
