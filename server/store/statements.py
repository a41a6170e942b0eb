"""What a journal's database has: its shape, its statements, the hash chain, the records.

Laws: each statement works in the transaction that its caller has begun. Those that refuse raise No
before they have changed anything. What the disk has changed does not fit into the chain, which
finds damage, not malice: the file's owner can make a chain that fits. Records are finished matches
that no table holds any more: what a table holds is never pruned, and when the journal is too large
the oldest records go first.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct, msgpack, structs

from protocol.ids import Key, MatchId, Seat, Version
from protocol.table import DAY_S
from server.store.journal import Asleep, Entry, Header, Hurt, JournalError, TokenHashes

# Brings the database's shape up to date in numbered steps, each in a transaction of its own.
#
# Law: a database that a newer program has made is refused untouched. Sentences say what to do.


OLDEST_SQLITE: Final = (3, 37)
"""The first with STRICT tables."""


NOW: Final = "CAST(strftime('%s', 'now') AS INTEGER)"
"""Seconds since 1970, by the database's own clock: those of its servers may differ."""


class SqlConnection(Protocol):
    """The part of SQLite's driver that we use, in autocommit."""

    def execute(self, statement: str, parameters: Any = (), /) -> Any: ...

    def executemany(self, statement: str, parameters: Any, /) -> Any: ...

    def close(self) -> Any: ...


Connect: TypeAlias = Callable[[], SqlConnection]


class Unusable(Exception):
    """The database cannot be worked with; the text is a sentence that says what to do."""


def scripts_in(folder: str) -> list[str]:
    """001.sql, 002.sql … in order."""
    entries = (files("server.store") / folder).iterdir()
    found = {one.name: one for one in entries if one.name.endswith(".sql")}
    assert sorted(found) == [f"{n:03}.sql" for n in range(1, len(found) + 1)]
    return [one.read_text(encoding="utf-8") for _name, one in sorted(found.items())]


_SCRIPTS: Final = scripts_in("migrations")
"""Read now: root becomes another account later, which need not be able to read the program."""


def check(connection: SqlConnection, name: str) -> None:
    """Look, and change nothing. Raises Unusable; `name` is the database's in sentences."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise Unusable(f"SQLite {needed} or newer is needed: install a newer Python or SQLite")
    if _shape(connection) > len(_SCRIPTS):
        raise Unusable(
            f"{name} was made by a newer version of this program: update this one, "
            "or move that file away to begin without its matches"
        )


def is_older(connection: SqlConnection) -> bool:
    """Whether `migrate` would change its shape."""
    return _shape(connection) < len(_SCRIPTS)


def with_unhex(connection: sqlite3.Connection) -> sqlite3.Connection:
    """What `migrate` needs; SQLite has it itself since 3.41."""
    connection.create_function("unhex", 1, bytes.fromhex)
    return connection


def migrate(connection: SqlConnection) -> None:
    """Bring it to the newest shape."""
    for number in range(_shape(connection) + 1, len(_SCRIPTS) + 1):
        with transaction(connection):
            for statement in _SCRIPTS[number - 1].split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")


@contextmanager
def transaction(connection: SqlConnection) -> Iterator[None]:
    """All that is written inside, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _shape(connection: SqlConnection) -> int:
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    return int(shape)


# A hash chain over what the journal has of a match: what the disk has changed does not fit.
#
# It finds damage, not malice: the file's owner can make a chain that fits.


Link: TypeAlias = bytes

LINK_BYTES: Final = 16
NO_LINK: Final[Link] = b""
"""Of matches that are older than the chain."""

_encode: Final = msgspec.msgpack.Encoder().encode


def first_link(header: Header) -> Link:
    """The link before the first entry."""
    return blake2b(_encode(header), digest_size=LINK_BYTES).digest()


def next_link(link: Link, entry: Entry) -> Link:
    """The link of an entry. `link`: that before it."""
    return blake2b(link + _encode(entry), digest_size=LINK_BYTES).digest()


