"""What PostgreSQL adds: one server at a time, epochs, and a database that may not be safe."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from protocol.ids import MatchId, Version
from server.config import Config
from server.store import opening
from server.store.journal import Doubled, JournalError, Unanswered
from server.store.statements import Unusable
from tests.stage import stores
from tests.stage.house import PATIENCE_S, eventually
from tests.stage.postgres import Cluster, cluster, missing, needs_postgres

pytestmark = needs_postgres

if not missing():
    import psycopg.adapt

    from server.store import connecting, postgres
    from server.store.connecting import Lasting, connected
    from server.store.postgres import PostgresJournal, reading


def opened(url: str) -> "PostgresJournal":
    return PostgresJournal(partial(Lasting, url, PATIENCE_S), url)


async def test_what_somebody_else_has_appended_leaves_no_gap_and_no_double(url: str) -> None:
    """What the server remembers is older than what is there."""
    journal = opened(url)
    await stores.filled(lambda: journal, stores.entry(0, b"one"))
    for statement in (
        "INSERT INTO entry SELECT match, 2, 1, key, 0, action, lags, link, 0 FROM entry",
        "UPDATE match SET version = 2",
    ):
        cluster().ask(statement, url)
    with pytest.raises(JournalError):
        await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    assert cluster().ask("SELECT count(*) FROM entry", url) == [(2,)]
    await journal.close()


async def test_who_has_lost_the_session_writes_nothing_beside_the_next_server(url: str) -> None:
    first = opened(url)
    await stores.filled(lambda: first, stores.entry(0, b"one"))
    cluster().ask(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE application_name = 'clocktowers-server'"
    )
    second = opened(url)
    for _ in range(2):
        with stores.impatient(), pytest.raises(JournalError):
            await first.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    await second.append(stores.HEADER.match, Version(2), stores.entry(1, b"two"))
    await second.close()
    await first.append(stores.HEADER.match, Version(3), stores.entry(0, b"three"))
    assert [one.key for one in (await first.load(stores.HEADER.match))[1]] == [
        b"one",
        b"two",
        b"three",
    ]
    await first.close()


def backend(journal: "PostgresJournal") -> int:
    return int(journal._connection.inner.info.backend_pid)  # type: ignore[attr-defined]


async def cut_off(url: str) -> "tuple[PostgresJournal, int]":
    """A journal whose second entry has been given up, and the process of the database that still
    has it: the others go on again."""
    journal = opened(url)
    await stores.filled(lambda: journal, stores.entry(0, b"one"))
    process = backend(journal)
    lasting = journal._connection
    lasting._wait_s = lasting.inner.wait_s = 1.0  # type: ignore[attr-defined]
    cluster().hang()
    try:
        with pytest.raises(Unanswered, match="said nothing for 1 s"):
            await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    finally:
        cluster().go_on(but=process)
    lasting._wait_s = PATIENCE_S  # type: ignore[attr-defined]
    return journal, process


async def test_a_late_entry_is_found_before_it_is_written_again(url: str) -> None:
    """Nothing is read as long as it may still be kept."""
    journal, process = await cut_off(url)
    try:
        with stores.impatient(), pytest.raises(JournalError, match="another server is using"):
            await journal.load(stores.HEADER.match)
    finally:
        cluster().go_on()
    assert len((await journal.load(stores.HEADER.match))[1]) == 2
    with pytest.raises(Doubled):
        await journal.append(stores.HEADER.match, Version(2), stores.entry(0, b"two"))
    assert backend(journal) != process
    await journal.close()


@asynccontextmanager
async def without_its_standby() -> AsyncIterator[None]:
    """Each commit waits for a standby that does not exist."""
    try:
        await names_standby("absent")
        cluster().ask("CHECKPOINT")  # who does it tells all others first that there is one
        yield
    finally:
        await names_standby("")


async def names_standby(name: str) -> None:
    cluster().ask(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    cluster().ask("SELECT pg_reload_conf()")
    await eventually(lambda: cluster().ask("SHOW synchronous_standby_names") == [(name,)])


def waiting() -> list[int]:
    """Whose commits wait for the standby."""
    found = cluster().ask("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    return [int(process) for (process,) in found]


@pytest.mark.parametrize("alone", [True, False])
async def test_a_commit_that_waits_for_its_standby_no_longer_acknowledges_nothing(
    url: str, *, alone: bool
) -> None:
    """`alone`: it is one statement. What is looked up waits for the standby, too."""
    journal = opened(url)
    await stores.filled(lambda: journal, stores.entry(0, b"one"))
    process, match = backend(journal), stores.HEADER.match if alone else MatchId("m2")

    async def keep() -> None:
        if alone:
            await journal.append(match, Version(2), stores.entry(0, b"two"))
        else:
            await journal.begin(stores.header(match))

    async with without_its_standby():
        kept = asyncio.ensure_future(keep())
        await eventually(lambda: waiting() == [process])
        cluster().ask(f"SELECT pg_cancel_backend({process})")
        with pytest.raises(JournalError, match="waits for its standby no longer"):
            await kept
        again = asyncio.ensure_future(journal.load(match))
        await eventually(lambda: again.done() or waiting() not in ([], [process]))
        assert not again.done()
    assert len((await again)[1]) == (2 if alone else 0), "it was kept after all"
    with pytest.raises(Doubled) if alone else nullcontext():
        await keep()
    await journal.close()


async def test_a_first_start_whose_standby_is_absent_says_so(url: str) -> None:
    async with without_its_standby():
        with pytest.raises(Unusable, match="keeps nothing: start the standby"):
            postgres.PostgresJournal(lambda: Lasting(url, 1.0), url)


def test_the_copy_that_a_standby_took_over_from_is_passed_over(tmp_path: Path) -> None:
    """It comes back as it was, while the server runs and before its next start."""
    with closing(Cluster()) as old, closing(Cluster(copy_of=old)) as new:
        url = f"{old.fresh()}&host={old.folder},{new.folder}"

        def folder(age: connecting.Age) -> str:
            """Which of them a server takes."""
            with closing(connecting.connected_to(url, PATIENCE_S, age=age)) as connection:
                return str(connection.info.host)

        file = tmp_path / "age"
        running = connecting.Age(file)
        assert folder(running) == str(old.folder)
        old.kill()
        new.promote()
        assert folder(running) == str(new.folder)
        old.start()
        assert folder(running) == folder(connecting.Age(file)) == str(new.folder)
        assert folder(connecting.Age()) == str(old.folder), "the control"
        new.stop()
        with pytest.raises(Unusable, match="is a copy from before a standby took over"):
            folder(running)
        url = cluster().url()
        with pytest.raises(Unusable, match="another database now: restart the server"):
            folder(running)
        assert folder(connecting.Age(file)) == str(cluster().folder), "as after a restored dump"


async def test_a_reload_of_settings_makes_no_commit_unsafe(url: str) -> None:
    journal = opened(url)
    connection = journal._connection
    try:
        cluster().ask("ALTER SYSTEM SET synchronous_commit = off")
        cluster().ask("SELECT pg_reload_conf()")
        await eventually(lambda: cluster().ask("SHOW synchronous_commit") == [("off",)])
        await journal.probe()
        assert connection.execute("SHOW synchronous_commit").fetchall() == [("on",)]
    finally:
        cluster().ask("ALTER SYSTEM RESET synchronous_commit")
        cluster().ask("SELECT pg_reload_conf()")
        await journal.close()


async def test_a_column_arrives_as_psycopg_itself_would_send_it(url: str) -> None:
    """Its binary form is our own work, and so is that it is used at all."""
    numbers = connecting.Numbers((1, None, -(1 << 62)))
    blobs = connecting.Blobs((b"", b"\x00\xff", b"key"))
    journal = opened(url)
    connection = journal._connection
    found = connection.execute("SELECT ?::bigint[], ?::bytea[]", (numbers, blobs)).fetchall()
    assert found == [([*numbers], [*blobs])]
    adapted = psycopg.adapt.Transformer(connection.inner)  # type: ignore[attr-defined]
    binary = psycopg.adapt.PyFormat.BINARY
    for column in (numbers, blobs):
        assert type(adapted.get_dumper(column, binary)).__module__ == connecting.__name__
    theirs = adapted.get_dumper([*blobs], binary).dump([*blobs])
    assert adapted.get_dumper(blobs, binary).dump(blobs) == theirs
    await journal.close()


async def test_a_newer_database_is_refused_and_not_touched(url: str) -> None:
    await opened(url).close()
    cluster().ask("UPDATE shape SET version = 999", url)
    for work in (opened, reading):
        with pytest.raises(Unusable, match=r"newer version.*update this one"):
            work(url)
    assert cluster().ask("SELECT version FROM shape", url) == [(999,)]


async def test_an_older_database_takes_the_steps_it_lacks_all_or_none(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await stores.filled(lambda: opened(url), stores.entry())).close()
    steps, connection = postgres._SCRIPTS, connected(url)
    connection.execute("UPDATE shape SET version = 13")
    stores.with_days_off_among_deals(connection)
    await opened(url).close()
    assert stores.people_in(connection) == stores.PEOPLE_AWAY
    connection.close()
    monkeypatch.setattr(postgres, "_SCRIPTS", [*steps, "CREATE TABLE one (x INT)", "nonsense"])
    with pytest.raises(Unusable, match="start the server on it once"):
        reading(url)
    with pytest.raises(Unusable, match=r"cannot use .*syntax error"):
        opened(url)
    assert cluster().ask("SELECT version, to_regclass('one') FROM shape", url) == [
        (len(steps), None)
    ]
    monkeypatch.setattr(postgres, "_SCRIPTS", [*steps, "CREATE TABLE one (x INT)"])
    journal = opened(url)
    assert (await journal.load(stores.HEADER.match))[1] == (stores.entry(),)
    assert cluster().ask("SELECT version FROM shape", url) == [(len(steps) + 1,)]
    await journal.close()


async def test_who_reads_changes_nothing(url: str) -> None:
    with pytest.raises(Unusable, match="no journal"):
        reading(url)
    journal = opened(url)
    with closing(reading(url)) as connection, pytest.raises(Unusable, match="read-only"):
        connection.execute("DELETE FROM match")
    await journal.close()


async def test_what_it_says_to_take_is_about_what_it_takes(url: str) -> None:
    journal = opened(url)

    async def one(match: str) -> None:
        await journal.begin(stores.header(match))
        for version in range(1, 61):
            made = stores.entry(version % 3, b"key-%03d" % version, version * 1000, bytes(40))
            await journal.append(MatchId(match), Version(version), made)

    await asyncio.gather(*(one(f"m{number}") for number in range(60)))
    tables = "pg_total_relation_size('match') + pg_total_relation_size('entry')"
    ((really,),) = cluster().ask(f"SELECT {tables}", url)
    with closing(connected(url)) as connection:
        assert 0.5 < postgres.used_bytes(connection) / really < 2, really
    await journal.close()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:secret@/x?host=/nowhere",
        "postgresql://ann:secret@[/x",
        "postgresql://ann:secret@localhost:1/x?nonsense=1",
    ],
)
def test_a_database_that_is_not_there_is_one_sentence_without_its_password(url: str) -> None:
    with pytest.raises(Unusable) as refused:
        opened(url)
    sentence = str(refused.value)
    assert "secret" not in sentence and "\n" not in sentence and "cannot use" in sentence


@pytest.mark.parametrize("hops", [False, True])
def test_a_pooler_that_shares_is_refused(
    hops: bool, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two connections meet one session; or one connection meets two."""
    first, second, third = (connecting.connected_to(url, PATIENCE_S) for _ in range(3))
    execute, asked = first.execute, iter([first.execute, third.execute])

    def hopping(statement: str, *given: Any) -> Any:
        return (next(asked) if statement == connecting._PID else execute)(statement, *given)

    if hops:
        monkeypatch.setattr(first, "execute", hopping)
    sessions = Mock(side_effect=[first, second if hops else first])
    monkeypatch.setattr(connecting, "connected_to", sessions)
    with pytest.raises(Unusable, match="pool_mode = session"):
        opened(url)
    second.close()
    third.close()


async def test_a_database_that_has_no_second_session_left_is_used(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = psycopg.OperationalError("too many clients already")
    sessions = Mock(side_effect=[connecting.connected_to(url, PATIENCE_S), full])
    monkeypatch.setattr(connecting, "connected_to", sessions)
    with closing(Lasting(url, PATIENCE_S)) as lasting:
        assert lasting.execute("SELECT 1").fetchone() == (1,)


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("server.store.postgres", "server.store.connecting"):
        monkeypatch.delitem(sys.modules, module)
        monkeypatch.delattr(module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Unusable, match=r"extra \[postgres\]"):
        opening.journal(Config(journal="postgresql://"), tmp_path)
