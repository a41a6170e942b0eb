"""Databases of every age, and those that cannot be used."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.msgpack import encode

from protocol.ids import MatchId, Seat, Version
from server.store import chain, migrating
from server.store.journal import Doubled
from server.store.migrating import Unusable, check, migrate, statements
from server.store.sqlite import SqliteJournal, connect_to
from server.store.statements import begin, load, tokens
from tests.stage.stores import HEADER, entry


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def connection(file: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(file, isolation_level=None)
    yield opened
    opened.close()


def shape(connection: sqlite3.Connection) -> tuple[int, list[Any]]:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return version, connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()


def test_a_new_file_gets_the_newest_shape_and_keeps_it(connection: sqlite3.Connection) -> None:
    migrate(connection)
    first = shape(connection)
    assert first[0] >= 1
    assert first[1]
    migrate(connection)
    assert shape(connection) == first


def test_an_older_database_takes_the_steps_it_lacks_and_keeps_its_rows(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ["CREATE TABLE one (x);", "ALTER TABLE one ADD COLUMN y NOT NULL DEFAULT 7;"]
    scripts = steps[:1]
    monkeypatch.setattr("server.store.migrating._scripts", lambda: scripts)
    migrate(connection)
    connection.execute("INSERT INTO one VALUES (1)")
    scripts.append(steps[1])
    migrate(connection)
    assert connection.execute("SELECT * FROM one").fetchall() == [(1, 7)]
    assert shape(connection)[0] == 2


def test_a_newer_database_is_refused_and_not_touched(
    connection: sqlite3.Connection, file: Path
) -> None:
    connection.execute("PRAGMA user_version = 999")
    connection.execute("CREATE TABLE later (what)")
    before, content = shape(connection), file.read_bytes()
    with pytest.raises(Unusable, match=r"journal\.db was made by a newer.*update"):
        SqliteJournal(lambda: connect_to(file), "journal.db")
    assert (shape(connection), file.read_bytes()) == (before, content)


def test_a_step_that_fails_leaves_nothing_behind(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = ["CREATE TABLE one (x);", "CREATE TABLE two (x);\nCREATE TABLE one (x);"]
    monkeypatch.setattr("server.store.migrating._scripts", lambda: scripts)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection)
    version, tables = shape(connection)
    assert version == 1
    assert [name for name, _sql in tables] == ["one"]


class Old:
    """A driver with a library that is too old."""

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        assert "sqlite_version" in statement, "an old library is asked for nothing else"
        return sqlite3.connect(":memory:").execute("SELECT '3.36.9'")

    def executemany(self, statement: str, parameters: Any, /) -> Any:
        raise AssertionError

    def close(self) -> None:
        pass


def test_an_old_library_is_refused() -> None:
    with pytest.raises(Unusable, match=r"SQLite 3\.37 or newer"):
        check(Old(), "journal.db")


def test_what_is_no_database_is_refused_and_not_touched(file: Path) -> None:
    file.write_bytes(b"my diary, " * 1000)
    with pytest.raises(Unusable, match=r"cannot use journal\.db.*folder"):
        SqliteJournal(lambda: connect_to(file), "journal.db")
    assert file.read_bytes() == b"my diary, " * 1000


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="folder"):
        SqliteJournal(lambda: connect_to(tmp_path / "no" / "x.db"), "x.db")


def test_statements_are_told_apart() -> None:
    script = "-- a; comment\nCREATE TABLE a (\n  x TEXT DEFAULT ';'\n);\nCREATE TABLE b (x);\n"
    found = list(statements(script))
    assert len(found) == 2
    assert found[1] == "CREATE TABLE b (x);"


async def test_a_journal_from_before_the_log_goes_on(
    connection: sqlite3.Connection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = migrating._scripts()
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts[:3])
    migrate(connection)
    number, link = begin(connection, HEADER, {Seat(0): [b"a"]})
    entries = [entry(n % 2, b"key-%d" % n, n) for n in range(1, 100)]
    for version, one in enumerate(entries, 1):
        link = chain.following(link, one)
        row = (number, version, one.seat, one.key, one.at_ms, one.action, encode(one.lags_ms))
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, link))
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts)
    journal = SqliteJournal(lambda: connect_to(file), "journal.db")
    assert await journal.load(HEADER.match) == (HEADER, tuple(entries))
    assert await journal.tokens(HEADER.match) == {0: [b"a"]}
    with pytest.raises(Doubled):
        await journal.append(HEADER.match, Version(100), entry(1, b"key-7"))
    await journal.append(HEADER.match, Version(100), last := entry(0, b"last"))
    assert await journal.load(HEADER.match) == (HEADER, (*entries, last))
    await journal.close()
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def test_a_journal_of_the_first_shape_keeps_its_matches_and_is_sound(
    connection: sqlite3.Connection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = migrating._scripts()
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts[:1])
    migrate(connection)
    connection.execute("INSERT INTO match VALUES (1, 'm', 'g', 1, x'80', 2, x'00', x'', NULL, 1)")
    connection.executemany(
        "INSERT INTO token VALUES (1, ?, ?, ?)", [(0, b"a", 0), (0, b"b", 1), (1, b"c", 0)]
    )
    monkeypatch.setattr(migrating, "_scripts", lambda: scripts)
    migrate(connection)
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    assert tokens(connection, MatchId("m")) == {0: [b"a", b"b"], 1: [b"c"]}
    assert load(connection, MatchId("m"))[0].seed == b"\x00"