def check_links(header: Header, begins: Link, linked: Iterable[tuple[Entry, Link]]) -> None:
    """See that everything fits. Raises Hurt with the first version that does not."""
    if begins and begins != first_link(header):
        raise _hurt(header.match, "its beginning has changed")
    link = begins
    for version, (entry, kept) in enumerate(linked, 1):
        if kept == NO_LINK == link:
            continue
        link = next_link(link, entry)
        if kept != link:
            raise _hurt(header.match, f"version {version} is not what was written")


def _hurt(match: MatchId, why: str) -> Hurt:
    return Hurt(f"match {match} is damaged on the disk: {why}")


_COLUMNS: Final = 'id, game, rules_version, options, seats, seed, "table"'
"""The columns of a `Header`, in its order."""


class No(JournalError):
    """This request cannot be kept; the others in its group can."""


def begin(connection: SqlConnection, header: Header, tokens: TokenHashes) -> tuple[int, Link]:
    """Returns the match's number and the link before its first entry."""
    link = first_link(header)
    number = row(
        connection,
        f"INSERT INTO match ({_COLUMNS}, link, began_at) "
        f"VALUES (?, ?, ?, ?, ?, ?, ?, ?, {NOW}) RETURNING number",
        *structs.astuple(header),
        link,
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
    """Raises No and Hurt."""
    (found,) = load_all(connection, [match])
    if isinstance(found, JournalError):
        raise found
    return found


def load_all(
    connection: SqlConnection, matches: Sequence[MatchId]
) -> list[tuple[Header, Sequence[Entry]] | JournalError]:
    """Each of these, or why it cannot be had."""
    columns = f"number, {_COLUMNS}, link"
    headers = connection.execute(
        f"SELECT {columns} FROM match WHERE id IN ({_marks(matches)})", matches
    ).fetchall()
    entries = {number: list[Sequence[Any]]() for number, *_ in headers}
    for number, *one in connection.execute(
        "SELECT match, seat, key, at_ms, action, lags, link FROM entry "
        f"WHERE match IN ({_marks(entries)}) ORDER BY match, version",
        [*entries],
    ).fetchall():
        entries[number].append(one)
    found: dict[MatchId, tuple[Header, Sequence[Entry]] | JournalError] = {}
    for number, *values, link in headers:
        header = Header(**dict(zip(Header.__struct_fields__, values, strict=True)))
        try:
            found[header.match] = _loaded(header, link, entries[number])
        except Hurt as hurt:
            found[header.match] = hurt
    return [found.get(match) or unknown(match) for match in matches]


def _loaded(
    header: Header, begins: Link, rows: Sequence[Sequence[Any]]
) -> tuple[Header, Sequence[Entry]]:
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
        f"UPDATE match SET outcome = ?, ended_at = coalesce(ended_at, {NOW}) WHERE number = ?",
        (outcome, number_of(connection, match)),
    )


def current(connection: SqlConnection) -> list[MatchId]:
    rows = connection.execute(
        "SELECT id FROM match WHERE held = 1 AND number NOT IN "
        "(SELECT match FROM asleep WHERE awake = 0) ORDER BY number"
    )
    return [MatchId(match) for (match,) in rows.fetchall()]


def forget(connection: SqlConnection, match: MatchId) -> None:
    found = row(connection, "SELECT number FROM match WHERE id = ?", match)
    if found is not None:
        connection.execute("DELETE FROM token WHERE match = ?", found)
        connection.execute("DELETE FROM asleep WHERE match = ?", found)
        connection.execute("UPDATE match SET held = 0 WHERE number = ?", found)


def sleep(connection: SqlConnection, asleep: Asleep, chat: bytes) -> None:
    number = number_of(connection, asleep.match)
    connection.execute("DELETE FROM asleep WHERE match = ?", (number,))
    connection.execute(
        "INSERT INTO asleep (match, code, matches, due_at, due, owners, chat) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *structs.astuple(asleep)[1:], chat),
    )


def wake(connection: SqlConnection, match: MatchId) -> bytes:
    number = number_of(connection, match)
    woken = "UPDATE asleep SET awake = 1 WHERE match = ? RETURNING chat"
    found = row(connection, woken, number)
    return b"" if found is None else bytes(found[0])


