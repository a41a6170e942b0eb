"""Connections to a PostgreSQL database: those of a server and those of a command.

Laws: a server that would acknowledge before it is safe gets none, and none to an older copy of the
database that it had. A server's connection holds a lock that no other server gets. A lost
connection is a lost lock, so two servers never write to one journal. Once we hold the lock again,
no statement of our former session can still run. Every reconnect makes the same checks, and reads
nothing that the standby may lack. No wait for the database is without a limit.
"""

import math
import struct
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.adapt import Dumper
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Diagnostic
from psycopg.pq import Format

from server.store.journal import JournalError, Unanswered
from server.store.private import replace_file
from server.store.statements import NOW, SqlConnection, Unusable

T = TypeVar("T")

OLDEST: Final = 140000
"""The oldest PostgreSQL that its makers still mended when this was written."""
LOCK: Final = 0x0C10C2
"""The first half of our advisory lock's number; the other is made from the schema's name."""
LIFE_LOCK: Final = LOCK + 1
"""The class of the nodes' locks; the view `living` has it, too."""
MIGRATING_LOCK: Final = LOCK + 2
NODE_LOCK: Final = LOCK + 3
NAMES_LOCK: Final = LOCK + 4
"""Of the node that claims names."""
PEOPLE_LOCK: Final = LOCK + 5
"""The class of those that write of a person."""
LOCK_SHARE_MS: Final = 800
"""Of each second of our patience the lock may take so much: so the database says no by itself."""
WAIT_S: Final = 5.0
"""How long a server waits for an answer, unless `journal_wait_s` says otherwise."""
WRITABLE: Final = "read-write"
AGE: Final = "database"
"""The file in a server's folder that says which database it had, and how old."""

