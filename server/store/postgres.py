"""The journal in a PostgreSQL database: what was acknowledged is as safe as the database keeps it.

`connecting` holds the laws of its connections: one server at a time, and none that would lose
anything.
"""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from protocol.ids import MatchId, Version
from server.store import statements
from server.store.connecting import (
    AFTER_ALL,
    AGE,
    MIGRATING_LOCK,
    Age,
    Blobs,
    Lasting,
    Numbers,
    Reading,
    connected,
    in_one_sentence,
    name_of,
)
from server.store.in_database import Append, Journal, Stand, StandRow
from server.store.journal import Doubled, Entry, JournalError, Unanswered
from server.store.statements import (
    Connect,
    No,
    SqlConnection,
    Unusable,
    next_link,
    scripts_in,
)

_SCRIPTS: Final = scripts_in("migrations/postgres")

_NEWEST: Final = """
SELECT id, number, version, coalesce(
    (SELECT entry.link FROM entry WHERE entry.match = number AND entry.version = match.version),
    link), epoch
FROM match WHERE id = ANY (?::text[])
"""
_ROW_BYTES: Final = 170
"""About what an entry takes beside its key and its action: with both indexes."""
_APPEND: Final = f"""
WITH wish AS (
    SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[],
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
SELECT match, version::integer, seat::smallint, key, at_ms, action, lags, link, epoch
FROM wish WHERE match IN (SELECT number FROM stood)
RETURNING match
"""


def _see_standby(connection: SqlConnection, name: str) -> None:
    """The next commit is waited for as long as it takes. Raises Unusable if that is for ever."""
    try:
        connection.execute(AFTER_ALL)
    except Unanswered:
        raise Unusable(
            f"{name} keeps nothing: start the standby of its synchronous_standby_names, or take it "
            "out of these"
        ) from None


def _find_room(connection: SqlConnection) -> None:
    """Writes a page that was not there, and takes it back: on a full disk those that are there can
    still be written."""
    connection.execute("BEGIN; CREATE TABLE room AS SELECT 1; ROLLBACK")


def used_bytes(connection: SqlConnection) -> int:
    """About how large the journal is, without room that is free again."""
    found = statements.row(connection, "SELECT coalesce(sum(bytes + 1000), 0)::bigint FROM match")
    assert found is not None
    return int(found[0])


@asynccontextmanager
async def journal_at(url: str, wait_s: float, folder: Path) -> AsyncIterator["PostgresJournal"]:
    """The journal in this database; made where there is none. `wait_s`: how long it waits for an
    answer; `folder`: the server's own. Raises Unusable."""
    age = Age(folder / AGE)
    journal = PostgresJournal(partial(Lasting, url, wait_s, age=age), url)
    try:
        yield journal
    finally:
        await journal.close()


class PostgresJournal(Journal):
    """In a database that other programs reach, too."""

    one_statement = True

    def __init__(self, connect: Connect, url: str) -> None:
        """Opens and, where needed, migrates it. Raises Unusable."""
        with in_one_sentence(url), ExitStack() as stack:
            connection = stack.enter_context(closing(connect()))
            if _shape(connection, name_of(url)) < len(_SCRIPTS):
                _see_standby(connection, name_of(url))
                with closing(connected(url)) as unhurried:  # much may have to be rewritten
                    _migrate(unhurried, name_of(url))
            _find_room(connection)
            super().__init__(connection)
            stack.pop_all()

    def _newest(self, connection: SqlConnection, matches: Collection[MatchId]) -> list[StandRow]:
        found: list[StandRow] = connection.execute(_NEWEST, (list(matches),)).fetchall()
        return found

    def _append(
        self, connection: SqlConnection, appends: Sequence[Append]
    ) -> list[JournalError | Doubled | None]:
        results: list[JournalError | Doubled | None] = []
        for some in _one_a_match(appends):
            if unknown := [match for match, _, _ in some if match not in self._stands]:
                self._come_to(connection, unknown)
            rows = {
                match: _row(stand, version, entry)
                for match, version, entry in some
                if (stand := self._stands.get(match)) is not None and stand.version == version - 1
            }
            kept = _write(connection, [*rows.values()])
            for match, version, entry in some:
                stand, row = self._stands.get(match), rows.get(match)
                if stand is not None and row is not None and stand.number in kept:
                    stand.version, stand.link = version, row[_LINK]
                    results.append(None)
                else:
                    refusal = self._refusal(connection, match, version, entry)
                    results.append(refusal or No(f"{match} has not taken version {version}"))
        return results

    def _probe(self, connection: SqlConnection) -> None:
        connection.execute("UPDATE shape SET version = version")

    def _used_bytes(self, connection: SqlConnection) -> int:
        return used_bytes(connection)


_KINDS: Final = (Numbers, Numbers, Numbers, Blobs, Numbers, Blobs, Blobs, Blobs, Numbers)
_LINK: Final = 7
"""The column."""


def _one_a_match(appends: Sequence[Append]) -> Iterator[list[Append]]:
    """The same in runs, none of which has two of a match."""
    run, seen = list[Append](), set[MatchId]()
    for one in appends:
        if one[0] in seen:
            yield run
            run, seen = [], set()
        run.append(one)
        seen.add(one[0])
    yield run


def _row(stand: Stand, version: Version, entry: Entry) -> tuple[Any, ...]:
    """The values of an entry, as _APPEND takes them."""
    lags, link = statements.lags_of(entry), next_link(stand.link, entry)
    head = (stand.number, version, entry.seat, entry.key, entry.at_ms)
    return (*head, entry.action, lags, link, stand.epoch)


def _write(connection: SqlConnection, rows: Sequence[tuple[Any, ...]]) -> Collection[int]:
    """Write these, one a match; returns the numbers of the matches that have taken theirs."""
    if not rows:
        return ()
    values = [kind(column) for kind, column in zip(_KINDS, zip(*rows, strict=True), strict=True)]
    return {number for (number,) in connection.execute(_APPEND, values)}


def reading(url: str) -> SqlConnection:
    """A connection that changes nothing, also beside a server that runs. Raises Unusable."""
    connection = changing(url, writes=False)
    connection.execute("SET default_transaction_read_only = on")
    return connection


def changing(url: str, *, writes: bool = True) -> SqlConnection:
    """A connection for a command, which may write beside servers. Raises Unusable."""
    with in_one_sentence(url), ExitStack() as stack:
        connection = stack.enter_context(closing(Reading(url, writes=writes)))
        if _shape(connection, name_of(url)) < len(_SCRIPTS):
            name = name_of(url)
            raise Unusable(f"{name} has no journal of this version: start the server on it once")
        stack.pop_all()
    return connection


def _shape(connection: SqlConnection, name: str) -> int:
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


def _migrate(connection: SqlConnection, name: str) -> None:
    """Bring it to the newest shape, all steps in one transaction. Nodes do so one at a time."""
    connection.execute("BEGIN")
    connection.execute(
        f"SELECT pg_advisory_xact_lock({MIGRATING_LOCK}, hashtext(current_schema()))"
    )
    for step in _SCRIPTS[_shape(connection, name) :]:
        connection.execute(step)
    connection.execute("UPDATE shape SET version = ?", (len(_SCRIPTS),))
    connection.execute("COMMIT")
