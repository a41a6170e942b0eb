"""What SQLite adds to the contract: full disks harm nobody, and files of every age are read."""

import asyncio
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.msgpack import encode

from protocol.ids import MatchId, Seat, Version
from server.server import SWITCH_S
from server.store import sqlite, statements
from server.store.journal import Doubled, JournalError
from server.store.mending import PAGE_BYTES
from server.store.sqlite import SqliteJournal, connect_to
from server.store.statements import (
    SqlConnection,
    Unusable,
    begin,
    check,
    load,
    migrate,
    next_link,
    tokens,
)
from tests.server.store.test_contract import Counting
from tests.stage import stores
from tests.stage.house import PATIENCE_S


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def opened(file: Path) -> SqliteJournal:
    return SqliteJournal(lambda: connect_to(file), str(file))


async def test_a_full_disk_is_an_error_and_no_loss(file: Path) -> None:
    connection = connect_to(file)
    journal = SqliteJournal(lambda: connection, str(file))
    await journal.begin(stores.HEADER)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    kept = 0
    with pytest.raises(JournalError, match="full"):
        for kept in range(1000):
            await journal.append(
                stores.HEADER.match,
                Version(kept + 1),
                stores.entry(0, b"%d" % kept, kept, bytes(500)),
            )
    assert 0 < kept < 1000
    assert len((await journal.load(stores.HEADER.match))[1]) == kept
    connection.execute("PRAGMA max_page_count = 100000")
    await journal.append(stores.HEADER.match, Version(kept + 1), stores.entry(0, b"again"))
    assert len((await journal.load(stores.HEADER.match))[1]) == kept + 1
    await journal.close()