DEFAULTS: Final[dict[str, Any]] = {
    "application_name": "clocktowers-server",
    # A machine that vanishes without a word is given up after some ten seconds, also while nothing
    # is under way.
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
_NOW: Final = "extract(epoch FROM clock_timestamp())::bigint"
_SETTINGS: Final = """
SET statement_timeout = 0;
SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = '10s';
SET jit = off
"""
"""A time-out of statements could end the wait for a standby, and the commit would count. The others
let the database, too, give up a machine that has vanished, and with it the lock."""
_SAFETY: Final = """
SELECT current_setting('fsync'), current_setting('synchronous_standby_names'),
       set_config('synchronous_commit', current_setting('synchronous_commit'), false)
"""
"""From then on no reload of the database's settings changes `synchronous_commit`."""
_AGE: Final = """
SELECT system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8)
FROM pg_control_system()
"""
"""Whose it is, and its timeline: eight hexadecimal digits."""
_PID: Final = "SELECT pg_backend_pid()"
AFTER_ALL: Final = "SELECT pg_logical_emit_message(true, 'clocktowers', '')"
"""An empty commit: the standby has it once it has every commit before it."""


class Age:
    """How old the database is that a process has seen, for all its connections: each standby that
    takes over begins a timeline. The copy that it took over from may come back, and lacks what was
    acknowledged since. `file`: keeps it for the next start; None = nothing does."""

    def __init__(self, file: Path | None = None) -> None:
        self._file: Final = file
        self._turn: Final = threading.Lock()
        self._running = False
        self._kept = ""
        if file is not None:
            with suppress(OSError, UnicodeDecodeError):
                self._kept = file.read_text("ascii")

    def see(self, connection: "Bounded", name: str) -> None:
        """Take note of the database at the other end. Raises Outdated."""
        found = connection.execute(_AGE).fetchone()
        assert found is not None
        system, timeline = found
        with self._turn:
            before, _, newest = self._kept.partition(" ")
            if system == before and timeline < newest:
                raise Outdated(
                    f"{name} is a copy from before a standby took over (timeline {timeline}, and "
                    f"{newest} was seen): stop it, or make it a standby of the other one"
                )
            if self._running and system != before:
                raise Outdated(f"{name} is another database now: restart the server to use it")
            self._running, kept = True, f"{system} {timeline}"
            if self._file is not None and kept != self._kept:
                replace_file(self._file, kept.encode())
            self._kept = kept


class Outdated(Unusable):
    """This copy of the database is not the one to use; another host may have that."""


class Bounded(psycopg.Connection[Any]):
    """It is closed when the database says nothing for `wait_s`, which libpq alone would wait for:
    a process that hangs lives on for TCP, and a Unix socket has no time-outs. It is closed, too,
    when a commit was told to wait for its standby no longer: the database calls that a success."""

    wait_s = math.inf
    unsafe = False
    _until_s = math.inf

    def wait_until(self, until_s: float) -> None:
        """Give up every statement at that time, by `time.monotonic`."""
        self._until_s = until_s

    def note(self, notice: Diagnostic) -> None:
        """By the function that says it, since its words are in the database's language."""
        self.unsafe = self.unsafe or notice.source_function == "SyncRepWaitForLSN"

    def wait(self, gen: PQGen[T], *args: Any, **kwargs: Any) -> T:
        return super().wait(self._in_time(gen), *args, **kwargs)

    def _in_time(self, gen: PQGen[T]) -> Generator[Any, Any, T]:
        begun_s = time.monotonic()
        until_s = min(begun_s + self.wait_s, self._until_s)
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                if not ready and time.monotonic() > until_s:
                    self.pgconn.finish()
                    why = f"it has said nothing for {until_s - begun_s:.3g} s"
                    raise psycopg.OperationalError(why)
                wants = gen.send(ready)
        except StopIteration as end:
            if self.unsafe:
                self.pgconn.finish()
                raise psycopg.OperationalError("a commit waits for its standby no longer") from None
            result: T = end.value
            return result


class Numbers(tuple[int | None, ...]):
    """A column of whole numbers for a statement that comes with every move; at least one."""


class Blobs(tuple[bytes, ...]):
    """A column of bytes for such a statement; at least one."""


class _NumbersDumper(Dumper):
    """psycopg's own dumper of a list takes long to find out what each value is."""

    format = Format.BINARY
    oid = 1016  # bigint[]

    def dump(self, obj: Numbers) -> bytes:
        elements = [_NULL if one is None else _NUMBER.pack(8, one) for one in obj]
        return _array(20, elements)


class _BlobsDumper(Dumper):
    format = Format.BINARY
    oid = 1001  # bytea[]

    def dump(self, obj: Blobs) -> bytes:
        return _array(17, [_LENGTH.pack(len(one)) + one for one in obj])


def _array(element_oid: int, elements: list[bytes]) -> bytes:
    """An array in PostgreSQL's binary form. `elements`: each behind its length."""
    return _ARRAY.pack(1, _NULL in elements, element_oid, len(elements), 1) + b"".join(elements)


_ARRAY: Final = struct.Struct("!5i")
"""Dimensions, whether there is a NULL, the type of the elements, their number, the first index."""
_LENGTH: Final = struct.Struct("!i")
_NUMBER: Final = struct.Struct("!iq")
_NULL: Final = _LENGTH.pack(-1)


class Marked:
    """A connection that takes what SQLite calls values and the time, so that both databases share
    statements. Values travel in binary, which takes half of the time."""

    def __init__(self, inner: Bounded) -> None:
        self.inner = inner

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        if not parameters:  # it may be several statements
            return self.inner.execute(statement.encode())
        return self.inner.execute(_marked(statement), parameters, binary=True)

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        self.inner.cursor().executemany(_marked(statement), parameters)

    def close(self) -> None:
        self.inner.close()


class Reading(Marked):
    """For commands, which want a sentence whenever it fails."""

    def __init__(self, url: str, *, writes: bool = False) -> None:
        """`writes`: it may change something, too."""
        attributes = WRITABLE if writes else "any" if _hosts(url) == 1 else "primary"
        super().__init__(connected_to(url, WAIT_S, attributes))
        self._url: Final = url

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        with in_one_sentence(self._url):
            return super().execute(statement, parameters)


class Lasting(Marked):
    """A server's connection: when it is lost, the error undoes what was under way, and the next
    statement takes another one."""

    def __init__(
        self, url: str, wait_s: float = WAIT_S, node: str = "", age: Age | None = None
    ) -> None:
        """`node`: the name of a server among several, "" = it is alone. Raises Unusable and the
        driver's errors."""
        self._url: Final = url
        self._node: Final = node
        self._wait_s: Final = wait_s
        self._age: Final = age or Age()
        super().__init__(self._safe(starting=True))

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        begun_s = time.monotonic()
        try:
            return self._executed(statement, parameters)
        except (psycopg.Error, Unusable) as error:
            if time.monotonic() - begun_s < self._wait_s / 2:
                raise
            raise Unanswered(f"the database does not answer: {error}") from error

    def _executed(self, statement: str, parameters: Any) -> Any:
        if self.inner.closed and statement not in ("COMMIT", "ROLLBACK"):
            self.inner = self._safe(starting=False)
        cursor = super().execute(statement, parameters)
        if statement == "COMMIT" and cursor.statusmessage != "COMMIT":
            raise JournalError("the database has undone the transaction")
        return cursor

    def _safe(self, *, starting: bool) -> Bounded:
        """A connection that acknowledges what is safe, and no other server's."""
        name, connection = name_of(self._url), connected_to(self._url, self._wait_s, age=self._age)
        try:
            _check(connection, name, _hosts(self._url) if starting else 1)
            if starting:  # after `_check`: a pooler may give who has set something a session
                _see_whose_session(connection, name, self._url, self._age)
            _lock(connection, name, self._node)
            if not starting:
                connection.execute(AFTER_ALL)
        except BaseException:
            connection.close()
            raise
        return connection


@cache
def _marked(statement: str) -> bytes:
    return statement.replace(NOW, _NOW).replace("?", "%b").encode()


def connected(url: str) -> SqlConnection:
    """A connection that looks at nothing, locks nothing, and waits for each statement as long as
    that takes. Raises the driver's errors."""
    connection = connected_to(url, WAIT_S)
    connection.wait_s = math.inf
    return Marked(connection)


def connected_to(url: str, wait_s: float, attributes: str = "", age: Age | None = None) -> Bounded:
    """To the first host that takes it. `attributes`: what the host has to be, unless the URL says
    so itself, as a rule WRITABLE; `age`: older copies are passed over. Raises Unusable and the
    driver's errors.

    A host whose machine has vanished does not refuse, so each has its share of `wait_s` to let us
    in; psycopg gives it 2 s at least."""
    until_s, hosts = time.monotonic() + wait_s, _each_host(url)
    failed: psycopg.Error | Outdated | None = None
    for number, host in enumerate(hosts):
        left_s = max(until_s - time.monotonic(), 0) / (len(hosts) - number)
        ours = {
            "connect_timeout": max(math.ceil(left_s), 1),
            "tcp_user_timeout": int(wait_s * 1000),
            "target_session_attrs": attributes or WRITABLE,
        }
        try:
            return _connected({**DEFAULTS, **ours, **host}, wait_s, name_of(url), age)
        except (psycopg.Error, Outdated) as error:
            failed = failed if isinstance(failed, Outdated) else error
    assert failed is not None
    raise failed


def _connected(given: dict[str, Any], wait_s: float, name: str, age: Age | None) -> Bounded:
    connection = Bounded.connect(autocommit=True, **given)
    connection.wait_s = wait_s
    connection.add_notice_handler(connection.note)
    connection.adapters.register_dumper(Numbers, _NumbersDumper)
    connection.adapters.register_dumper(Blobs, _BlobsDumper)
    if age is not None:
        try:
            age.see(connection, name)
        except BaseException:
            connection.close()
            raise
    return connection


def _each_host(url: str) -> list[dict[str, Any]]:
    """What the URL says of each."""
    named, hosts = conninfo_to_dict(url), _hosts(url)
    several = {
        key: values * hosts if len(values) == 1 else values
        for key in ("host", "hostaddr", "port")
        if key in named and (values := str(named[key]).split(","))
    }
    return [
        {**named, **{key: values[number] for key, values in several.items()}}
        for number in range(hosts)
    ]


def _hosts(url: str) -> int:
    named = conninfo_to_dict(url)
    return len(str(named.get("host") or named.get("hostaddr") or "").split(","))


def _see_whose_session(connection: Bounded, name: str, url: str, age: Age) -> None:
    """A lock is nobody's where a pooler has several connections share a session of the database.
    A database that has no other session left is not judged."""
    try:
        second = connected_to(url, connection.wait_s, age=age)
    except (psycopg.OperationalError, Outdated):
        return
    with closing(second) as other:
        pids = [one.execute(_PID).fetchone() for one in (connection, other, connection)]
    if pids[0] != pids[2] or pids[0] == pids[1]:
        raise Unusable(
            f"{name} is behind a pooler whose clients share sessions: let it give each client one "
            "of its own (pool_mode = session), or name the database itself"
        )


def _check(connection: Bounded, name: str, hosts: int) -> None:
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


def _lock(connection: Bounded, name: str, node: str) -> None:
    """A server that was killed lets go of it within a moment, which `lock_timeout` waits for. Nodes
    share it, and each has one more of its own."""
    most_ms = int(connection.wait_s * LOCK_SHARE_MS)
    connection.execute(f"SET lock_timeout = {most_ms}".encode())
    shared = "_shared" if node else ""
    who = f"another server is using {name}: stop it, or name another one"
    try:
        connection.execute(
            f"SELECT pg_advisory_lock{shared}({LOCK}, hashtext(current_schema()))".encode()
        )
        if node:
            who = f"another node of {name} is called {node}: stop it, or choose another --node"
            own = f"SELECT pg_advisory_lock({NODE_LOCK}, hashtext(current_schema() || '/' || %s))"
            connection.execute(own.encode(), [node])
    except psycopg.errors.LockNotAvailable:
        raise Unusable(who) from None


@contextmanager
def in_one_sentence(url: str) -> Iterator[None]:
    """The driver's errors, which may have lines, and the URL with its password."""
    try:
        yield
    except (psycopg.Error, Unanswered) as error:
        why = " ".join(str(error).split()).replace(url, name_of(url)).rstrip(".")
        raise Unusable(
            f"cannot use {name_of(url)}: {why}; see that it runs, answers, can be written and has "
            "room, and that the URL names it"
        ) from None


def name_of(url: str) -> str:
    """The database in sentences, without its password."""
    try:
        named = conninfo_to_dict(url)
    except psycopg.Error:
        return "the URL of --journal"
    host = named.get("host") or named.get("hostaddr") or ""
    return f"postgresql://{host}/{named.get('dbname') or ''}"