def keep_chat(connection: SqlConnection, match: MatchId, chat: bytes) -> None:
    connection.execute(
        "INSERT INTO asleep (match, code, matches, due, owners, chat, awake) "
        "VALUES (?, '', 0, ?, ?, ?, 1) ON CONFLICT (match) DO UPDATE SET chat = excluded.chat",
        (number_of(connection, match), b"", b"", chat),
    )


def asleep(connection: SqlConnection, matches: Sequence[MatchId] | None = None) -> list[Asleep]:
    """`matches`: of these alone."""
    among = "" if matches is None else f" AND id IN ({_marks(matches)})"
    rows = connection.execute(
        "SELECT id, code, matches, due_at, due, owners FROM asleep "
        f"JOIN match ON number = match WHERE awake = 0{among}",
        matches or (),
    )
    return [Asleep(*row) for row in rows.fetchall()]


def keep_tokens(
    connection: SqlConnection, match: MatchId, seat: Seat, hashes: Sequence[bytes]
) -> None:
    number = number_of(connection, match)
    connection.execute("DELETE FROM token WHERE match = ? AND seat = ?", (number, seat))
    connection.executemany(
        "INSERT INTO token (match, seat, hash, place) VALUES (?, ?, ?, ?)",
        [(number, seat, one, place) for place, one in enumerate(hashes)],
    )


def tokens(
    connection: SqlConnection, matches: Sequence[MatchId]
) -> list[TokenHashes | JournalError]:
    """Of each of these, or why there are none to be had."""
    found: dict[MatchId, dict[Seat, list[bytes]]] = {}
    for match, seat, one in connection.execute(
        "SELECT id, seat, hash FROM match LEFT JOIN token ON token.match = number "
        f"WHERE id IN ({_marks(matches)}) ORDER BY seat, place",
        matches,
    ).fetchall():
        kept = found.setdefault(match, {})
        if seat is not None:
            kept.setdefault(Seat(seat), []).append(one)
    return [found.get(match, unknown(match)) for match in matches]


def keep_deal(connection: SqlConnection, id: str, deal: bytes) -> None:
    connection.execute("DELETE FROM deal WHERE id = ?", (id,))
    if deal:
        keep = f"INSERT INTO deal (id, kept_at, kept) VALUES (?, {NOW}, ?)"
        connection.execute(keep, (id, deal))


def deals(connection: SqlConnection) -> dict[str, bytes]:
    return dict(connection.execute("SELECT id, kept FROM deal").fetchall())


def keep_said(connection: SqlConnection, match: MatchId, seat: Seat, said: bytes) -> None:
    connection.execute(
        "INSERT INTO said (match, seat, kept) VALUES (?, ?, ?) "
        "ON CONFLICT (match, seat) DO UPDATE SET kept = excluded.kept",
        (number_of(connection, match), seat, said),
    )


def said(connection: SqlConnection, match: MatchId) -> dict[Seat, bytes]:
    of = (number_of(connection, match),)
    return dict(connection.execute("SELECT seat, kept FROM said WHERE match = ?", of).fetchall())


def keep_person(connection: SqlConnection, identity: bytes, before: bytes, kept: bytes) -> bytes:
    """Returns what was kept; it is replaced if that is `before`."""
    if (found := people(connection, [identity]).get(identity, b"")) == before:
        connection.execute("DELETE FROM person WHERE identity = ?", (identity,))
    if found == before and kept:
        connection.execute("INSERT INTO person (identity, kept) VALUES (?, ?)", (identity, kept))
    return found


def people(connection: SqlConnection, identities: Sequence[bytes] = ()) -> dict[bytes, bytes]:
    """`identities`: of these, or of all."""
    among = f" WHERE identity IN ({_marks(identities)})" if identities else ""
    rows = connection.execute(f"SELECT identity, kept FROM person{among}", identities)
    return dict(rows.fetchall())


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


def _marks(values: Collection[Any]) -> str:
    """For `IN`, which PostgreSQL does not take without a value."""
    return ", ".join("?" * len(values)) or "NULL"


# Records: finished matches that no table holds any more, and how long and how many are kept.
#
# Laws: a match that a table holds is never pruned. When the file is too large the oldest records go
# first. Room that becomes free is used again, so the file stays about as large as it may be.


AT_ONCE: Final = 20
"""Matches that one transaction prunes: moves wait for a few milliseconds at most."""
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