async def test_a_commit_of_many_matches_writes_a_page_or_two(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that settle their entries are others."""
    matches = [MatchId(f"m{number}") for number in range(50)]
    journal = opened(file)
    await asyncio.gather(*(journal.begin(stores.header(match)) for match in matches))
    for version in range(1, 41):
        played = stores.entry(0, b"%d" % version, action=bytes(100))
        await asyncio.gather(*(journal.append(one, Version(version), played) for one in matches))
    await journal.close()
    monkeypatch.setattr(sqlite, "LOG_ENTRIES", 1 << 30)
    journal, ahead = opened(file), file.with_name(file.name + "-wal")
    for version in (41, 42):
        before = ahead.stat().st_size
        played = stores.entry(0, b"%d" % version)
        await asyncio.gather(*(journal.append(one, Version(version), played) for one in matches))
    assert (ahead.stat().st_size - before) / PAGE_BYTES < 5
    await journal.close()


async def test_a_probe_is_written_and_tells_when_it_cannot_be(file: Path) -> None:
    connection = connect_to(file)
    journal = SqliteJournal(lambda: connection, str(file))
    ahead = file.with_name(file.name + "-wal")
    before = ahead.stat().st_size
    await journal.probe()
    assert ahead.stat().st_size > before
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError, match="readonly"):
        await journal.probe()
    await journal.close()


@pytest.fixture
def fairly() -> Iterator[None]:
    """Threads share the interpreter as in a server."""
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    yield
    sys.setswitchinterval(before_s)


async def test_a_busy_loop_does_not_hold_up_commits(file: Path, fairly: None) -> None:
    """It is busy until the commit is done that was under way when its turn began."""
    connection = Counting(connect_to(file))
    journal = SqliteJournal(lambda: connection, str(file))
    match, busy = MatchId("m"), 0
    await journal.begin(stores.header(match))
    for number in range(1, 5):
        before, played = connection.commits, stores.entry(0, b"%d" % number)
        appended = asyncio.ensure_future(journal.append(match, Version(number), played))
        for _ in range(3):  # turns, after which the thread has it
            await asyncio.sleep(0)
        end_s = time.monotonic() + PATIENCE_S
        while connection.commits == before:
            assert time.monotonic() < end_s
            busy += 1
        await appended
    assert busy
    await journal.close()


# Files of every age, and those that cannot be used ------------------------------------------------


@pytest.fixture
def connection(file: Path) -> Iterator[SqlConnection]:
    with closing(connect_to(file)) as opened:
        yield opened


def shape(connection: SqlConnection) -> tuple[int, list[Any]]:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return version, connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()


def test_a_newer_database_is_refused_and_not_touched(connection: SqlConnection, file: Path) -> None:
    connection.execute("PRAGMA user_version = 999")
    connection.execute("CREATE TABLE later (what)")
    before, content = shape(connection), file.read_bytes()
    with pytest.raises(Unusable, match=r"journal\.db was made by a newer.*update"):
        SqliteJournal(lambda: connect_to(file), "journal.db")
    assert (shape(connection), file.read_bytes()) == (before, content)


def test_a_step_that_fails_leaves_nothing_behind(
    connection: SqlConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = ["CREATE TABLE one (x);", "CREATE TABLE two (x);\nCREATE TABLE one (x);"]
    monkeypatch.setattr(statements, "_SCRIPTS", scripts)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection)
    version, tables = shape(connection)
    assert version == 1
    assert [name for name, _sql in tables] == ["one"]


def test_an_old_library_is_refused(
    connection: SqlConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))
    with pytest.raises(Unusable, match=r"SQLite 3\.37 or newer"):
        check(connection, "journal.db")


def test_what_is_no_database_is_refused_and_not_touched(file: Path) -> None:
    file.write_bytes(b"my diary, " * 1000)
    with pytest.raises(Unusable, match=r"cannot use journal\.db.*folder"):
        SqliteJournal(lambda: connect_to(file), "journal.db")
    assert file.read_bytes() == b"my diary, " * 1000


async def test_a_journal_from_before_the_log_goes_on(
    connection: SqlConnection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = statements._SCRIPTS
    monkeypatch.setattr(statements, "_SCRIPTS", scripts[:3])
    migrate(connection)
    number, link = begin(connection, stores.HEADER, {Seat(0): [b"a"]})
    entries = [stores.entry(n % 2, b"key-%d" % n, n) for n in range(1, 100)]
    for version, one in enumerate(entries, 1):
        link = next_link(link, one)
        row = (number, version, one.seat, one.key, one.at_ms, one.action, encode(one.lags_ms))
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, link))
    monkeypatch.setattr(statements, "_SCRIPTS", scripts)
    journal = SqliteJournal(lambda: connect_to(file), "journal.db")
    assert await journal.load(stores.HEADER.match) == (stores.HEADER, tuple(entries))
    assert await journal.tokens(stores.HEADER.match) == {0: [b"a"]}
    with pytest.raises(Doubled):
        await journal.append(stores.HEADER.match, Version(100), stores.entry(1, b"key-7"))
    await journal.append(stores.HEADER.match, Version(100), last := stores.entry(0, b"last"))
    assert await journal.load(stores.HEADER.match) == (stores.HEADER, (*entries, last))
    await journal.close()
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def test_a_journal_of_the_first_shape_keeps_its_matches_and_is_sound(
    connection: SqlConnection, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = statements._SCRIPTS
    monkeypatch.setattr(statements, "_SCRIPTS", scripts[:1])
    migrate(connection)
    connection.execute("INSERT INTO match VALUES (1, 'm', 'g', 1, x'80', 2, x'00', x'', NULL, 1)")
    connection.executemany(
        "INSERT INTO token VALUES (1, ?, ?, ?)", [(0, b"a", 0), (0, b"b", 1), (1, b"c", 0)]
    )
    monkeypatch.setattr(statements, "_SCRIPTS", scripts[:7])
    migrate(connection)
    stores.with_days_off_among_deals(connection)
    monkeypatch.setattr(statements, "_SCRIPTS", scripts)
    migrate(connection)
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    assert stores.people_in(connection) == stores.PEOPLE_AWAY and not statements.deals(connection)
    assert tokens(connection, [MatchId("m")]) == [{0: [b"a", b"b"], 1: [b"c"]}]
    assert load(connection, MatchId("m"))[0].seed == b"\x00"
